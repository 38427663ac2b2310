"""Random small programs: stopped at every question, sent as JSON to another machine, they end in the same words."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from dsl import ir
from dsl.base.types import INT, IntType, SetType
from dsl.program import OVER, SITE
from interpreter.core.words import new_store
from interpreter.machine.machine import Machine
from tests.interpreter.build import COLOUR, END, Build, C, add, alternative, among, less, numbers, site

PROCS = 4
KINDS = ["ask", "some", "store", "call", "branch", "chance", "defer", "loop", "stop", "give"]
SMALL = IntType(-(10**9), 10**9)
Draw = st.DrawFn


def expression(draw: Draw, cells: list[ir.Cell]) -> ir.Expr:
    leaf: st.SearchStrategy[ir.Expr] = st.one_of(
        st.integers(-3, 3).map(C),
        st.integers(0, 2).map(lambda k: ir.FrameVar(k, INT)),
        st.sampled_from(cells),
        st.just(ir.Waived(C(1))),
        st.just(ir.Running((0, 1))),
        st.just(ir.TimedFold(2, "+", 5, None, ir.Temp(5))),
    )
    op = st.sampled_from(["+", "-", "min", "max"])
    tree = st.recursive(leaf, lambda sub: st.builds(ir.Arith, op, sub, sub), max_leaves=4)
    return draw(tree)


@st.composite
def builds(draw: Draw) -> Build:
    """Four procedures that call only later ones; the last one declared is the game, which calls the first."""
    b = Build()
    cells = [b.field(f"x{k}", SMALL) for k in range(3)]
    number = b.site(site("number", alternative(numbers(0, 3), to=0)))
    some = b.site(site("some", alternative(among(1, 2, 3)), answer=(3, SetType(COLOUR)), cursor=4, decline=True))
    for p in range(PROCS):
        instrs: list[ir.Instr] = []
        for _ in range(draw(st.integers(1, 6))):
            here = len(instrs)
            kind = draw(st.sampled_from(KINDS))
            if kind == "ask":
                instrs.append(ir.Ask(number, here + 1))
            elif kind == "some":
                instrs.append(ir.Ask(some, here + 1))
            elif kind == "store":
                cell = draw(st.sampled_from(cells))
                instrs.append(ir.Run((ir.Store(cell.address, SMALL, expression(draw, cells), "x"),)))
            elif kind == "call" and p + 1 < PROCS:
                mods = ((2, (expression(draw, cells),)),)
                call = ir.CallI(draw(st.integers(p + 1, PROCS - 1)), (expression(draw, cells),))
                instrs += [ir.Scope(True, draw(st.sampled_from([0, 2])), mods), call, ir.Scope(False)]
            elif kind == "branch":
                instrs.append(ir.Branch(less(expression(draw, cells), C(1)), END))
            elif kind == "chance":
                instrs.append(ir.Chance("number", C(1), C(6), 1, INT, "die"))
            elif kind == "defer" and p + 1 < PROCS:
                held = tuple(range(p + 1))
                late = ir.Defer(held, draw(st.integers(p + 1, PROCS - 1)), (expression(draw, cells),))
                instrs.append(ir.Run((late, ir.Timed(held, 2, (expression(draw, cells),)))))
            elif kind == "loop":
                count = ir.SetFrame(2, INT, add(ir.FrameVar(2, INT), C(1)))
                instrs += [ir.Run((count,)), ir.Ask(number, here + 2), ir.Branch(less(C(2), ir.FrameVar(2, INT)), here)]
            elif kind == "stop":
                instrs.append(ir.Stop((draw(st.integers(0, p)),)))
            else:
                instrs.append(ir.Give(expression(draw, cells), END))
        b.proc(f"p{p}", *instrs, params=(("n", INT),), frame=6)
    b.proc("game", ir.CallI(0, (C(1),)), ir.Run((ir.Store(cells[0].address, SMALL, ir.LastResult(), "x"),)))
    return b


@settings(max_examples=40, deadline=None)
@given(builds(), st.randoms(use_true_random=False))
def test_a_game_goes_on_in_another_machine(b: Build, random: object) -> None:
    choose = random.random  # type: ignore[attr-defined]
    m, words = b.play()
    other = words[:]
    for _ in range(60):
        if not words[SITE]:
            break
        options = m.options(words)
        code = options[int(choose() * len(options))].code
        m.answer(words, code)
        other = new_store(json.loads(json.dumps(list(other))))
        Machine(m.program).answer(other, code)
        assert other == words
        assert all(type(w) is int and abs(w) < 2**31 for w in words)
    else:
        return
    assert words[OVER] == 1 and len(words) == m.program.state_words
    assert not any(words[m.program.deferred_base : m.program.state_words])
