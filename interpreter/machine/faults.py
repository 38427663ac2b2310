"""Faults of a ruleset: where one happened (the routines that ran, and the line), and what Python says of it."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.base.span import NOWHERE, Span
from dsl.base.types import INT_HIGH, INT_LOW, TooLong
from dsl.program import SITE, Program
from interpreter.core import stack
from interpreter.core.errors import IllegalAnswer, RulesetError
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


def message_of(error: Exception) -> str:
    """The fault of the rules that a failure of Python means, in words; empty where it means none."""
    match error:
        case RecursionError():
            return "rules are nested too deeply; is there an endless recursion?"
        case OverflowError():  # of the store, and of Python where a number is larger still
            return f"a number is stored that is not in {INT_LOW}..{INT_HIGH}"
        case TooLong():
            return str(error)
        case ValueError() if "negative shift" in str(error):
            return "a set holds numbers from 0 on, and one below 0 was to be put into it"
    return ""


def not_offered(program: Program, words: Words, code: Sequence[int]) -> IllegalAnswer:
    """The refusal of an answer by its code."""
    site = program.sites[words[SITE] - 1] if words[SITE] else None
    asked = f"at `{site.address}`" if site else "now: there is no question"
    return IllegalAnswer(f"no option with the code {list(code)} is offered {asked}")
