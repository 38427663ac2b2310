"""Local variables of a function that may be read before they are set: these have to be 0 at its beginning.

Variables that are set are the bits of a number, so that a function of tens of thousands of variables takes no time.
"""

from __future__ import annotations

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.walk import bodies, operands, values


def read_unset(f: low.Function) -> set[str]:
    """The names of such variables; some of which that cannot be told may be among them."""
    walk = _Walk()
    walk.body(f.body, sum(1 << walk.number(name) for name in f.params))
    return walk.found


class _Walk:
    """A walk through a function that finds variables which may be read before they are set. `left`: what is set
    wherever an open label is left."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.left: dict[str, int] = {}
        self.numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        """The bit of a variable."""
        return self.numbers.setdefault(name, len(self.numbers))

    def body(self, body: low.Body, known: int) -> int | None:
        """The variables, as bits, that are set behind a body, at whose beginning `known` are; None: nothing comes
        behind it."""
        now: int | None = known
        for s in body:
            if now is None:
                return None
            for value in values(s):
                self.look(value, now)
            now = self.behind(s, now)
        return now

    def behind(self, s: low.Stmt, known: int) -> int | None:
        match s:
            case low.Set(name, _):
                return known | 1 << self.number(name)
            case low.Return() | low.Trap() | low.Again():
                return None
            case low.Leave(label):
                self.left[label] = self.left[label] & known if label in self.left else known
                return None
            case low.Block(label, body):
                return both(self.body(body, known), self.left.pop(label, None))
            case low.Loop(label, body):
                self.body(body, known)
                return self.left.pop(label, None)
            case low.If(_, then, orelse):
                return both(self.body(then, known), self.body(orelse, known))
            case low.Table():
                now: int | None = None
                for row in bodies(s):
                    now = self.body(row, known)  # control may come to any row, and what is set before it is more
                return now
        return known

    def look(self, e: low.Expr, known: int) -> None:
        if isinstance(e, low.Local) and not known >> self.number(e.name) & 1:
            self.found.add(e.name)
        for part in operands(e):
            self.look(part, known)


def both(one: int | None, other: int | None) -> int | None:
    """The variables, as bits, that are set where two ways meet; None for a way that does not come there."""
    if one is None or other is None:
        return other if one is None else one
    return one & other
