"""Walking the tables of the grammar, laid out so that a step is one lookup.

Takes tokens one by one, gives the tree that the callbacks of the rules make; one that does not fit raises `Refused`.
A rule whose one part stays what it is makes nothing: a run of them is looked up as one step once it has been taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dsl.syntax.grammar import Tables

# Terminal or rule -> the row of the next state, or a rule that is complete: callback (None: the value stays), number of
# parts, what it makes, and the key of the row where a run of such rules is kept.
Row: TypeAlias = dict[str, Any]
END = "$END"


class Refused(Exception):
    """No rule goes on with this token; `expected` are the terminals that would fit."""

    def __init__(self, expected: set[str]) -> None:
        super().__init__()
        self.expected = expected


class Table:
    """The rows of the states, tied to the callbacks; `starts` has the first and the last of each start."""

    def __init__(self, tables: Tables, callbacks: Mapping[str, Callable[[Any, list[Any]], Any]]) -> None:
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


class Walk:
    """One parse: the states and values that are open; `build` is what the callbacks are given beside their parts."""

    def __init__(self, table: Table, start: str, build: object) -> None:
        self.build = build
        first, self.end = table.starts[start]
        self.stack = [first]
        self.values: list[Any] = []

    def accepts(self) -> Row:
        """What may come next, by the names of terminals."""
        return self.stack[-1]

    def feed(self, token: Any) -> None:
        """Reduce as far as the token asks for, then take it."""
        row = self.stack[-1].get(token.type)
        if type(row) is tuple:
            row = self.reduce(token.type)
        if row is None:
            raise self.refused()
        self.stack.append(row)
        self.values.append(token)

    def finish(self) -> Any:
        """Nothing comes any more: the value of the whole."""
        self.reduce(END)
        if self.stack[-1] is not self.end:
            raise self.refused()
        return self.values[-1]

    def refused(self) -> Refused:
        return Refused({name for name in self.stack[-1] if name.isupper()})

    def reduce(self, name: str) -> Row | None:
        """Make everything that is complete before this terminal; gives the state behind it, or None."""
        stack, values, build = self.stack, self.values, self.build
        move = stack[-1].get(name)
        while type(move) is tuple:
            make: Callable[[object, list[Any]], Any] | None
            make, size, made, key = move
            if make is None:
                before = stack[-2]
                top = before.get(key)
                if top is None:
                    top = before[key] = passed(before, made, name)
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


def passed(before: Row, made: str, name: str) -> Row:
    """The state behind a run of rules that make nothing, before this terminal."""
    row: Row = before[made]
    while type(move := row.get(name)) is tuple and move[0] is None:
        row = before[move[2]]
    return row
