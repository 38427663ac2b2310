"""A new name for something that a ruleset declares: every place in its files, YAML and overlays too, or why not.

Takes the texts of a ruleset and of its overlays; gives the edits. It refuses where it can not be certain: where the
texts have errors, where a place may mean something else as well, and where the result would have a message more than
before. What a patch of an overlay was written for is brought up to date with the name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.pipeline import errors
from dsl.editing.analysis import Analysis, analyse
from dsl.editing.index import DATA, World
from dsl.editing.mentions import Symbol
from dsl.files.ruleset import RULING, Texts
from dsl.overlay.addresses import digest, find
from dsl.overlay.patches import expected_digest
from dsl.symbols.types import RESERVED
from dsl.syntax.nodes import Decl, File
from dsl.syntax.parser import parse_file
from dsl.syntax.vocabulary import CLASSES

POSITION = re.compile(r"^position\b", re.MULTILINE)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SORTS = (
    "local", "member", "zone", "field", "option", "value", "kind", "enum", "table", "piece", "purse", "position",
    "ruling", "rule", "invariant", "routine",
)  # fmt: skip


class Refused(Exception):
    """Why a name can not be changed, as a sentence."""


@dataclass(frozen=True, slots=True)
class Edit:
    span: Span
    text: str


def target(world: World, file: str, offset: int) -> tuple[Span, Symbol]:
    """What would be renamed at a place."""
    found = world.at(file, offset)
    if found is None or not found[2]:
        raise Refused("nothing that this ruleset declares stands here")
    span, name, meant = found
    if len(meant) > 1:
        raise Refused(f"`{name}` may mean several things here: {', '.join(sorted(spoken(s) for s in meant))}")
    symbol = meant[0]
    places = world.declarations(symbol)
    if symbol.sort not in SORTS:
        raise Refused(f"`{name}` is part of addresses ({spoken(symbol)}); it is renamed by hand")
    if not places or any(word_at(world.sources, p) != name for p in places):
        raise Refused(f"`{name}` is written nowhere as a name of its own, so it can not be renamed")
    return span, symbol


def spoken(symbol: Symbol) -> str:
    if symbol.sort == "local":
        return "a local name"
    return f"{symbol.sort} of `{symbol.owner}`" if symbol.owner and symbol.sort in ("member", "field") else symbol.sort


def word_at(sources: dict[str, Source], span: Span) -> str:
    return sources[span.file].text[span.start : span.end] if span.file in sources else ""


def rename(texts: Texts, layers: Sequence[Texts], id: str, file: str, offset: int, new: str) -> list[Edit]:
    """The edits; `layers` are all overlays of the ruleset, of which each is looked at on its own."""
    if not NAME.fullmatch(new):
        raise Refused(f"`{new}` is no name: letters, digits and `_`, and no digit first")
    if new in CLASSES or new in RESERVED:
        raise Refused(f"`{new}` is a word of the language")
    views = [(view, analyse(view, id)) for view in (texts, *(over(texts, layer) for layer in layers))]
    worlds = [World(view, analysis) for view, analysis in views]
    world = next((w for w in worlds if file in w.sources), worlds[0])
    _, symbol = target(world, file, offset)
    if symbol.name == new:
        return []
    for (_, analysis), w in zip(views, worlds, strict=True):
        wrong = errors(analysis.found)
        if wrong and (w is worlds[0] or re.search(rf"\b{symbol.name}\b", layer_text(w, worlds[0]))):
            raise Refused(f"mend the errors first: {shown(analysis.sources, wrong[0])}")
    spans: dict[Span, str] = {}
    for w in worlds:
        clash(w, symbol, new)
        spans |= dict.fromkeys(places(w, symbol), new)
        for copy in w.copies(symbol.owner, symbol.name) if symbol.sort == "member" else ():
            spans |= dict.fromkeys(places(w, copy), new + copy.name.removeprefix(symbol.name))
    edits = [Edit(span, text) for span, text in spans.items()]
    edits += renewed(texts, layers, edits)
    verify(views, edits, id)
    return edits


def over(texts: Texts, layer: Texts) -> Texts:
    """A layer on the base, of whose rulings only those that hold positions are needed to read the layer's own."""
    rules = [s for s in texts.rules if not s.file.endswith(RULING) or POSITION.search(s.text)]
    return replace(texts, rules=rules, overlays=[layer])


def layer_text(world: World, base: World) -> str:
    return "\n".join(s.text for f, s in world.sources.items() if f not in base.sources)


def shown(sources: dict[str, Source], d: Diagnostic) -> str:
    source = sources.get(d.span.file)
    line = source.place(d.span.start)[0] if source else 1
    return f"{d.span.file}:{line}: {d.message}"


# ---------------------------------------------------------------- places


def places(world: World, symbol: Symbol) -> Iterator[Span]:
    for span, meant, _ in world.uses(symbol):
        if len(meant) > 1:
            source = world.sources[span.file]
            raise Refused(
                f"`{symbol.name}` in {span.file}:{source.place(span.start)[0]} may mean several things: "
                + ", ".join(sorted(spoken(s) for s in meant))
            )
        yield span
    if symbol.sort == "local":
        yield from addressed(world, symbol)


