"""The options of an alternative as a Python function: loops over its binders with the guards between them.

The order of loops and tests is that of `interpreter.binding`: a domain that reads no earlier binder is gone through
once, and only when it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.program import FP, FRAME_LINK
from interpreter.backends.expressions import Names, Writer
from interpreter.backends.statements import Lines
from interpreter.binding import Level

Tested = tuple[list[ir.Expr], list[Level]]


class Lister(Writer):
    def __init__(self, unit: Names) -> None:
        super().__init__(unit)
        self.line = Lines()

    def values(self, name: str, alternative: Tested) -> str:
        """A function that gives the values of all bindings."""
        return self.source(name, [(alternative, "({values})")])

    def options(self, name: str, kind: str, alternatives: Sequence[Tested]) -> str:
        """A function that gives the options of all alternatives."""
        item = "new(Option, ({kind!r}, ({code}, {{values}}), {index}, ({{values}})))"
        rows = [(a, item.format(kind=kind, code=k + 1, index=k)) for k, a in enumerate(alternatives)]
        return self.source(name, rows)

    def source(self, name: str, rows: Sequence[tuple[Tested, str]]) -> str:
        self.line(f"B = S[{FP}] + {FRAME_LINK}")
        self.frame = "B"
        self.line("out = []")
        for (before, levels), item in rows:
            self.line.depth = 1
            self.names, self.natural = {}, set()
            for depth, level in enumerate(levels):
                if depth and level.free:
                    self.line(f"k{depth} = None")
            self.tests(before)
            for depth, level in enumerate(levels):
                self.level(depth, level)
            bound = "".join(f"{self.names[level.slot]}, " for level in levels)
            self.line(f"out.append({item.format(values=bound)})")
        self.line.depth = 1
        self.line("return out")
        return "\n".join([f"def {name}(S, T):", *self.line.text])

    def level(self, depth: int, level: Level) -> None:
        """The loop over one binder; what follows stands inside it."""
        if depth and level.free:
            kept = self.scope()
            loop = self.loop(level.slot, level.domain)
            own = "".join(f" if {self.test(test)}" for test in level.own)
            self.line(f"if k{depth} is None: k{depth} = [{self.names[level.slot]} {loop}{own}]")
            self.leave(kept)
            loop = self.loop(level.slot, level.domain)
            self.line(f"{loop[: loop.index(' in ')]} in k{depth}:")
            self.line.depth += 1
            self.tests(level.joint)
            return
        self.line(f"{self.loop(level.slot, level.domain)}:")
        self.line.depth += 1
        self.tests([*level.own, *level.joint])

    def tests(self, tests: Sequence[ir.Expr]) -> None:
        if tests:
            self.line(f"if {' and '.join(self.test(test) for test in tests)}:")
            self.line.depth += 1
