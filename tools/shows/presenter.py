"""The values behind the SHOWs of `display.yaml`: a field, zone, const or value of a thing or of the whole game.

Takes a state, the reader's seat and a language; what that seat may not see is given as hidden. Knows nothing about how
it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from dsl import ir
from dsl.base.types import ListType, MapType, MemberType, SetType, SparseType, Type
from dsl.program import ALL
from dsl.shows.program import NO_SIGN, MemberSign
from dsl.shows.spec import ShowSpec
from interpreter import State
from interpreter.core.words import load, members
from interpreter.rules.layout import cell_places
from interpreter.rules.pieces import index_keys, slot_keys_by_zone
from interpreter.rules.rules import Rules
from interpreter.rules.sources import THING, Constant, Field, Original, SourceCall, sources_of
from interpreter.visibility.cells import hidden_from, sees_cell
from interpreter.visibility.static import openness
from interpreter.visibility.unseen import unseen_cell
from tools.shows.content import ByMember, Content, Hidden, Pieces, ShownValue, is_empty, select_index

NO_SIGNS: Mapping[str, MemberSign] = {}


class MemberLook(NamedTuple):
    key: str
    name: str
    sign: MemberSign


def member_looks(rules: Rules) -> dict[tuple[str, str, int], MemberLook]:
    """The members of a game that have been shown, by language, domain and value."""
    return {}


class Presenter:
    """Reads the values of one state for one reader. `met_own`: whether it was asked who the reader is since this was
    last set to False; what was read without asking is the same for all readers, unless one of them is in the middle of
    an answer."""

    def __init__(self, state: State, seat: int | None, lang: str) -> None:
        self.state, self.lang = state, lang
        self._seat, self.met_own = seat, False
        self.game = state.game
        self.program = state.game.program
        self.words = state.words
        if state.plan is not None and seat != state.plan.seat:
            self.words = state.plan.words
        self.shows = self.program.display
        self.unrestricted = False  # while values are compared and not shown
        self.sources, self.places = sources_of(self.game), self.game.cached(cell_places)
        self.looks = self.game.cached(member_looks)
        self._contents: dict[tuple[str, int, str], tuple[Content | None, bool]] = {}  # with met_own

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
        if self.unrestricted:
            return self.read_anew(name, thing, enum)
        at = name, thing, enum
        if at not in self._contents:
            before, self.met_own = self.met_own, False
            self._contents[at] = self.read_anew(name, thing, enum), self.met_own
            self.met_own |= before
        found, own = self._contents[at]
        self.met_own |= own
        return found

    def read_anew(self, name: str, thing: int, enum: str) -> Content | None:
        kind = (enum or self.program.thing_kinds[thing]) if thing else ""
        match self.sources.find(name, kind, bool(enum)):
            case Field(entry, owned, indexed):
                found = self.read_entry(entry, thing if owned else 0)
                return select_index(found, thing) if indexed else found
            case Constant(table, type_, low):
                return ShownValue(self.program.tables[table][thing - low], type_)
            case Original():
                first = self.program.copies.get(thing, thing)
                return ShownValue(first, MemberType(kind, first, first))
            case SourceCall(number, args):
                return self.call_value(number, [thing if arg == THING else self.viewer for arg in args])
        return None

    def read_unrestricted(self, name: str, thing: int = 0) -> Content | None:
        """The content of a name, whoever may see it; a cheap way to find out that it has changed, never to be shown."""
        self.unrestricted = True
        try:
            return self.read(name, thing)
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
        return ShownValue(
            self.game.machine.eval_fn(self.words, number, list(args)), self.program.functions[number].result
        )

    def read_entry(self, entry: ir.LayoutEntry, thing: int) -> Content:
        """A field or zone of `thing` (0: global)."""
        at = self.places[entry.symbol]
        base = entry.base + (thing - at.first) * at.step
        if not at.keys:
            return self.read_words(entry, thing, base)
        cells = ((v, self.read_words(entry, thing, base + n * at.size)) for n, v in enumerate(at.members))
        return ByMember(tuple(cells), at.keys[0])

    def read_words(self, entry: ir.LayoutEntry, thing: int, base: int) -> Pieces | ShownValue | Hidden:
        """The content of the words at `base`."""
        if not self.unrestricted and entry.audience != ALL and not self.sees(entry, thing):
            return self.hidden(entry, base)
        value = load(self.words, base, entry.type)
        if entry.sort == "slot":
            return self.read_slot(entry, value)
        if entry.sort != "pieces":
            return ShownValue(value, entry.type)
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

    def hidden(self, entry: ir.LayoutEntry, base: int) -> Hidden:
        """The little that the reader is told of a cell that it does not see. That a zone for one piece is empty or not
        is left to the API."""
        cell = unseen_cell(self.game, self.words, entry, base, self.seat)
        elem = entry.type.elem if isinstance(entry.type, (SetType, ListType)) else entry.type
        count = cell.count if entry.sort != "slot" else None
        return Hidden(count, cell.known, elem, self.backs(entry, cell.things))

    def backs(self, entry: ir.LayoutEntry, things: Sequence[int]) -> tuple[str, ...]:
        """The texts on the backs of things in a hidden zone; in one without order, nothing tells which is which."""
        rows = (self.game.backs.get(thing, ()) for thing in things) if self.game.backs else ()
        shown = [" ".join(self.game.texts.value(self.lang, v, t) for _, v, t in row) for row in rows if row]
        return tuple(shown if isinstance(entry.type, ListType) else sorted(shown))

    def read_slot(self, entry: ir.LayoutEntry, code: int) -> Pieces | ShownValue:
        """A single piece: its index, where another zone of the same piece shows what it is indexed by."""
        keys = self.game.cached(slot_keys_by_zone)[entry.symbol]
        if not keys:
            return Pieces((((), int(code != 0)),), ())
        return ShownValue(self.game.names.keys(keys)[code - 1][-1] if code else 0, keys[-1])

    # ------------------------------------------------------------ what is shown, and how it is called

    def count_by(self, content: ShownValue, name: str) -> Iterator[Content]:
        """Things counted by the member that they have under this name, as if they were pieces with it for an index; and
        those that have none, as they are."""
        counts: dict[int, int] = {}
        rest, key = [], None
        for thing, type_ in self.items(content.value, content.type):
            found = self.read(name, thing) if thing and isinstance(type_, MemberType) else None
            if isinstance(found, ShownValue) and isinstance(found.type, MemberType) and found.value:
                counts[found.value], key = counts.get(found.value, 0) + 1, found.type
            elif thing:
                rest.append((thing, type_))
        if key is not None:
            yield Pieces(tuple(((v,), n) for v, n in sorted(counts.items())), (key,))
        if rest:
            yield ShownValue(tuple(thing for thing, _ in rest), ListType(rest[0][1], len(rest)))

    def items(self, value: Any, type_: Type) -> list[tuple[Any, Type]]:
        """The members of a set or a list, each with its type; of one value, itself."""
        match type_:
            case SetType(elem):
                return [(v, elem) for v in members(value)]
            case ListType(elem, _):
                return [(v, elem) for v in value]
        return [(value, type_)]

    def label(self, spec: ShowSpec) -> str:
        """The label of a SHOW: a text, or the address of one in the locale."""
        return (self.game.texts.find(self.lang, spec.label) or spec.label) if spec.label else ""

    def has_content(self, name: str, thing: int, enum: str = "") -> bool:
        """True if the content of a name is neither none, false, zero nor empty."""
        if name == "id":
            return True
        found = self.read(name, thing, enum)
        if isinstance(found, ByMember):
            return any(not is_empty(part) for _, part in found.parts)
        return found is not None and not is_empty(found)

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

    def sort(self, value: int, type_: MemberType) -> str:
        """The enum of a member, or the kind of a thing, which may be part of a union."""
        domain = self.program.domains.get(type_.domain)
        return self.program.thing_kinds[value] if domain is not None and domain.sort != "enum" else type_.domain

    def key(self, value: int, type_: MemberType) -> str:
        """The name of a member in all that is drawn: `Kind.id`, by the kind that it is of."""
        return self.look(value, type_).key

    def look(self, value: int, type_: MemberType) -> MemberLook:
        """The key, name and sign of a member in this language; the same in all positions of a game."""
        at = self.lang, type_.domain, value
        if at not in self.looks:
            key = f"{self.sort(value, type_)}.{self.game.names.text(value, type_)}"
            self.looks[at] = MemberLook(key, self.game.texts.value(self.lang, value, type_), self.sign_of(key))
        return self.looks[at]

    def sign(self, value: int, type_: Type) -> MemberSign:
        return self.look(value, type_).sign if isinstance(type_, MemberType) and value else NO_SIGN

    def sign_of(self, key: str) -> MemberSign:
        """The looks of the member with this key."""
        sort, _, id_ = key.partition(".")
        return self.shows.members.get(sort, NO_SIGNS).get(id_, NO_SIGN)

    def glyph(self, value: int, type_: Type) -> str:
        return self.sign(value, type_).glyph

    def colour(self, value: int, type_: Type) -> str:
        return self.sign(value, type_).colour

    def colour_of(self, name: str, thing: int) -> str:
        """The colour of the member that a name stands for."""
        found = self.read(name, thing)
        return (
            self.colour(found.value, found.type)
            if isinstance(found, ShownValue) and isinstance(found.value, int)
            else ""
        )

    def title(self, *keys: str) -> str:
        """The text of the first of these addresses that has one, else the last address with spaces for underscores."""
        return self.game.texts.find(self.lang, *keys) or keys[-1].replace("_", " ")

    def things(self, kind: str) -> Sequence[int]:
        """The things of a kind; of seats only those in the game."""
        domain = self.program.domains.get(kind)
        if domain is None or domain.sort == "enum":
            return ()
        return domain.values[: self.state.seats] if kind == self.program.seat_kind else domain.values
