"""The values behind the SHOWs of `display.yaml`: a field, zone, const or value of a thing or of the whole game, as
coloured text.

Takes a state, the reader's seat and a language; what that seat may not see is shown as hidden. Knows nothing about
positions on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from rich.text import Text

from dsl import ir
from dsl.base.types import ListType, MapType, MemberType, SetType, SparseType, Type, bounds, width
from interpreter import State
from interpreter.core.words import load, members
from interpreter.play.view import things_in
from interpreter.rules.layout import holder_dims, holder_width
from interpreter.rules.pieces import index_keys, slot_keys
from interpreter.rules.rules import ALL
from interpreter.rules.sources import THING, Call, Constant, Field, Original, sources_of
from interpreter.visibility.audiences import knows
from interpreter.visibility.cells import hidden_from, sees_cell
from interpreter.visibility.static import openness
from tools.display.content import (
    ByMember,
    Content,
    Hidden,
    Pieces,
    Value,
    hidden_content,
    is_empty,
    select_index,
)
from tools.display.messages import message

FACE = "face"  # the form of things that a picture shows as cards; here they stand in a row
SHORT = "short"  # the form of counts where there is little room: glyphs without the number one


def subject(spec: Any) -> str:
    """The field, zone or value that a SHOW is about."""
    return str(spec["of"] if isinstance(spec, dict) else spec)


class Presenter:
    """Reads the values of one state for one reader, and formats them. `met_own`: whether it was asked who the reader is
    since this was last set to False; what was read without asking is the same for all readers, unless one of them is in
    the middle of an answer."""

    def __init__(self, state: State, seat: int | None, lang: str) -> None:
        self.state, self.lang = state, lang
        self._seat, self.met_own = seat, False
        self.game = state.game
        self.program = state.game.program
        self.words = state.words
        if state.plan is not None and seat != state.plan.seat:
            self.words = list(state.plan.words)
        self.hints: dict[str, Any] = self.program.display.get("members") or {}
        self.unrestricted = False  # while values are compared and not shown
        self.signs: set[tuple[str, int]] = set()  # (kind or enum, member) of the glyphs that have been written

    @property
    def seat(self) -> int | None:
        """The seat of the reader; None: an onlooker. Everything that depends on the reader asks this."""
        self.met_own = True
        return self._seat

    @cached_property
    def entries(self) -> dict[str, ir.LayoutEntry]:
        return {e.symbol: e for e in self.program.layout}

    # ------------------------------------------------------------ reading

    def read(self, name: str, thing: int = 0, enum: str = "") -> Content | None:
        """The field, zone, const or value of this name, of a thing (0: of the whole game) or a member of an enum; None
        if there is none."""
        kind = (enum or self.program.thing_kinds[thing]) if thing else ""
        match sources_of(self.game).find(name, kind, bool(enum)):
            case Field(entry, owned, indexed):
                found = self.read_entry(entry, thing if owned else 0)
                return select_index(found, thing) if indexed else found
            case Constant(table, type_, low):
                return Value(self.program.tables[table][thing - low], type_)
            case Original():
                first = self.program.copies.get(thing, thing)
                return Value(first, MemberType(kind, first, first))
            case Call(number, args):
                return self.call_value(number, [thing if arg == THING else self.viewer for arg in args])
        return None

    def read_unrestricted(self, spec: Any, thing: int = 0) -> Content | None:
        """What a SHOW stands for, whoever may see it; a cheap way to find out whether it has changed."""
        self.unrestricted = True
        try:
            return self.read(subject(spec), thing)
        finally:
            self.unrestricted = False

    @property
    def separator(self) -> str:
        """The text between the members of a list."""
        return self.game.texts.engine(self.lang, "and")

    @property
    def viewer(self) -> int:
        """The seat that values of a seat are read for: the reader, else the seat that is asked, else the first."""
        decision = self.state.decision
        return self.game.names.seat_thing(self.seat or (decision.seat if decision is not None else 1))

    def call_value(self, number: int, args: Sequence[int]) -> Content:
        if not self.unrestricted and not openness(self.game).is_open_function(number):
            expr = ir.CallFn(number, tuple(ir.Const(a) for a in args))
            unseen = hidden_from(self.game, self.words, expr, {}, None)  # what an onlooker sees, all see
            if unseen and hidden_from(self.game, self.words, expr, {}, self.seat):
                return Hidden(None)
        return Value(self.game.machine.eval_fn(self.words, number, list(args)), self.program.functions[number].result)

    def read_entry(self, entry: ir.LayoutEntry, thing: int) -> Content:
        """A field or zone of `thing` (0: global)."""
        base = entry.base
        if holder_dims(entry):
            base += (thing - bounds(entry.dims[0])[0]) * holder_width(entry)
        keys = entry.dims[holder_dims(entry) :]
        if not keys:
            return self.read_words(entry, thing, base)
        size = width(entry.type)
        members = enumerate(range(bounds(keys[0])[0], bounds(keys[0])[1] + 1))
        return ByMember(tuple((v, self.read_words(entry, thing, base + n * size)) for n, v in members), keys[0])

    def read_words(self, entry: ir.LayoutEntry, thing: int, base: int) -> Pieces | Value | Hidden:
        """What the words at `base` hold."""
        value = load(self.words, base, entry.type)
        if not self.unrestricted and entry.audience != ALL and not self.sees(entry, thing):
            found = hidden_content(entry, value, self.known_things(entry, base))
            return replace(found, backs=self.backs(entry, base)) if self.game.backs else found
        if entry.sort == "slot":
            return self.read_slot(entry, value)
        if entry.sort != "pieces":
            return Value(value, entry.type)
        if not isinstance(entry.type, MapType):
            return Pieces((((), value),), ())
        faces = len(entry.type.keys) - len(index_keys(entry.type))
        counts: dict[tuple[int, ...], int] = {}
        for key, n in zip(self.game.names.keys(entry.type.keys), value, strict=True):
            if n:
                counts[key[faces:]] = counts.get(key[faces:], 0) + n
        return Pieces(tuple(counts.items()), index_keys(entry.type))

    def sees(self, entry: ir.LayoutEntry, thing: int) -> bool:
        return sees_cell(self.game, self.words, entry, thing, self.seat)

    def backs(self, entry: ir.LayoutEntry, base: int) -> tuple[str, ...]:
        """What stands on the backs of things in a hidden zone; in one without order, nothing tells which is which."""
        rows = (self.game.backs.get(t, ()) for t in things_in(self.words, base, entry)) if entry.sort == "zone" else ()
        shown = [" ".join(self.game.texts.value(self.lang, v, t) for _, v, t in row) for row in rows if row]
        return tuple(shown if isinstance(entry.type, ListType) else sorted(shown))

    def known_things(self, entry: ir.LayoutEntry, base: int) -> tuple[int, ...]:
        """The things in a hidden zone that the reader knows."""
        if entry.sort != "zone":
            return ()
        return tuple(t for t in things_in(self.words, base, entry) if knows(self.game, self.words, t, self.seat))

    def read_slot(self, entry: ir.LayoutEntry, code: int) -> Pieces | Value:
        """A single piece: its index, where another zone of the same piece shows what it is indexed by."""
        keys = slot_keys(self.program, entry)
        if not keys:
            return Pieces((((), int(code != 0)),), ())
        return Value(self.game.names.keys(keys)[code - 1][-1] if code else 0, keys[-1])

    # ------------------------------------------------------------ writing

    def show(self, spec: Any, thing: int = 0, enum: str = "") -> Text:
        """A SHOW as text; empty if nothing has its name."""
        spec = spec if isinstance(spec, dict) else {"of": str(spec)}
        name, form, label = str(spec.get("of", "")), spec.get("as"), self.label(spec)
        form = "row" if form == FACE else form
        if name == "id":
            kind = enum or self.program.thing_kinds[thing]
            type_ = MemberType(kind, thing, thing)
            if form == "text":
                return Text(label) + self.format_member(thing, type_, form)
            glyph = self.glyph(thing, type_) if form == "glyph" else ""  # no sign: it abbreviates the name
            return Text(label) + Text(
                glyph or self.game.names.member(kind, thing), style=self.colour(thing, type_) if glyph else ""
            )
        found = self.read(name, thing, enum)
        if found is None:
            return Text("")
        parts = [found]
        if isinstance(spec, dict) and "by" in spec and isinstance(found, Value):
            parts = list(self.count_by(found, subject(spec["by"])))
        shown = (self.format_content(part, form) for part in parts)
        text = join(self.separator, (part for part in shown if part.plain))
        return Text(label) + text if text.plain else text

    def count_by(self, content: Value, name: str) -> Iterator[Content]:
        """Things counted by the member that they have under this name, as if they were pieces with it for an index; and
        those that have none, as they are."""
        counts: dict[int, int] = {}
        rest, key = [], None
        for thing, type_ in self.items(content.value, content.type):
            found = self.read(name, thing) if thing and isinstance(type_, MemberType) else None
            if isinstance(found, Value) and isinstance(found.type, MemberType) and found.value:
                counts[found.value], key = counts.get(found.value, 0) + 1, found.type
            elif thing:
                rest.append((thing, type_))
        if key is not None:
            yield Pieces(tuple(((v,), n) for v, n in sorted(counts.items())), (key,))
        if rest:
            yield Value(tuple(thing for thing, _ in rest), ListType(rest[0][1], len(rest)))

    def items(self, value: Any, type_: Type) -> list[tuple[Any, Type]]:
        """The members of a set or a list, each with its type; of one value, itself."""
        match type_:
            case SetType(elem):
                return [(v, elem) for v in members(value)]
            case ListType(elem, _):
                return [(v, elem) for v in value]
        return [(value, type_)]

    def label(self, spec: Any) -> str:
        """The label of a SHOW: a text, or the address of one in the locale."""
        label = str(spec.get("label") or "") if isinstance(spec, dict) else ""
        return self.game.texts.find(self.lang, label) or label if label else ""

    def has_content(self, spec: Any, thing: int, enum: str = "") -> bool:
        """Whether a SHOW is neither none, false, zero nor empty."""
        if spec == "id":
            return True
        found = self.read(subject(spec), thing, enum)
        if isinstance(found, ByMember):
            return any(not is_empty(part) for _, part in found.parts)
        return found is not None and not is_empty(found)

    def format_content(self, content: Content, form: str | None) -> Text:
        match content:
            case Hidden(count, known, type_, backs):
                if count is not None and (form in ("total", "number") or count == 0):
                    return Text(str(count))  # nothing is no secret
                text = Text(message(self.lang, "hidden") + (f" ({count})" if count is not None else ""), style="dim")
                text += Text(f" [{self.separator.join(backs)}]" if backs else "", style="dim")
                if known and type_ is not None:
                    text += Text(": ") + join(self.separator, (self.format_member(t, type_, None) for t in known))
                return text
            case Pieces(counts, index_types):
                return self.format_pieces(counts, index_types, form)
            case Value(value, type_):
                return self.format_value(value, type_, form)
            case ByMember(parts, key):
                shown = ((v, part) for v, part in parts if not is_empty(part))
                each = ((self.format_member(v, key, "text"), self.format_content(part, form)) for v, part in shown)
                return join("; ", (member + Text(": ") + text for member, text in each))

    def format_pieces(
        self, counts: Sequence[tuple[tuple[int, ...], int]], index_types: Sequence[Type], form: str | None
    ) -> Text:
        total = sum(n for _, n in counts)
        if form in ("number", "total") or not index_types:
            return Text(str(total))
        summed: dict[int, int] = {}
        for key, n in counts:
            summed[key[0]] = summed.get(key[0], 0) + n
        if form == "row":
            return join(
                " ", (self.format_member(v, index_types[0], "glyph") for v, n in summed.items() for _ in range(n))
            )
        if all(self.glyph(v, index_types[0]) for v in summed):
            shown = {v: "" if form == SHORT and n == 1 else str(n) for v, n in summed.items()}
            return join(" ", (self.format_member(v, index_types[0], "glyph") + Text(n) for v, n in shown.items()))
        return join(
            self.separator, (self.format_member(v, index_types[0], "text") + Text(f" {n}") for v, n in summed.items())
        )

    def parts_of(self, value: Any, type_: Type) -> list[tuple[int, Type]] | Pieces | None:
        """The members that a value holds, or amounts by member; None where it is a single one."""
        match type_:
            case SetType() | ListType():
                return self.items(value, type_)
            case MapType(_, MemberType() as item):
                return [(v, item) for v in value if v]
            case MapType(keys, _):
                pairs = zip(self.game.names.keys(keys), value, strict=True)
                return Pieces(tuple((k, n) for k, n in pairs if isinstance(n, int) and n), tuple(keys))
            case SparseType(keys, _):
                rows = self.game.names.keys(keys)
                return Pieces(tuple((rows[k], n) for k, n in value), tuple(keys))
        return None

    def format_value(self, value: Any, type_: Type, form: str | None) -> Text:
        items = self.parts_of(value, type_)
        if isinstance(items, Pieces):
            return self.format_pieces(items.counts, items.index_types, form)
        if items is None:
            if form == "total":
                return Text(str(int(value != 0)))
            if form == "row" and value == 0:
                return Text("")
            return self.format_member(value, type_, None if form in ("row", "number", "counts") else form)
        if form in ("total", "number"):
            return Text(str(len(items)))
        glyphs = all(self.glyph(v, t) for v, t in items)
        return join(
            " " if glyphs else self.separator,
            (self.format_member(v, t, "glyph" if form != "text" else form) for v, t in items),
        )

    def format_member(self, value: int, type_: Type, form: str | None) -> Text:
        """One value: its glyph if it has one and no other form is required, else its text."""
        if not isinstance(type_, MemberType):
            return Text(self.game.texts.value(self.lang, value, type_))
        if not value:
            return Text("")
        style = self.colour(value, type_)
        if form == "id":
            return Text(self.game.names.text(value, type_), style=style)
        glyph = self.glyph(value, type_) if form in (None, "glyph") else ""
        if glyph:
            self.signs.add((self.sort(value, type_), value))
        return Text(glyph or self.game.texts.value(self.lang, value, type_), style=style)

    def sort(self, value: int, type_: MemberType) -> str:
        """The enum of a member, or the kind of a thing, which may be part of a union."""
        domain = self.program.domains.get(type_.domain)
        return self.program.thing_kinds[value] if domain is not None and domain.sort != "enum" else type_.domain

    def hint(self, value: int, type_: Type) -> dict[str, Any]:
        if not isinstance(type_, MemberType) or not value:
            return {}
        return (self.hints.get(self.sort(value, type_)) or {}).get(self.game.names.text(value, type_)) or {}

    def glyph(self, value: int, type_: Type) -> str:
        return str(self.hint(value, type_).get("glyph", ""))

    def colour(self, value: int, type_: Type) -> str:
        return str(self.hint(value, type_).get("colour", ""))

    def colour_of(self, spec: Any, thing: int) -> str:
        """The colour of the member that is the value of a SHOW."""
        found = self.read(subject(spec), thing)
        return self.colour(found.value, found.type) if isinstance(found, Value) and isinstance(found.value, int) else ""

    def name_of(self, thing: int) -> Text:
        """A thing by its name in the reader's language, in its colour."""
        kind = self.program.thing_kinds[thing]
        return self.format_member(thing, MemberType(kind, thing, thing), "text")

    def title(self, *keys: str) -> str:
        """The text of the first of these addresses that has one, else the last address with spaces for underscores."""
        return self.game.texts.find(self.lang, *keys) or keys[-1].replace("_", " ")

    def things(self, kind: str) -> Sequence[int]:
        """The things of a kind; of seats only those in the game."""
        domain = self.program.domains.get(kind)
        if domain is None or domain.sort == "enum":
            return ()
        return domain.values[: self.state.seats] if kind == self.program.seat_kind else domain.values


def join(separator: str, parts: Iterable[Text]) -> Text:
    return Text(separator).join(parts)
