"""Programs in low code against the reference: all words and options at each question, and every node of the IR."""

from __future__ import annotations

import random
from typing import Any, get_args

import pytest

from dsl import ir
from dsl.base.types import INT, INT_HIGH, IntType, MemberType, SetType
from dsl.ir.walk import walk
from dsl.program import Program
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import ItemsKind, MembersKind, Number, Unsupported
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.low.form.verify import verify
from interpreter.backends.low.values.functions import result_name
from interpreter.backends.low.whole.lowering import GLOBALS, TABLES, write_wanted
from interpreter.core.errors import RulesetError
from interpreter.session.game import Game
from interpreter.session.setup import blank_store
from tests.concepts.play import game
from tests.conformance.tables import ruleset
from tests.interpreter.build import Build, C, add, alternative, among, less, numbers, require, site
from tests.interpreter.low_pair import WITH_A_GAP, LowPair, lower
from tests.interpreter.random_programs import random_program
from tests.interpreter.samples import FORMS, T0, T1, cells, fold, samples
from tests.printed import long_at, printed

# ------------------------------------------------------------ whole games


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim", "connect_four", "kuhn_poker", "liars_dice", "love_letter"])
def test_rulesets_in_lock_step(name: str) -> None:
    program = ruleset(name)
    pair, done = LowPair(program), 0
    for seed in range(12):
        words = blank_store(Game(program), program.seats[seed % 2], {}, seed)
        done += pair.play(words, random.Random(seed), 40)
        if done > 60:
            break
    assert done > 20 and pair.given_up == 0


def test_a_ruleset_of_secrets_in_lock_step() -> None:
    """Who knows what, answers given at once and confirmed, end lists."""
    program = ruleset("masks")
    pair, done = LowPair(program), 0
    for seed in range(6):
        done += pair.play(blank_store(Game(program), program.seats[seed % 2], {}, seed), random.Random(seed), 40)
    assert done > 40 and pair.given_up == 0


def test_a_ruleset_of_timed_lines_in_lock_step() -> None:
    """Timed lines, orders with changes, `stop`, actions that are tried, checks and triggers."""
    program = ruleset("kettle")
    pair, done = LowPair(program), 0
    for seed in range(6):
        done += pair.play(blank_store(Game(program), program.seats[seed % 2], {}, seed), random.Random(seed), 40)
    assert done > 60 and pair.given_up == 0


def test_random_programs() -> None:
    """Those that can be lowered; low code gives up at a fault of the rules, or a number out of its range."""
    played = done = faults = 0
    for seed in range(14):
        program, words = random_program(seed)
        try:
            pair = LowPair(program)
        except Unsupported:
            continue
        played += 1
        done += pair.play(words, random.Random(seed), 25)
        faults += pair.faults
        assert pair.given_up == pair.beyond
    assert played > 6 and done > 6


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(20))
def test_hundreds_of_random_programs(batch: int) -> None:
    for seed in range(100 + batch * 20, 120 + batch * 20):
        program, words = random_program(seed)
        try:
            pair = LowPair(program)
        except Unsupported:
            continue
        pair.play(words, random.Random(seed), 25)
        assert pair.given_up == pair.beyond


def test_what_cannot_be_lowered_is_said_by_name() -> None:
    with pytest.raises(Unsupported) as told:
        lower(game(WITH_A_GAP).program)
    assert str(told.value) == "conditions on whole amounts from a list (`game.ts`) in `game.ts`"


# ------------------------------------------------------------ every expression


class Sample:
    """One expression as a function of low code, whose temps 0 and 1 are parameters."""

    def __init__(self, program: Program, e: ir.Expr) -> None:
        self.program = program
        lo = Lowering(program, TABLES)
        with lo.function("sample", ("a", "b"), exported=True) as w:
            lo.bound = {0: Held(Number(1, 1), ("a",)), 1: Held(Number(2, 2), ("b",))}
            w.emit(low.SetGlobal("heap", low.Num(lo.memory.scratch)))
            w.emit(low.SetGlobal("passes", low.Num(program.limits.passes)))
            self.kind = lo.kind(e)
            if isinstance(self.kind, MembersKind):
                held = lo.hold_words(self.kind, lo.members(e))
                for k, name in enumerate(held.names):
                    w.emit(low.SetGlobal(result_name(k + 1), low.Local(name)))
                w.give(low.Num(0))
            else:
                w.give(lo.scalar(self.kind, e))
        write_wanted(lo)
        results = tuple(result_name(k) for k in range(1, 96))
        module = low.Module(tuple(lo.functions), (*GLOBALS, *results), lo.memory.at, tuple(lo.memory.data))
        verify(module)
        self.runner = printed(module)

    def value(self, words: list[int]) -> Any:
        self.runner.memory[: len(words)] = words
        found = self.runner.call("sample", 1, 2)
        if isinstance(self.kind, MembersKind):
            parts = enumerate(self.kind.words, 1)
            return sum((self.runner.get(result_name(k)) & low.MASK_64) << 64 * w for k, w in parts)
        return found if isinstance(self.kind, Number) else self.items(self.kind, found)

    def items(self, kind: Any, at: int) -> tuple[Any, ...]:
        memory = self.runner.memory
        count, first = (memory[at], at + 1) if isinstance(kind, ItemsKind) else (kind.count, at)
        if isinstance(kind.item, MembersKind):
            size, words = 2 * len(kind.item.words), kind.item.words
            rows = [[long_at(self.runner, first + n * size + 2 * k) for k in range(len(words))] for n in range(count)]
            return tuple(sum((v & low.MASK_64) << 64 * w for w, v in zip(words, row, strict=True)) for row in rows)
        items = memory[first : first + count]
        return tuple(items) if isinstance(kind.item, Number) else tuple(self.items(kind.item, item) for item in items)


