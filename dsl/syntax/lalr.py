"""The LALR parser over the tables of the grammar, arranged so that a step is one lookup.

Takes tokens one by one, gives the tree that the callbacks of the rules build; a token that does not fit raises
`UnexpectedToken`. A unit rule, whose value is that of its only part, builds nothing: a run of them is one lookup once
it has been taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dsl.syntax.grammar import ParserTables

# Terminal or rule -> the row of the next state, or a rule that is complete: callback (None for a unit rule), number of
# parts, what it makes, and the key under which a run of unit rules is stored in the row.
Row: TypeAlias = dict[str, Any]
END = "$END"


class UnexpectedToken(Exception):
    """No rule continues with this token; `expected` are the terminals that would fit."""

    def __init__(self, expected: set[str]) -> None:
        super().__init__()
        self.expected = expected


class ParseTable:
    """The rows of the states with the callbacks in them; `starts` has the first and the last row of each start."""

    def __init__(self, tables: ParserTables, callbacks: Mapping[str, Callable[[Any, list[Any]], Any]]) -> None:
        makers = [callbacks[name] if name else None for name, _, _ in tables.rules]
        rows: list[Row] = [{} for _ in tables.rows]
        for row, moves in zip(rows, tables.rows, strict=True):
            for name, number in moves.items():
                if number >= 0:
                    row[name] = rows[number]
                else:
                    _, made, size = tables.rules[-1 - number]
                    row[name] = makers[-1 - number], size, made, f"{made} {name}"
        self.starts = {name: (rows[first], rows[last]) for name, (first, last) in tables.starts.items()}


class ParserRun:
    """One parse: the stacks of states and values; `build` is passed to the callbacks with their parts."""

    def __init__(self, table: ParseTable, start: str, build: object) -> None:
        self.build = build
        first, self.end = table.starts[start]
        self.stack = [first]
        self.values: list[Any] = []

    def accepts(self) -> Row:
        """The row of the current state: what may come next, by the names of terminals."""
        return self.stack[-1]

    def feed(self, token: Any) -> None:
        """Reduce as far as the token requires, then shift it. Raises UnexpectedToken."""
        row = self.stack[-1].get(token.type)
        if type(row) is tuple:
            row = self.reduce(token.type)
        if row is None:
            raise self.unexpected()
        self.stack.append(row)
        self.values.append(token)

    def finish(self) -> Any:
        """The value of the whole, at the end of input. Raises UnexpectedToken."""
        self.reduce(END)
        if self.stack[-1] is not self.end:
            raise self.unexpected()
        return self.values[-1]

    def unexpected(self) -> UnexpectedToken:
        return UnexpectedToken({name for name in self.stack[-1] if name.isupper()})

    def reduce(self, name: str) -> Row | None:
        """Reduce every rule that is complete before this terminal; gives the state after it, or None."""
        stack, values, build = self.stack, self.values, self.build
        move = stack[-1].get(name)
        while type(move) is tuple:
            make: Callable[[object, list[Any]], Any] | None
            make, size, made, key = move
            if make is None:
                before = stack[-2]
                top = before.get(key)
                if top is None:
                    top = before[key] = skip_unit_rules(before, made, name)
                stack[-1] = top
            elif size == 1:
                values[-1] = make(build, values[-1:])
                top = stack[-1] = stack[-2][made]
            else:
                parts = values[-size:] if size else []
                if size:
                    del stack[-size:], values[-size:]
                values.append(make(build, parts))
                top = stack[-1][made]
                stack.append(top)
            move = top.get(name)
        return move


def skip_unit_rules(before: Row, made: str, name: str) -> Row:
    """The state after a run of unit rules before this terminal."""
    row: Row = before[made]
    while type(move := row.get(name)) is tuple and move[0] is None:
        row = before[move[2]]
    return row
