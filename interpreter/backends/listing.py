"""The options of an alternative as a Python function: loops over its binders with the guards between them.

The order of loops and tests is that of `interpreter.binding`: a domain that reads no earlier binder is gone through
once, and only when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl.program import FP, FRAME_LINK
from interpreter.backends.expressions import Names, Writer
from interpreter.backends.statements import Lines
from interpreter.binding import Level, Option

MOST_KEPT = 1 << 14  # options of one alternative that are kept

Tested = tuple[list[ir.Expr], list[Level]]


class Lister(Writer):
    def __init__(self, unit: Names) -> None:
        super().__init__(unit)
        self.line = Lines()

    def values(self, name: str, alternative: Tested) -> str:
        """A function that gives the values of all bindings."""
        return self.source(name, [alternative], lambda _, values: f"({''.join(f'{v}, ' for v in values)})")

    def rows(self, name: str, alternative: Tested, more: Sequence[ir.Expr]) -> str:
        """A function that gives the values of all bindings, each with the values of more expressions."""

        def row(_: int, values: Sequence[str]) -> str:
            return f"(({''.join(f'{v}, ' for v in values)}), {''.join(f'{self(e)}, ' for e in more)})"

        return self.source(name, [alternative], row)

    def options(self, name: str, kind: str, alternatives: Sequence[Tested]) -> str:
        """A function that gives the options of all alternatives; an option is made once and kept."""

        def option(k: int, values: Sequence[str]) -> str:
            known = self.unit.constant(Options(kind, k, len(values)))
            return f"{known}[{', '.join(values) or '()'}]"

        return self.source(name, alternatives, option)

    def source(self, name: str, alternatives: Sequence[Tested], item: Callable[[int, Sequence[str]], str]) -> str:
        self.line(f"B = S[{FP}] + {FRAME_LINK}")
        self.frame = "B"
        self.line("out = []")
        for k, (before, levels) in enumerate(alternatives):
            self.line.depth = 1
            self.names, self.natural = {}, set()
            for depth, level in enumerate(levels):
                if depth and level.free:
                    self.line(f"k{depth} = None")
            self.tests(before)
            heads = []
            for depth, level in enumerate(levels):
                heads.append(self.level(depth, level))
                if depth + 1 < len(levels):
                    self.line(f"{heads[-1][0]}:")
                    self.line.depth += 1
                    self.tests(heads[-1][1])
            found = item(k, [self.names[level.slot] for level in levels])
            if levels:
                loop, tests = heads[-1]
                passed = "".join(f" if {self.test(test)}" for test in tests)
                self.line(f"out += [{found} {loop}{passed}]")
            else:
                self.line(f"out.append({found})")
        self.line.depth = 1
        self.line("return out")
        return "\n".join([f"def {name}(S, T):", *self.line.text])

    def level(self, depth: int, level: Level) -> tuple[str, Sequence[ir.Expr]]:
        """The loop over one binder, and the tests inside it."""
        if not depth or not level.free:
            return self.loop(level.slot, level.domain), [*level.own, *level.joint]
        kept = self.scope()
        loop = self.loop(level.slot, level.domain)
        own = "".join(f" if {self.test(test)}" for test in level.own)
        self.line(f"if k{depth} is None: k{depth} = [{self.names[level.slot]} {loop}{own}]")
        self.leave(kept)
        loop = self.loop(level.slot, level.domain)
        return f"{loop[: loop.index(' in ')]} in k{depth}", level.joint

    def tests(self, tests: Sequence[ir.Expr]) -> None:
        if tests:
            self.line(f"if {' and '.join(self.test(test) for test in tests)}:")
            self.line.depth += 1


class Options(dict[Any, Option]):
    """The options of an alternative by their values: one value as it is, several as a tuple."""

    def __init__(self, kind: str, alt: int, binders: int) -> None:
        super().__init__()
        self.kind, self.alt, self.binders = kind, alt, binders

    def __missing__(self, key: Any) -> Option:
        values = (key,) if self.binders == 1 else key
        option = Option(self.kind, (self.alt + 1, *values), self.alt, values)
        if len(self) < MOST_KEPT:
            self[key] = option
        return option
