"""Rules that can be thought by in positions of other rules: their stores have the same words in the same places.

A bot that searches may be asked under new rules and think by the old ones. It takes the store as it is, so all that
stands in a store must mean the same: things, zones and fields, questions, and where each routine goes on.
"""

from __future__ import annotations

from dsl.program import Program


def stores_alike(one: Program, other: Program) -> bool:
    """True if a store of one set of rules is one of the other. Values, tables and the texts of cards may differ, and
    what is done by an instruction; not how many there are, or what they ask."""
    return shape(one) == shape(other)


def shape(program: Program) -> tuple[object, ...]:
    """All that the words of a store refer to."""
    routines = [(p.name, p.entry, p.frame_words, [name for name, _ in p.params]) for p in program.procs]
    questions = [(site.address, site.shape, [a.name for a in site.alternatives]) for site in program.sites]
    return (
        program.thing_ids,
        program.layout,
        program.state_words,
        (program.known_base, program.deferred_base, program.deferred_args, program.timed_base, program.timed_args),
        routines,
        questions,
        [type(instruction) for instruction in program.code],
        len(program.purses),
    )
