"""Moves of things in the text: what `runtime.moves` finds in tables is written for the zones of a program.

There is a function for each zone, or row of zones, that things are moved to. Zones of one name are in a row: their
words, and the seats that see them, follow from their numbers. What is not plain is left to `move` of the runtime.
"""

from __future__ import annotations

import re

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.addresses import address_parts
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.folds.inline import is_filter
from interpreter.backends.python.emit.function import Fn, Lines
from interpreter.backends.python.emit.moving.move_function import MoveFunction, zone_words
from interpreter.backends.python.emit.source import sum_text
from interpreter.backends.python.emit.zone_rows import Row
from interpreter.backends.python.runtime.moves import BOX, LIST, SET, SLOT

LETTER = re.compile(r"\b[tnoabci]\b")  # the variables of a function that moves things
SHORT = 800  # words of a store in which all words behind one are moved quickly
MOST_SOURCES = 8  # rows of zones that one function takes things from


def write_move(fn: Fn, move: ir.MoveThing, thing: str, likely: str = "", front: bool = False) -> None:
    """A move of the thing in the variable `thing`. `likely`: the name of the zones in which it probably is; the move
    from there stands in the text. `front`: it is the first thing of the only such zone."""
    const, text = address_parts(fn, move.zone)
    number, at = sum_text(const, text), repr(move.at)
    if move.at is not None and not isinstance(move.at, str):
        at = fn(move.at)
    row = zone_row(fn.ctx, const) if not text else likely_goal(fn.ctx, const)
    offset = None if row is None else place_offset(fn.ctx.program, row)
    ordered = row is not None and row.kind == LIST and move.at not in (None, "bottom")
    if row is None or offset is None or ordered or (row.kind == SET and row.cap):
        fn.line(f"move(S, {thing}, {number}, {at}, {fn.ctx.object(move)})")
    else:
        name = move_function(fn.ctx, row, offset, move)
        call = f"{name}(S, {thing}, {number}, {at}, {fn.ctx.object_number(move)})"
        source = next((r for r in fn.ctx.zone_rows if likely and r.symbol == likely and r.symbol != row.symbol), None)
        if source is None or fn.ctx.program.known_base or (row.kind == SET and row.words > 1):
            fn.line(call)
        else:
            write_usual_move(fn, row, source, offset, (thing, number), call, front)


def write_usual_move(
    fn: Fn, row: Row, source: Row, offset: int, given: tuple[str, str], call: str, front: bool
) -> None:
    """The usual move of a thing from one zone into another; `call` does all others."""
    thing, number = given
    line = Lines()
    mover = MoveFunction(fn.ctx, row, offset, line)
    where = fn.fresh("z")
    front = front and source.kind == LIST and source.first == source.last
    if not front:
        fn.line(f"{where} = S[{sum_text(offset, thing)}]")
    names = {"t": thing, "n": fn.hold(number, "z"), "o": where} | {x: fn.fresh("z") for x in "abci"}

    def named(text: str) -> str:
        return LETTER.sub(lambda found: names[found[0]], text)

    mover.short = fn.ctx.program.state_words <= SHORT
    mover.front = front and mover.short
    tests = [] if front else [source.contains("o") if source.first else "not o"]
    tests += [rare[4:] if rare.startswith("not ") else f"not {rare}" for rare in mover.rare_conditions()]
    fn.line(f"if {named(' and '.join(tests) or 'True')}:")
    mover.remove(source)
    line(f"S[{sum_text(offset, 't')}] = n")
    mover.insert()
    for text in line.text:
        fn.line(named(text))
    fn.line(f"else: {call}")


def move_all(fn: Fn, number: int, things: tuple[int, ...]) -> bool:
    """Move all things of some zones into one of them, in order; False, and nothing written, where that is not
    plain."""
    goal = zone_row(fn.ctx, number)
    rows = [row for row in fn.ctx.zone_rows if row.first and things and row.low <= things[-1] and things[0] <= row.high]
    zones = {n for row in rows for n in range(row.first, row.last + 1)}
    others = [z for n, z in enumerate(fn.ctx.program.zones) if n and z.kind != "pieces" and n not in zones]
    offset = None if goal is None else place_offset(fn.ctx.program, goal)
    whole = things == tuple(range(things[0], things[-1] + 1)) if things else False
    if goal is None or offset is None or others or fn.ctx.program.known_base or not whole:
        return False
    if any((row.low, row.high) != (things[0], things[-1]) for row in rows) or 0 < goal.cap < len(things):
        return False
    if goal.kind == SLOT or goal.words > 1 or goal.kind == BOX:
        return False
    for row in rows:
        for n in range(row.first, row.last + 1):
            at = n * row.stride + row.base
            fn.line(f"S[{at}:{at + zone_words(fn.ctx.program, row)}] = {fn.ctx.zeros(zone_words(fn.ctx.program, row))}")
    at = number * goal.stride + goal.base
    if goal.kind == LIST:
        fn.line(f"S[{at}:{at + len(things) + 1}] = {fn.ctx.literal((len(things), *things))}")
    else:
        fn.line(f"S[{at}] = {sum(1 << t for t in things) >> goal.low}")
    fn.line(f"S[{things[0] + offset}:{things[-1] + offset + 1}] = {fn.ctx.literal((number,) * len(things))}")
    return True


