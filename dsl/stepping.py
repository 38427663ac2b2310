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


class Table(dict[Any, dict[str, Move]]):
    """The moves of one start rule: state -> terminal or rule -> move. A row is laid out when it is met."""

    def __init__(self, lark: Lark, start: str) -> None:
        super().__init__()
        self.lark = lark
        conf = lark.parse_interactive(start=start).parser_state.parse_conf
        self.states: Any = conf.states
        self.callbacks: Any = conf.callbacks
        self.start: Any = conf.start_state
        self.end: Any = conf.end_state

    def __missing__(self, state: Any) -> dict[str, Move]:
        row: dict[str, Move] = {}
        for name, (action, arg) in self.states[state].items():
            shift = action is Shift
            row[name] = (arg, 0, "", None) if shift else (0, len(arg.expansion), arg.origin.name, self.callbacks[arg])
        self[state] = row
        return row


class Walk:
    """One parse: the states and values that are open."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.stack = [table.start]
        self.values: list[Any] = []

    def accepts(self) -> dict[str, Move]:
        """What may come next, by the names of terminals."""
        return self.table[self.stack[-1]]

    def feed(self, token: Any) -> None:
        """Reduce as far as the token asks for, then take it."""
        state = self.reduce(token.type)
        if state is None:
            raise Refused({s for s in self.accepts() if s.isupper()})
        self.stack.append(state)
        self.values.append(token)

    def finish(self) -> Any:
        """Nothing comes any more: the value of the whole."""
        self.reduce("$END")
        if self.stack[-1] != self.table.end:
            raise Refused({s for s in self.accepts() if s.isupper()})
        return self.values[-1]

    def reduce(self, name: str) -> Any:
        """Make everything that is complete before this terminal; gives the state behind it, or None."""
        stack, values, table = self.stack, self.values, self.table
        end = table.end if name == "$END" else None
        while stack[-1] != end and (move := table[stack[-1]].get(name)) is not None:
            state, size, origin, make = move
            if make is None:
                return state
            if size:
                made = make(values[-size:])
                del stack[-size:], values[-size:]
            else:
                made = make([])
            values.append(made)
            stack.append(table[stack[-1]][origin][0])
        return None