def test_every_expression() -> None:
    """What is lowered has the value of the reference. Low code may give up where a set has no place for a number."""
    b = Build()
    s = cells(b)
    b.function("product", ir.Arith("*", T0, T1), 2)
    b.function("down", ir.If(less(C(0), T0), add(C(1), ir.CallFn(1, (ir.Arith("-", T0, C(1)),))), C(0)), 1)
    b.function("loud", ir.TableGet(0, C(9)))
    b.function("three", ir.Arith("*", C(3), T0), 1)
    b.function("four", ir.Arith("+", C(4), T0), 1)
    b.proc("game", ir.Run(()))
    program = b.program()
    machine, words = b.blank()
    equal = gave_up = refused = 0
    for e in samples(s):
        for form in FORMS:
            whole = form(e)
            try:
                sample = Sample(program, whole)
            except Unsupported:
                refused += 1
                continue
            try:
                wanted = machine.evaluate(words, whole, [1, 2, *[0] * 8])
            except (RulesetError, TypeError):
                with pytest.raises(Trapped):
                    sample.value(words)
                continue
            try:
                found = sample.value(words)
            except Trapped:
                gave_up += 1
                continue
            assert found == wanted, (whole, sample.kind)
            equal += 1
    assert equal > 500 and gave_up < 40, (equal, gave_up, refused)


def test_all_nodes_have_a_sample() -> None:
    b = Build()
    expressions = set(get_args(ir.Expr))
    seen = {type(e) for e in walk(samples(cells(b)))} & expressions
    assert seen == expressions - {
        ir.FrameVar,
        ir.FrameItem,
        ir.Payable,
        ir.Payments,
        ir.Pending,
    }  # read in frames and purses elsewhere


# ------------------------------------------------------------ edges


@pytest.mark.parametrize("low_end", [0, 1, 30, 33, 62])
@pytest.mark.parametrize("high_end", [63, 64, 65, 127, 130])
def test_sets_at_the_edges_of_words(low_end: int, high_end: int) -> None:
    """Sets of the store lie in words of 31 members; low code has words of 64."""
    b = Build()
    t = SetType(MemberType("Thing", low_end, high_end))
    field, other = b.field("field", t), b.field("other", t)
    choice = alternative(numbers(max(low_end, 1), high_end), ir.Not(ir.InSet(T0, field)), to=0)
    chosen = ir.MakeSet((ir.FrameVar(0, MemberType("Thing", 0, high_end)),))
    above = fold("set", binders=((1, ir.Domain("set", field)),), where=less(C(63), T1), body=T1)
    b.proc(
        "game",
        ir.Ask(b.site(site("one", choice)), 3),
        ir.Run((ir.Store(field.address, t, ir.Arith("|", field, chosen), "f"), ir.Store(other.address, t, above, "o"))),
        ir.Jump(0),
        frame=3,
    )
    b.things += ["thing"] * 140
    b.placed += [0] * 140
    program = b.program()
    _, words = b.blank()
    pair = LowPair(program)
    members = high_end - max(low_end, 1) + 1  # with the last of them there is a dead end
    assert pair.play(words, random.Random(high_end), 12) == min(12, members - 1) and pair.given_up == 0


@pytest.mark.parametrize("start", [INT_HIGH - 2, -INT_HIGH + 2])
def test_numbers_near_the_bounds_of_a_word(start: int) -> None:
    """A number that leaves its word is a fault, not another number."""
    b = Build()
    x = b.field("x", INT, start)
    step = 1 if start > 0 else -1
    b.proc(
        "game",
        ir.Ask(b.site(site("one", alternative(numbers(1, 2), to=0))), 2),
        ir.Run((ir.Store(x.address, INT, add(x, ir.Arith("*", C(step), ir.FrameVar(0, INT))), "x"),)),
        ir.Jump(0),
        frame=3,
    )
    _, words = b.blank()
    pair = LowPair(b.program())
    assert pair.play(words, random.Random(1), 9) < 9
    assert pair.faults == 1


def test_work_without_an_end_is_given_up() -> None:
    b = Build(steps=200)
    x = b.field("x", INT)
    b.proc("game", ir.Run((ir.While(less(x, C(9)), (ir.Store(x.address, INT, x, "x"),)),)))
    _, words = b.blank()
    pair = LowPair(b.program())
    assert pair.play(words, random.Random(1), 3) == 0 and pair.faults == 1


