"""`fmt --upgrade`: rewrite texts of earlier languages in the language of today.

A folder of a ruleset is upgraded as a whole, with its cards and overlays, whose digests follow what they patch, and its
manifest then names the language. Other files are rewritten one by one. Nothing of a ruleset is written while one of its
files cannot be read. Code 1 if a file cannot be read, or with `--check` if one would change.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from dsl.base.writing import write_atomic
from dsl.format.upgrade_ruleset import MANIFEST, Upgrade, upgraded, upgraded_files
from dsl.syntax.vocabulary import LANGUAGE
from tools.base.errors import UserError
from tools.base.terminal import print_diagnostics
from tools.commands.fmt import STDIN, files_to_format, read_text


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
    result = upgraded(file, text, frozenset(), done)
    if result is not None and result != text:
        done.texts[file] = result
    return done
