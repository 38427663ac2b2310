"""Hidden parts of a program, by what may change places without being seen: things that lie in zones of one sort,
counted pieces of one sort, and fields.

Worked out from the layout and the invariants, for those who deal it again (`redeal`); it knows no position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dsl import ir
from dsl.base.types import (
    MOST_PIECES,
    WORD_BITS,
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    Type,
    bounds,
    key_count,
    width,
)
from dsl.program import ALL, SEATS, Program
from interpreter.core.errors import RulesetError
from interpreter.core.placement import arrange
from interpreter.core.words import new_store
from interpreter.machine.machine import Machine

SLOT, LIST, SET, PIECES = range(4)
KINDS = {"slot": SLOT, "list": LIST, "set": SET, "pieces": PIECES}


@dataclass(frozen=True, slots=True)
class HiddenDeal:
    """The things of one back (`alike`), and those of them that may lie in some zones (`things`), all in order. `back`:
    a number, as in `HiddenParts.backs`."""

    back: int
    zones: tuple[int, ...]
    things: tuple[int, ...]
    alike: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HiddenSort:
    """Zones, by number, that not everybody sees and that are declared to hold the same, and how they are dealt: for
    each back the zones first that may hold the fewest things. So all that is possible is as likely. `number`: from 1
    on."""

    number: int
    zones: tuple[int, ...]
    things: tuple[int, ...]
    deals: tuple[HiddenDeal, ...]


@dataclass(frozen=True, slots=True)
class HiddenPieces:
    """Zones of counted pieces of one name that not everybody sees. `faces`: how many sorts of the piece there are.
    `counted`: there are only so many of them; else each is what its sort allows, whatever the others are. `first`: the
    number of the first of these zones, as in `HiddenParts`."""

    zones: tuple[ir.ZoneInstance, ...]
    faces: int
    counted: bool
    first: int


@dataclass(frozen=True, slots=True)
class HiddenField:
    """A field, and its cells. A number of it is one of `values`, or one of `count` numbers from `low` on. `masks`: the
    bits that each word of a set may have. `cap`: of a list; -1: it is none. `first`: the number of the first cell."""

    cells: tuple[ir.ZoneInstance, ...]
    first: int
    low: int = 0
    count: int = 0
    values: tuple[int, ...] = ()
    masks: tuple[int, ...] = ()
    cap: int = -1


@dataclass(frozen=True, eq=False)
class HiddenParts:
    """All that a program hides. `invariants`: those that read it; `rounds`: the questions with which rounds of loops
    `at once` begin, where each is asked, and from where the next member is; `zones`: of the program, and behind
    them the cells of fields and pieces in the same form. For each of them stands the number of its sort (`groups`; 0:
    it is not dealt), its kind, its first word, its seat (0: it is of none), and the lowest thing of a set. For each
    thing, what is seen of its back, and where the zone that it lies in is noted; `known`: where is noted who knows
    things."""

    sorts: tuple[HiddenSort, ...]
    pieces: tuple[HiddenPieces, ...]
    fields: tuple[HiddenField, ...]
    zones: tuple[ir.ZoneInstance, ...]
    invariants: tuple[ir.Invariant, ...]
    rounds: Mapping[int, tuple[int, int]]
    groups: tuple[int, ...]
    kinds: tuple[int, ...]
    bases: tuple[int, ...]
    holders: tuple[int, ...]
    lowest: tuple[int, ...]
    backs: tuple[int, ...]
    placed: tuple[int, ...]
    known: int


def hidden_of(program: Program) -> HiddenParts:
    """The parts of the state that this program hides."""
    sorts = _sorts(program)
    fields = tuple(_fields(program, len(program.zones)))
    pieces = tuple(_pieces(program, len(program.zones) + sum(len(field.cells) for field in fields)))
    cells = (*(cell for field in fields for cell in field.cells), *(cell for row in pieces for cell in row.zones))
    zones, seats = (*program.zones, *cells), program.domains[program.seat_kind].values
    groups = {number: sort.number for sort in sorts for number in sort.zones}
    symbols = {program.zones[n].symbol for n in groups} | {cell.symbol for cell in cells}
    return HiddenParts(
        sorts,
        pieces,
        fields,
        zones,
        tuple(one for one in program.invariants if one.reads & symbols),
        _rounds(program),
        tuple(groups.get(n, int(n >= len(program.zones))) for n in range(len(zones))),
        tuple(KINDS.get(zone.kind, SLOT) for zone in zones),
        tuple(zone.base for zone in zones),
        tuple(seats.index(zone.holder) + 1 if zone.holder in seats else 0 for zone in zones),
        tuple(bounds(zone.type.elem)[0] if isinstance(zone.type, SetType) else 0 for zone in zones),
        tuple(back_numbers(program)),
        tuple(program.placed),
        program.known_base,
    )


def back_numbers(program: Program) -> list[int]:
    """The number of what is seen of each thing's back; things with the same number look alike."""
    seen: dict[tuple[object, ...], int] = {}
    found: dict[int, list[object]] = {}
    for symbol in sorted(program.backs):
        kind, _, name = symbol.rpartition(".")
        table, type_ = program.consts[symbol]
        for thing, value in zip(program.domains[kind].values, program.tables[table], strict=True):
            found.setdefault(thing, []).append((name, value, type_))
    keys = [tuple(found.get(thing, ())) for thing in range(len(program.thing_ids))]
    return [seen.setdefault(key, len(seen)) for key in keys]


