"""Which local variables of a function may be read before they are set: these have to be 0 at its beginning."""

from __future__ import annotations

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.walk import bodies, operands, values


def read_unset(f: low.Function) -> set[str]:
    """The names of such variables; some of which that cannot be told may be among them."""
    walk = _Walk()
    walk.body(f.body, frozenset(f.params))
    return walk.found


class _Walk:
    """`left`: what is set wherever an open label is left."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.left: dict[str, frozenset[str]] = {}

    def body(self, body: low.Body, known: frozenset[str]) -> frozenset[str] | None:
        """What is set behind a body, at whose beginning this is set; None: nothing comes behind it."""
        now: frozenset[str] | None = known
        for s in body:
            if now is None:
                return None
            for value in values(s):
                self.look(value, now)
            now = self.behind(s, now)
        return now

    def behind(self, s: low.Stmt, known: frozenset[str]) -> frozenset[str] | None:
        match s:
            case low.Set(name, _):
                return known if name in known else known | {name}
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
                now: frozenset[str] | None = None
                for row in bodies(s):
                    now = self.body(row, known)  # control may come to any row, and what is set before it is more
                return now
        return known

    def look(self, e: low.Expr, known: frozenset[str]) -> None:
        if isinstance(e, low.Local) and e.name not in known:
            self.found.add(e.name)
        for part in operands(e):
            self.look(part, known)


def both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """What is set behind either of two bodies."""
    if one is None or other is None:
        return other if one is None else one
    return one & other
