"""The changes that overlays make, as texts: for people who want to see a patch before and after.

Takes the folder of a ruleset and its overlays; gives each change with the source text at its address before and after.
It applies the patches one after the other, as loading does, and drops their diagnostics, which loading reports.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.files.ruleset import NOTHING_OPEN, read_files
from dsl.overlay.addresses import Place, declared_name, name_of
from dsl.overlay.blocks import ALL_ERRATA, ErrataChoice, clause_text, read_blocks
from dsl.overlay.conflicts import holds
from dsl.overlay.layers import PatchStep, changed_texts, patch_steps, quiet
from dsl.overlay.patches import INSERTS, PATCHES, TAB, Replacement, digest_of, find_target, snippet, text_of
from dsl.overlay.records import Record
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file

CARD = re.compile(r"card\s+\w+[^:]*:\s*\w+")
OUTSIDE_TEXTS = re.compile(r'"[^"]*"|[\[\](){}:]')


@dataclass(frozen=True, slots=True)
class Change:
    """A change that an overlay makes. `word` is replace, insert before, insert after, drop, alter, add (a declaration
    or a card) or text (YAML)."""

    by: str  # name of the overlay
    dated: str
    because: str
    word: str
    address: str
    before: str  # what stood at the address
    after: str  # what the patch says
    result: str  # what stands at the address with it
    clauses: tuple[str, ...]
    file: str
    line: int
    digest: str = ""  # of what stood there
    mark: Span | None = None  # of the digest in the patch with its quotes; empty and behind the address: there is none


def changes_of(
    path: Path,
    overlays: Sequence[Path],
    chosen: ErrataChoice = ALL_ERRATA,
    opened: Mapping[Path, str] = NOTHING_OPEN,
) -> list[Change]:
    """All changes, in the order in which they apply; `opened` has texts that stand for those of their files."""
    texts, _ = read_files(path, overlays, opened)
    model = Model()
    model.sources = texts.all()

    def parse(sources: list[Source]) -> list[sx.File]:
        return [parse_file(source.file, source.text)[0] for source in sources]

    files = parse([*texts.rules, *texts.bots])
    patches = [tree for layer in texts.overlays for tree in parse(layer.patches)]
    found: list[Change] = []
    for step in patch_steps(files, read_blocks(patches, path.name, chosen, model), texts, model):
        found.append(change_of(step, model, found))
    for layer in texts.overlays:
        for tree in parse([*layer.rules, *layer.bots]):
            found += [addition(layer.name, line, model) for line in tree.lines if not is_ruling(line)]
        for touch in changed_texts(layer, layer.name):
            file, row = touch.span.file, model.sources[touch.span.file].place(touch.span.start)[0]
            text = model.sources[file].text.splitlines()[row - 1].strip()
            found.append(Change(layer.name, "", "", "text", touch.what.strip("`"), "", text, text, (), file, row))
    return found


def is_ruling(line: sx.Line) -> bool:
    return isinstance(line, sx.Decl) and line.word in ("ruling", "position")


def change_of(step: PatchStep, m: Model, earlier: Sequence[Change]) -> Change:
    block, line = step.block, step.line
    because = clause_text(block.decl, "because")
    source = m.sources[line.span.file]
    row = source.place(line.span.start)[0]
    about = block.name, block.dated, because[0] if because else ""
    cites = getattr(line, "cites", ()) or block.decl.cites
    if not isinstance(line, sx.Decl) or line.word not in PATCHES:
        after = snippet(m, line.span)
        return Change(*about, "add", declared_name(line), "", after, after, cites, block.file, row)
    target = find_target(step.seen, line, quiet(m), step.around)
    before = text_of(target, m) if target is not None else ""
    for change in earlier:  # the text is that of one file, and an overlay before has changed it
        above, below = holds(change.address, line.name), holds(line.name, change.address)
        if (above or below) and not (above and change.word in INSERTS):
            before = apply_change(before, change)
    inner = line.block
    after = snippet(m, Span(line.span.file, inner[0].span.start, inner[-1].span.end)) if inner else ""
    if line.word == "alter":
        after = snippet(m, line.span)
    result = result_of(line, target, before, after, m) if target is not None else ""
    was = digest_of(target) if target is not None else ""
    recorded = clause_text(line, "was")
    behind = Span(line.span.file, line.name_span.end, line.name_span.end)
    mark = recorded[1] if recorded else behind
    return Change(*about, line.word, line.name, before, after, result, cites, block.file, row, was, mark)


def apply_change(text: str, change: Change) -> str:
    """The text with a change applied, at any depth of indentation."""
    if change.word in ("add", "text"):
        return text
    rows = f"\n{text}\n"
    for depth in range(8):
        before, result = (f"\n{indent(part, TAB * depth)}\n" for part in (change.before, change.result))
        if before in rows:
            return rows.replace(before, result if change.result else "\n", 1).strip("\n")
    return text


def result_of(patch: sx.Decl, target: Place | Record, before: str, after: str, m: Model) -> str:
    """The text at the address when the patch is made."""
    if isinstance(target, Record) or patch.word == "drop":
        return ""
    if isinstance(target, sx.Name) and patch.word in INSERTS:
        members = ", ".join(m.text(item.span) for item in getattr(patch.block[0], "items", ())) if patch.block else ""
        return f"{members}, {before}" if patch.word == "insert before" else f"{before}, {members}"
    match patch.word:
        case "insert before":
            return f"{after}\n{before}"
        case "insert after":
            return f"{before}\n{after}"
        case "alter":
            return altered_text(patch, target, before, m)
    if not isinstance(target, (sx.Decl, sx.Section, sx.Case, sx.Row)):  # it has no head that stays
        return after
    if len(patch.block) == 1 and name_of(patch.block[0]) == name_of(target):
        return after
    return f"{head_of(before)}\n{indent(after, TAB)}"


def head_of(text: str) -> str:
    """The first line of a declaration, section or case, without a block that stands behind a colon in it."""
    head = text.splitlines()[0]
    card = CARD.match(head)
    if card is not None:  # whose kind stands behind a colon
        return card[0]
    depth = 0
    for found in OUTSIDE_TEXTS.finditer(head):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(found[0], 0)
        if found[0] == ":" and depth == 0:
            return head[: found.start()].rstrip()
    return head


def altered_text(patch: sx.Decl, target: Place, before: str, m: Model) -> str:
    """The text with NEW in the place of OLD."""
    old, new = (next(c.args[0] for c in patch.clauses if c.word == word) for word in ("from", "to"))
    place = Replacement(old, new)
    place.apply(target)
    if place.last is None:
        return before
    if place.last.file != target.span.file or before != text_of(target, m):  # an overlay before has changed it
        was = rf"(?<!\w){re.escape(m.text(old.span))}(?!\w)"
        return re.sub(was, lambda _: m.text(new.span), before, count=1)
    text = m.sources[target.span.file].text
    begin = text.rfind("\n", 0, target.span.start) + 1
    line = text.count("\n", begin, place.last.start)
    column = place.last.start - (text.rfind("\n", 0, place.last.start) + 1) - (target.span.start - begin)
    rows = before.splitlines()
    row = rows[line]
    rows[line] = row[:column] + m.text(new.span) + row[column + place.last.end - place.last.start :]
    return "\n".join(rows)


def addition(by: str, line: sx.Line, m: Model) -> Change:
    row, after = m.sources[line.span.file].place(line.span.start)[0], snippet(m, line.span)
    cites = getattr(line, "cites", ())
    return Change(by, "", "", "add", declared_name(line), "", after, after, cites, line.span.file, row)
