"""Moving things, written out for the zones of a program: what `moving.mover` finds in tables stands in the text.

A `Moves` of a unit writes one function for each zone, or row of zones, that things are moved to. Zones of one name lie
in a row: their words, and the seats that see them, follow from their numbers. What is not plain is left to `move`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dsl import ir
from dsl.base.types import width
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.function import Lines
from interpreter.backends.python.emit.inline_folds import is_choice
from interpreter.backends.python.emit.move_function import Mover
from interpreter.backends.python.runtime.things import BOX, LIST, SET, SLOT
from interpreter.backends.python.runtime.zone_rows import Row, plus, rows_of_zones

if TYPE_CHECKING:
    from interpreter.backends.python.compile.module import Unit
    from interpreter.backends.python.emit.statements import Statements

LETTER = re.compile(r"\b[tnoabci]\b")  # the variables of a function that moves things
SHORT = 800  # words of a store in which all words behind one are moved quickly
MOST_SOURCES = 8  # rows of zones that one function takes things from


class Moves:
    def __init__(self, unit: Unit) -> None:
        self.unit, self.program = unit, unit.program
        self.rows = rows_of_zones(unit.program)
        least, most = unit.program.seats
        self.everybody = str((2 << most) - 2) if least == most else ""
        self.made: dict[tuple[Row, int], str] = {}
        values = unit.program.domains[unit.program.seat_kind].values
        self.seats_in_order = tuple(values) == tuple(range(1, len(values) + 1))

    # ------------------------------------------------------------ the statement

    def write(self, s: Statements, move: ir.MoveThing, thing: str, likely: str = "", front: bool = False) -> None:
        """`likely`: the name of the zones in which the thing probably is; what moves from there stands in the text.
        `front`: it is the first thing of the only such zone."""
        const, text = s.linear(move.zone)
        number, at = s.sum(const, text), repr(move.at)
        if move.at is not None and not isinstance(move.at, str):
            at = s(move.at)
        row = self.single(const) if not text else self.goal(move, const)
        place = None if row is None else self.place(row)
        ordered = row is not None and row.kind == LIST and move.at not in (None, "bottom")
        if row is None or place is None or ordered or (row.kind == SET and row.cap):
            s.line(f"move(S, {thing}, {number}, {at}, {self.unit.object(move)})")
        else:
            name = self.function(row, place, move)
            call = f"{name}(S, {thing}, {number}, {at}, {self.unit.object_number(move)})"
            source = next((r for r in self.rows if likely and r.symbol == likely and r.symbol != row.symbol), None)
            if source is None or self.program.known_base or (row.kind == SET and row.words > 1):
                s.line(call)
            else:
                self.write_out(s, row, source, place, (thing, number), call, front)

    def write_out(
        self, s: Statements, row: Row, source: Row, place: int, given: tuple[str, str], call: str, front: bool
    ) -> None:
        """The usual move of a thing from one zone into another; `call` does all others."""
        thing, number = given
        line = Lines()
        mover = Mover(self, row, place, line)
        where = s.fresh("z")
        front = front and source.kind == LIST and source.first == source.last
        if not front:
            s.line(f"{where} = S[{plus(thing, place)}]")
        names = {"t": thing, "n": s.hold(number, "z"), "o": where} | {x: s.fresh("z") for x in "abci"}

        def named(text: str) -> str:
            return LETTER.sub(lambda found: names[found[0]], text)

        mover.short = self.program.state_words <= SHORT
        mover.front = front and mover.short
        tests = [] if front else [source.is_it("o") if source.first else "not o"]
        tests += [rare[4:] if rare.startswith("not ") else f"not {rare}" for rare in mover.rare()]
        s.line(f"if {named(' and '.join(tests) or 'True')}:")
        mover.take(source)
        line(f"S[{plus('t', place)}] = n")
        mover.put()
        for text in line.text:
            s.line(named(text))
        s.line(f"else: {call}")

    def size(self, row: Row) -> int:
        """The words of a zone."""
        return width(self.program.zones[row.first].type) if row.kind == LIST else row.words if row.kind == SET else 1

    def all_at_once(self, s: Statements, number: int, things: tuple[int, ...]) -> bool:
        """Put all things of some zones into one of them, in order; False, and nothing written, where that is not
        plain."""
        goal = self.single(number)
        rows = [row for row in self.rows if row.first and things and row.low <= things[-1] and things[0] <= row.high]
        zones = {n for row in rows for n in range(row.first, row.last + 1)}
        others = [z for n, z in enumerate(self.program.zones) if n and z.kind != "pieces" and n not in zones]
        place = None if goal is None else self.place(goal)
        whole = things == tuple(range(things[0], things[-1] + 1)) if things else False
        if goal is None or place is None or others or self.program.known_base or not whole:
            return False
        if any((row.low, row.high) != (things[0], things[-1]) for row in rows) or 0 < goal.cap < len(things):
            return False
        if goal.kind == SLOT or goal.words > 1 or goal.kind == BOX:
            return False
        for row in rows:
            for n in range(row.first, row.last + 1):
                at = n * row.stride + row.base
                s.line(f"S[{at}:{at + self.size(row)}] = {self.unit.zeros(self.size(row))}")
        at = number * goal.stride + goal.base
        if goal.kind == LIST:
            s.line(f"S[{at}:{at + len(things) + 1}] = {self.unit.literal((len(things), *things))}")
        else:
            s.line(f"S[{at}] = {sum(1 << t for t in things) >> goal.low}")
        s.line(f"S[{things[0] + place}:{things[-1] + place + 1}] = {self.unit.literal((number,) * len(things))}")
        return True

    def show(self, s: Statements, show: ir.Show) -> None:
        """Seats learn where things are; without plans nobody else hears of it, and seats are their own numbers."""
        things, seats = s(show.things), s(show.seats)
        if self.unit.facts.plans or not self.seats_in_order:
            s.line(f"show(S, {things}, {seats})")
            return
        told = s.hold(seats)
        x = s.fresh("y")
        s.line(f"for {x} in members({things}): S[{plus(x, self.program.known_base)}] |= {told}")

    def mix(self, s: Statements, among: ir.Expr) -> None:
        """Who does not see the zone of the things `d`, one of which is drawn, forgets where they are."""
        while is_choice(among) and among.where is None:
            among = among.binders[0][1].a
        row = None
        if isinstance(among, ir.Cell) and isinstance(among.address, ir.Const):
            at = among.address.value
            rows = [row for row in self.rows if row.kind == SET and row.first == row.last]
            row = next((row for row in rows if row.at("") == str(at)), None)
        if row is None or row.audience == "owner":
            s.line("mix(S, d)")
        elif row.audience == "nobody":
            word = f"S[{plus('x', self.program.known_base)}]"
            s.line("if len(d) > 1:")
            s.line(" for x in d:")
            s.line(f"  if {word}: {word} = 0")

    def single(self, number: int) -> Row | None:
        """The row of one zone whose number is known."""
        found = next((row for row in self.rows if row.first <= number <= row.last), None)
        if found is None or not number:
            return None
        return Row(
            found.symbol, number, number, found.kind, found.base, found.stride, found.cap, found.low, found.high,
            found.words, found.audience, found.seat,
        )  # fmt: skip

    def goal(self, move: ir.MoveThing, const: int) -> Row | None:
        """The row that a zone is likely in: the one in which it belongs to the thing that is added to its number."""
        zones = self.program.zones
        for row in self.rows:
            holder = zones[row.first].holder
            if row.first and holder and row.first - holder == const and zones[row.last].holder == row.last - const:
                return row
        return None

    def place(self, row: Row) -> int | None:
        """What is added to a thing of a row to find its place word."""
        placed = self.program.placed
        if row.high >= len(placed) or not placed[row.low]:
            return None
        const = placed[row.low] - row.low
        return const if all(placed[t] == t + const for t in range(row.low, row.high + 1)) else None

    # ------------------------------------------------------------ the function

    def function(self, row: Row, place: int, move: ir.MoveThing) -> str:
        key = (row, place)
        if key not in self.made:
            name = self.made[key] = f"_m{len(self.made)}"
            line = Lines()
            Mover(self, row, place, line).write(self.sources(row, move))
            self.unit.add("m", ["S", "t", "n", "at", "k"], line.text, name)
        return self.made[key]

    def sources(self, goal: Row, move: ir.MoveThing) -> list[Row]:
        """Where things of a row may come from, the likely ones first."""
        hinted = {c.symbol for c in walk(move.thing) if isinstance(c, ir.Cell)}
        found = [row for row in self.rows if row.low <= goal.high and goal.low <= row.high]

        def likely(row: Row) -> tuple[bool, bool, bool, int]:
            return row.symbol not in hinted, row.kind == BOX, row.symbol == goal.symbol, row.first - row.last

        return sorted(found, key=likely)[:MOST_SOURCES]
