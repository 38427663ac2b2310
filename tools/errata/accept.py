"""`errata accept`: write into overlays the rules that they patch now: digests after the addresses, texts in a file
alongside.

A digest that is already there and right stays as it is. Each file is written completely or not at all.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from dsl.base.writing import write_atomic
from dsl.files.ruleset import ORIGINALS, overlay_files, shown_name, write_originals
from dsl.format import format_rules
from dsl.overlay.changes import Change, changes_of
from tools.base.errors import UserError
from tools.base.home import read_reference


def accept_command(ruleset: str, overlays: list[str]) -> int:
    rules = read_reference("+".join((ruleset, *overlays)))
    if not rules.overlays:
        raise UserError("name the overlays to accept, as in 'errata accept orchard long_winter'.")
    files = {shown_name(file, rules.path): file for overlay in rules.overlays for file in overlay_files(overlay)}
    found: dict[str, list[Change]] = defaultdict(list)
    for change in changes_of(rules.path, rules.overlays):
        if change.mark is not None and change.digest:
            found[change.file].append(change)
    written = 0
    for name, changes in found.items():
        written += write_digests(files[name], changes)
    patches = sum(map(len, found.values()))
    print(f"{patches} patch{'es' * (patches != 1)}: {written} digest{'s' * (written != 1)} written")
    return 0


def write_digests(file: Path, changes: list[Change]) -> int:
    """Write the digests into a file of patches, and the texts they stand for into a file alongside; gives the number
    of new digests."""
    before = file.read_text(encoding="utf-8")
    text, new = before, 0
    for change in sorted(changes, key=mark_start, reverse=True):
        assert change.mark is not None
        start, end = change.mark.start, change.mark.end
        written = text[start:end]
        wanted = f'"{change.digest}"' if written else f' was "{change.digest}"'
        if written != wanted:
            new += 1
            text = text[:start] + wanted + text[end:]
            print(f'{file}:{change.line}: {change.word} {change.address} was "{change.digest}"')
    kept = write_originals((change.digest, change.address, change.before) for change in changes)
    kept_file = file.with_suffix(ORIGINALS)
    kept_before = kept_file.read_text(encoding="utf-8") if kept_file.is_file() else ""
    if new:  # the file alongside has the texts of both, so that whichever digests are in place have theirs
        write_atomic(kept_file, f"{kept}\n{kept_before}")
        write_atomic(file, format_rules(str(file), text)[0] or text)
    if new or kept_before != kept:
        write_atomic(kept_file, kept)
    return new


def mark_start(change: Change) -> int:
    """The offset at which the digest of a change is, or is to be written; 0 for a change without a digest."""
    return change.mark.start if change.mark is not None else 0
