"""Soundness of a store: a list of numbers may be one that a game could be in, or not.

`check_store` takes the words of a save, gives the store, and raises UnsoundStore with a sentence: sizes, header,
declared cells, zones and places, what seats know, end lists, timed records, and the variables of the routines that are
running. What passes can be looked at and played on; numbers among local variables have no bounds of their own, so a
number there can still be wrong in a way that only the rules know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import (
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    PlaceType,
    SetType,
    SparseType,
    Type,
    bounds,
    key_count,
    unpack,
    width,
)
from dsl.elaborate.core.reads import nodes
from dsl.program import Program
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words, new_store
from interpreter.machine import invariants
from interpreter.rules.rules import Rules

LOW, HIGH = -(2**31), 2**31 - 1


class UnsoundStore(ValueError):
    """Words that no game can have led to."""


def check_store(game: Rules, words: Any, what: str) -> Words:
    """The store of these words, a list of a save, if it is a sound one of this ruleset; `what` names them in the
    message. Raises UnsoundStore."""
    program = game.program
    if not isinstance(words, list) or not all(type(w) is int and LOW <= w <= HIGH for w in words):
        raise UnsoundStore(f"the save has no valid `{what}` (a list of 32-bit numbers expected)")
    store = new_store(words)
    if not program.state_words <= len(store) <= program.state_words + program.limits.stack:
        raise UnsoundStore(f"the store has {len(store)} words; {program.state_words} or more are expected")
    known = game.cached(KnownTypes)
    check_header(program, store)
    check_waiting(program, store, what == "words")
    frames = check_frames(known, store)
    for entry in program.layout:
        check_cells(known, store, entry)
    check_zones(game, store)
    check_knowledge(program, store)
    check_records(known, store, frames)
    return store


class KnownTypes:
    """The types of the words that no layout describes, as the rules give them, worked out once for a ruleset: of frame
    variables, of timed lines, and of what waits on end lists."""

    def __init__(self, rules: Rules) -> None:
        self.program = program = rules.program
        self.members = {name: sum(1 << v for v in info.values) for name, info in program.domains.items()}
        self.variables = [tuple(variables(program, number)) for number in range(len(program.procs))]
        self.extents = [extent(program, number) for number in range(len(program.procs))]
        self.timed: dict[int, tuple[Type, ...]] = {}  # by the number that begins a record
        self.deferred: set[int] = set()  # procedures
        self.ordered = False  # whether seats order what waits
        bodies = [proc.body for proc in program.procs]
        for node in nodes((program.code, tuple(bodies))):
            match node:
                case ir.Timed(line=line, types=types, values=values):
                    self.timed[line + 1] = types or (IntType(),) * len(values)
                case ir.Defer(proc=proc, order=order):
                    self.deferred.add(proc)
                    self.ordered |= bool(order)

    def is_member(self, value: int, type_: MemberType) -> bool:
        return value == 0 or type_.low <= value <= type_.high and bool(self.members[type_.domain] >> value & 1)


def extent(program: Program, number: int) -> range:
    """The instructions of a procedure that suspends; none of another."""
    proc = program.procs[number]
    if not proc.suspends:
        return range(0)
    ends = [p.entry for p in program.procs if p.suspends and p.entry > proc.entry]
    return range(proc.entry, min(ends, default=len(program.code)))


def variables(program: Program, number: int) -> Iterator[tuple[int, Type]]:
    """The frame variables of a procedure with their types: parameters, then those that something is stored in."""
    at = 0
    found: dict[int, Type] = {}
    for _, type_ in program.procs[number].params:
        found[at] = type_
        at += width(type_)
    code = program.code[extent(program, number).start : extent(program, number).stop]
    sites = [program.sites[i.site] for i in code if isinstance(i, ir.Ask | ir.Confirm)]
    for node in nodes((code, tuple(sites))):
        match node:
            case ir.FrameVar(slot, type_):
                found.setdefault(slot, type_)
            case ir.SetFrame(slot=slot, type=type_, offset=None):
                found.setdefault(slot, type_)
            case ir.Chance(slot=slot, type=drawn) if drawn is not None:
                found.setdefault(slot, drawn)
    for site in sites:
        for slot, type_ in site.answer_slots():
            found.setdefault(slot, type_)
    yield from sorted(found.items())


# ------------------------------------------------------------ header and frames


def check_header(program: Program, words: Words) -> None:
    limits, seats = program.limits, program.domains.get(program.seat_kind)
    ranges = {
        hdr.SCRIPT: (0, HIGH), hdr.STEPS: (0, limits.steps), hdr.DEFERRED: (0, limits.deferred),
        hdr.TIMED: (0, limits.timed), hdr.OVER: (0, 1), hdr.DRIVEN: (0, 1), hdr.WAIVE: (0, HIGH),
        hdr.PLAN: (0, HIGH), hdr.ASKING: (0, 1), hdr.DRAWN: (0, len(program.thing_ids)),
        hdr.RNG: (0, 2**22 - 1), hdr.RNG + 1: (0, 2**22 - 1), hdr.RNG + 2: (0, 2**20 - 1),
        hdr.SEATS: program.seats, hdr.TOGETHER: (0, HIGH), hdr.CHECKING: (0, 1),
    }  # fmt: skip
    for address, (low, high) in ranges.items():
        if not low <= words[address] <= high:
            raise UnsoundStore(f"word {address} of the store is {words[address]}, which is outside {low}..{high}")
    if words[hdr.PLAN_SEAT] and words[hdr.PLAN_SEAT] not in (seats.values if seats else ()):
        raise UnsoundStore("the plan of the store belongs to no seat")


def check_waiting(program: Program, words: Words, at_rest: bool) -> None:
    """Raises UnsoundStore unless the store waits for something that its place in the code can wait for: a question,
    chance, or nothing, if the game is over. A store `at_rest` is where a game stops; another was kept while it ran."""
    site, pc = words[hdr.SITE] - 1, words[hdr.PC]
    if not -1 <= site < len(program.sites) or not 0 <= pc < len(program.code):
        raise UnsoundStore("the store points outside the ruleset")
    instruction = program.code[pc]
    if site >= 0 and not (isinstance(instruction, ir.Ask) and instruction.site == site):
        raise UnsoundStore("the store waits at a place where nothing is asked")
    if words[hdr.CHANCE] not in (0, pc) or (words[hdr.CHANCE] and not isinstance(instruction, ir.Chance)):
        raise UnsoundStore("the store waits for chance at a place where nothing is drawn")
    if at_rest and site < 0 and not words[hdr.CHANCE] and not words[hdr.OVER]:
        raise UnsoundStore("the store waits for nothing, and the game is not over")


def check_frames(known: KnownTypes, words: Words) -> list[int]:
    """The bases of the frames, the innermost first: each lies behind its caller, belongs to a procedure, goes on in
    the code of its caller, and holds values of its variables."""
    program = known.program
    base, last, pc = words[hdr.FP], len(words), words[hdr.PC]
    found: list[int] = []
    while base:
        if not program.state_words <= base <= last - hdr.FRAME_LINK:
            raise UnsoundStore("the frames of the store are broken")
        back, below, proc = words[base : base + hdr.FRAME_LINK]
        proc = proc if proc >= 0 else ~proc  # inverted once the end list is done
        if not 0 <= back < len(program.code) or proc >= len(program.procs) or pc not in known.extents[proc]:
            raise UnsoundStore("a frame of the store points outside the ruleset")
        if base + hdr.FRAME_LINK + program.procs[proc].frame_words != last:
            raise UnsoundStore("the frames of the store are cut off")
        check_variables(known, words, base + hdr.FRAME_LINK, proc)
        found.append(base)
        base, last, pc = below, base, back
    if found and pc:
        raise UnsoundStore("the outermost frame of the store is called by nobody")
    if last != program.state_words:
        raise UnsoundStore("the store is longer than its frames")
    for depth, frame in ((hdr.PLAN, hdr.PLAN_FRAME), (hdr.TOGETHER, hdr.TOGETHER_FRAME)):
        if words[frame] not in (0, *found) or words[depth] and not words[frame] and found:
            raise UnsoundStore("a plan or `together` of the store stands in no frame")
    return found


def check_variables(known: KnownTypes, words: Words, at: int, proc: int) -> None:
    for slot, type_ in known.variables[proc]:
        if not is_value(known, words, at + slot, type_, stored=False):
            raise UnsoundStore(f"a variable of `{known.program.procs[proc].name}` is not of type {type_}")


# ------------------------------------------------------------ cells, zones, records


def check_cells(known: KnownTypes, words: Words, entry: ir.LayoutEntry) -> None:
    size = width(entry.type)
    for at in range(entry.base, entry.base + key_count(entry.dims) * size, size):
        sound = is_value(known, words, at, entry.type)
        if entry.sort == "option":  # chosen before the game, so never nothing
            low, high = bounds(entry.type)
            sound = low <= words[at] <= high
        if not sound:
            shown = words[at] if size == 1 else list(words[at : at + size])
            raise UnsoundStore(f"{entry.symbol} holds {shown}, which is not of type {entry.type}")


def is_value(known: KnownTypes, words: Words, at: int, type_: Type, stored: bool = True) -> bool:
    """True if the words at an address are a value of the type; nothing (0) always is, but not as the item of a list,
    since a store begins with zeros. Numbers are bounded only where they are stored, not in local variables."""
    match type_:
        case BoolType() | IntType():
            low, high = bounds(type_)
            return words[at] == 0 or low <= words[at] <= high or not stored and isinstance(type_, IntType)
        case MemberType():
            return known.is_member(words[at], type_)
        case PlaceType():
            return 0 <= words[at] < len(known.program.zones)
        case SetType(elem):
            return is_set(known, words, at, type_, elem)
        case ListType(elem, cap):
            size, length = width(elem), words[at]
            items = range(at + 1, at + 1 + length * size, size)
            if not 0 <= length <= cap or not all(is_value(known, words, item, elem, stored) for item in items):
                return False
            return not isinstance(elem, MemberType) or elem.optional or all(words[item] for item in items)
        case MapType(keys, value):
            items = range(at, at + key_count(keys) * width(value), width(value))
            return all(is_value(known, words, item, value, stored) for item in items)
        case SparseType(keys, cap):
            numbers = words[at + 1 : at + 1 + 2 * words[at] : 2]
            return 0 <= words[at] <= cap and all(0 <= n < key_count(keys) for n in numbers)
    return True


def is_set(known: KnownTypes, words: Words, at: int, type_: SetType, elem: Type) -> bool:
    if min(words[at : at + width(type_)]) < 0:
        return False
    mask = unpack(words, at, type_)
    members = known.members[elem.domain] if isinstance(elem, MemberType) else -1
    return mask < 2 << bounds(elem)[1] and not mask & ~members


def check_zones(game: Rules, words: Words) -> None:
    """Raises UnsoundStore unless every thing is where its place word says, and nowhere else."""
    machine, zones = game.machine, range(len(game.program.zones))
    machine.words = words
    if any(words[address] not in zones for address in game.program.placed if address):
        raise UnsoundStore("a thing of the store is in no zone of this ruleset")
    try:
        invariants.check_places(machine)
    except RulesetError as fault:
        raise UnsoundStore(fault.message) from None


def check_knowledge(program: Program, words: Words) -> None:
    if program.known_base:
        most = 2 << words[hdr.SEATS]
        for seats in words[program.known_base : program.known_base + len(program.thing_ids)]:
            if not 0 <= seats < most:
                raise UnsoundStore("the store says of no seat what it knows")


def check_records(known: KnownTypes, words: Words, frames: list[int]) -> None:
    """Raises UnsoundStore unless each item of end lists and each timed rule belongs to a frame, names something of the
    rules, and has values of its types."""
    program = known.program
    size = hdr.DEFERRED_LINK + program.deferred_args
    for number in range(words[hdr.DEFERRED]):
        at = program.deferred_base + number * size
        frame, proc = words[at : at + hdr.DEFERRED_LINK]
        if abs(frame) not in (0, *frames) or proc not in known.deferred:
            raise UnsoundStore("an end list of the store holds what no rule puts there")
        check_values(known, words, at + hdr.DEFERRED_LINK, [t for _, t in program.procs[proc].params])
        if known.ordered:
            thing, seat, _ = words[at + size - len(hdr.ORDER) : at + size]
            if not (0 <= thing < len(program.thing_ids) and 0 <= seat <= words[hdr.SEATS]):
                raise UnsoundStore("an end list of the store says of something that waits what no rule says")
    size = hdr.TIMED_LINK + program.timed_args
    for number in range(words[hdr.TIMED]):
        at = program.timed_base + number * size
        line, frame, count = words[at : at + hdr.TIMED_LINK]
        if frame not in (0, *frames) or line and not 0 <= count <= program.timed_args or count < 0:
            raise UnsoundStore("a timed rule of the store belongs to nothing that is running")
        if line > 0:
            types = known.timed.get(line)
            if types is None or sum(map(width, types)) != count:
                raise UnsoundStore("a timed rule of the store is none of the rules")
            check_values(known, words, at + hdr.TIMED_LINK, types)


def check_values(known: KnownTypes, words: Words, at: int, types: Sequence[Type]) -> None:
    for type_ in types:
        if not is_value(known, words, at, type_, stored=False):
            raise UnsoundStore(f"what waits for the end of a routine holds a value that is not of type {type_}")
        at += width(type_)
