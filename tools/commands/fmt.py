"""`fmt`: format rules, cards, overlays, rulings and YAML; with `--check` only report the files that would change.

A file that cannot be parsed is left as it is and its messages are shown; a file is written completely or not at all.
Code 1 if a file cannot be parsed, or with `--check` if one would change.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from dsl.base.span import Source
from dsl.base.writing import write_atomic
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.files.ruleset import RULES
from dsl.format import Unfaithful, format_rules, format_yaml
from tools.base.errors import UserError
from tools.base.home import homes, rulesets
from tools.base.terminal import print_diagnostics, print_error, unfiltered

STDIN = "-"


def fmt_command(paths: Sequence[str], check: bool) -> int:
    if STDIN in paths:
        if len(paths) > 1:
            raise UserError(
                "'-' reads standard input and cannot be combined with files: give the files in a separate call."
            )
        return format_standard_input(check)
    found = files_to_format(paths)
    changed, failed = [], 0
    for file in found:
        text = read_text(file)
        result = None if text is None else format_text(str(file), text)
        if result is None:
            failed += 1
        elif result != text:
            changed.append(file)
            if not check:
                write_atomic(file, result)
    for file in changed:
        print(f"{'would format' if check else 'formatted'} {file}")
    print(summary(len(found), len(changed), failed, check))
    return 1 if failed or check and changed else 0


def format_standard_input(check: bool) -> int:
    """Format rules from standard input to standard output; with `check` nothing is printed."""
    text = sys.stdin.read()
    result = format_text(STDIN, text)
    if result is None:
        return 1
    if not check:
        unfiltered(sys.stdout).write(result)
    return 1 if check and result != text else 0


def files_to_format(paths: Sequence[str]) -> list[Path]:
    """Every file that can be formatted, in these folders too; without paths those of the first home."""
    if not paths:
        home = next(homes(), None)
        if home is None:
            raise UserError("no rulesets were found: give the files or folders to be formatted.")
        paths = [str(folder) for name in ("rulesets", "cards") if (folder := home / name).is_dir()]
    found: dict[Path, None] = {}
    for name in paths:
        path = Path(name)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix in (*RULES, ".yaml"))
            found |= dict.fromkeys(p for p in inside if p.is_file() and not p.is_symlink())
        elif not path.exists():
            own = rulesets().get(name)
            hint = f": the ruleset of this name is in '{own}'" if own is not None else ""
            raise UserError(f"there is no file '{name}'{hint}.")
        elif path.suffix not in (*RULES, ".yaml"):
            raise UserError(f"'{name}' has no layout: fmt formats {', '.join(RULES)} and .yaml.")
        else:
            found[path] = None
    return list(found)


def read_text(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as fault:
        print_error(f"{file} is not UTF-8 text (byte {fault.start}): save it as UTF-8.")
        return None


def format_text(name: str, text: str) -> str | None:
    """The formatted text; None after messages if it cannot be parsed."""
    source = Source(name, text.replace("\r\n", "\n"))
    found: list[Diagnostic]
    try:
        result, found = format_yaml(source) if name.endswith(".yaml") else format_rules(name, source.text)
    except Unfaithful:
        print_error(
            f"{name} would change its meaning when formatted, so it was left: please report this fault of rulewright."
        )
        return None
    if result is None:
        print_diagnostics(found, {name: source}, sys.stderr)
    return result


def summary(files: int, changed: int, failed: int, check: bool) -> str:
    parts = [f"{files - changed - failed} already formatted"]
    if changed:
        parts.append(f"{changed} {'to be formatted' if check else 'formatted'}")
    if failed:
        parts.append(f"{failed} left because of errors")
    return f"{files} file{'' if files == 1 else 's'}: {', '.join(parts)}"