def test_passes_without_an_end_are_given_up() -> None:
    b = Build(steps=100)
    x = b.field("x", INT)
    many = ((0, numbers(1, 100)), (1, numbers(1, 100)))
    b.proc("game", ir.Run((ir.Store(x.address, INT, ir.Fold("count", many, None, (), None), "x"),)))
    _, words = b.blank()
    pair = LowPair(b.program())
    assert pair.play(words, random.Random(1), 3) == 0 and pair.faults == 1


def test_a_demand_and_a_dead_end_are_given_up() -> None:
    for instruction in (
        ir.Run((require(C(0)),)),
        ir.Ask(0, 1),
        ir.Run((ir.SetFrame(0, IntType(0, 3), C(4)),)),
    ):
        b = Build()
        b.site(site("one", alternative(among(), to=0)))
        b.proc("game", instruction, ir.Run(()))
        _, words = b.blank()
        pair = LowPair(b.program())
        assert pair.play(words, random.Random(1), 3) == 0 and pair.faults == 1


def test_recursion_without_an_end_is_given_up() -> None:
    b = Build()
    b.function("down", add(C(1), ir.CallFn(0, (T0,))), 1)
    x = b.field("x", INT)
    b.proc("game", ir.Run((ir.Store(x.address, INT, ir.CallFn(0, (C(1),)), "x"),)))
    _, words = b.blank()
    pair = LowPair(b.program())
    pair.machine.start(words, pair.program.entry)
    pair.stepper.load(words)
    with pytest.raises(Trapped):
        pair.stepper.run()


BEST = """
kind Seat
    field coins: 0..9
kind Crate: 7
    field weight: 0..9
    field luck: 0..3
    field full: bool
phase game
    for every c in Crate
        random number w in 0..9
        set c.weight to w
        random number l in 0..3
        set c.luck to l
    repeat while any(c in Crate where not c.full)
        for every p in seats
            choose c in Crate where not c.full with highest c.luck, lowest c.weight by p if any
            set c.full to true
            choose n in 0..c.weight such that n is not c.luck by p if any
            set p.coins to n
            choose a in Crate, b in Crate where a is not b with highest a.weight + b.weight by p
            set a.weight to b.luck
"""

WHISPERS = """
kind Seat
    zone hand: Card seen by owner
    zone kept: Card seen by nobody
kind Card: 16
    field marked: bool
zone deck: Card ordered seen by nobody
phase game
    for every c in Card: move c to deck
    shuffle deck
    for every p in seats
        for every i in 1..5: move first(c in deck) to p.hand
    for every p in seats
        show p.hand to seats
        choose some cs in p.hand at least 1 by p seen by p
        for every c in cs: move c to p.kept
        choose k in p.hand by p seen by {p, next(p)} if any
        set k.marked to true
        choose some ds in p.hand by p seen by p
"""


DEMANDING = """
kind Seat
    field coins: 0..99
kind Card: 7
    field weight: 0..4
    field luck: 0..2
kind Stone: 3
phase game
    for every c in Card
        random number w in 0..4
        set c.weight to w
        random number l in 0..2
        set c.luck to l
    for every i in 1..12
        for every p in seats
            random number n in 0..7
            random number m in 0..5
            choose some cs in Card at least 2 total cs.weight at least n total cs.luck at least m by p if any
            set p.coins to sum(c in cs: c.weight)
            choose some ds in Card at least n - 3 at most n by p if any
            set p.coins to size(ds)
            choose some es in Card at most 3 total es.weight at most n total es.luck at most m by p
            set p.coins to min(p.coins + size(es), 99)
"""

WAYS = """
kind Seat
    field place: Spot
    field power: 0..9
kind Spot: 9
    field height: 0..5
    field toll: 0..2
value near(s: Spot): set of Spot = set(t in Spot where t.height in s.height - 1..s.height + 1)
value there(p: Seat): set of Spot = {p.place}
value range_of(p: Seat, n: 0..9): set of Spot = reach(x in there(p), y in near(x) cost 1 within 6 cost y.toll within n)
phase game
    for every s in Spot
        random number h in 0..5
        set s.height to h
        random number g in 0..2
        set s.toll to g
    for every i in 1..8
        for every p in seats
            random number w in 0..9
            set p.power to w
            random number n in 0..4
            choose s in range_of(p, n) by p if any
            set p.place to s
            choose t in reach(x in there(p), y in near(x) cost y.toll + x.height within w) by p if any
            set p.place to t
"""


@pytest.mark.parametrize(
    ("rules", "seats", "decisions", "least"),
    [(BEST, 2, 30, 100), (WHISPERS, 3, 40, 60), (DEMANDING, 2, 40, 200), (WAYS, 2, 12, 60)],
    ids=["keys", "secrets", "demands", "ways"],
)
def test_answers_in_lock_step(rules: str, seats: int, decisions: int, least: int) -> None:
    """Answers with conditions and keys; secret answers, and what they let others forget; several demands; prices."""
    program = game(rules, seats=(seats, seats)).program
    pair, done = LowPair(program), 0
    for seed in range(8):
        done += pair.play(blank_store(Game(program), seats, {}, seed), random.Random(seed), decisions)
    assert done > least and pair.given_up == 0
