"""The text of one function that moves things to a row of zones; `moves` decides which of them there are."""

from __future__ import annotations

from dsl import program as hdr
from dsl.base.types import WORD_BITS, width
from dsl.program import Program
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.function import Lines
from interpreter.backends.python.emit.source import sum_text
from interpreter.backends.python.emit.zone_rows import Row
from interpreter.backends.python.runtime.moves import LIST, SET, SLOT


class MoveFunction:
    """`place` is what is added to a thing to find its place word; `goal` the row of zones that things go to."""

    def __init__(self, ctx: ModuleContext, goal: Row, place: int, line: Lines) -> None:
        self.ctx, self.goal, self.place_offset, self.line = ctx, goal, place, line
        self.known_base = ctx.program.known_base
        least, most = ctx.program.seats
        self.all_seats = str((2 << most) - 2) if least == most else ""
        self.everybody = self.all_seats or "e"
        self.goal_viewers = self.viewers(goal, "n")
        self.short = False  # whether words of a list are taken out of the store itself, which is short
        self.front = False  # whether the thing is the first of its list
        self.reports = bool(self.known_base and self.ctx.facts.uses_plans and self.goal_viewers)

    def write(self, sources: list[Row]) -> None:
        line, goal = self.line, self.goal
        line(f"o = S[{sum_text(self.place_offset, 't')}]")
        rare = self.rare_conditions()
        if rare:
            line(f"if {' or '.join(rare)}:")
            line(" return move(S, t, n, at, K[k])")
        if self.known_base and not self.all_seats:
            line(f"e = (2 << S[{hdr.SEATS}]) - 2")
        word = "if"
        for source in sources:
            line(f"{word} {source.contains('o')}:")
            line.depth += 1
            self.remove(source)
            line.depth -= 1
            word = "elif"
        line("else:")
        line(" return move(S, t, n, at, K[k])")
        if self.known_base and goal.audience == "all":
            line(f"S[{sum_text(self.known_base, 't')}] = {self.everybody}")
        line(f"S[{sum_text(self.place_offset, 't')}] = n")
        self.insert()
        if self.reports:
            line(f"if v and S[{hdr.PLAN}]: learnt(v)")

    def rare_conditions(self) -> list[str]:
        """The conditions under which a move to these zones is left to the reference."""
        goal = self.goal
        found = [] if goal.first == goal.last else [f"not {goal.contains('n')}"]
        if goal.kind == SLOT:
            found.append(f"S[{goal.address('n')}]")
        elif goal.kind == LIST and goal.cap:
            found.append(f"S[{goal.address('n')}] >= {goal.cap}")
        return found

    def insert(self) -> None:
        goal, line = self.goal, self.line
        at = goal.address("n")
        if goal.kind == SET and goal.words > 1:
            line(f"b = t - {goal.low}")
            line(f"S[{at} + b // {WORD_BITS}] |= 1 << b % {WORD_BITS}")
        elif goal.kind == SET:
            line(f"S[{at}] |= 1 << {sum_text(-goal.low, 't')}")
        elif goal.kind == SLOT:
            line(f"S[{at}] = t")
        elif goal.kind == LIST:
            if not at.isdigit():
                line(f"a = {at}")
                at = "a"
            line(f"c = S[{at}] + 1")
            line(f"S[{at}] = c")
            line(f"S[c + {at}] = t")

    def remove(self, source: Row) -> None:
        """Take the thing out of its zone, and note who knows where it and the other things there are."""
        line, at = self.line, source.address("o")
        rest = ""
        if source.kind == SET and source.words == 1:
            line(f"S[{at}] ^= 1 << {sum_text(-source.low, 't')}")
            rest = f"members(S[{at}] << {source.low})"
        elif source.kind == SET:
            line(f"b = t - {source.low}")
            line(f"S[{at} + b // {WORD_BITS}] ^= 1 << b % {WORD_BITS}")
            rest = f"members({self.ctx.loader(self.ctx.program.zones[source.first].type)}(S, {at}))"
        elif source.kind == SLOT:
            line(f"S[{at}] = 0")
        elif source.kind == LIST:
            if not at.isdigit():
                line(f"a = {at}")
                at = "a"
            first = sum_text(1, at)
            if self.short and not self.known_base:
                line(f"del S[{first if self.front else f'S.index(t, {first})'}]")
                last = sum_text(zone_words(self.ctx.program, source) - 1, at)
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
        if self.known_base:
            self.update_knowledge(source, rest)

    def update_knowledge(self, source: Row, rest: str) -> None:
        line, word = self.line, f"S[{sum_text(self.known_base, 't')}]"
        seen = self.viewers(source, "o")
        hidden = self.goal.audience != "all"
        if source.audience == "all":
            if self.reports:
                line("v = 0")
            if hidden:
                line(f"{word} = {self.everybody}")
            return
        if self.reports:
            line(f"v = {self.goal_viewers} & ~({word} | {seen or 0})")
        if not hidden:
            return
        line(f"w = {' | '.join(part for part in (word, seen, self.goal_viewers) if part)}")
        if seen or self.goal_viewers:
            line(f"{word} = w")
        if rest:
            line(f"if w != {self.everybody}:")
            line(f" for x in {rest}:")
            line(f"  if S[{sum_text(self.known_base, 'x')}]: S[{sum_text(self.known_base, 'x')}] &= w")

    def viewers(self, row: Row, n: str) -> str:
        """The set of seats that see zone `n` of a row; empty: nobody."""
        if row.audience == "all":
            return self.everybody
        if row.audience == "nobody":
            return ""
        if row.first == row.last:
            one = str(1 << row.first - row.seat)
        else:
            one = f"(1 << {sum_text(-row.seat, n)})"
        return one if self.all_seats else f"({one} & e)"


def zone_words(program: Program, row: Row) -> int:
    """The number of words of a zone."""
    return width(program.zones[row.first].type) if row.kind == LIST else row.words if row.kind == SET else 1
