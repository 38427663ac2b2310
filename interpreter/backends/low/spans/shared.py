"""Functions of the answer as a whole: what one gives is worked out once each time when conditions are looked at.

Such a call has the answer for some of its arguments, and for the others what stays the same while a question is
searched. It becomes a function that notes its span in memory, with the number of the look.
"""

from __future__ import annotations

from dsl import ir
from dsl.ir.walk import free, walk
from interpreter.backends.low.base.context import Bound, Held, Lowering
from interpreter.backends.low.base.kinds import Number, kind_of
from interpreter.backends.low.base.make import ZERO, add, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Num, Op
from interpreter.backends.low.spans.spans import COSTLY, AnswerSpan, NumberSpan, Shared, Spans, SpanTables

SHARED = "shared"
LOOK, LEAST, MOST, SHARED_WORDS = 0, 2, 4, 6  # of a span in memory: when it was worked out, and its ends


def look_of(lo: Lowering) -> int:
    """The address of a word that is different each time when conditions are looked at."""
    return lo.memory.named("looks at conditions", 2)


def begin_look(lo: Lowering) -> None:
    lo.w.put(look_of(lo), add(word(look_of(lo)), 1))


def of_answer(s: Spans, e: ir.CallFn) -> NumberSpan | None:
    """The span of a call that is shared; None: it is not."""
    lo, answer = s.lo, s.answer
    fn = lo.program.functions[e.fn]
    if answer is None or not isinstance(kind_of(fn.result), Number) or e.fn in lo.facts.recursive_fns:
        return None
    if not any(isinstance(node, COSTLY) for node in walk(fn.body)):
        return None
    args = tuple(None if s.is_answer(arg) else arg for arg in e.args)
    if any(arg is not None and free(arg) for arg in args):
        return None
    wanted = Shared(answer.site, e.fn, args)
    if wanted not in lo.shared:
        lo.shared[wanted] = answer
    number = list(lo.shared).index(wanted)
    at, w = _place(lo, wanted), lo.w
    name = lo.want(SHARED, number)
    w.when(Op("!=", word(at + LOOK), word(look_of(lo))), lambda: w.call(name))
    return NumberSpan(w.let(low.LoadLong(ZERO, at + LEAST)), w.let(low.LoadLong(ZERO, at + MOST)))


def _place(lo: Lowering, wanted: Shared) -> int:
    return lo.memory.named(wanted, SHARED_WORDS)


def site_of(lo: Lowering, number: int) -> int:
    """The site that a shared function belongs to."""
    wanted: Shared = list(lo.shared)[number]
    return wanted.site


def write_shared(lo: Lowering, number: int, tables: SpanTables) -> None:
    wanted: Shared = list(lo.shared)[number]
    answer: AnswerSpan = lo.shared[wanted]
    at = _place(lo, wanted)
    with lo.function(f"{SHARED}{number}", ()) as w:
        least, most = answer.ends()
        bound: dict[int, Bound] = {}
        lower: dict[int, Held] = {}
        fixed = set()
        outer = Spans(lo, tables, {})
        for slot, arg in enumerate(wanted.args):
            if arg is None:
                bound[slot], lower[slot] = Held(least.kind, most.names), least
            else:
                bound[slot], _, stays = outer.held(arg)
                fixed |= {slot} if stays else set()
        with lo.cut_back(), lo.binding(bound):
            own = answer._replace(least=least.names, most=most.names)
            span = Spans(lo, tables, lower, frozenset(fixed), 1, own).number(lo.program.functions[wanted.fn].body)
            w.emit(low.StoreLong(ZERO, at + LEAST, span.least))
            w.emit(low.StoreLong(ZERO, at + MOST, span.most))
        w.put(at + LOOK, word(look_of(lo)))
        w.give(Num(0))
