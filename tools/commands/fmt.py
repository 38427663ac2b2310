"""`fmt`: format rules, cards, overlays, rulings and YAML; with `--check` only report the files that would change.

A file that cannot be parsed is left as it is and its messages are shown; a file is written completely or not at all.
Code 1 if a file cannot be parsed, or with `--check` if one would change.

`fmt --upgrade`: rewrite texts of earlier languages in that of today. A folder of a ruleset is upgraded as a whole, with
its cards and overlays, whose digests follow what they patch, and its manifest then names the language; while one of its
files cannot be read, nothing of it is written. Other files are rewritten one by one.
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
from dsl.format.upgrade_ruleset import MANIFEST, Upgrade, own_names, upgraded, upgraded_files
from dsl.syntax.vocabulary import LANGUAGE
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


# ---------------------------------------------------------------- texts of earlier languages


def upgrade_command(paths: Sequence[str], check: bool) -> int:
    if STDIN in paths:
        raise UserError("standard input holds one text, not a ruleset: give the folder to be upgraded.")
    files = files_to_format(paths)
    done: list[Upgrade] = []
    whole: set[Path] = set()
    for folder in rulesets_among(files):
        done.append(upgraded_ruleset(folder))
        cards = folder.parent.parent / "cards" / folder.name
        whole |= {file for file in files if file.is_relative_to(folder) or file.is_relative_to(cards)}
    done += [upgraded_alone(file) for file in files if file not in whole]
    changed = 0
    for upgrade in done:
        for file, found in upgrade.found.items():
            print_diagnostics(found, upgrade.sources, sys.stderr)
            print(f"left {file}")
        for file, text in upgrade.texts.items() if not upgrade.found else ():
            changed += 1
            if not check:
                write_atomic(file, text)
            print(f"{'would upgrade' if check else 'upgraded'} {file}")
    failed = sum(len(upgrade.found) for upgrade in done)
    print(f"language {LANGUAGE}: {changed} file{'s' * (changed != 1)} {'to be upgraded' if check else 'upgraded'}")
    return 1 if failed or check and changed else 0


def rulesets_among(files: Sequence[Path]) -> list[Path]:
    """The folders of the rulesets whose manifests are among these files."""
    return [file.parent for file in files if file.name == MANIFEST and "variants" not in file.parts]


def upgraded_ruleset(folder: Path) -> Upgrade:
    try:
        return upgraded_files(folder)
    except UnicodeDecodeError as fault:
        raise UserError(f"a file of {folder} is not UTF-8 text (byte {fault.start}): save it as UTF-8.") from fault


def upgraded_alone(file: Path) -> Upgrade:
    """One file that belongs to none of the rulesets that are upgraded."""
    done = Upgrade()
    text = read_text(file)
    if text is None:
        done.found[file] = []
        return done
    text = text.replace("\r\n", "\n")
    result = upgraded(file, text, own_names({file: text}), done)
    if result is not None and result != text:
        done.texts[file] = result
    return done