def show_things(fn: Fn, show: ir.Show) -> None:
    """Note that seats know where things are: in the text where there are no plans and members of the seat kind are seat
    numbers."""
    things, seats = fn(show.things), fn(show.seats)
    program = fn.ctx.program
    values = program.domains[program.seat_kind].values
    if fn.ctx.facts.uses_plans or tuple(values) != tuple(range(1, len(values) + 1)):
        fn.line(f"show(S, {things}, {seats})")
        return
    viewers = fn.hold(seats)
    x = fn.fresh("y")
    fn.line(f"for {x} in members({things}): S[{sum_text(program.known_base, x)}] |= {viewers}")


def mix(fn: Fn, among: ir.Expr) -> None:
    """Make those seats forget where the things `d` are, one of which is drawn, that do not see their zone."""
    while is_filter(among) and among.where is None:
        among = among.binders[0][1].a
    row = None
    if isinstance(among, ir.Cell) and isinstance(among.address, ir.Const):
        at = among.address.value
        rows = [row for row in fn.ctx.zone_rows if row.kind == SET and row.first == row.last]
        row = next((row for row in rows if row.address("") == str(at)), None)
    if row is None or row.audience == "owner":
        fn.line("mix(S, d)")
    elif row.audience == "nobody":
        word = f"S[{sum_text(fn.ctx.program.known_base, 'x')}]"
        fn.line("if len(d) > 1:")
        fn.line(" for x in d:")
        fn.line(f"  if {word}: {word} = 0")


def zone_row(ctx: ModuleContext, number: int) -> Row | None:
    """The zone with this number as a row of one."""
    found = next((row for row in ctx.zone_rows if row.first <= number <= row.last), None)
    if found is None or not number:
        return None
    return Row(
        found.symbol, number, number, found.kind, found.base, found.stride, found.cap, found.low, found.high,
        found.words, found.audience, found.seat,
    )  # fmt: skip


def likely_goal(ctx: ModuleContext, const: int) -> Row | None:
    """The row that a zone is probably in: the one whose zones belong to the members that are added to `const`."""
    zones = ctx.program.zones
    for row in ctx.zone_rows:
        holder = zones[row.first].holder
        if row.first and holder and row.first - holder == const and zones[row.last].holder == row.last - const:
            return row
    return None


def place_offset(program: Program, row: Row) -> int | None:
    """The number that is added to a thing of a row to find its place word."""
    placed = program.placed
    if row.high >= len(placed) or not placed[row.low]:
        return None
    const = placed[row.low] - row.low
    return const if all(placed[t] == t + const for t in range(row.low, row.high + 1)) else None


def move_function(ctx: ModuleContext, row: Row, offset: int, move: ir.MoveThing) -> str:
    key = (row, offset)
    if key not in ctx.move_functions:
        name = ctx.move_functions[key] = f"_m{len(ctx.move_functions)}"
        line = Lines()
        MoveFunction(ctx, row, offset, line).write(likely_sources(ctx, row, move))
        ctx.add("m", ["S", "t", "n", "at", "k"], line.text, name)
    return ctx.move_functions[key]


def likely_sources(ctx: ModuleContext, goal: Row, move: ir.MoveThing) -> list[Row]:
    """The rows from which things may come to a row, the likely ones first."""
    hinted = {c.symbol for c in walk(move.thing) if isinstance(c, ir.Cell)}
    found = [row for row in ctx.zone_rows if row.low <= goal.high and goal.low <= row.high]

    def likely(row: Row) -> tuple[bool, bool, bool, int]:
        return row.symbol not in hinted, row.kind == BOX, row.symbol == goal.symbol, row.first - row.last

    return sorted(found, key=likely)[:MOST_SOURCES]
