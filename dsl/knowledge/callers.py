"""The origin of something hidden that a line only has under another name: the calls that bring it as an argument,
or the line that settles who is asked.

Asked when a message about such a line is written, for the places that it shows besides.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.elaborate.core.reads import nodes
from dsl.knowledge.labels import OPEN, Label, Secret
from dsl.knowledge.ruleset import Knowledge
from dsl.knowledge.run import AskedQuestion

MOST_CALLS = 4  # that a message shows


def calls_that_bring(know: Knowledge, number: int, secret: Secret) -> list[Span]:
    """The calls through which a secret gets into a routine, the nearest first; none where the routine reads it itself.
    Of several calls in one routine each is shown, and what called that one once."""
    found: dict[Span, None] = {}
    seen, todo = {number}, [number]
    while todo and len(found) < MOST_CALLS:
        callee = todo.pop(0)
        for caller, span in callers_that_give(know, callee, secret):
            if span not in found and len(found) < MOST_CALLS:
                found[span] = None
            if caller not in seen:
                seen.add(caller)
                todo.append(caller)
    return list(found)


def callers_that_give(know: Knowledge, callee: int, secret: Secret) -> Iterator[tuple[int, Span]]:
    """The routines that hand a secret to this one, each with the place of the call."""
    for caller, run in sorted(know.runs.items()):
        for key, (called, facts) in run.calls.items():
            if called == callee and any(holds(know, f.label, secret) for f in facts):
                if (span := call_span(know, key[0])).file:
                    yield caller, span


def call_span(know: Knowledge, place: object) -> Span:
    """The span of a call, from its key in `Run.calls`: the number of an instruction or the id of a statement."""
    world = know.world
    found = world.call_spans.get(place) if isinstance(place, int) else None
    if found is None and isinstance(place, int) and place < len(world.code):
        found = world.call_spans.get(id(world.code[place]))
    return found or NOWHERE


def holds(know: Knowledge, label: Label, secret: Secret) -> bool:
    """True if a label has a secret of the same source as this one."""
    return any(s.source == secret.source for s in know.resolved(label))


def who_answers(know: Knowledge, question: AskedQuestion, site: ir.Site, secret: Secret) -> Span:
    """The `where` of the `open to` around a question, if the secret decides there who may answer; else nowhere."""
    if site.open_to is None or not secret.copied:
        return NOWHERE
    waiting, slot = site.open_to
    if not holds(know, question.variables.get(slot, OPEN), secret):
        return NOWHERE
    watched, seen = know.world.values.watched, know.world.values.seen
    tests = (id(n) for n in nodes(waiting) if id(n) in watched)
    return next((watched[test][0] for test in tests if holds(know, seen.get(test, OPEN), secret)), NOWHERE)
