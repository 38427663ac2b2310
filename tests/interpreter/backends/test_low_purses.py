"""Payments in low code against the reference: random purses node by node, and games with ways that are asked."""

from __future__ import annotations

import random

import pytest

from dsl import ir
from dsl.base.types import INT, IntType
from dsl.program import Program
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.writer import Writer
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.low.form.verify import verify
from interpreter.backends.low.values.functions import result_name
from interpreter.backends.low.whole.lowering import GLOBALS, TABLES, write_wanted
from interpreter.backends.native.targets import WASM
from interpreter.backends.wasm import host
from interpreter.backends.wasm.binary import encode
from interpreter.core.errors import DemandFailed, RulesetError
from interpreter.core.words import Words
from interpreter.machine.machine import Machine
from interpreter.rules.rules import REFERENCE
from interpreter.session.game import Game
from interpreter.session.playouts import Engine
from interpreter.session.setup import blank_store
from tests.concepts.play import game
from tests.conformance.tables import load
from tests.interpreter.build import Build, C, equal, less, numbers
from tests.interpreter.low_pair import LowPair, MakeRunner, lower
from tests.native import native_games, needs_wasmtime
from tests.printed import printed

# ------------------------------------------------------------ random purses

PARAMETER, CAUSE, OVER, EACH = map(ir.Temp, range(4))  # temps of a purse: what is given, the overpayment, a member


def random_purse(b: Build, chance: random.Random) -> ir.Purse:
    """A purse with one parameter and a cause, and sources of all sorts."""
    pools = [b.pool(f"pool{k}", chance.choice((0, 1, 2, 3, 6)), chance.choice(("coin", "gem"))) for k in range(6)]
    row = b.field("row", IntType(0, 99), 2)
    b.field("row2", IntType(0, 99), 1)
    slot = b.field("slot", IntType(0, 9), chance.choice((0, 2, 3)))
    pools.append(ir.Pool("slot", slot.address, C(2), "slot"))
    endless = ir.Pool("endless", None, None, "supply")
    counter = b.field("counter", IntType(0, 99), chance.randrange(2))
    at = counter.address
    assert isinstance(at, ir.Const) and isinstance(row.address, ir.Const)
    change = chance.choice((None, pools[0], pools[0], endless))
    ranked = chance.random() < 0.3
    chance.shuffle(pools)
    sources = []
    for k in range(chance.randint(1, 4)):
        domain = numbers(0, 1) if chance.random() < 0.25 else None
        pool = ir.Pool("count", ir.Linear(row.address.value, ((EACH, 1),)), None, "row") if domain else pools[k]
        worth: ir.Expr = (
            ir.Arith("+", EACH, C(1)) if domain and chance.random() < 0.5 else C(chance.choice((1, 1, 2, 3, 5)))
        )
        to = chance.choice((None, endless, change, *pools[4:]))
        limited = chance.random() < 0.4
        sources.append(
            ir.PurseSource(
                3 if domain else -1,
                domain,
                pool,
                worth,
                to,
                chance.random() < 0.3,
                less(ir.Cell(at, INT), C(2))
                if chance.random() < 0.3
                else chance.choice((less(CAUSE, C(9)), less(PARAMETER, CAUSE))),
                C(chance.randint(-1, 3)) if limited else None,
                at.value if limited else 0,
                C(chance.randrange(3)) if ranked and k else None,
                chance.random() < 0.2,
            )
        )
    require = chance.choice(((), (), (less(OVER, C(2)),), (equal(OVER, C(1)), less(PARAMETER, C(4)))))
    first = pools[0].address
    assert first is not None
    keys = ((False, OVER), (chance.random() < 0.5, ir.Cell(first, INT)), (True, ir.Cell(at, INT)))
    return ir.Purse("coins", (("p", INT),), 4, tuple(sources), change, 2, require, keys[: chance.randrange(4)])


class Asked:
    """The nodes of purse 0 as functions of low code: of the amount and, for payments, the number of the way."""

    def __init__(self, program: Program, make: MakeRunner = printed) -> None:
        lo = Lowering(program, TABLES)
        args = (C(3), C(7))
        amount, way = ir.Temp(0), ir.Temp(1)
        self.expressions = {
            "payable": ir.Payable(0, args, amount),
            **{f"ways{most}": ir.Payments(0, args, amount, False, most) for most in (0, 1, 2)},
            **{f"gains{most}": ir.Payments(0, args, amount, True, most) for most in (0, 1, 2)},
        }
        sorts = {"pay": False, "gain": True}
        self.statements = {name: ir.Pay(0, args, amount, gain, None, way=way) for name, gain in sorts.items()}
        for name, e in self.expressions.items():
            with lo.function(name, ("a", "b"), exported=True) as w:
                self.begin(lo, w)
                w.give(lo.number(e))
        for name, s in self.statements.items():
            with lo.function(name, ("a", "b"), exported=True) as w:
                self.begin(lo, w)
                lo.statement(s)
                w.give(low.Global("heap"))
        write_wanted(lo)
        results = tuple(result_name(k) for k in range(1, 96))
        module = low.Module(tuple(lo.functions), (*GLOBALS, *results), lo.memory.at, tuple(lo.memory.data))
        verify(module)
        self.scratch, self.runner = lo.memory.scratch, make(module)

    @staticmethod
    def begin(lo: Lowering, w: Writer) -> None:
        lo.bound = {0: Held(Number(-9, 999), ("a",)), 1: Held(Number(-9, 999), ("b",))}
        w.emit(low.SetGlobal("heap", low.Num(lo.memory.scratch)))
        w.emit(low.SetGlobal("passes", low.Num(lo.program.limits.passes)))


