"""The text of one function that moves things to a row of zones; `moves` says which functions there are."""

from __future__ import annotations

from dsl import program as hdr
from dsl.base.types import WORD_BITS, width
from dsl.program import Program
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.function import Lines
from interpreter.backends.python.runtime.things import LIST, SET, SLOT
from interpreter.backends.python.runtime.zone_rows import Row, plus


class MoveFunction:
    """`place` is what is added to a thing to find its place word; `goal` the row of zones that things go to."""

    def __init__(self, ctx: ModuleContext, goal: Row, place: int, line: Lines) -> None:
        self.ctx, self.goal, self.place, self.line = ctx, goal, place, line
        self.known = ctx.program.known_base
        least, most = ctx.program.seats
        self.all_seats = str((2 << most) - 2) if least == most else ""
        self.everybody = self.all_seats or "e"
        self.goal_seen = self.seers(goal, "n")
        self.short = False  # whether words of a list are taken out of the store itself, which is short
        self.front = False  # whether the thing is the first of its list
        self.tells = bool(self.known and self.ctx.facts.uses_plans and self.goal_seen)

    def write(self, sources: list[Row]) -> None:
        line, goal = self.line, self.goal
        line(f"o = S[{plus('t', self.place)}]")
        rare = self.rare()
        if rare:
            line(f"if {' or '.join(rare)}:")
            line(" return move(S, t, n, at, K[k])")
        if self.known and not self.all_seats:
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
            rest = f"members({self.ctx.loader(self.ctx.program.zones[source.first].type)}(S, {at}))"
        elif source.kind == SLOT:
            line(f"S[{at}] = 0")
        elif source.kind == LIST:
            if not at.isdigit():
                line(f"a = {at}")
                at = "a"
            first = plus(at, 1)
            if self.short and not self.known:
                line(f"del S[{first if self.front else f'S.index(t, {first})'}]")
                last = plus(at, words_of(self.ctx.program, source) - 1)
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
        return one if self.all_seats else f"({one} & e)"


def words_of(program: Program, row: Row) -> int:
    """The words of a zone."""
    return width(program.zones[row.first].type) if row.kind == LIST else row.words if row.kind == SET else 1
