"""Facts about nodes that passes and back ends ask for; each fact is an attribute of the node's class.

`having` gives the classes of which a fact is true, `reading` those whose value depends on parts of the store. Both are
called once, when a module is loaded: the tuples are for `isinstance`.
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
    "faulty",  # it may raise a fault of the rules, or what it calls or iterates over may
    # of statements
    "quiet",  # it leaves the declared state as it is, and cannot be a failed demand
    "leaves",  # statements after it in the same body are not carried out
    # of both
    "settles",  # before it the frames must be in the store: it reads or leaves them, or control may reach it more
    # than once, or without knowing what was set before
    "records",  # it may need room for records of its own behind the declared state
    # of instructions
    "counted",  # a jump back from it counts as a unit of work
]

# What the value of a node depends on besides its parts: `reads` in its class.
Source: TypeAlias = Literal[
    "cells",  # declared state
    "local",  # a frame variable
    "local item",  # one item of a frame variable
    "frames",  # which procedures are running, and what waits for their ends
    "timed",  # the timed records that are alive
    "waiver",  # the causes that the current `perform ... without` waives
    "result",  # the value given by the procedure called last
    "position",  # the whole position: something is tried out
]

CLASSES: tuple[type, ...] = (*get_args(Expr), *get_args(Stmt), *get_args(Instr))


def having(fact: Fact) -> tuple[type, ...]:
    """The classes of which this is true."""
    return tuple(node for node in CLASSES if getattr(node, fact, False))


def reading(*sources: Source) -> tuple[type, ...]:
    """The classes whose value depends on one of these."""
    return tuple(node for node in CLASSES if getattr(node, "reads", "") in sources)