def _rounds(program: Program) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    for place, i in enumerate(program.code):
        if isinstance(i, ir.Ask) and (about := program.sites[i.site].at_once) is not None and about[0] == i.site:
            found.setdefault(i.site, (place, i.skip))
    return found


def _sorts(program: Program) -> tuple[HiddenSort, ...]:
    zones: dict[str, list[int]] = {}
    for number, zone in enumerate(program.zones):
        if number and zone.kind in ("set", "list", "slot") and zone.audience != ALL:
            held = zone.type.elem if isinstance(zone.type, SetType | ListType) else zone.type
            if isinstance(held, MemberType):
                zones.setdefault(held.domain, []).append(number)
    backs, found = back_numbers(program), list[HiddenSort]()
    for domain, numbers in zones.items():
        things = [thing for thing in sorted(program.domains[domain].values) if program.placed[thing]]
        lawful = lawful_things(program, numbers, things)
        deals = []
        for back in sorted({backs[thing] for thing in things}):
            alike = tuple(thing for thing in things if backs[thing] == back)
            layers: dict[tuple[int, ...], list[int]] = {}
            for number in numbers:
                layers.setdefault(tuple(t for t in alike if t in lawful[number]), []).append(number)
            deals += [HiddenDeal(back, tuple(layers[some]), some, alike) for some in sorted(layers, key=len)]
        found.append(HiddenSort(len(found) + 1, tuple(numbers), tuple(things), tuple(deals)))
    return tuple(found)


def lawful_things(program: Program, numbers: Sequence[int], things: Sequence[int]) -> dict[int, frozenset[int]]:
    """The things that each of these zones may hold by the invariants: an invariant that holds where nothing lies
    anywhere, but not where this thing lies in this zone alone, keeps it out. Zones whose things overlap with those of
    others, without being among them, and zones that could hold nothing, count as free; a deal that breaks an invariant
    is dealt again in any case."""
    machine, words = Machine(program), new_store()
    words.extend([0] * program.state_words)
    words[SEATS] = program.seats[1]
    machine.words = words
    everything = frozenset(things)
    found = dict.fromkeys(numbers, everything)
    for number in numbers:
        zone = program.zones[number]
        reading = [i for i in program.invariants if zone.symbol in i.reads and _holds(machine, i)]
        if reading:
            found[number] = frozenset(t for t in things if _may_lie(machine, t, number, reading)) or everything
    sets = set(found.values())
    crossing = {one for one in sets for other in sets if one & other not in (one, other, frozenset())}
    return {number: everything if some in crossing else some for number, some in found.items()}


