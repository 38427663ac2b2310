"""`display.yaml` against its shape and the names of the rules.

`check_display` takes the file's node and the collected model and gives diagnostics. Only tools interpret the hints:
rules cannot read them, and without them a tool prints lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from dsl.base.span import Source
from dsl.base.types import BoolType, ErrorType, IntType, MemberType, SetType, Type, bounds
from dsl.checks.display.drawings import drawings_shown
from dsl.checks.display.panels import fitting_keys
from dsl.checks.display.shape import MOST_SPACES, display_schema
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.read_through import ReadThrough, read_uncached
from dsl.files.schema import check, did_you_mean
from dsl.files.yaml import YamlNode
from dsl.ir.lattices import HEX
from dsl.symbols.symbols import KindSym, Model

SEATS = "Seat"
NO_DRAWINGS: Mapping[str, Source] = MappingProxyType({})


def check_display(
    node: YamlNode,
    model: Model,
    read_through: ReadThrough = read_uncached,
    drawings: Mapping[str, Source] = NO_DRAWINGS,
) -> list[Diagnostic]:
    """Diagnostics of the shape, or, where it is right, of names that the rules do not declare, of `drawings` that are
    not there and of those that nothing shows."""

    def display_shape(_: Source) -> tuple[bool, list[Diagnostic]]:
        checked, found = check(display_schema(), node, "the display file")
        return checked is not None, found

    well_formed, found = read_through(display_shape, Source("", repr(node.plain())))
    return [*_Names(model).all(node), *drawings_shown(node, drawings)] if well_formed else found


def shown_in_lines(node: YamlNode) -> list[YamlNode]:
    """All that the `lines` of a place show, row by row."""
    lines = node.get("lines")
    return [part for row in (lines.items() if lines else ()) for part in row.items()]


class _Names:
    """Checks the names in a file of the right shape."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.names: dict[str, list[str]] = {}  # results of `known`, by kind

    def all(self, node: YamlNode) -> Iterator[Diagnostic]:
        members = node.get("members")
        for name, (span, signs) in members.entries().items() if members else ():
            domain = self.model.domains.get(name)
            if domain is None:
                yield self.unknown(YamlNode("scalar", span, name), "kind or enum", self.model.domains)
                continue
            for id_, (place, _) in signs.entries().items():
                if id_ not in domain.ids and id_ not in domain.aliases:
                    yield self.unknown(YamlNode("scalar", place, id_), f"member of `{name}`", domain.ids)
        faces = node.get("faces")
        for name, (span, card) in faces.entries().items() if faces else ():
            yield from self.card(YamlNode("scalar", span, name), card)
        chart = node.get("map")
        layers = chart.get("layers") if chart else None
        for layer in layers.items() if layers else ():
            yield from self.layer(layer)
        panels = node.get("panels")
        for panel in panels.items() if panels else ():
            yield from self.panel(panel)
        preview = node.get("preview")
        for item in preview.items() if preview else ():
            yield from self.shown([item], None)
        confirm = node.get("confirm")
        actions = [name for name, routine in self.model.routines.items() if routine.word == "action"]
        for item in confirm.items() if confirm else ():
            if item.value not in actions:
                yield self.unknown(item, "action", actions, "be confirmed")
        told = node.get("told")
        for item in told.items() if told else ():
            yield from self.panel(item)
            yield from self.listened(item)

    def card(self, named: YamlNode, card: YamlNode) -> Iterator[Diagnostic]:
        """Messages about what is shown on the cards of a kind."""
        kind = self.model.kinds.get(str(named.value))
        if kind is None:
            yield self.unknown(named, "kind", self.model.kinds)
            return
        facts = card.get("facts")
        yield from self.shown([card.get("band"), card.get("corner"), *(facts.items() if facts else ())], kind)

    def layer(self, layer: YamlNode) -> Iterator[Diagnostic]:
        named = layer.get("kind")
        kind = self.model.kinds.get(str(named.value)) if named else None
        if named is not None and kind is None:
            yield self.unknown(named, "kind", self.model.kinds)
            return
        yield from self.place(layer, kind)
        at = layer.get("at")
        for id_, (span, _) in at.entries().items() if at and kind else ():
            if kind and id_ not in kind.ids and id_ not in kind.aliases:
                yield self.unknown(YamlNode("scalar", span, id_), f"member of `{kind.name}`", kind.ids)
        regions = layer.get("regions")
        for _, listed in regions.entries().values() if regions and kind else ():
            for item in listed.items():
                if kind and item.value not in kind.ids and item.value not in kind.aliases:
                    yield self.unknown(item, f"member of `{kind.name}`", kind.ids)
        parts = [*(at.items() if at else ()), layer.get("show_if"), layer.get("colour"), *shown_in_lines(layer)]
        yield from self.shown(parts, kind)
        drawn = layer.get("picture")
        if drawn is not None and drawn.kind == "map":
            colour = drawn.get("colour")
            bare = colour is not None and colour.value == "none"
            yield from self.shown([*shown_in_lines(drawn), *([] if bare else [colour])], kind)

    def place(self, layer: YamlNode, kind: KindSym | None) -> Iterator[Diagnostic]:
        """Messages about the place of a layer's things, `at` or `on`; the cells of a lattice take neither."""
        keys = [layer.entries()[key][0] for key in ("at", "on") if layer.get(key) is not None]
        if kind is None:
            return
        if kind.lattice is not None:
            for span in keys:
                message = f"the cells of `{kind.name}` are where their coordinates say"
                yield Diagnostic("RW0310", Severity.ERROR, span, message, "leave it out")
        elif len(keys) != 1:
            message = f"the layer of `{kind.name}` says {'twice' if keys else 'not'} where its things are"
            help = "write `at:` with their places, or `on:` with a field or value that gives a cell of a lattice"
            yield Diagnostic("RW0310" if keys else "RW0311", Severity.ERROR, [layer.span, *keys][-1], message, help)
        elif (on := layer.get("on")) is not None:
            known = [name for name in self.known(kind) if self.gives_cells(name, kind)]
            if on.value not in known:
                yield self.unknown(on, f"field or value of `{kind.name}` that gives a cell", known, "draw it on")
            else:
                self.mark_used(str(on.value), kind)
        shape = layer.get("shape")
        if shape is not None and shape.value == "hex" and kind.lattice is not None and kind.lattice.shape != HEX:
            message = f"the cells of `{kind.name}` are squares"
            yield Diagnostic("RW0314", Severity.ERROR, shape.span, message, "write `box`")

    def gives_cells(self, name: str, kind: KindSym) -> bool:
        """True if a field or value of this name gives a cell of a lattice, or a set of cells."""
        symbols = [part.fields.get(name) for part in self.model.kind_parts(kind)]
        value = self.model.values.get(name)
        found = next((s.type for s in symbols if s is not None), value.result if value else None)
        found = found.elem if isinstance(found, SetType) else found
        owner = self.model.kinds.get(found.domain) if isinstance(found, MemberType) else None
        return owner is not None and owner.lattice is not None

    def panel(self, panel: YamlNode) -> Iterator[Diagnostic]:
        yield from fitting_keys(panel)
        named = panel.get("per") or panel.get("group")
        kind = None
        if named is not None:
            kind = self.model.kinds.get(str(named.value))
            if str(named.value) not in self.model.domains:
                yield self.unknown(named, "kind or enum", self.model.domains)
                return
        lists = [panel.get(key) for key in ("show", "columns", "cells", "borders", "come", "changes")]
        parts = [part for listed in lists if listed is not None for part in listed.items()]
        single = [panel.get(key) for key in ("where", "by", "change", "labels", "at")]
        yield from self.shown([*single, *parts], kind)
        track = panel.get("track")
        if track is not None and track.kind == "list":
            yield from self.shown([end for end in track.items()[:2] if isinstance(end.value, str)], None)
        else:
            yield from self.shown([track], kind)
            yield from self.spaces_of(track, kind)
        rows = panel.get("rows")
        for row in rows.items() if rows else ():
            shown = row.items() if row.kind == "list" else (row,)
            yield from self.shown([*shown, *(part.get("where") for part in shown)], kind)

    def spaces_of(self, track: YamlNode | None, kind: KindSym | None) -> Iterator[Diagnostic]:
        """A track by a name that is no number, or may be so many that there is no room for its spaces."""
        node = track.get("of") if track is not None and track.kind == "map" else track
        type_ = self.type_of(str(node.value), kind) if node is not None else None
        if node is None or type_ is None or isinstance(type_, ErrorType):
            return
        if not isinstance(type_, (BoolType, IntType, MemberType)):
            message = f"`{node.value}` is no number, so there is no track of it"
            yield Diagnostic("RW0312", Severity.ERROR, node.span, message, "show it in one of the `columns`")
            return
        low, high = bounds(type_)
        if high - low >= MOST_SPACES:
            message = f"a track from {low} to {high} has more than {MOST_SPACES} spaces"
            help = "write the spaces, as in `track: [0, 60, 10]` with `at:`, or show the number in one of the `columns`"
            yield Diagnostic("RW0313", Severity.ERROR, node.span, message, help)

    def type_of(self, name: str, kind: KindSym | None) -> Type | None:
        """The type of the field or value of this name; None for a zone, and for what is not declared."""
        owners = (*(self.model.kind_parts(kind) if kind else ()), self.model)
        fields = (owner.fields.get(name) for owner in owners)
        found = next((field.type for field in fields if field is not None), None)
        value = self.model.values.get(name)
        return found if found is not None or value is None else value.result

    def listened(self, told: YamlNode) -> Iterator[Diagnostic]:
        """The routines and causes that are listened to."""
        for key in ("run", "without", "during"):
            listed = told.get(key)
            for item in listed.items() if listed is not None else ():
                kind, dot, part = str(item.value).rpartition(".")
                if not (self.of_cards(kind, part) if dot else part in self.model.routines):
                    known = [*self.model.routines, *(f"{name}.effect" for name in self.model.kinds)]
                    yield self.unknown(item, "routine", known, "report")
        causes = self.model.domains.get("Cause")
        listed = told.get("as")
        for item in listed.items() if listed is not None else ():
            if causes is None or item.value not in causes.ids:
                yield self.unknown(item, "cause", causes.ids if causes else (), "report")

    def of_cards(self, owner: str, part: str) -> bool:
        """True if `Kind.effect` or `Kind.STRIP` names routines of cards: of one card, or of all cards of a kind."""
        kind = self.model.kinds.get(owner)
        if kind is not None:
            return part == "effect" or part in kind.strips
        return owner in self.model.cards and (part == "effect" or f"{owner}.{part}" in self.model.routines)

    def shown(self, parts: Iterable[YamlNode | None], kind: KindSym | None) -> Iterator[Diagnostic]:
        known = self.known(kind)
        for part in parts:
            name = part.get("of") if part is not None and part.kind == "map" else part
            if name is not None and str(name.value) not in known:
                yield self.unknown(name, "name", known)
            elif name is not None:
                self.mark_used(str(name.value), kind)
            if part is not None and part.kind == "map" and (counted := part.get("by")) is not None:
                yield from self.shown([counted], None)

    def mark_used(self, name: str, kind: KindSym | None) -> None:
        """Mark what is shown as used."""
        m = self.model
        for owner in (m, *(m.kind_parts(kind) if kind else m.kinds.values())):
            for symbol in (owner.fields.get(name), owner.zones.get(name)):
                if symbol is not None:
                    symbol.used = True
        if name in m.values:
            m.values[name].used = True

    def known(self, kind: KindSym | None) -> list[str]:
        """The names that can be shown for a thing of this kind; without a kind, for the game and for any thing."""
        key = kind.name if kind else ""
        if key not in self.names:
            self.names[key] = list(dict.fromkeys(self.showable(kind)))
        return self.names[key]

    def showable(self, kind: KindSym | None) -> Iterator[str]:
        m = self.model
        yield from ("id", *m.fields, *m.zones, *m.options)
        for k in m.kind_parts(kind) if kind else m.kinds.values():
            yield from (*k.fields, *k.zones, *(["original"] if k.copies else []))
        for value in m.values.values():
            types = [type_ for _, type_ in value.params]
            if not types or (kind is None and len(types) == 1) or (kind is not None and self.fits(kind, types)):
                yield value.name

    def fits(self, kind: KindSym, types: list[Type]) -> bool:
        """True if a value with these parameters can be shown for a thing: it takes the thing, or it and a seat."""
        seats = self.model.kinds.get(SEATS)

        def takes(type_: Type, given: KindSym | None) -> bool:
            return given is not None and isinstance(type_, MemberType) and self.model.fits_kind(given.type, type_)

        match types:
            case [one]:
                return takes(one, kind)
            case [one, two]:
                return (takes(one, kind) and takes(two, seats)) or (takes(one, seats) and takes(two, kind))
        return False

    def unknown(self, node: YamlNode, what: str, known: Iterable[str], done: str = "be shown") -> Diagnostic:
        message = f"there is no {what} `{node.value}` to {done}"
        return Diagnostic("RW0360", Severity.ERROR, node.span, message, did_you_mean(str(node.value), list(known)))
