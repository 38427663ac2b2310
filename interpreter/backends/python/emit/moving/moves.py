"""Moving things, written out for the zones of a program: what `runtime.things` finds in tables stands in the text.

One function is written for each zone, or row of zones, that things are moved to. Zones of one name lie in a row: their
words, and the seats that see them, follow from their numbers. What is not plain is left to `move`.
"""

from __future__ import annotations

import re

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.addresses import added, linear
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.folds.inline import is_choice
from interpreter.backends.python.emit.function import Fn, Lines
from interpreter.backends.python.emit.moving.move_function import MoveFunction, words_of
from interpreter.backends.python.runtime.things import BOX, LIST, SET, SLOT
from interpreter.backends.python.runtime.zone_rows import Row, plus

LETTER = re.compile(r"\b[tnoabci]\b")  # the variables of a function that moves things
SHORT = 800  # words of a store in which all words behind one are moved quickly
MOST_SOURCES = 8  # rows of zones that one function takes things from


def write_move(fn: Fn, move: ir.MoveThing, thing: str, likely: str = "", front: bool = False) -> None:
    """`likely`: the name of the zones in which the thing probably is; what moves from there stands in the text.
    `front`: it is the first thing of the only such zone."""
    const, text = linear(fn, move.zone)
    number, at = added(const, text), repr(move.at)
    if move.at is not None and not isinstance(move.at, str):
        at = fn(move.at)
    row = single(fn.ctx, const) if not text else goal_of(fn.ctx, move, const)
    place = None if row is None else place_of(fn.ctx.program, row)
    ordered = row is not None and row.kind == LIST and move.at not in (None, "bottom")
    if row is None or place is None or ordered or (row.kind == SET and row.cap):
        fn.line(f"move(S, {thing}, {number}, {at}, {fn.ctx.object(move)})")
    else:
        name = move_function(fn.ctx, row, place, move)
        call = f"{name}(S, {thing}, {number}, {at}, {fn.ctx.object_number(move)})"
        source = next((r for r in fn.ctx.zone_rows if likely and r.symbol == likely and r.symbol != row.symbol), None)
        if source is None or fn.ctx.program.known_base or (row.kind == SET and row.words > 1):
            fn.line(call)
        else:
            write_out(fn, row, source, place, (thing, number), call, front)


def write_out(fn: Fn, row: Row, source: Row, place: int, given: tuple[str, str], call: str, front: bool) -> None:
    """The usual move of a thing from one zone into another; `call` does all others."""
    thing, number = given
    line = Lines()
    mover = MoveFunction(fn.ctx, row, place, line)
    where = fn.fresh("z")
    front = front and source.kind == LIST and source.first == source.last
    if not front:
        fn.line(f"{where} = S[{plus(thing, place)}]")
    names = {"t": thing, "n": fn.hold(number, "z"), "o": where} | {x: fn.fresh("z") for x in "abci"}

    def named(text: str) -> str:
        return LETTER.sub(lambda found: names[found[0]], text)

    mover.short = fn.ctx.program.state_words <= SHORT
    mover.front = front and mover.short
    tests = [] if front else [source.is_it("o") if source.first else "not o"]
    tests += [rare[4:] if rare.startswith("not ") else f"not {rare}" for rare in mover.rare()]
    fn.line(f"if {named(' and '.join(tests) or 'True')}:")
    mover.take(source)
    line(f"S[{plus('t', place)}] = n")
    mover.put()
    for text in line.text:
        fn.line(named(text))
    fn.line(f"else: {call}")


def all_at_once(fn: Fn, number: int, things: tuple[int, ...]) -> bool:
    """Put all things of some zones into one of them, in order; False, and nothing written, where that is not
    plain."""
    goal = single(fn.ctx, number)
    rows = [row for row in fn.ctx.zone_rows if row.first and things and row.low <= things[-1] and things[0] <= row.high]
    zones = {n for row in rows for n in range(row.first, row.last + 1)}
    others = [z for n, z in enumerate(fn.ctx.program.zones) if n and z.kind != "pieces" and n not in zones]
    place = None if goal is None else place_of(fn.ctx.program, goal)
    whole = things == tuple(range(things[0], things[-1] + 1)) if things else False
    if goal is None or place is None or others or fn.ctx.program.known_base or not whole:
        return False
    if any((row.low, row.high) != (things[0], things[-1]) for row in rows) or 0 < goal.cap < len(things):
        return False
    if goal.kind == SLOT or goal.words > 1 or goal.kind == BOX:
        return False
    for row in rows:
        for n in range(row.first, row.last + 1):
            at = n * row.stride + row.base
            fn.line(f"S[{at}:{at + words_of(fn.ctx.program, row)}] = {fn.ctx.zeros(words_of(fn.ctx.program, row))}")
    at = number * goal.stride + goal.base
    if goal.kind == LIST:
        fn.line(f"S[{at}:{at + len(things) + 1}] = {fn.ctx.literal((len(things), *things))}")
    else:
        fn.line(f"S[{at}] = {sum(1 << t for t in things) >> goal.low}")
    fn.line(f"S[{things[0] + place}:{things[-1] + place + 1}] = {fn.ctx.literal((number,) * len(things))}")
    return True