def compare(b: Build, machine: Machine, words: Words, amounts: range) -> int:
    """Compare all nodes of a purse; gives in how many payments there was another way."""
    asked, several = Asked(b.program()), 0
    memory = asked.runner.memory
    for amount in amounts:
        for name, e in asked.expressions.items():
            memory[: len(words)] = words
            wanted = machine.evaluate(words[:], e, [amount, 0, 0, 0])
            assert asked.runner.call(name, amount, 0) == wanted, (name, amount)
            assert memory[: len(words)] == list(words)
        for name, s in asked.statements.items():
            for way in (0, 1, 2, 3, 99):
                memory[: len(words)] = words
                machine.words = after = words[:]
                try:
                    machine.ex[ir.Pay](machine, s, [amount, way, 0, 0])
                except (DemandFailed, RulesetError):
                    with pytest.raises(Trapped):
                        asked.runner.call(name, amount, way)
                    continue
                assert asked.runner.call(name, amount, way) == asked.scratch  # nothing is left in scratch memory
                assert memory[: len(words)] == list(after), (name, amount, way)
                several += way == 2
    return several


@pytest.mark.parametrize("batch", [0, 1, *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 8))])
def test_random_purses(batch: int) -> None:
    several = 0
    for seed in range(batch * 4, batch * 4 + 4):
        b = Build()
        b.purses.append(random_purse(b, random.Random(seed)))
        b.proc("game", ir.Run(()))
        machine, words = b.blank()
        several += compare(b, machine, words, range(-1, 10))
    assert several > 16


def purse_of(b: Build, *sources: ir.PurseSource, change: ir.Pool | None = None) -> None:
    b.purses.append(ir.Purse("coins", (("p", INT),), 4, sources, change, 2, (), ()))
    b.proc("game", ir.Run(()))


def test_sources_with_one_counter_are_limited_together() -> None:
    b = Build()
    counter = b.field("counter", IntType(0, 99)).address
    assert isinstance(counter, ir.Const)
    pools = [b.pool(f"p{k}", 3) for k in range(3)]
    limited = [ir.PurseSource(-1, None, pool, C(1), None, False, None, C(2), counter.value) for pool in pools[:2]]
    purse_of(b, *limited, ir.PurseSource(-1, None, pools[2], C(3), None, False, None))
    machine, words = b.blank()
    assert machine.evaluate(words, ir.Payments(0, (C(3), C(7)), C(2)), [0] * 4) == 3
    compare(b, machine, words, range(9))


def test_change_goes_to_what_is_used_first_only_if_there_is_nothing_else() -> None:
    b = Build()
    coupons, coins, gems = b.pool("coupons", 0, "coin"), b.pool("coins", 0, "coin"), b.pool("gems", 3, "gem")
    bank = b.pool("bank", 9, "coin")
    first = ir.PurseSource(-1, None, coupons, C(1), None, True, None)
    purse_of(
        b,
        first,
        ir.PurseSource(-1, None, coins, C(1), bank, False, None),
        ir.PurseSource(-1, None, gems, C(3), bank, False, None),
        change=bank,
    )
    machine, words = b.blank()
    compare(b, machine, words, range(9))


@needs_wasmtime
def test_many_ways_are_cut_off_as_in_the_reference() -> None:
    b = Build()
    pools = [b.pool(f"p{k}", 40, "coin") for k in range(4)]
    sources = tuple(ir.PurseSource(-1, None, pool, C(1), None, False, None) for pool in pools)
    key = pools[3].address
    assert key is not None
    b.purses.append(ir.Purse("coins", (("p", INT),), 3, sources, None, 2, (), ((True, ir.Cell(key, INT)),)))
    b.proc("game", ir.Run(()))
    machine, words = b.blank()
    asked = Asked(b.program(), lambda module: host.WasmInstance(host.compiled(encode(module))))
    asked.runner.memory[: len(words)] = words
    assert (
        asked.runner.call("ways0", 24, 0) == 2000 == machine.evaluate(words, asked.expressions["ways0"], [24, 0, 0, 0])
    )