def addressed(world: World, symbol: Symbol) -> Iterator[Span]:
    """A choice is addressed by its names: their places in the keys and placeholders of texts."""
    place = world.declarations(symbol)[0]
    around = enclosing(world, place)
    if around is None:
        return
    for source in world.sources.values():
        if source.file.endswith(DATA) and "/locale/" in f"/{source.file}":
            for k in world.keys(source):
                if k.name == symbol.name and k.inside == around.name:
                    yield k.span


def enclosing(world: World, span: Span) -> Decl | None:
    source = world.sources.get(span.file)
    tree = parse_file(source.file, source.text)[0] if source else File("", ())
    for line in tree.lines:
        if isinstance(line, Decl) and line.span.start <= span.start <= line.span.end:
            return line
    return None


def clash(world: World, symbol: Symbol, new: str) -> None:
    """Whether the new name is taken where the old one stands."""
    for other in world.named.get(new, ()):
        same = other.owner == symbol.owner
        apart = "member" in (other.sort, symbol.sort) and other.sort in ("member", "routine", "field") and not same
        apart = apart or (other.sort == "field" and other.owner and not same) or other.sort in ("case", "step")
        if symbol.sort != "local" and not apart and (same or not (symbol.sort == "field" and symbol.owner)):
            raise Refused(taken(world, new, world.declarations(other)[0]))
    used: dict[tuple[str, int], None] = {}
    for span, _, _ in world.uses(symbol):
        around = enclosing(world, span)
        if around is not None:
            used[span.file, around.span.start] = None
    for source in world.rules():
        if new in source.text:
            for m in world.reading(source).found:
                local = m.symbol is not None and m.symbol.sort == "local"
                if m.name != new or m.role in ("attr", "row") or not (local or symbol.sort == "local"):
                    continue
                around = enclosing(world, m.span)
                if around is not None and (m.span.file, around.span.start) in used:
                    raise Refused(taken(world, new, m.span))


def taken(world: World, new: str, place: Span) -> str:
    source = world.sources.get(place.file)
    line = source.place(place.start)[0] if source else 1
    return f"`{new}` is taken: it stands in {place.file}:{line}"


# ---------------------------------------------------------------- what follows


def edited(texts: Texts, edits: Sequence[Edit]) -> Texts:
    """The texts with the edits made."""
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.span.file, []).append(edit)

    def one(source: Source) -> Source:
        if source.file not in by_file:
            return source
        text = source.text
        for edit in sorted(by_file[source.file], key=lambda e: e.span.start, reverse=True):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        return Source(source.file, text)

    return replace(
        texts,
        rules=[one(s) for s in texts.rules],
        bots=[one(s) for s in texts.bots],
        patches=[one(s) for s in texts.patches],
        overlays=[edited(layer, edits) for layer in texts.overlays],
        data={k: one(s) for k, s in texts.data.items()},
        manifest=one(texts.manifest) if texts.manifest else None,
        clauses=one(texts.clauses) if texts.clauses else None,
        locale={k: one(s) for k, s in texts.locale.items()},
        display=one(texts.display) if texts.display else None,
    )


def renewed(texts: Texts, layers: Sequence[Texts], edits: Sequence[Edit]) -> list[Edit]:
    """New digests for patches whose target has the name in it."""
    before, after = trees(texts), trees(edited(texts, edits))
    more: list[Edit] = []
    for layer in layers:
        for source in layer.patches:
            for block in parse_file(source.file, source.text)[0].lines:
                for patch in block.block if isinstance(block, Decl) else ():
                    was = expected_digest(patch) if isinstance(patch, Decl) else None
                    if was is None or not isinstance(patch, Decl):
                        continue
                    old = find(before, patch.name.split("."))
                    now = find(after, renamed_address(patch, edits).split("."))
                    if old is not None and now is not None and digest(old) == was != digest(now):
                        c = next(c for c in patch.clauses if c.word == "was")
                        at = source.text.index(was, c.span.start)
                        more.append(Edit(Span(source.file, at, at + len(was)), digest(now)))
    return more


def renamed_address(patch: Decl, edits: Sequence[Edit]) -> str:
    """The address of a patch with its part that is renamed."""
    name = patch.name
    for edit in edits:
        span = patch.name_span
        if edit.span.file == span.file and span.start <= edit.span.start and edit.span.end <= span.end:
            at = edit.span.start - span.start
            name = name[:at] + edit.text + name[at + edit.span.end - edit.span.start :]
    return name


def trees(texts: Texts) -> list[File]:
    return [parse_file(s.file, s.text)[0] for s in texts.rules]


def verify(views: Sequence[tuple[Texts, Analysis]], edits: Sequence[Edit], id: str) -> None:
    """That nothing is wrong afterwards which was right before."""
    for texts, before in views:
        after = analyse(edited(texts, edits), id)
        had = Counter(d.code for d in before.found)
        for code, number in Counter(d.code for d in after.found).items():
            if number > had[code]:
                wrong = [d for d in after.found if d.code == code]
                raise Refused(f"it would not be right afterwards: {shown(after.sources, wrong[-1])}")
