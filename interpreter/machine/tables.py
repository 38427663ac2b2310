"""The tables of the reference: the handler of each class of nodes.

They collect the tables of `interpreter.semantics`, and add the nodes that look at the options of a question. A machine
takes its own copy, in which tracing and checking machines replace entries.
"""

from __future__ import annotations

from dsl import ir
from interpreter.choices import confirm, plan
from interpreter.core.run import Evaluator, Executor, Step
from interpreter.semantics import expressions, instructions, statements

EVALUATE: dict[type, Evaluator] = {**expressions.EVALUATE, ir.Possible: plan.possible}
EXECUTE: dict[type, Executor] = dict(statements.EXECUTE)
INSTRUCTIONS: dict[type, Step] = {**instructions.INSTRUCTIONS, ir.Confirm: confirm.confirm}
