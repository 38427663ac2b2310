"""What passes and back ends want to know of nodes: each fact stands in the class of the node, and is asked for here.

`having` gives the classes of which a fact is true, `reading` those whose value depends on parts of the store. They are
asked once, when a module is loaded: the tuples are for `isinstance`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from dsl.ir.expressions import Expr
from dsl.ir.instructions import Instr
from dsl.ir.statements import Stmt

Fact: TypeAlias = Literal[
    # of expressions
    "pure",  # its value follows from its parts, temps and the constants of the program
    "truth",  # a test made of its parts: 0 or 1
    "tabled",  # it looks something up in a table of constants
    "faulty",  # a fault of the rules may come of it, or of what it calls or goes over
    # of statements
    "quiet",  # it leaves the declared state as it is, and cannot be a failed demand
    "leaves",  # what stands behind it in the same body is not carried out
    # of both
    "settles",  # before it the frames have to lie in the store: it looks at them or leaves them, or its place may be
    # reached more than once, or with nothing known of what was set before
    "records",  # it may need room for records of its own behind the declared state
    # of instructions
    "counted",  # a way back from it is a unit of work
]

# What the value of a node depends on beside its parts, as `reads` in its class.
Source: TypeAlias = Literal[
    "cells",  # declared state
    "local",  # a frame variable
    "local item",  # one item of a frame variable
    "frames",  # which procedures are running
    "timed",  # the timed records that are alive
    "waiver",  # what the order that is under way leaves out
    "result",  # what the procedure called last has given
    "position",  # all of it: something is tried out
]

CLASSES: tuple[type, ...] = (*get_args(Expr), *get_args(Stmt), *get_args(Instr))


def having(fact: Fact) -> tuple[type, ...]:
    """The classes of which this is true."""
    return tuple(node for node in CLASSES if getattr(node, fact, False))


def reading(*sources: Source) -> tuple[type, ...]:
    """The classes whose value depends on one of these."""
    return tuple(node for node in CLASSES if getattr(node, "reads", "") in sources)
