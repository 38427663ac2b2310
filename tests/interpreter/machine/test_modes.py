"""Chance scripts, checking runs, hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dsl import ir
from dsl.base.types import INT
from dsl.program import OVER, SCRIPT
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine
from tests.interpreter.build import COLOUR, END, Build, C, add, alternative, less, numbers, require, site, take


def dice(b: Build) -> None:
    b.proc(
        "game",
        ir.Chance("member", C(0b11110), None, 0, COLOUR, "colour"),
        ir.Chance("number", C(1), C(6), 1, INT, "die"),
        ir.Chance("number", C(1), C(6), 2, INT, "die"),
    )


def test_a_script_comes_before_the_generator() -> None:
    b = Build()
    dice(b)
    m, words = b.play(("green", 5))
    assert [(d.address, d.op, d.values, d.ids) for d in m.draws[:2]] == [
        ("colour", "member", (3,), ("green",)),
        ("die", "number", (5,), ("5",)),
    ]
    assert 1 <= m.draws[2].values[0] <= 6 and words[SCRIPT] == 2 and words[OVER] == 1


def test_the_generator_repeats_itself_by_seed() -> None:
    b = Build()
    dice(b)
    assert b.play()[0].draws == b.play()[0].draws


@pytest.mark.parametrize(
    ("script", "known"), [(("pink",), "red, blue, green, black"), (("red", 7), "1, 2, 3, 4, 5, 6")]
)
def test_an_impossible_outcome_is_an_error_that_names_the_possible(script: tuple[Any, ...], known: str) -> None:
    b = Build()
    dice(b)
    with pytest.raises(RulesetError, match=f"the script says `{script[-1]}`, but the possible outcomes are {known}"):
        b.play(script)


def test_drawing_from_nothing() -> None:
    b = Build()
    x = b.field("x")
    draw = ir.Chance("member", C(0), None, 0, COLOUR, "colour", 2)
    b.proc("game", draw, ir.Run((ir.Store(x.address, INT, C(9), "x"),)), ir.Run((ir.SetTemp(0, C(0)),)))
    m, words = b.play()
    assert m.evaluate(words, x) == 0 and not m.draws
    b.code, b.procs = b.code[:1], []
    b.proc("game", ir.Chance("member", C(0), None, 0, COLOUR, "colour"))
    with pytest.raises(RulesetError, match="nothing to draw from"):
        b.play()


def test_one_piece_out_of_many() -> None:
    b = Build()
    bag = C((0, 2, 0, 1))
    b.proc("game", ir.Chance("piece", bag, None, 0, COLOUR, "bag"), ir.Chance("piece", bag, None, 0, COLOUR, "bag"))
    m, words = b.play(("black",))
    assert m.draws[0].ids == ("black",) and m.draws[1].ids[0] in ("blue", "black")
    with pytest.raises(RulesetError, match="says `red`, but the possible outcomes are blue, black"):
        b.play(("red",))


# ------------------------------------------------------------ checking runs


def checking(*body: ir.Stmt, b: Build) -> Machine:
    b.proc("game", ir.Run(body))
    m, words = b.blank()
    m.checked = True
    m.start(words, m.program.entry)
    m.run(words)
    return m


def put(cell: ir.Cell, value: int) -> tuple[ir.Stmt, ...]:
    return ir.Store(cell.address, INT, C(value), "x"), ir.AtomicEnd(("x",))


def bounded() -> tuple[Build, ir.Cell]:
    b = Build()
    x = b.field("x")
    fn = b.function("small", less(x, C(5)))
    b.invariants.append(ir.Invariant("small", fn, frozenset({"x"}), ("T-1",)))
    return b, x


def test_invariants_are_tested_after_changes_of_what_they_read() -> None:
    b, x = bounded()
    checking(*put(x, 4), b=b)
    b, x = bounded()
    with pytest.raises(RulesetError, match=r"the invariant `small` does not hold after this change \[T-1\]"):
        checking(*put(x, 5), *put(x, 4), b=b)
    b, x = bounded()
    checking(ir.Store(x.address, INT, C(5), "x"), ir.AtomicEnd(("y",)), b=b)


def test_together_is_one_change() -> None:
    b, x = bounded()
    end = (ir.Together(-1), ir.AtomicEnd(("x",)))
    checking(ir.Together(1), *put(x, 5), *put(x, 4), *end, b=b)
    b, x = bounded()
    with pytest.raises(RulesetError, match="invariant `small`"):
        checking(ir.Together(1), *put(x, 4), *put(x, 5), *end, *put(x, 4), b=b)


def test_other_runs_do_not_check() -> None:
    b, x = bounded()
    b.proc("game", ir.Run(put(x, 5)))
    assert b.play()[1][OVER] == 1


# ------------------------------------------------------------ hooks


class Listening(Machine):
    def __init__(self, program: Any) -> None:
        self.calls: list[tuple[Any, ...]] = []
        super().__init__(program)

    def on_call(self, proc: int, args: Sequence[Any]) -> None:
        self.calls.append(("call", self.program.procs[proc].name, *args))

    def on_leave(self, proc: int) -> None:
        self.calls.append(("leave", self.program.procs[proc].name))

    def on_store(self, symbol: str, address: int, type_: Any, old: Any, new: Any, cause: int) -> None:
        self.calls.append((symbol, old, new, cause))

    def on_require(self, guard: ir.Guard, held: bool, temps: list[Any]) -> None:
        self.calls.append((guard.text, held))

    def on_note(self, address: str, cites: tuple[str, ...]) -> None:
        self.calls.append(("note", address, cites))


def test_hooks_hear_of_everything_once_and_nothing_of_trials() -> None:
    b = Build()
    a, c = b.pool("a", 3), b.pool("c")
    x = b.field("x")
    note = ir.Note("plain.note", ("T-2",))
    plain = b.plain("plain", ir.Store(x.address, INT, ir.Temp(0), "x"), note, params=(("n", INT),))
    move = ir.Transfer(C(2), a, c, True, None, None, "cube", C(4))
    s = b.site(site("number", alternative(numbers(1, 2), to=0), filter=True))
    act = b.proc(
        "act",
        ir.OpenPlan(C(1)),
        ir.Ask(s, END),
        ir.Run((require(less(C(1), ir.FrameVar(0, INT)), "big"), move, ir.CallS(plain, (add(C(3), C(4)),)))),
        ir.ClosePlan(),
    )
    b.proc("game", ir.CallI(act, ()))
    m, words = b.play(machine=Listening)
    assert isinstance(m, Listening)
    assert m.calls == [("call", "game"), ("call", "act")]
    m.calls.clear()
    take(m, words, 2)
    assert m.calls == [
        ("big", True),
        ("a", 3, 1, 4),
        ("c", 0, 2, 4),
        ("call", "plain", 7),
        ("x", 0, 7, 0),
        ("note", "plain.note", ("T-2",)),
        ("leave", "plain"),
        ("leave", "act"),
        ("leave", "game"),
    ]


def test_hooks_hear_of_stopped_frames() -> None:
    b = Build()
    b.proc("inner", ir.Stop((1,)))
    b.proc("turn", ir.CallI(0, ()))
    b.proc("game", ir.CallI(1, ()))
    m, _ = b.play(machine=Listening)
    assert isinstance(m, Listening)
    assert [h[1] for h in m.calls if h[0] == "leave"] == ["inner", "turn", "game"]


def test_a_machine_without_hooks_keeps_the_plain_handlers() -> None:
    from interpreter.machine.tables import EXECUTE, INSTRUCTIONS

    b = Build()
    dice(b)
    m = Machine(b.program())
    assert m.ex == EXECUTE and m.ins == INSTRUCTIONS