def _may_lie(machine: Machine, thing: int, number: int, invariants: Sequence[ir.Invariant]) -> bool:
    words, program = machine.words, machine.program
    before = words[:]
    arrange(words, program.zones[number], (thing,))
    words[program.placed[thing]] = number
    found = all(_holds(machine, one) for one in invariants)
    words[:] = before
    return found


def _holds(machine: Machine, invariant: ir.Invariant) -> bool:
    """True if an invariant holds, as far as it can be told without a game."""
    try:
        return bool(machine.holds(invariant))
    except RulesetError:
        return False


def _pieces(program: Program, first: int) -> Iterator[HiddenPieces]:
    begun = {address for address, _ in program.init}
    names = dict.fromkeys(e.piece for e in program.layout if e.piece and e.audience != ALL)
    for name in names:
        entries = [e for e in program.layout if e.piece == name]
        cells = tuple(z for e in entries if e.audience != ALL for z in _cells(program, e))
        counted = any(address in begun for e in entries for address in _addresses(e))
        faces = max(_faces(e.type) for e in entries)
        yield HiddenPieces(cells, faces, counted, first)
        first += len(cells)


def _faces(t: Type) -> int:
    """The number of sorts of a piece that a zone tells apart."""
    if isinstance(t, MapType):
        return key_count(t.keys)
    return t.high if isinstance(t, IntType) and t.high < MOST_PIECES else 1


def _fields(program: Program, first: int) -> Iterator[HiddenField]:
    for e in program.layout:
        if e.audience != ALL and e.sort == "field":
            cells = tuple(_cells(program, e))
            if (found := _field(program, cells, first, e.type)) is not None:
                yield found
                first += len(cells)


def _field(program: Program, cells: tuple[ir.ZoneInstance, ...], first: int, t: Type) -> HiddenField | None:
    """The values that a field of this type may hold; None for places, and for lists of what is no number."""
    match t:
        case BoolType():
            return HiddenField(cells, first, count=2)
        case IntType(low, high):
            return HiddenField(cells, first, low, high - low + 1)
        case MemberType():
            values = [value for value in sorted(program.domains[t.domain].values) if t.low <= value <= t.high]
            return HiddenField(cells, first, values=tuple([0] * t.optional + values))
        case SetType(elem):
            low, high = bounds(elem)
            members = program.domains[elem.domain].values if isinstance(elem, MemberType) else range(low, high + 1)
            masks = [0] * width(t)
            for member in members:
                if low <= member <= high:
                    masks[(member - low) // WORD_BITS] |= 1 << (member - low) % WORD_BITS
            return HiddenField(cells, first, masks=tuple(masks))
        case ListType(elem, cap) if isinstance(elem, BoolType | IntType | MemberType):
            item = _field(program, cells, first, elem)
            return replace(item, cap=cap) if item is not None else None
    return None


def _addresses(e: ir.LayoutEntry) -> range:
    return range(e.base, e.base + key_count(e.dims) * width(e.type))


def _cells(program: Program, e: ir.LayoutEntry) -> Iterator[ir.ZoneInstance]:
    """Each item of an entry, with the thing that it belongs to (0: nobody)."""
    owned = "." in e.symbol and bool(e.dims)
    low = bounds(e.dims[0])[0] if owned else 0
    each = key_count(e.dims[1:]) if owned else 1
    one = ir.ZoneInstance(e.symbol, e.sort, 0, e.type, 0, 0, e.audience)
    for number in range(key_count(e.dims)):
        holder = low + number // each if owned else 0
        if holder not in e.absent:
            yield replace(one, base=e.base + number * width(e.type), holder=holder)
