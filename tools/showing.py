"""What a SHOW of `display.yaml` stands for: a field, zone, const or value of a thing or of the whole game, as a
coloured text.

Takes a state, the reader's seat and a language; what that seat may not see comes out as hidden. Knows nothing of
where on the screen it will stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from rich.text import Text

from dsl import ir
from dsl.types import ListType, MapType, MemberType, SetType, SparseType, Type, bounds, key_count, width
from interpreter import Game, State
from interpreter.store import load, members
from interpreter.visible import hidden_from, holder_dims, inner, sees_cell
from tools.ui import say
from tools.walk import walk


@dataclass(frozen=True, slots=True)
class Pieces:
    """Counted pieces: (index, how many) for every index that has some; `sorts` are the types of an index."""

    counts: tuple[tuple[tuple[int, ...], int], ...]
    sorts: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Value:
    value: Any
    type: Type


@dataclass(frozen=True, slots=True)
class Hidden:
    """Something that the reader may not see; how many, if that is public."""

    count: int | None


Content = Pieces | Value | Hidden


class Shower:
    """Reads one state for one reader."""

    def __init__(self, state: State, seat: int | None, lang: str) -> None:
        self.state, self.seat, self.lang = state, seat, lang
        self.game: Game = state.game
        self.program = state.game.program
        self.words = state.words
        if state.plan is not None and seat != state.plan.seat:
            self.words = list(state.plan.words)
        self.hints: dict[str, Any] = self.program.display.get("members") or {}

    @cached_property
    def entries(self) -> dict[str, ir.LayoutEntry]:
        return {e.symbol: e for e in self.program.layout}

    # ------------------------------------------------------------ reading

    def read(self, name: str, thing: int = 0) -> Content | None:
        """None: there is nothing of this name."""
        if thing:
            kind = self.program.thing_kinds[thing]
            if (entry := self.entries.get(f"{kind}.{name}")) is not None:
                return self.cells(entry, thing)
            entry = self.entries.get(name)
            if entry is not None and entry.dims and self.is_key(entry.dims[0], thing):
                return self.indexed(entry, thing)
            if (const := self.program.consts.get(f"{kind}.{name}")) is not None:
                low = self.program.domains[kind].values[0]
                return Value(self.program.tables[const[0]][thing - low], const[1])
        if (entry := self.entries.get(name)) is not None:
            return self.cells(entry, 0)
        number = self.program.function_names.get(name, -1)
        if number >= 0:
            params = self.program.functions[number].params
            if len(params) == (1 if thing else 0) and all(self.is_key(t, thing) for _, t in params):
                return self.value(number, [thing] if thing else [])
            if not params:
                return self.value(number, [])
        return None

    def is_key(self, type_: Type, thing: int) -> bool:
        return isinstance(type_, MemberType) and thing in self.program.domains[type_.domain].values

    def value(self, number: int, args: Sequence[int]) -> Content:
        if number in private_functions(self.game):
            expr = ir.CallFn(number, tuple(ir.Const(a) for a in args))
            if hidden_from(self.game, self.words, expr, {}, self.seat):
                return Hidden(None)
        return Value(self.game.machine.eval_fn(self.words, number, list(args)), self.program.functions[number].result)

    def cells(self, entry: ir.LayoutEntry, thing: int) -> Content:
        """All cells of a field or zone that belong to `thing` (0: global)."""
        held = holder_dims(entry)
        base = entry.base
        if held:
            base += (thing - self.low(entry.dims[0])) * inner(entry)
        if not sees_cell(self.game, self.words, entry, thing, self.seat):
            return self.hidden(entry, base)
        return self.block(entry, base, entry.dims[held:])

    def indexed(self, entry: ir.LayoutEntry, thing: int) -> Content:
        """The part of a global zone or field that belongs to one value of its first index."""
        if not sees_cell(self.game, self.words, entry, 0, self.seat):
            return Hidden(None)
        size = key_count(entry.dims[1:]) * width(entry.type)
        return self.block(entry, entry.base + (thing - self.low(entry.dims[0])) * size, entry.dims[1:])

    def block(self, entry: ir.LayoutEntry, base: int, dims: Sequence[Type]) -> Content:
        if entry.sort == "pieces":
            keys = self.game.names.keys(dims)
            found = ((key, self.words[base + i]) for i, key in enumerate(keys))
            return Pieces(tuple((k, n) for k, n in found if n), tuple(dims))
        if not dims:
            return Value(load(self.words, base, entry.type), entry.type)
        size = width(entry.type)
        items = tuple(load(self.words, base + i * size, entry.type) for i in range(key_count(tuple(dims))))
        return Value(items, MapType(tuple(dims), entry.type))

    def hidden(self, entry: ir.LayoutEntry, base: int) -> Hidden:
        if not entry.size_seen:
            return Hidden(None)
        if entry.sort == "pieces":
            return Hidden(sum(self.words[base : base + inner(entry)]))
        if entry.sort == "zone":
            return Hidden(size_of(load(self.words, base, entry.type), entry.type))
        return Hidden(None)

    def low(self, type_: Type) -> int:
        assert isinstance(type_, MemberType)
        return type_.low

    # ------------------------------------------------------------ writing

    def show(self, spec: Any, thing: int = 0) -> Text:
        """A SHOW, as a text; empty where nothing of the name is there."""
        spec = spec if isinstance(spec, dict) else {"of": str(spec)}
        name, form, label = str(spec.get("of", "")), spec.get("as"), str(spec.get("label", ""))
        if name == "id":
            return Text(label + self.program.thing_ids[thing])
        found = self.read(name, thing)
        if found is None:
            return Text("")
        text = self.write(found, form)
        return Text(label) + text if text.plain else text

    def holds(self, spec: Any, thing: int) -> bool:
        """Whether a SHOW is something other than none, false, zero or nothing."""
        found = self.read(spec["of"] if isinstance(spec, dict) else str(spec), thing)
        match found:
            case Value(value, _):
                return value not in (0, (), None)
            case Pieces(counts, _):
                return bool(counts)
            case Hidden(count):
                return count != 0
        return False

    def write(self, found: Content, form: str | None) -> Text:
        match found:
            case Hidden(count):
                if form in ("total", "number") and count is not None:
                    return Text(str(count))
                return Text(say(self.lang, "hidden") + (f" ({count})" if count is not None else ""), style="dim")
            case Pieces(counts, sorts):
                return self.write_pieces(counts, sorts, form)
            case Value(value, type_):
                return self.write_value(value, type_, form)

    def write_pieces(
        self, counts: Sequence[tuple[tuple[int, ...], int]], sorts: Sequence[Type], form: str | None
    ) -> Text:
        total = sum(n for _, n in counts)
        if form in ("number", "total") or not sorts:
            return Text(str(total))
        summed: dict[int, int] = {}
        for key, n in counts:
            summed[key[0]] = summed.get(key[0], 0) + n
        if form == "row":
            return join(" ", (self.member(v, sorts[0], "glyph") for v, n in summed.items() for _ in range(n)))
        return join(" ", (self.member(v, sorts[0], "glyph") + Text(str(n)) for v, n in summed.items()))

    def write_value(self, value: Any, type_: Type, form: str | None) -> Text:
        match type_:
            case SetType(elem):
                items: list[tuple[Any, Type]] = [(v, elem) for v in members(value)]
            case ListType(elem, _):
                items = [(v, elem) for v in value]
            case MapType(keys, MemberType() as item):
                items = [(v, item) for v in value if v]
            case MapType(keys, _):
                pairs = zip(self.game.names.keys(keys), value, strict=True)
                return self.write_pieces([(k, n) for k, n in pairs if isinstance(n, int) and n], keys, form)
            case SparseType(keys, _):
                rows = self.game.names.keys(keys)
                return self.write_pieces([(rows[k], n) for k, n in value], keys, form)
            case _:
                if form == "total":
                    return Text(str(int(value != 0)))
                if form == "row" and value == 0:
                    return Text("")
                return self.member(value, type_, None if form in ("row", "number", "counts") else form)
        if form in ("total", "number"):
            return Text(str(len(items)))
        glyphs = all(self.glyph(v, t) for v, t in items)
        return join(" " if glyphs else ", ", (self.member(v, t, "glyph" if form != "text" else form) for v, t in items))

    def member(self, value: int, type_: Type, form: str | None) -> Text:
        """One value: its glyph where it has one and no other form is asked for, else its text."""
        if not isinstance(type_, MemberType):
            return Text(self.game.texts.value(self.lang, value, type_))
        if not value:
            return Text("")
        style = self.colour(value, type_)
        if form == "id":
            return Text(self.game.names.text(value, type_), style=style)
        glyph = self.glyph(value, type_) if form in (None, "glyph") else ""
        return Text(glyph or self.game.texts.value(self.lang, value, type_), style=style)

    def hint(self, value: int, type_: Type) -> dict[str, Any]:
        if not isinstance(type_, MemberType) or not value:
            return {}
        domain = self.program.domains.get(type_.domain)
        sort = self.program.thing_kinds[value] if domain is not None and domain.sort != "enum" else type_.domain
        return (self.hints.get(sort) or {}).get(self.game.names.text(value, type_)) or {}

    def glyph(self, value: int, type_: Type) -> str:
        return str(self.hint(value, type_).get("glyph", ""))

    def colour(self, value: int, type_: Type) -> str:
        return str(self.hint(value, type_).get("colour", ""))

    def colour_of(self, spec: Any, thing: int) -> str:
        """The colour of the member that a SHOW gives."""
        found = self.read(spec["of"] if isinstance(spec, dict) else str(spec), thing)
        return self.colour(found.value, found.type) if isinstance(found, Value) and isinstance(found.value, int) else ""

    def name_of(self, thing: int) -> Text:
        """A thing by its name in the reader's language, in its colour."""
        kind = self.program.thing_kinds[thing]
        return self.member(thing, MemberType(kind, thing, thing), "text")

    def title(self, *keys: str) -> str:
        """The first of these addresses that has a text, else the last one as it is."""
        return self.game.texts.find(self.lang, *keys) or keys[-1].replace("_", " ")

    def things(self, kind: str) -> Sequence[int]:
        domain = self.program.domains.get(kind)
        return domain.values if domain is not None and domain.sort != "enum" else ()


