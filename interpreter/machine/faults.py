"""Where a fault of a ruleset happened: the routines that were running, and the line."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.base.span import NOWHERE, Span
from dsl.program import Program
from interpreter.core import stack
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words


def fault_at(
    program: Program, words: Words, plain: Sequence[int], message: str, span: Span, cites: Sequence[str]
) -> RulesetError:
    """A fault at this place, or at that of the innermost routine. `plain`: running procedures that do not suspend."""
    rules = stack.names(program, words) + [program.procs[p].name for p in plain]
    if not span.file and rules:
        span = next((p.span for p in program.procs if p.name == rules[-1]), NOWHERE)
    place = ""
    if span.file:
        source = program.sources.get(span.file)
        line = "{}:{}".format(*source.place(span.start)) if source else f"at {span.start}"
        place = f"{span.file}:{line}"
    return RulesetError(message, span, cites, rules, place)
