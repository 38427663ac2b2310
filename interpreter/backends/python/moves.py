"""Moving things, written out for the zones of a program: what `moving.mover` finds in tables stands in the text.

A `Moves` of a unit writes one function for each zone, or row of zones, that things are moved to. Zones of one name lie
in a row: their words, and the seats that see them, follow from their numbers. What is not plain is left to `move`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dsl import ir
from dsl import program as hdr
from dsl.types import WORD_BITS, width
from interpreter.backends.facts import walk
from interpreter.backends.python.moving import BOX, LIST, SET, SLOT
from interpreter.backends.python.names import Lines
from interpreter.backends.python.short import is_choice
from interpreter.backends.python.zonerows import Row, plus, rows_of_zones

if TYPE_CHECKING:
    from interpreter.backends.python.statements import Statements
    from interpreter.backends.python.unit import Unit

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


class Mover:
    """The text of one function."""

    def __init__(self, moves: Moves, goal: Row, place: int, line: Lines) -> None:
        self.moves, self.goal, self.place, self.line = moves, goal, place, line
        self.unit = moves.unit
        self.known = moves.program.known_base
        self.everybody = moves.everybody or "e"
        self.goal_seen = self.seers(goal, "n")
        self.short = False  # whether words of a list are taken out of the store itself, which is short
        self.front = False  # whether the thing is the first of its list
        self.tells = bool(self.known and self.unit.facts.plans and self.goal_seen)

    def write(self, sources: list[Row]) -> None:
        line, goal = self.line, self.goal
        line(f"o = S[{plus('t', self.place)}]")
        rare = self.rare()
        if rare:
            line(f"if {' or '.join(rare)}:")
            line(" return move(S, t, n, at, K[k])")
        if self.known and not self.moves.everybody:
            line(f"e = (2 << S[{hdr.SEATS}]) - 2")
        word = "if"
        for source in sources:
            line(f"{word} {source.is_it('o')}:")
            line.depth += 1
            self.take(source)
            line.depth -= 1
            word = "elif"
        line("else:")
        line(" return move(S, t, n, at, K[k])")
        if self.known and goal.audience == "all":
            line(f"S[{plus('t', self.known)}] = {self.everybody}")
        line(f"S[{plus('t', self.place)}] = n")
        self.put()
        if self.tells:
            line(f"if v and S[{hdr.PLAN}]: learnt(v)")

    def rare(self) -> list[str]:
        """When a move to this zone is not plain."""
        goal = self.goal
        found = [] if goal.first == goal.last else [f"not {goal.is_it('n')}"]
        if goal.kind == SLOT:
            found.append(f"S[{goal.at('n')}]")
        elif goal.kind == LIST and goal.cap:
            found.append(f"S[{goal.at('n')}] >= {goal.cap}")
        return found

    def put(self) -> None:
        goal, line = self.goal, self.line
        at = goal.at("n")
        if goal.kind == SET and goal.words > 1:
            line(f"b = t - {goal.low}")
            line(f"S[{at} + b // {WORD_BITS}] |= 1 << b % {WORD_BITS}")
        elif goal.kind == SET:
            line(f"S[{at}] |= 1 << {plus('t', -goal.low)}")
        elif goal.kind == SLOT:
            line(f"S[{at}] = t")
        elif goal.kind == LIST:
            if not at.isdigit():
                line(f"a = {at}")
                at = "a"
            line(f"c = S[{at}] + 1")
            line(f"S[{at}] = c")
            line(f"S[c + {at}] = t")

    def take(self, source: Row) -> None:
        """Take the thing out, and note who knows of it, and of what stays."""
        line, at = self.line, source.at("o")
        rest = ""
        if source.kind == SET and source.words == 1:
            line(f"S[{at}] ^= 1 << {plus('t', -source.low)}")
            rest = f"members(S[{at}] << {source.low})"
        elif source.kind == SET:
            line(f"b = t - {source.low}")
            line(f"S[{at} + b // {WORD_BITS}] ^= 1 << b % {WORD_BITS}")
            rest = f"members({self.unit.loader(self.moves.program.zones[source.first].type)}(S, {at}))"
        elif source.kind == SLOT:
            line(f"S[{at}] = 0")
        elif source.kind == LIST:
            if not at.isdigit():
                line(f"a = {at}")
                at = "a"
            first = plus(at, 1)
            if self.short and not self.known:
                line(f"del S[{first if self.front else f'S.index(t, {first})'}]")
                last = plus(at, self.moves.size(source) - 1)
                line(f"S[{last}:{last}] = (0,)")
                line(f"S[{at}] -= 1")
                return
            line(f"c = S[{at}] + {at}")
            line(f"i = S.index(t, {first})")
            line("if i < c: S[i:c] = S[i + 1:c + 1]")
            line("S[c] = 0")
            line(f"S[{at}] -= 1")
            rest = f"S[{first}:c]"
        else:
            line("pass")
        if self.known:
            self.learn(source, rest)

    def learn(self, source: Row, rest: str) -> None:
        line, word = self.line, f"S[{plus('t', self.known)}]"
        seen = self.seers(source, "o")
        hidden = self.goal.audience != "all"
        if source.audience == "all":
            if self.tells:
                line("v = 0")
            if hidden:
                line(f"{word} = {self.everybody}")
            return
        if self.tells:
            line(f"v = {self.goal_seen} & ~({word} | {seen or 0})")
        if not hidden:
            return
        line(f"w = {' | '.join(part for part in (word, seen, self.goal_seen) if part)}")
        if seen or self.goal_seen:
            line(f"{word} = w")
        if rest:
            line(f"if w != {self.everybody}:")
            line(f" for x in {rest}:")
            line(f"  if S[{plus('x', self.known)}]: S[{plus('x', self.known)}] &= w")

    def seers(self, row: Row, n: str) -> str:
        """Who sees the zones of a row; empty: nobody."""
        if row.audience == "all":
            return self.everybody
        if row.audience == "nobody":
            return ""
        if row.first == row.last:
            one = str(1 << row.first - row.seat)
        else:
            one = f"(1 << {plus(n, -row.seat)})"
        return one if self.moves.everybody else f"({one} & e)"