def show_things(fn: Fn, show: ir.Show) -> None:
    """Seats learn where things are; without plans nobody else hears of it, and seats are their own numbers."""
    things, seats = fn(show.things), fn(show.seats)
    program = fn.ctx.program
    values = program.domains[program.seat_kind].values
    if fn.ctx.facts.uses_plans or tuple(values) != tuple(range(1, len(values) + 1)):
        fn.line(f"show(S, {things}, {seats})")
        return
    told = fn.hold(seats)
    x = fn.fresh("y")
    fn.line(f"for {x} in members({things}): S[{plus(x, program.known_base)}] |= {told}")


def mix(fn: Fn, among: ir.Expr) -> None:
    """Who does not see the zone of the things `d`, one of which is drawn, forgets where they are."""
    while is_choice(among) and among.where is None:
        among = among.binders[0][1].a
    row = None
    if isinstance(among, ir.Cell) and isinstance(among.address, ir.Const):
        at = among.address.value
        rows = [row for row in fn.ctx.zone_rows if row.kind == SET and row.first == row.last]
        row = next((row for row in rows if row.at("") == str(at)), None)
    if row is None or row.audience == "owner":
        fn.line("mix(S, d)")
    elif row.audience == "nobody":
        word = f"S[{plus('x', fn.ctx.program.known_base)}]"
        fn.line("if len(d) > 1:")
        fn.line(" for x in d:")
        fn.line(f"  if {word}: {word} = 0")


def single(ctx: ModuleContext, number: int) -> Row | None:
    """The row of one zone whose number is known."""
    found = next((row for row in ctx.zone_rows if row.first <= number <= row.last), None)
    if found is None or not number:
        return None
    return Row(
        found.symbol, number, number, found.kind, found.base, found.stride, found.cap, found.low, found.high,
        found.words, found.audience, found.seat,
    )  # fmt: skip


def goal_of(ctx: ModuleContext, move: ir.MoveThing, const: int) -> Row | None:
    """The row that a zone is likely in: the one in which it belongs to the thing that is added to its number."""
    zones = ctx.program.zones
    for row in ctx.zone_rows:
        holder = zones[row.first].holder
        if row.first and holder and row.first - holder == const and zones[row.last].holder == row.last - const:
            return row
    return None


def place_of(program: Program, row: Row) -> int | None:
    """What is added to a thing of a row to find its place word."""
    placed = program.placed
    if row.high >= len(placed) or not placed[row.low]:
        return None
    const = placed[row.low] - row.low
    return const if all(placed[t] == t + const for t in range(row.low, row.high + 1)) else None


def move_function(ctx: ModuleContext, row: Row, place: int, move: ir.MoveThing) -> str:
    key = (row, place)
    if key not in ctx.move_functions:
        name = ctx.move_functions[key] = f"_m{len(ctx.move_functions)}"
        line = Lines()
        MoveFunction(ctx, row, place, line).write(sources_of(ctx, row, move))
        ctx.add("m", ["S", "t", "n", "at", "k"], line.text, name)
    return ctx.move_functions[key]


def sources_of(ctx: ModuleContext, goal: Row, move: ir.MoveThing) -> list[Row]:
    """Where things of a row may come from, the likely ones first."""
    hinted = {c.symbol for c in walk(move.thing) if isinstance(c, ir.Cell)}
    found = [row for row in ctx.zone_rows if row.low <= goal.high and goal.low <= row.high]

    def likely(row: Row) -> tuple[bool, bool, bool, int]:
        return row.symbol not in hinted, row.kind == BOX, row.symbol == goal.symbol, row.first - row.last

    return sorted(found, key=likely)[:MOST_SOURCES]
