"""The passes of the room in the order in which all is made: the numbers of procedures and functions depend on it."""

from __future__ import annotations

from collections.abc import Callable

from dsl.elaborate.alike import things
from dsl.elaborate.context import Elaboration
from dsl.elaborate.declarations import audiences, checks, facts, moments, plans, purses, routines, triggers, values

DECLARATIONS: tuple[Callable[[Elaboration], None], ...] = (
    triggers.allocate_counters,
    values.compile_values,
    audiences.complete_audiences,
    purses.compile_purses,
    checks.compile_checks,
    routines.compile_routines,
    moments.compile_moments,
    routines.compile_deferred,
    triggers.compile_unmatched,
    triggers.check_order,
    plans.grade_unordered_actions,
    values.recompile_timed_values,  # once more, with the lines under `until end of`
    values.check_dependencies,
    checks.compile_invariants,
    facts.compile_facts,
    things.complete,
)
