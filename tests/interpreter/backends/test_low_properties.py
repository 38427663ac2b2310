"""Random routines of the low form: printed as Python they do the same as in WebAssembly and in C.

Numbers are those at which arithmetic goes wrong: the ends of words and of 64 bits, zero, shifts by all bits. A routine
has conditions, loops, blocks, tables, calls, globals and words of memory; it may divide by zero, and then both give up.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from interpreter.backends.c import host as c_host
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Local, Num, Op, Set, Trapped
from interpreter.backends.low.form.verify import verify
from interpreter.backends.wasm import host
from tests.interpreter.backends.test_low_form import EDGES, module, run_by
from tests.printed import printed

NAMES = ("a", "b", "x", "y")
PLACES = 8  # words of memory that routines read and write
WORDS = 64  # that are compared
GIVEN_UP = "given up"

names = st.sampled_from(NAMES)
edges = st.sampled_from(sorted({*EDGES, *(n + d for n in (2**31, -(2**31), 2**32) for d in (-1, 1)), 3, 31, 32}))
places = st.builds(lambda e: Op("&", e, Num(PLACES - 1)), names.map(Local)) | st.integers(0, PLACES - 1).map(Num)
leaves = edges.map(Num) | names.map(Local) | st.just(Global("total")) | st.builds(low.Load, places, st.integers(0, 2))


def wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    operators = st.sampled_from((*low.ARITHMETIC, *low.COMPARISONS))
    return st.one_of(
        st.builds(Op, operators, inner, inner),
        st.builds(Op, st.sampled_from(("+", "-", "*", "<<")), inner, inner),
        st.builds(low.Not, inner),
        st.builds(low.Both, inner, inner),
        st.builds(low.Either, inner, inner),
        st.builds(low.Choice, inner, inner, inner),
        st.builds(low.Lowest, inner),
        st.builds(low.Ones, inner),
        st.builds(low.LoadLong, places, st.integers(0, 2)),
        st.builds(lambda one, other: low.Call("g", (one, other)), inner, inner),
    )


values = st.recursive(leaves, wider, max_leaves=6)


def simple() -> st.SearchStrategy[low.Stmt]:
    return st.one_of(
        st.builds(Set, names, values),
        st.builds(low.SetGlobal, st.just("total"), values),
        st.builds(low.Store, places, st.integers(0, 2), values),
        st.builds(low.StoreLong, places, st.integers(0, 2), values),
        st.builds(low.Copy, places, places, st.integers(0, 4).map(Num)),
        st.builds(low.Clear, places, st.integers(0, 4).map(Num)),
    )


@st.composite
def bodies(draw: st.DrawFn, depth: int = 2, labels: tuple[str, ...] = (), loops: tuple[str, ...] = ()) -> low.Body:
    """A body; `labels` may be left in it, `loops` begun again. Counters are set where their loops are, so all ends."""
    found: list[low.Stmt] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("simple", "simple", "if", "loop", "block", "table") if depth else ("simple",)))
        label = f"l{len(labels)}"
        match kind:
            case "simple":
                found.append(draw(simple()))
            case "if":
                then, orelse = (draw(bodies(depth - 1, labels, loops)) for _ in range(2))
                if labels and draw(st.booleans()):
                    then += (low.Leave(draw(st.sampled_from(labels))),)
                elif loops and draw(st.booleans()):
                    then += (low.Again(draw(st.sampled_from(loops))),)
                found.append(low.If(draw(values), then, orelse))
            case "block":
                found.append(low.Block(label, draw(bodies(depth - 1, (*labels, label), loops))))
            case "table":
                rows = tuple((n, draw(bodies(depth - 1, labels, loops))) for n in range(4))
                found.append(low.Table(Op("&", draw(values), Num(3)), rows))
            case "loop":
                counter = f"n{len(labels)}"
                inner = draw(bodies(depth - 1, (*labels, label), (*loops, label)))
                count = Set(counter, Op("+", Local(counter), Num(1)))
                end = low.If(Op(">", Local(counter), Num(draw(st.integers(0, 3)))), (low.Leave(label),))
                found += [Set(counter, Num(0)), low.Loop(label, (count, end, *inner))]
    return tuple(found)


@st.composite
def modules(draw: st.DrawFn) -> low.Module:
    body = (Set("x", draw(values)), Set("y", Local("a")), *draw(bodies()), low.Return(draw(values)))
    other = st.recursive(st.sampled_from(("p", "q")).map(Local) | edges.map(Num), plain, max_leaves=4)
    second = low.Function("g", ("p", "q"), (low.Return(draw(other)),))
    words = tuple(draw(st.lists(st.sampled_from((0, 1, -1, 2**31 - 1, -(2**31))), min_size=4, max_size=4)))
    return module(low.Function("f", ("a", "b"), body, True), second, words=WORDS, data=((0, words),))


def plain(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(Op, st.sampled_from((*low.ARITHMETIC, *low.COMPARISONS)), inner, inner)


def divided(op: str, one: low.Expr, other: low.Expr) -> low.Expr:
    """An operation that never divides by zero."""
    return Op(op, one, Op("|", other, Num(1)) if op in ("/", "/u", "%u") else other)


sums = st.recursive(
    st.sampled_from(("a", "b")).map(Local) | edges.map(Num),
    lambda inner: st.builds(divided, st.sampled_from((*low.ARITHMETIC, *low.COMPARISONS)), inner, inner),
    max_leaves=4,
)


@st.composite
def arithmetic(draw: st.DrawFn) -> low.Module:
    """A routine that works out each operation once, and some sums of several, and keeps all results."""
    each = [divided(op, Local("a"), Local("b")) for op in (*low.ARITHMETIC, *low.COMPARISONS)]
    each += draw(st.lists(sums, min_size=8, max_size=8))
    kept = [low.StoreLong(Num(2 * n), 0, value) for n, value in enumerate(each)]
    return module(low.Function("f", ("a", "b"), (*kept, low.Return(Num(0))), True), words=WORDS)


def outcome(instance: Any, *args: int) -> tuple[Any, ...]:
    """What a call gives, and what it leaves; of a routine that gave up, that alone."""
    try:
        found = instance.call("f", *args)
    except Trapped:
        return (GIVEN_UP,)
    return found, instance.get("total"), list(instance.memory)[:WORDS]


def agree(found: low.Module, target: str, args: list[tuple[int, int]]) -> None:
    """Calls one after the other, so that each finds what the one before has left; up to one that gives up."""
    verify(found)
    one, other = printed(found), run_by(target, found)
    for pair in args:
        result = outcome(one, *pair)
        assert result == outcome(other, *pair)
        if result == (GIVEN_UP,):
            break


@pytest.mark.parametrize("skipped", [Op("/", Num(1), Local("b")), low.Call("g", (Local("a"), Local("b")))])
def test_what_a_shift_of_a_flag_is_by_is_worked_out(skipped: low.Expr) -> None:
    """Whatever the flag is: it may give up."""
    shift = low.Return(Op("<<", low.Not(Local("a")), skipped))
    other = low.Function("g", ("p", "q"), (low.Return(Op("/", Local("p"), Local("q"))),))
    found = module(low.Function("f", ("a", "b"), (shift,), True), other)
    assert printed(found).call("f", 1, 1) == 0
    with pytest.raises(Trapped):
        printed(found).call("f", 1, 0)


pairs = st.lists(st.tuples(edges, edges), min_size=2, max_size=4)
FOUND = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
needs_wasm = pytest.mark.skipif(not host.available(), reason="the package `wasmtime` is not installed")
needs_c = pytest.mark.skipif(not c_host.available(), reason="there is no C compiler")


@needs_wasm
@settings(FOUND, max_examples=20, phases=(Phase.generate, Phase.shrink))
@given(arithmetic(), pairs)
def test_printed_arithmetic_gives_what_it_gives_in_webassembly(found: low.Module, args: list[tuple[int, int]]) -> None:
    agree(found, "wasm", args)


@needs_wasm
@settings(FOUND, max_examples=25, phases=(Phase.generate, Phase.shrink))
@given(modules(), pairs)
def test_printed_routines_do_what_they_do_in_webassembly(found: low.Module, args: list[tuple[int, int]]) -> None:
    agree(found, "wasm", args)


@needs_c
@settings(FOUND, max_examples=2, phases=(Phase.generate,))
@given(modules(), pairs)
def test_printed_routines_do_what_they_do_in_c(found: low.Module, args: list[tuple[int, int]]) -> None:
    agree(found, "c", args)


@pytest.mark.soak
@needs_wasm
@settings(FOUND, max_examples=3000)
@given(modules(), pairs)
def test_many_printed_routines_do_what_they_do_in_webassembly(found: low.Module, args: list[tuple[int, int]]) -> None:
    agree(found, "wasm", args)


@pytest.mark.soak
@needs_c
@settings(FOUND, max_examples=200)
@given(modules(), pairs)
def test_many_printed_routines_do_what_they_do_in_c(found: low.Module, args: list[tuple[int, int]]) -> None:
    agree(found, "c", args)
