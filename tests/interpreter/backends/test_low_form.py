"""The low form by itself: what is well formed, what its nodes do, and the same in WebAssembly and in C."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.backends.c import host as c_host
from interpreter.backends.c.text import text_of
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Local, Num, Op, Reason, Set, Trapped
from interpreter.backends.low.form.verify import NotWellFormed, verify
from interpreter.backends.wasm import host
from interpreter.backends.wasm.binary import encode
from interpreter.backends.wasm.code import signed, unsigned
from tests.printed import printed

EDGES = (0, 1, -1, 2, 63, 64, 65, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63), -7, 12345678901)
each_target = pytest.mark.parametrize(
    "target",
    [
        pytest.param(
            "wasm", marks=pytest.mark.skipif(not host.available(), reason="the extra `native` is not installed")
        ),
        pytest.param("c", marks=pytest.mark.skipif(not c_host.available(), reason="there is no C compiler")),
    ],
)


def run_by(target: str, found: low.Module) -> Any:
    """The module, compiled and ready to run."""
    if target == "wasm":
        return host.WasmInstance(host.compiled(encode(found)))
    return c_host.CInstance(c_host.compiled(text_of(found).encode()), found.words)


def module(*functions: low.Function, words: int = 64, data: tuple[tuple[int, tuple[int, ...]], ...] = ()) -> low.Module:
    return low.Module(functions, (low.REASON, "total"), words, data)


def giving(value: low.Expr, *params: str) -> low.Function:
    return low.Function("f", params, (low.Return(value),), True)


def of_body(*body: low.Stmt, params: tuple[str, ...] = ("a", "b")) -> low.Function:
    return low.Function("f", params, body, True)


# ------------------------------------------------------------ what is well formed

WRONG = {
    "its end is reached": of_body(Set("x", Num(1))),
    "variable `y` is never set": giving(Local("y")),
    "no global `none`": giving(Global("none")),
    "no operator `%`": giving(Op("%", Num(1), Num(2))),
    "is no signed number of 64 bits": giving(Num(1 << 63)),
    "is called with 1 arguments, but has no": giving(low.Call("g", (Num(1),))),
    "called with 1 arguments, but has 2": giving(low.Call("f", (Num(1),)), "a", "b"),
    "label `out` is not open": of_body(low.Leave("out")),
    "`out` is no loop": of_body(low.Block("out", (low.Again("out"),))),
    "label `out` is open already": of_body(low.Loop("out", (low.Loop("out", ()),))),
    "do not ascend": of_body(low.Table(Local("a"), ((2, ()), (1, ()))), low.Return(Num(0))),
    "is no offset": giving(low.Load(Num(0), -1)),
    "two parameters": giving(Num(0), "a", "a"),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_not_well_formed_is_refused(message: str) -> None:
    with pytest.raises(NotWellFormed, match="in `f`: ") as refused:
        verify(module(WRONG[message]))
    assert message in str(refused.value)


def test_modules_that_are_not_well_formed() -> None:
    f = giving(Num(1))
    with pytest.raises(NotWellFormed, match="two functions `f`"):
        verify(module(f, f))
    with pytest.raises(NotWellFormed, match="data at 62"):
        verify(module(f, data=((62, (1, 2, 3)),)))
    with pytest.raises(NotWellFormed, match="data at 4"):
        verify(module(f, data=((3, (1, 2)), (4, (5,)))))
    with pytest.raises(NotWellFormed, match="globals"):
        verify(low.Module((f,), ("total",), 64, ()))


def test_a_loop_that_is_left_reaches_what_stands_behind_it() -> None:
    left = low.Loop("out", (low.If(Local("a"), (low.Leave("out"),)),))
    with pytest.raises(NotWellFormed, match="its end is reached"):
        verify(module(of_body(left)))
    verify(module(of_body(low.Loop("out", (Set("x", Num(1)),)))))


# ------------------------------------------------------------ what nodes do


def test_numbers_wrap_around() -> None:
    f = printed(module(giving(Op("*", Local("a"), Local("b")), "a", "b")))
    assert f.call("f", 2**62, 2) == -(2**63)
    assert f.call("f", 2**33, 2**33) == 0


def test_words_keep_32_bits_with_a_sign() -> None:
    body = (low.Store(Num(3), 1, Local("a")), low.StoreLong(Num(6), 0, Local("b")), low.Return(low.Load(Num(4))))
    f = printed(module(of_body(*body)))
    assert f.call("f", 2**31, -5) == -(2**31)
    assert f.memory[6:8] == [-5, -1]


def test_a_table_falls_through() -> None:
    one, two = (Set("x", Op("+", Local("x"), Num(n))) for n in (1, 10))
    f = printed(module(of_body(low.Table(Local("a"), ((1, (one,)), (3, (two,)))), low.Return(Local("x")))))
    assert (f.call("f", 1, 0), f.call("f", 3, 0)) == (11, 10)
    with pytest.raises(Trapped) as trapped:
        f.call("f", 2, 0)
    assert trapped.value.reason is Reason.LOST


# ------------------------------------------------------------ the same in WebAssembly


def test_numbers_in_seven_bits_a_byte() -> None:
    assert [unsigned(n) for n in (0, 127, 128, 624485)] == [b"\0", b"\x7f", b"\x80\x01", b"\xe5\x8e\x26"]
    assert [signed(n) for n in (0, -1, 63, 64, -123456)] == [b"\0", b"\x7f", b"\x3f", b"\xc0\x00", b"\xc0\xbb\x78"]


@each_target
@pytest.mark.parametrize("op", [*low.ARITHMETIC, *low.COMPARISONS])
def test_operators_are_the_same_in_each_target(op: str, target: str) -> None:
    f = module(giving(Op(op, Local("a"), Local("b")), "a", "b"))
    mine, theirs = printed(f), run_by(target, f)
    for a in EDGES:
        for b in EDGES:
            assert outcome(mine, a, b) == outcome(theirs, a, b), (a, b)


def outcome(runner: Any, *args: int) -> int | str:
    try:
        return int(runner.call("f", *args))
    except Trapped as trapped:
        return trapped.reason.name


class Maker:
    """Random functions of two parameters: all nodes, with loops that end."""

    def __init__(self, seed: int) -> None:
        self.r = Random(seed)
        self.labels = 0

    def value(self, depth: int) -> low.Expr:
        r = self.r
        if depth == 0:
            atoms = (Num(r.choice(EDGES)), Local(r.choice("abxy")), Global("total"), low.Load(Num(r.randrange(60))))
            return r.choice(atoms)
        one, two = self.value(depth - 1), self.value(0)
        address = Op("&", one, Num(31))
        return r.choice(
            (
                Op(r.choice([op for op in low.ARITHMETIC if op[0] not in "/%"]), one, two),
                Op(r.choice(low.COMPARISONS), one, two),
                Op(r.choice(("/", "/u", "%u")), one, Op("|", Op("&", two, Num(0xFFFF)), Num(1))),
                low.Both(one, two),
                low.Either(one, two),
                low.Not(one),
                low.Choice(one, two, self.value(0)),
                low.Lowest(one),
                low.Ones(one),
                low.Load(address, r.randrange(8)),
                low.LoadLong(address, r.randrange(8)),
                low.Portion(Op("&", one, Num((1 << 53) - 1)), Op("&", two, Num(1023))),
            )
        )

    def body(self, depth: int) -> low.Body:
        return tuple(self.statement(depth) for _ in range(self.r.randint(1, 3)))

    def statement(self, depth: int) -> low.Stmt:
        r, value = self.r, self.value(2)
        if depth and r.random() < 0.6:
            return self.control(depth, value)
        address, few = Op("&", self.value(1), Num(31)), Op("&", self.value(1), Num(15))
        return r.choice(
            (
                Set(r.choice("xy"), value),
                low.SetGlobal("total", value),
                low.Store(address, r.randrange(8), value),
                low.StoreLong(address, r.randrange(8), value),
                low.Copy(address, Op("&", value, Num(31)), few),
                low.Clear(address, few),
                low.Do(value),
            )
        )

    def control(self, depth: int, value: low.Expr) -> low.Stmt:
        r = self.r
        self.labels += 1
        label, count = f"label{self.labels}", f"count{self.labels}"
        inner = self.body(depth - 1)
        match r.randrange(4):
            case 0:
                return low.If(value, inner, self.body(depth - 1))
            case 1:
                return low.Block(label, (*inner, low.If(value, (low.Leave(label),)), *self.body(depth - 1)))
            case 2:
                rows = tuple((n, self.body(depth - 1)) for n in sorted(r.sample(range(-2, 6), 3)))
                return low.Table(Op("-", Op("&", value, Num(7)), Num(2)), rows)
        step: low.Body = (Set(count, Op("+", Local(count), Num(1))),)
        end: low.Body = (low.If(Op(">", Local(count), Num(4)), (low.Leave(label),)),)
        again: low.Body = (low.If(value, (low.Again(label),)),) if r.random() < 0.5 else ()
        return low.Loop(label, (*step, *end, *again, *inner))


def random_module(seed: int) -> low.Module:
    made = Maker(seed)
    first = (Set("x", Local("a")), Set("y", Num(3)))
    f = low.Function("f", ("a", "b"), (*first, *made.body(3), *made.body(3), low.Return(made.value(3))), True)
    return module(f, data=((8, tuple(range(-8, 8))),))


@each_target
@pytest.mark.parametrize("seed", range(40))
def test_random_functions_are_the_same_in_each_target(seed: int, target: str) -> None:
    found = random_module(seed)
    verify(found)
    mine, theirs = printed(found), run_by(target, found)
    for a, b in ((0, 0), (5, -3), (2**40, 7)):
        assert outcome(mine, a, b) == outcome(theirs, a, b)
        assert mine.memory == list(theirs.memory[:64])
        assert mine.get("total") == theirs.get("total")


@each_target
def test_an_address_outside_of_memory_is_given_up(target: str) -> None:
    found = module(giving(low.Load(Local("a"), 0), "a"))
    for runner in (printed(found), run_by(target, found)):
        assert outcome(runner, 5) == 0
        assert outcome(runner, 1 << 20) == Reason.NONE.name


@each_target
def test_operands_are_worked_out_from_left_to_right(target: str) -> None:
    """Calls change what stands beside them: memory, globals, and what the next call finds."""
    changed: low.Body = (
        low.SetGlobal("total", Op("+", Op("*", Global("total"), Num(10)), Local("a"))),
        low.Store(Num(3), 0, Global("total")),
        low.Return(Global("total")),
    )
    g = low.Function("g", ("a",), changed)
    two = low.Function("two", ("a", "b"), (low.Return(Op("-", Op("*", Local("a"), Num(1000)), Local("b"))),))
    first, second = low.Call("g", (Local("a"),)), low.Call("g", (Local("b"),))
    left = Op("+", Op("*", Global("total"), Num(7)), first)
    right = Op("-", low.Load(Num(3)), low.Call("two", (second, low.Call("two", (first, Global("total"))))))
    body: low.Body = (low.Store(Op("&", first, Num(31)), 1, left), low.Return(Op("^", right, Op("<<", first, Num(3)))))
    found = module(low.Function("f", ("a", "b"), body, True), g, two)
    verify(found)
    mine, theirs = printed(found), run_by(target, found)
    for a, b in ((1, 2), (0, 5), (0, 0)):
        assert outcome(mine, a, b) == outcome(theirs, a, b)
        assert mine.memory == list(theirs.memory[:64]) and mine.get("total") == theirs.get("total")


@each_target
def test_two_instances_have_nothing_in_common(target: str) -> None:
    f = low.Function("f", ("a",), (low.Store(Num(9), 0, Local("a")), low.Return(low.Load(Num(8)))), True)
    one, other = (run_by(target, module(f, data=((8, (41,)),))) for _ in range(2))
    assert one.call("f", 5) == other.call("f", 6) == 41
    assert (one.memory[9], other.memory[9]) == (5, 6)
