"""Random numbers that follow from what they are for, as `interpreter.choices.keyed` gives them: for chance that is
asked, which is drawn so where a module has them (`lo.keyed`), and for the choices of bots in such a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl.base.types import MemberType, Type, bounds
from dsl.ir import Chance
from dsl.program import SITE, Program
from interpreter.backends.low.base.context import KeyedPlaces, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, scale, word
from interpreter.backends.low.base.memory import HALVES
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.kernel.functions import write as write_kernel
from interpreter.choices.keyed import key_of, outcome_key, then, waiting_time

THEN, EVENT_NUMBER, CHOICE_NUMBER, KEYED_ORDER = "then", "event_number", "choice_number", "keyed_order"
WAITING_TIME = "waiting_time"
"""Functions: `then` of that module; the number of a chance event that comes now, by its number among the addresses;
that of a choice of a seat at the pending question; give the list at an address the order of an event; `waiting_time`
of that module."""

SEATS = 17  # columns of the choices at an address: one for each seat, by its number


def event_addresses(program: Program) -> tuple[str, ...]:
    """The addresses of chance events; the place of each is its number."""
    return tuple(dict.fromkeys(i.address for i in program.code if isinstance(i, Chance)))


def make_places(lo: Lowering) -> KeyedPlaces:
    """Make room for what numbers follow from."""
    events = event_addresses(lo.program)
    choices = len({site.address for site in lo.program.sites}) * SEATS
    memory, size = lo.memory, len(events)
    return KeyedPlaces(events, memory.room(2), memory.room(size), memory.room(size), memory.room(choices), choices)


def write(lo: Lowering, places: KeyedPlaces) -> None:
    write_kernel(lo, then, THEN)
    _write_events(lo, places)
    _write_choices(lo, places)
    _write_order(lo)
    if any(isinstance(i, Chance) and i.weights is not None for i in lo.program.code):
        write_kernel(lo, waiting_time, WAITING_TIME)


def _number(lo: Lowering, keys: Iterable[Expr]) -> Expr:
    """The number of these keys."""
    found: Expr = ZERO
    for key in keys:
        found = lo.w.let(low.Call(THEN, (found, key)))
    return found


def _table(lo: Lowering, keys: Iterable[int]) -> int:
    """The address of these keys, each a long number."""
    return lo.memory.words([half for key in keys for half in (key & HALVES, key >> 32)])


def _write_events(lo: Lowering, places: KeyedPlaces) -> None:
    keys = _table(lo, map(key_of, places.events))
    with lo.function(EVENT_NUMBER, ("event",)) as w:
        event = Local("event")
        times = w.let(add(low.Load(event, places.times), 1))
        w.store(event, places.times, times)
        w.give(_number(lo, (low.LoadLong(Num(places.seed)), low.LoadLong(scale(event, 2), keys), ZERO, times)))


def _write_choices(lo: Lowering, places: KeyedPlaces) -> None:
    addresses = [site.address for site in lo.program.sites]
    rows = {address: n for n, address in enumerate(dict.fromkeys(addresses))}
    firsts = lo.memory.words([rows[address] * SEATS for address in addresses])
    keys = _table(lo, map(key_of, addresses))
    with lo.function(CHOICE_NUMBER, ("seat",)) as w:
        site = w.let(add(word(SITE), -1))
        at = w.let(add(low.Load(site, firsts), Local("seat")))
        times = w.let(add(low.Load(at, places.choices), 1))
        w.store(at, places.choices, times)
        key = low.LoadLong(scale(site, 2), keys)
        w.give(_number(lo, (low.LoadLong(Num(places.seed)), key, Local("seat"), times)))


def _write_order(lo: Lowering) -> None:
    """The thing with the least number comes first. Shuffles of one thing are no events."""
    program = lo.program
    keys = _table(lo, map(key_of, program.thing_ids))
    numbers = lo.memory.room(2 * len(program.thing_ids))
    with lo.function(KEYED_ORDER, ("base", "event")) as w:
        size = w.let(low.Load(Local("base")), "size")
        w.emit(low.If(Op("<=", size, ONE), (low.Return(ZERO),)))
        event = w.let(low.Call(EVENT_NUMBER, (Local("event"),)))

        def insert(n: Expr) -> None:
            thing = w.let(low.Load(add(Local("base"), n), 1))
            own = w.let(low.Call(THEN, (event, low.LoadLong(scale(thing, 2), keys))))
            w.set("k", n)

            def back(label: str) -> None:
                w.leave_if(low.Not(Local("k")), label)
                before = w.let(low.LoadLong(scale(add(Local("k"), -1), 2), numbers))
                w.leave_if(low.Not(Op(">u", before, own)), label)
                w.emit(low.StoreLong(scale(Local("k"), 2), numbers, before))
                here = w.let(add(Local("base"), Local("k")))
                w.store(here, 1, low.Load(here))
                w.set("k", add(Local("k"), -1))

            w.loop(back)
            w.emit(low.StoreLong(scale(Local("k"), 2), numbers, own))
            w.store(add(Local("base"), Local("k")), 1, thing)

        w.upto(ZERO, size, insert)
        w.give(ZERO)


# ------------------------------------------------------------ one of several outcomes


class Least:
    """The outcome with the least number, in variables of the function that is written."""

    def __init__(self, lo: Lowering, event: Expr, found: str) -> None:
        """`event`: the number of the event; `found`: the variable that becomes the outcome."""
        self.lo, self.event, self.found, self.best = lo, event, found, lo.w.fresh("best")
        lo.w.set(self.best, Num(-1))

    def look(self, value: Expr, type_: Type | None, pieces: Expr | None = None) -> None:
        """Look at an outcome; one with pieces has a number for each of them."""
        w = self.lo.w
        own = w.let(low.Call(THEN, (self.event, _key(self.lo, value, type_))))
        if pieces is None:
            self._compare(own, value)
        else:
            w.upto(ZERO, pieces, lambda n: self._compare(w.let(low.Call(THEN, (own, n))), value))

    def look_at_weight(self, value: Expr, type_: Type | None, weight: Expr) -> None:
        """Look at an outcome that is as likely as its weight says."""
        own = low.Call(THEN, (self.event, _key(self.lo, value, type_)))
        self._compare(self.lo.w.let(low.Call(WAITING_TIME, (own, weight))), value)

    def _compare(self, own: Expr, value: Expr) -> None:
        keep = low.Set(self.best, own), low.Set(self.found, value)
        self.lo.w.emit(low.If(Op(">u", Local(self.best), own), keep))


def event_number(lo: Lowering, address: str, several: Expr) -> Expr:
    """The number of an event, which comes only if there are several outcomes."""
    assert lo.keyed is not None
    own = low.Call(EVENT_NUMBER, (Num(lo.keyed.events.index(address)),))
    return lo.w.let(low.Choice(several, own, ZERO))


def _key(lo: Lowering, value: Expr, type_: Type | None) -> Expr:
    """The key of an outcome."""
    if not isinstance(type_, MemberType) or type_.domain not in lo.program.domains:
        return value
    first, last = bounds(type_)
    table = _table(lo, _keys(lo.program, range(first, last + 1), type_))
    return low.LoadLong(lo.w.let(scale(add(value, -first), 2)), table)


def _keys(program: Program, values: Sequence[int], type_: MemberType) -> list[int]:
    return [outcome_key(program, value, type_) for value in values]
