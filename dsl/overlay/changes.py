"""What overlays change, as texts: for people who want to see a patch before and after.

Takes the folder of a ruleset and its overlays; gives each change with the source text that stood at its address and
the one that stands there now. It applies the patches one after the other, as loading does, and keeps their messages to
itself: loading tells those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dsl import syntax as sx
from dsl.model import Model
from dsl.overlay.addresses import digest, find, name_of
from dsl.overlay.blocks import Block, Chosen, read_blocks, text_of
from dsl.overlay.layers import texts_touched
from dsl.overlay.patches import PATCHES, apply_patch, snippet
from dsl.parse import parse_file
from dsl.sources import read_files
from dsl.span import Source, Span


@dataclass(frozen=True, slots=True)
class Change:
    """`word` is replace, insert before, insert after, drop, alter, add (a declaration or a card) or text (YAML)."""

    by: str  # name of the overlay
    dated: str
    because: str
    word: str
    address: str
    before: str
    after: str
    clauses: tuple[str, ...]
    file: str
    line: int
    digest: str = ""  # of what stood there
    mark: Span | None = None  # of the digest in the patch with its quotes; empty and behind the address: there is none


def changes_of(path: Path, overlays: Sequence[Path], chosen: Chosen = Chosen()) -> list[Change]:  # noqa: B008
    """All changes, in the order in which they apply."""
    texts, _ = read_files(path, overlays)
    model = Model()
    model.sources = texts.all()

    def parse(sources: list[Source]) -> list[sx.File]:
        return [parse_file(source.file, source.text)[0] for source in sources]

    files = parse(texts.rules)
    patches = [tree for layer in texts.overlays for tree in parse(layer.patches)]
    found = []
    for block in read_blocks(patches, path.name, chosen, model):
        for line in block.decl.block:
            found.append(change_of(block, line, files, model))
            files = apply_patch(files, line, model)
    for layer in texts.overlays:
        for tree in parse(layer.rules):
            found += [added(layer.name, line, model) for line in tree.lines if not is_ruling(line)]
        for touch in texts_touched(layer, layer.name):
            file, row = touch.span.file, model.sources[touch.span.file].place(touch.span.start)[0]
            text = model.sources[file].text.splitlines()[row - 1].strip()
            found.append(Change(layer.name, "", "", "text", touch.what.strip("`"), "", text, (), file, row))
    return found


def is_ruling(line: sx.Line) -> bool:
    return isinstance(line, sx.Decl) and line.word in ("ruling", "position")


def change_of(block: Block, line: sx.Line, files: list[sx.File], m: Model) -> Change:
    because = text_of(block.decl, "because")
    source = m.sources[line.span.file]
    row = source.place(line.span.start)[0]
    about = block.name, block.dated, because[0] if because else ""
    cites = getattr(line, "cites", ()) or block.decl.cites
    if not isinstance(line, sx.Decl) or line.word not in PATCHES:
        after = snippet(m, line.span)
        return Change(*about, "add", name_of(line), "", after, cites, block.file, row)
    target = find(files, line.name.split("."))
    before = snippet(m, target.span) if target is not None else ""
    inner = line.block
    after = snippet(m, Span(line.span.file, inner[0].span.start, inner[-1].span.end)) if inner else ""
    if line.word == "alter":
        after = snippet(m, line.span)
    was = digest(target) if target is not None else ""
    recorded = text_of(line, "was")
    behind = Span(line.span.file, line.name_span.end, line.name_span.end)
    mark = recorded[1] if recorded else behind
    return Change(*about, line.word, line.name, before, after, cites, block.file, row, was, mark)


def added(by: str, line: sx.Line, m: Model) -> Change:
    row = m.sources[line.span.file].place(line.span.start)[0]
    cites = getattr(line, "cites", ())
    return Change(
        by, "", "", "add", name_of(line), "", snippet(m, line.span), cites, line.span.file, row, "", line.span
    )
