"""Readings that a host takes of a game in a module: values as exported functions, besides those that play.

A value is lowered where the question stands that it is about: it may read the frame. So a page in a browser shows what
Python shows, by the same lowering. What cannot be lowered gives up where it is read, and is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.types import Type
from dsl.ir.walk import free
from dsl.program import Program
from interpreter.backends.low.base.context import DRAWING, DRAWN, FRESH, Bound, Held, Later, Lowering
from interpreter.backends.low.base.exported import ALL_WAYS, COUNT, RELIST
from interpreter.backends.low.base.kinds import ANY, MembersKind, Number, Unsupported, kind_of
from interpreter.backends.low.base.make import ZERO
from interpreter.backends.low.bots import choices, moments, searching, stores
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Local, Reason
from interpreter.backends.low.purses.offering import write_offers
from interpreter.backends.low.scopes.orders import close_scope, open_scope
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.backends.low.values.functions import fitted, value_to_give
from interpreter.backends.low.whole.lowering import Lowered, guarded, lower_with
from interpreter.backends.low.whole.walking import BOT_GLOBALS, prepare_bots, write_bots

READ = "read"  # and its number: the name of the function of a reading
DRAW_ONE = "draw_one"
"""The function for the host that lists options as random play does, and gives the index of the one that is drawn."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value for the host. `args`: the temps that it gives, each with its type; other temps are 0. `order`: the order
    in whose scope it is worked out, with what that waives and changes."""

    value: ir.Expr
    type: Type
    args: tuple[tuple[int, Type], ...] = ()
    order: ir.Possible | None = None


@dataclass(frozen=True, slots=True)
class Readable:
    """A program with its readings, and with bots that judge and search where these can be had. `unread`: those that
    give up, by their numbers, each with the reason; `blind`: likewise the sites whose ways to pay cannot be read;
    `planned`: where the length and the words of the store lie with which the open plan began; `noted`: where the
    outcomes of chance are noted; `bots`: where the generators of those bots lie, for their choices and for actions at
    any moment; 0: there are none."""

    lowered: Lowered
    unread: dict[int, str]
    blind: dict[int, str]
    planned: int
    noted: int
    bots: int


def lower_readable(program: Program, readings: Sequence[Reading]) -> Readable:
    """The module of a program, with gaps, and these readings. Raises Unsupported where nothing is left."""
    with suppress(Unsupported):
        return _lower(program, readings, True)
    return _lower(program, readings, False)


def _lower(program: Program, readings: Sequence[Reading], bots_too: bool) -> Readable:
    unread: dict[int, str] = {}
    regions: list[int] = []
    places: list[stores.Places] = []
    blind: dict[int, str] = {}

    def more(lo: Lowering) -> None:
        write_draw_one(lo)
        unread.update(write_readings(lo, readings))
        blind.update(write_offers(lo))
        if bots_too:
            write_bots(lo, places[0])
            searching.write_for_host(lo, places[0], choices.generators(places[0], choices.GREEDY)[0])
        else:
            moments.write(lo)
        moments.write_for_host(lo)

    def before(lo: Lowering) -> None:
        lo.lists_ways = True
        regions.extend((lo.memory.keep_plans(), lo.memory.note_chance()))
        if bots_too:
            places.append(prepare_bots(lo))

    of_bots = (*BOT_GLOBALS, *searching.GLOBALS) if bots_too else ()
    lowered = guarded(lambda: lower_with(program, [], before, more, (ALL_WAYS, *of_bots)))
    bots = choices.generators(places[0], choices.GREEDY)[0].value if bots_too else 0
    return Readable(lowered, unread, blind, regions[0], regions[1], bots)


def write_readings(lo: Lowering, readings: Sequence[Reading]) -> dict[int, str]:
    """Write a function for each reading; gives those that give up, with the reason."""
    unread = {}
    for number, reading in enumerate(readings):
        try:
            _write(lo, number, reading)
        except Unsupported as reason:
            unread[number] = str(reason)
            with lo.function(f"{READ}{number}", _names(reading), exported=True) as w:
                w.trap(Reason.GAP)
    return unread


def _names(reading: Reading) -> tuple[str, ...]:
    return tuple(f"a{slot}" for slot, _ in reading.args)


def _write(lo: Lowering, number: int, reading: Reading) -> None:
    order, kind = reading.order, kind_of(reading.type)
    if order is not None and not isinstance(kind, Number | MembersKind):
        raise Unsupported("a list in the scope of an order")
    parts = (reading.value, order.mods if order is not None else ())
    bound: dict[int, Bound] = {slot: Later(ir.Const(0), {}) for slot in free(parts)}
    for slot, t in reading.args:
        given = kind_of(t)
        if not isinstance(given, Number):
            raise Unsupported("a set or list that the host gives")
        bound[slot] = Held(given, (f"a{slot}",))
    with lo.function(f"{READ}{number}", _names(reading), exported=True) as w:
        w.call(FRESH)
        lo.bound = bound
        if order is None:
            w.give(value_to_give(lo, reading.value, kind))
            return
        open_scope(lo, order.waive, [(line, [fitted(lo, v, ANY) for v in values]) for line, values in order.mods])
        result = w.let(value_to_give(lo, reading.value, kind))
        close_scope(lo)
        w.give(result)


def write_draw_one(lo: Lowering) -> None:
    """Write the function that draws an option of the pending question, with Python's generator."""
    with lo.function(DRAW_ONE, (), exported=True) as w:
        w.emit(low.SetGlobal(DRAWING, low.Num(1)))
        w.call(RELIST)
        w.emit(low.SetGlobal(DRAWING, ZERO))
        w.set("index", ZERO)
        draw = low.Set("index", low.Portion(low.Call(FRACTION), Global(COUNT)))
        w.emit(low.If(low.Not(Global(DRAWN)), (draw,)))
        w.give(Local("index"))
