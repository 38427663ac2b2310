"""A whole game at random as one function: from a place in the rules to the end, questions answered on the way.

Takes the trees of a `GameGraph`. Frame variables are in local variables, nothing reads a frame or a question in the
store before the end. Whatever is not plain traps, and the host plays the game again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dsl import ir
from dsl.program import FP, SITE, STEPS
from interpreter.backends.analysis.dataflow import frame_slots
from interpreter.backends.analysis.playout_graph import ACCEPTED, OUTCOME, GraphNode
from interpreter.backends.analysis.playout_trees import trees_of
from interpreter.backends.analysis.structure import (
    BackEdge,
    Block,
    BreakLoop,
    CarryOut,
    ContinueLoop,
    Exit,
    Last,
    Loop,
    SetVariables,
    Step,
    Test,
)
from interpreter.backends.low.base.context import GENERATOR, Held
from interpreter.backends.low.base.exported import SP
from interpreter.backends.low.base.kinds import Number, Unsupported, kind_of
from interpreter.backends.low.base.make import ZERO, add, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.games.game import AGAIN, CALLED, ENTRY, GAME, MOST, PASSES, TAKEN, WORK, GameFunction
from interpreter.backends.low.games.options import list_options
from interpreter.backends.low.games.questions import confirmed, outcome, spent, write_question
from interpreter.backends.low.games.variables import key, set_number
from interpreter.backends.low.generators.store import put_words
from interpreter.backends.low.rules.calls import arguments, call_plain
from interpreter.backends.low.rules.chance import drawn
from interpreter.backends.low.rules.flow import end
from interpreter.backends.low.rules.statements import body
from interpreter.backends.low.rules.writes import give
from interpreter.backends.low.values.functions import fitted


def write_game(game: GameFunction, begin: Callable[[], None]) -> None:
    """Write the function; `begin` sets the variables that are not known at the first place."""
    lo = game.lo
    trees = trees_of(game.graph)
    if trees is None:
        raise Unsupported("a game of too many steps")
    game.entries = list(trees)
    with lo.function(GAME, (MOST,)) as w:
        lo.counters = WORK, PASSES
        w.set(WORK, word(STEPS))
        for name in (PASSES, TAKEN):
            w.set(name, ZERO)
        w.put(STEPS, ZERO)
        begin()
        rows = []
        for n, tree in enumerate(trees.values()):
            written = w.written(partial(_tree, game, tree))
            rows.append((n, (*written, low.Trap(Reason.LOST))))
        if game.begins_again:
            w.emit(low.Loop(AGAIN, (low.Table(Local(ENTRY), tuple(rows)),)))
        else:
            w.out += rows[0][1]


def _tree(game: GameFunction, block: Block) -> None:
    for step in block:
        _step(game, step)


def _step(game: GameFunction, step: Step) -> None:
    w = game.lo.w
    match step:
        case CarryOut(number):
            _instruction(game, game.go_to(number))
        case BackEdge():
            game.lo.work()
        case SetVariables(values):
            _set_variables(game, values)
        case Test():
            _test(game, step, game.go_to(step.pc))
        case Loop(inside):
            w.loop(lambda label: _inside(game, label, inside))
        case BreakLoop():
            w.leave(game.loops[-1])
        case ContinueLoop():
            w.emit(low.Again(game.loops[-1]))
        case Exit(number):
            w.set(ENTRY, Num(game.entries.index(number)))
            w.emit(low.Again(AGAIN))
            game.begins_again = True
        case Last(number):
            _last(game, game.go_to(number))
        case _:
            raise AssertionError(step)


def _inside(game: GameFunction, label: str, block: Block) -> None:
    game.loops.append(label)
    _tree(game, block)
    game.loops.pop()


def _set_variables(game: GameFunction, values: Sequence[tuple[int, int, object]]) -> None:
    """Set variables of any frame that are no longer known behind."""
    places = (*game.node.spot.stack[1:], game.node.spot.pc)
    for depth, slot, value in values:
        inner = depth + 1 < len(game.node.spot.stack)
        held = game.variables(game.graph.procedures.proc(places[depth] - inner), depth).get(key(slot))
        if not isinstance(held, Held):
            raise Unsupported("a list in a variable")
        game.constant(held, value)


# ------------------------------------------------------------ instructions


def _instruction(game: GameFunction, node: GraphNode) -> None:
    lo = game.lo
    match node.i:
        case ir.Run(statements):
            _restore(game, node, statements)
            body(lo, statements)
        case ir.Give(value, _):
            if value is not None:
                give(lo, value)
        case ir.CallI(proc, args):
            _call(game, proc, args)
        case ir.Enter(number, args, choices):
            if isinstance(number, ir.Const):
                _call(game, number.value, args)
            elif node.spot.part >= ACCEPTED:
                _call(game, choices[node.spot.part - ACCEPTED], args)
            else:
                lo.w.set(CALLED, lo.number(number))
        case ir.Ask():
            write_question(game)
        case ir.Chance():
            _draw(game, node.i, lambda: lo.w.trap(Reason.FAULT))


def _restore(game: GameFunction, node: GraphNode, statements: Sequence[ir.Stmt]) -> None:
    """Set known variables that statements inside others set: the old value stays on some ways."""
    known = dict(node.spot.known[-1])
    inner = [s for s in statements if not isinstance(s, ir.SetFrame)]
    for slot in sorted(set(frame_slots(inner)) & known.keys()):
        held = game.lo.bound.get(key(slot))
        if isinstance(held, Held):
            game.constant(held, known[slot])


def _call(game: GameFunction, number: int, args: tuple[ir.Expr, ...]) -> None:
    """Call a procedure. For one that suspends, its variables are set, and its places follow."""
    lo, graph = game.lo, game.graph
    proc = lo.program.procs[number]
    args = args if proc.params else ()  # nothing is called where a card has no such effect
    if not proc.suspends:
        call_plain(lo, number, arguments(lo, number, args))
        return
    inside = game.node.after[0]
    live, known = graph.live[inside.pc], dict(inside.known[-1])
    wanted = {slot for slot in range(proc.frame_words) if slot in live and slot not in known}
    given = {
        slot: fitted(lo, arg, kind_of(t))
        for slot, (arg, (_, t)) in enumerate(zip(args, proc.params, strict=True))
        if slot in wanted
    }
    lo.work()
    inner = game.variables(number, game.depth + 1)
    for slot in sorted(wanted):
        held = inner.get(key(slot))
        if not isinstance(held, Held):
            if slot in graph.types[number]:
                raise Unsupported("a list in a variable")
            continue  # a further word of another variable
        if slot not in given:
            game.constant(held, 0)
            continue
        for name, value in zip(held.names, given[slot].names, strict=True):
            lo.w.set(name, Local(value))


def _draw(game: GameFunction, i: ir.Chance, empty: Callable[[], None]) -> None:
    value = drawn(game.lo, i, empty)
    if value is not None and i.type is not None:
        kind = kind_of(i.type)
        if not isinstance(kind, Number):
            raise Unsupported("chance that is no number")
        set_number(game.lo, i.slot, i.type, value, kind)


# ------------------------------------------------------------ tests


def _test(game: GameFunction, step: Test, node: GraphNode) -> None:
    lo, w = game.lo, game.lo.w
    if isinstance(node.i, ir.Chance):
        _chance(game, node.i, step)
        return
    head = _head(game, node)
    then = w.written(lambda: _tree(game, step.then))
    orelse = w.written(lambda: _way(game, step.pc, step.orelse))
    if isinstance(head, Num):
        w.out += then if head.value else orelse
    else:
        lo.w.emit(low.If(head, then, orelse))


def _way(game: GameFunction, number: int, block: Block) -> None:
    """The other way from a place."""
    game.go_to(number)
    _tree(game, block)


def _head(game: GameFunction, node: GraphNode) -> Expr:
    lo, part = game.lo, node.spot.part
    match node.i:
        case ir.Branch(test, _):
            return lo.number(test)
        case ir.Confirm():
            return confirmed(game)
        case ir.Ask() if part == 0:
            return list_options(game)
        case ir.Ask():
            return outcome(part - OUTCOME)
        case ir.Enter(choices=choices):
            return Op("==", Local(CALLED), Num(choices[part - OUTCOME]))
    raise AssertionError(node.i)


def _chance(game: GameFunction, i: ir.Chance, step: Test) -> None:
    """Write a draw after which something else is done if there is nothing to draw from."""
    w = game.lo.w

    def both(out: str) -> None:
        def draw(nothing: str) -> None:
            _draw(game, i, lambda: w.leave(nothing))
            _tree(game, step.then)
            w.leave(out)

        w.block(draw)
        _way(game, step.pc, step.orelse)

    w.block(both)


# ------------------------------------------------------------ the end


def _last(game: GameFunction, node: GraphNode) -> None:
    lo, w = game.lo, game.lo.w
    if not isinstance(node.i, ir.End):
        w.trap(Reason.LOST)
        return
    spent(game)
    w.put(STEPS, add(word(STEPS), Local(WORK)))
    end(lo)
    w.put(SITE, ZERO)
    w.put(FP, ZERO)
    w.emit(low.SetGlobal(SP, Num(lo.program.state_words)))
    put_words(lo, Global(GENERATOR))
    w.give(Local(TAKEN))
