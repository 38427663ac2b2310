"""One mistake, one message: what is shown of all that the passes found.

`without_consequences` takes the messages of all passes and leaves out those that only follow from others: from a line
or file that could not be read, from a declaration that failed, from a name that was given a second meaning. The model
has the names of what was lost there (`Model.lost`). A message that names a lost thing waits until the cause is mended;
the cause itself is always told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.documents import Manifest
from dsl.files.ruleset import FileTexts
from dsl.symbols.symbols import Model

UNUSED = {"RW0802", "RW0812", "RW0814", "RW1103", "RW1104", "RW1105", "RW1106", "RW1107", "RW1108", "RW1109", "RW1115"}
FORM = "RW01"  # the family of codes about lines that cannot be read
MISSING_FILES = {"RW0320", "RW0326"}  # a file of rules, or all that it should retain
UNREAD_FILES = {"RW0301", "RW0303"}  # codes of files of YAML that cannot be read as a whole
UNKNOWN_KIND = "RW0210"
ABOUT_CLAUSES = {"RW1110"}
ABOUT_TEXTS = {"RW1111", "RW1112", "RW1113"}
QUOTED = re.compile(r"`([^`]*)`")
WORD = re.compile(r"[A-Za-z_]\w*")
SUGGESTED = re.compile(r"did you mean `([^`]+)`")
COPY = re.compile(r"_\d+$")


def without_consequences(model: Model, texts: FileTexts, manifest: Manifest | None) -> list[Diagnostic]:
    """The messages of the model to show, sorted, without duplicates. Where a file of rules is missing, or where data or
    the manifest cannot be read, only that and what is unreadable elsewhere is reported. A broken name leaves others
    unused, and a name that an overlay makes unused is used without it."""
    found = sort_diagnostics(drop_unread_lines(model.diagnostics, model))
    vital = {s.file for layer in (texts, *texts.overlays) for s in layer.data.values()}
    unread = {texts.manifest.file} if texts.manifest and manifest is None else set()
    wanting = [
        d for d in found
        if d.code in MISSING_FILES or d.code in UNREAD_FILES and d.span.file in vital or d.span.file in unread
    ]  # fmt: skip
    if wanting:
        return wanting + [d for d in found if d.code.startswith(FORM)]
    held = held_codes(found, texts)
    found = [d for d in found if d.code not in held and not is_consequence(d, model)]
    found = without_lines_of_no_kind(found, model)
    found = without_misspelt_texts(found)
    if has_errors(found):
        found = [d for d in found if d.code not in ABOUT_TEXTS]
    overlaid = bool(texts.overlays)
    return [d for d in found if d.code not in UNUSED] if overlaid or has_errors(found) else found


def has_errors(found: Iterable[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in found)


def without_misspelt_texts(found: list[Diagnostic]) -> list[Diagnostic]:
    """Without the messages that texts are missing where each of them has a misspelt address, as is told there."""
    meant = {match[1] for d in found if d.code == "RW1113" and (match := SUGGESTED.search(d.help or ""))}
    missing = {id(d): set(QUOTED.findall(d.message)[1:]) for d in found if d.code == "RW1111"}
    return [d for d in found if not missing.get(id(d)) or not missing[id(d)] <= meant]


def held_codes(found: list[Diagnostic], texts: FileTexts) -> set[str]:
    """The codes of messages that follow from the files of clauses or texts that cannot be read."""
    unread = {d.span.file for d in found if d.code in UNREAD_FILES}
    held: set[str] = set()
    for layer in (texts, *texts.overlays):
        if layer.clauses is not None and layer.clauses.file in unread:
            held |= ABOUT_CLAUSES
        if any(s.file in unread for s in layer.locale.values()):
            held |= ABOUT_TEXTS
    return held


def is_consequence(d: Diagnostic, model: Model) -> bool:
    """True for a message about something lost that does not stand where that was lost."""
    if not model.lost or d.code.startswith(FORM):
        return False
    places = [model.lost[name] for name in mentioned(d) if name in model.lost]
    return bool(places) and not any(overlaps(d.span, place) for place in places)


def without_lines_of_no_kind(found: list[Diagnostic], model: Model) -> list[Diagnostic]:
    """Without the messages about lines of a card whose kind is unknown: what fits there is not known either."""
    lost = set(model.lost.values())
    cards = [span for d in found if d.code == UNKNOWN_KIND for span in lost if overlaps(d.span, span)]
    heads = {d.span for d in found if d.code == UNKNOWN_KIND}
    return [
        d for d in found
        if d.code.startswith(FORM) or d.span in heads or not any(overlaps(d.span, card) for card in cards)
    ]  # fmt: skip


def mentioned(d: Diagnostic) -> set[str]:
    """The words that a message quotes; of a copy such as `pen_2`, the card as well."""
    words = {word for quoted in QUOTED.findall(d.message) for word in WORD.findall(quoted)}
    return words | {COPY.sub("", word) for word in words}


def overlaps(span: Span, other: Span) -> bool:
    return span.file == other.file and span.start < max(other.end, other.start + 1) and other.start <= span.end


def drop_unread_lines(found: list[Diagnostic], model: Model) -> list[Diagnostic]:
    """Without the diagnostics of other passes about lines that could not be read."""
    places = [(d, *place_of(d, model)) for d in found]
    unread = {(file, line) for d, file, line in places if d.code.startswith(FORM)}
    return [d for d, file, line in places if d.code.startswith(FORM) or (file, line) not in unread]


def place_of(d: Diagnostic, model: Model) -> tuple[str, int]:
    source = model.sources.get(d.span.file)
    return d.span.file, source.place(d.span.start)[0] if source else 0


def sort_diagnostics(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place, without duplicates."""
    unique: dict[tuple[Any, ...], Diagnostic] = {}
    for d in found:
        unique.setdefault((d.span.file, d.span.start, d.span.end, d.code, d.message), d)
    return sorted(unique.values(), key=lambda d: (d.span.file, d.span.start, d.code))