def join(between: str, parts: Iterable[Text]) -> Text:
    return Text(between).join(parts)


def size_of(value: Any, type_: Type) -> int:
    """How many things a zone's value holds."""
    if isinstance(type_, SetType):
        return int(value).bit_count()
    return len(value) if isinstance(value, tuple) else int(value != 0)


@lru_cache(maxsize=8)
def private_functions(game: Game) -> frozenset[int]:
    """Functions that may read a cell which not everybody sees; only these are looked at closely."""
    program = game.program
    private = [reach_of(e) for e in program.layout if e.audience != "all"]
    if not private:
        return frozenset()
    reads: set[int] = set()
    calls: dict[int, set[int]] = {}
    for number, function in enumerate(program.functions):
        calls[number] = set()
        for node in walk(function.body):
            if isinstance(node, ir.CallFn):
                calls[number].add(node.fn)
            elif isinstance(node, (ir.Cell, ir.CellSum)) and touches(node.address, private):
                reads.add(number)
    while True:
        more = {n for n, called in calls.items() if n not in reads and called & reads}
        if not more:
            return frozenset(reads)
        reads |= more


def touches(address: Any, ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether an address may lie in one of these ranges; an address that is worked out from its parts may."""
    match address:
        case ir.Const(value):
            return any(low <= value < high for low, high in ranges)
        case ir.Linear(const, _):
            return any(low <= const < high for low, high in ranges)
    return True


def reach_of(entry: ir.LayoutEntry) -> tuple[int, int]:
    """The constants that an address inside an entry can have: indexes count from their lowest member, not from 0."""
    size = key_count(entry.dims) * width(entry.type)
    below, stride = 0, size
    for dim in entry.dims:
        low, high = bounds(dim)
        stride //= high - low + 1
        below += low * stride
    return entry.base - below, entry.base + size


def spaced(parts: Sequence[Text]) -> Text:
    """The parts that are not empty, with spaces between."""
    return Text(" ").join(p for p in parts if p.plain)
