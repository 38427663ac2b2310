"""The tables of the reference: what each node means, by its class.

They gather the tables of `interpreter.semantics`, and add the nodes that look at the options of a question. A `Run`
takes its own copy, in which tracing and checking machines replace entries.
"""

from __future__ import annotations

from dsl import ir
from interpreter.choices import binding, confirm, options, plan, sequence
from interpreter.core import frames
from interpreter.core.run import Evaluator, Executor, Step, Tables
from interpreter.semantics import expressions, instructions, statements

EVALUATE: dict[type, Evaluator] = {**expressions.EVALUATE, ir.Possible: plan.possible}
EXECUTE: dict[type, Executor] = dict(statements.EXECUTE)
INSTRUCTIONS: dict[type, Step] = {**instructions.INSTRUCTIONS, ir.Confirm: confirm.confirm}

REFERENCE = Tables(
    evaluate=EVALUATE,
    execute=EXECUTE,
    instructions=INSTRUCTIONS,
    push=frames.push,
    call_plain=statements.call_plain,
    run_body=statements.run_body,
    bound=binding.bound,
    rows=sequence.rows,
    singles=options.singles,
    options=options.options,
    take=options.take,
)
