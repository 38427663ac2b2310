"""The elaborator as a whole: the tables put together, and everything made in its order.

Takes the collected model with its layout; gives an `Elaboration` that holds all parts of the program.
"""

from __future__ import annotations

from dsl.elaborate.context import Elaboration, HandlerTables
from dsl.elaborate.declarations import plans, routines, strips
from dsl.elaborate.declarations.table import DECLARATIONS
from dsl.elaborate.expressions import names, operators
from dsl.elaborate.expressions.table import EXPRESSIONS
from dsl.elaborate.statements import flow
from dsl.elaborate.statements.table import CHOICES, LINES, LOOPS, SECTIONS, SENTENCES

TABLES = HandlerTables(
    expressions=EXPRESSIONS,
    no_value=operators.no_value,
    zone=names.zone_value,
    lines=LINES,
    no_line=flow.no_line,
    sentences=SENTENCES,
    sections=SECTIONS,
    loops=LOOPS,
    choices=CHOICES,
    routine=routines.compile_routine,
    guards=plans.action_guards,
    can_begin=strips.can_begin,
)


def run(elab: Elaboration) -> None:
    """Make everything; diagnostics gather in the model."""
    for declare in DECLARATIONS:
        declare(elab)
