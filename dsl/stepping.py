"""Walking the parser's table: what a token does in a state, laid out so that a step is one lookup.

Lark makes the table and the callbacks; its own loop hashes a rule at every reduction, which takes twice as long. Takes
tokens one by one, gives the tree that the callbacks make; a token that does not fit raises `Refused`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

Move = tuple[int, int, str, Callable[[list[Any]], Any] | None]  # shift: next state; else size, origin, callback


class Refused(Exception):
    """No rule goes on with this token; `expected` are the terminals that would fit."""

    def __init__(self, expected: set[str]) -> None:
        super().__init__()
        self.expected = expected


class Table:
    """The moves of one start rule; the rows are laid out when they are met."""

    def __init__(self, lark: Lark, start: str) -> None:
        self.lark = lark
        conf = lark.parse_interactive(start=start).parser_state.parse_conf
        self.states: Any = conf.states
        self.callbacks: Any = conf.callbacks
        self.start: Any = conf.start_state
        self.end: Any = conf.end_state
        self.rows: dict[Any, dict[str, Move]] = {}

    def row(self, state: Any) -> dict[str, Move]:
        """What each terminal and rule does in a state."""
        found = self.rows.get(state)
        if found is None:
            found = self.rows[state] = {
                name: (arg, 0, "", None)
                if action is Shift
                else (0, len(arg.expansion), arg.origin.name, self.callbacks[arg])
                for name, (action, arg) in self.states[state].items()
            }
        return found


class Walk:
    """One parse: the states and values that are open."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.stack = [table.start]
        self.values: list[Any] = []

    def accepts(self) -> dict[str, Move]:
        """What may come next, by the names of terminals."""
        return self.table.row(self.stack[-1])

    def feed(self, token: Any) -> None:
        """Reduce as far as the token asks for, then take it."""
        stack, values, row = self.stack, self.values, self.table.row
        name = token.type
        while True:
            moves = row(stack[-1])
            if name not in moves:
                raise Refused({s for s in moves if s.isupper()})
            state, size, origin, make = moves[name]
            if make is None:
                stack.append(state)
                values.append(token)
                return
            self.reduce(size, origin, make)

    def finish(self) -> Any:
        """Nothing comes any more: the value of the whole."""
        while self.stack[-1] != self.table.end:
            moves = self.accepts()
            if "$END" not in moves:
                raise Refused({s for s in moves if s.isupper()})
            _, size, origin, make = moves["$END"]
            assert make is not None, "the end is never shifted"
            self.reduce(size, origin, make)
        return self.values[-1]

    def reduce(self, size: int, origin: str, make: Callable[[list[Any]], Any]) -> None:
        stack, values = self.stack, self.values
        if size:
            parts = values[-size:]
            del stack[-size:], values[-size:]
        else:
            parts = []
        values.append(make(parts))
        stack.append(self.table.row(stack[-1])[origin][0])
