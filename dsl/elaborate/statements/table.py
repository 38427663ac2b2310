"""The table of the room: which function makes the code of which line.

All take the context, the node, the scope and the place where the line stands, and emit code there.
"""

from __future__ import annotations

from collections.abc import Mapping

from dsl.elaborate.context import Line
from dsl.elaborate.events import timed
from dsl.elaborate.histories import record
from dsl.elaborate.statements import (
    choose,
    do,
    flow,
    loops,
    move,
    offer,
    random,
    simultaneous,
    verbs,
)
from dsl.syntax import nodes as sx

LINES: Mapping[type, Line] = {
    sx.Let: flow.let,
    sx.If: flow.if_chain,
    sx.Loop: flow.loop,
    sx.Choose: flow.choice,
    sx.Sentence: flow.sentence,
    sx.Section: flow.section,
    sx.Decl: flow.declaration,
}

SENTENCES: Mapping[str, Line] = {
    "move": move.move,
    "gain": verbs.change_account,
    "lose": verbs.change_account,
    "pay": verbs.change_account,
    "turn": verbs.turn,
    "set": verbs.set_field,
    "show": verbs.show,
    "shuffle": random.shuffle,
    "record": record.record,
    "do": do.do,
    "give": flow.give,
    "stop": flow.stop,
    "require": flow.require,
    "offer": offer.offer,
    "perform": offer.perform,
}

SECTIONS: Mapping[str, Line] = {
    "step": flow.step,
    "together": flow.together,
    "plan": flow.plan,
    "plan by": flow.plan,
    "at end of": flow.defer_block,
    "until end of": timed.timed_block,
}

LOOPS: Mapping[str, Line] = {
    "repeat": loops.repeat,
    "for every": simultaneous.for_every,
    "round robin": loops.round_robin,
    "open to": simultaneous.open_to,
}

CHOICES: Mapping[str, Line] = {
    "choose": choose.choose,
    "random": random.draw,
}