def test_a_worth_of_nothing_is_a_fault() -> None:
    b = Build()
    source = ir.PurseSource(-1, None, b.pool("a", 3), C(0), None, False, None)
    b.purses.append(ir.Purse("coins", (("p", INT),), 3, (source,), None, 2, (), ()))
    b.proc("game", ir.Run(()))
    _, words = b.blank()
    asked = Asked(b.program())
    asked.runner.memory[: len(words)] = words
    with pytest.raises(Trapped):
        asked.runner.call("payable", 2, 0)


# ------------------------------------------------------------ games

STALLS = """
piece coin
piece crown
kind Seat
    field points: 0..99
    zone coins: coin
    zone crowns: crown
    zone coupons: coin
kind Good: 4
    field price: 0..9
    field left: 0..3
enum Cause: meal, other
zone bank: coin
zone vault: crown
purse money(p: Seat)
    source p.coupons first where cause is meal
    source p.coins to bank
    source p.crowns worth 4 to vault
    change from bank
    require over < 3
    default with lowest over, lowest p.coins
action buy(p: Seat, g: Good) of trade
    require g.left > 0
    pay g.price money as meal
    set g.left to g.left - 1
    pay 1 money as other
    require p.crowns + p.coins > 1
    set p.points to p.points + 1
action work(p: Seat, n: 1..3) of trade
    gain 3 * n money
    require p.coins < 9
action save(p: Seat) of trade
    require worth_of(money(p)) > 4 and vault > 0
    move 1 crown from vault to p.crowns
    gain 2 coin by p to p.coupons
phase game
    gain 30 coin by p1 to bank
    gain 9 crown by p1 to vault
    for every p in seats: gain 5 coin by p to p.coins
    for every g in Good
        random number n in 0..5
        set g.price to n
        set g.left to 3
    for every round in 1..9
        for every p in seats
            offer trade by p or decline
            random number n in 0..2
            lose n money by p as other
"""


@pytest.mark.parametrize("ask", ["", "ask"])
def test_games_with_purses_in_lock_step(ask: str) -> None:
    rules = STALLS if not ask else STALLS.replace("default with lowest over, lowest p.coins", "default ask")
    pair, done = LowPair(game(rules, seats=(2, 2)).program), 0
    for seed in range(4):
        done += pair.play(blank_store(Game(pair.program), 2, {}, seed), random.Random(seed), 30)
    assert done > 60 and pair.given_up == 0


@needs_wasmtime
@pytest.mark.parametrize("ask", ["", "ask"])
def test_drawn_ways_are_those_of_python(ask: str) -> None:
    rules = STALLS if not ask else STALLS.replace("default with lowest over, lowest p.coins", "default ask")
    games = Game(game(rules, seats=(2, 2)).program, WASM)
    native, engine = native_games(games), games.engine
    begun = engine.new(seed=3)
    mine = engine.playouts(begun, 30, 7, keep=True)
    assert mine == Engine(Game(games.program, REFERENCE)).playouts(begun, 30, 7, keep=True)
    assert mine.decisions > 100 and (native.notice, native.given_up) == ("", 0)


@needs_wasmtime
@pytest.mark.parametrize(
    ("name", "games", "least"), [("rulesets/through_the_ages", 12, 150), ("tests/conformance/rulesets/foundry", 8, 200)]
)
def test_rulesets_with_purses_in_lock_step(name: str, games: int, least: int) -> None:
    program = load(name).program
    pair, done = LowPair(program, lambda module: host.WasmInstance(host.compiled(encode(module))), gaps=True), 0
    for seed in range(games):
        words = blank_store(Game(program), program.seats[0] + seed % 2, {}, seed)
        done += pair.play(words, random.Random(seed), 90)
    assert done > least and pair.given_up < done // 5


@needs_wasmtime
@pytest.mark.parametrize("name", ["rulesets/through_the_ages", "tests/conformance/rulesets/foundry"])
def test_whole_games_with_purses_are_those_of_python(name: str) -> None:
    games = Game(load(name).program, WASM)
    native, engine = native_games(games), games.engine
    begun = engine.new(seed=3)
    mine = engine.playouts(begun, 10, 1, keep=True)
    assert mine == Engine(Game(games.program, REFERENCE)).playouts(begun, 10, 1, keep=True)
    assert native.notice == "" and native.given_up < mine.decisions // 20


def test_a_purse_that_demands_something_is_refused() -> None:
    rules = STALLS.replace("require over < 3", "require possible(save(p)) or over < 3")
    with pytest.raises(Unsupported, match="a purse that tries or demands something"):
        lower(game(rules, seats=(2, 2)).program)
