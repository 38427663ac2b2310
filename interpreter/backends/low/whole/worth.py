"""What bots judge positions by, `evaluate` of the manifest, as a module of its own: it and the functions that it calls.

Most rulesets can be judged so, also those whose procedures cannot be lowered yet.
"""

from __future__ import annotations

from dsl.program import Program
from interpreter.backends.low.base.context import FRESH, Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Local
from interpreter.backends.low.values.functions import FUNCTION
from interpreter.backends.low.whole.driver import write_fresh
from interpreter.backends.low.whole.lowering import TABLES, Lowered, finished, guarded, write_wanted

WORTH = "worth"  # the function for the host: of a seat (a thing), in the store that stands at address 0


def lower_worth(program: Program) -> Lowered:
    """The module. Raises Unsupported, with a few words about it, for what cannot be lowered yet."""
    return guarded(lambda: _lower(program))


def _lower(program: Program) -> Lowered:
    if program.evaluate < 0:
        raise Unsupported("a ruleset without `evaluate`")
    lo = Lowering(program, TABLES)
    with lo.function(WORTH, ("seat",), exported=True) as w:
        w.emit(low.Do(low.Call(FRESH, ())))
        w.give(low.Call(lo.want(FUNCTION, program.evaluate), (Local("seat"),)))
    write_fresh(lo)
    write_wanted(lo)
    if lo.orders:
        raise Unsupported("trials in `evaluate`")
    return finished(lo)
