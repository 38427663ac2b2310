"""What a page reads of a game in WebAssembly: values, what they read of hidden state, how a plan began, chance."""

from __future__ import annotations

import random
from typing import Any

import pytest

import interpreter as rw
from dsl import ir
from dsl.base.types import MemberType
from dsl.program import OVER, PLAN, SITE
from interpreter.backends.low.base.exported import BEGIN, RELIST
from interpreter.backends.low.bots.choices import CHOOSE_GREEDY
from interpreter.backends.low.form.nodes import Reason, Trapped
from interpreter.backends.low.generators.bot_numbers import STATE
from interpreter.backends.low.whole.driver import ANSWER, RUN
from interpreter.backends.low.whole.readings import DRAW_ONE, READ, Readable, Reading, lower_readable
from interpreter.backends.low.whole.secrets import HIDES, lower_secrets
from interpreter.backends.native.draws import DrawsNoted
from interpreter.backends.native.games import put_state
from interpreter.backends.native.walks import put_generator
from interpreter.backends.wasm import host
from interpreter.backends.wasm.binary import encode
from interpreter.choices.generator import Generator
from interpreter.core.words import Words, new_store
from interpreter.visibility.cells import hidden_from
from tests.concepts.play import start
from tests.interpreter.stepper import option_at
from tools.simulation.bots import GreedyBot

pytestmark = pytest.mark.skipif(not host.available(), reason="the extra `native` is not installed")


def instance(module: Any) -> host.WasmInstance:
    return host.WasmInstance(host.compiled(encode(module)))


def readings_of(game: rw.Game) -> dict[int, Reading]:
    """A reading of each function whose arguments are members or numbers, by the number of the function."""
    found = {}
    for number, function in enumerate(game.program.functions):
        args = tuple((slot, t) for slot, (_, t) in enumerate(function.params))
        if all(isinstance(t, MemberType) for _, t in args):
            found[number] = Reading(ir.CallFn(number, tuple(ir.Temp(slot) for slot, _ in args)), function.result, args)
    return found


SECRETS = """
kind Seat
    zone hand: Card seen by owner
    field bid: 0..9 seen by owner
kind Card: 12
    field price: 0..9
zone deck: Card ordered seen by nobody
zone open: Card
value own(p: Seat): int = sum(c in p.hand: c.price)
value size_of_hand(p: Seat): int = size(p.hand)
value left(): int = size(deck)
value lowest(): Card or none = front(deck)
value both(p: Seat): int = size(open) + p.bid
value shown(): int = size(open)
phase game
    for every c in Card
        move c to deck
        set c.price to 4
    shuffle deck
    for every p in seats
        move front(deck) to p.hand
        set p.bid to 2
    move front(deck) to open
    for every i in 1..3
        for every p in seats
            choose number n in 0..4 by p
            set p.bid to n
            if n > 2: move front(deck) to p.hand
"""


@pytest.mark.parametrize("source", ["love_letter", "dominant_species", SECRETS])
def test_values_and_what_they_hide_are_those_of_python(source: str) -> None:
    game = start(source).game if "\n" in source else rw.load(source)
    readings = readings_of(game)
    readable = lower_readable(game.program, list(readings.values()))
    hiding = lower_secrets(game.program, readings)
    assert hiding is not None and not readable.unread
    plays, hides = instance(readable.lowered.module), instance(hiding.module)
    chance, state = random.Random(2), game.new(seed=2)
    compared, hidden = 0, 0
    for _ in range(12):
        words = state.words
        plays.memory[: len(words)] = hides.memory[: len(words)] = words
        plays.call(BEGIN, len(words))
        for place, (number, reading) in enumerate(readings.items()):
            if not isinstance(reading.type, MemberType) and str(reading.type) not in ("int", "bool"):
                continue
            kinds = [t.domain for _, t in reading.args if isinstance(t, MemberType)]
            args = [chance.choice(game.program.domains[kind].values) for kind in kinds]
            try:
                found: int | None = plays.call(f"{READ}{place}", *args)
            except Trapped:
                found = None
            assert found is None or found == game.machine.eval_fn(words, number, args)
            compared += found is not None
            for seat in range(state.seats + 1):
                hidden += same_secrets(game, hides, words, number, args, seat)
        if state.decision is None:
            break
        rw.apply(state, chance.choice(state.decision.options))
    assert compared > 20 and ((hidden > 0) is game.has_secrets or source == "dominant_species")


def same_secrets(
    game: rw.Game, hides: host.WasmInstance, words: list[int], number: int, args: list[int], seat: int
) -> bool:
    """Whether a value is hidden from a seat (0: an onlooker), which is to be what Python says."""
    expr = ir.CallFn(number, tuple(ir.Const(a) for a in args))
    try:
        told = hidden_from(game, words, expr, {}, seat or None)
    except rw.RulesetError:
        return False
    thing = game.names.seat_thing(seat) if seat else 0
    try:
        found = bool(hides.call(f"{HIDES}{number}", thing, *args))
    except Trapped:
        found = True
    assert found is told, (game.program.functions[number].name, args, seat)
    return found


PLANS = """
piece coin each 9 from mint
zone mint: coin
kind Seat
    zone purse: coin
action buy(p: Seat) of shopping
    choose number n in 1..3 by p
    move n coin from mint to p.purse
    choose number m in 1..4 by p
    require p.purse > m because "too much"
    move m coin from p.purse to mint
phase game
    for every p in seats
        choose number first in 1..2 by p
        move first coin from mint to p.purse
        offer shopping by p or decline
        random k in 1..6 seen by p
        offer shopping by p or decline
"""


def test_the_store_of_a_plan_and_the_outcomes_of_chance_are_noted() -> None:
    state = start(PLANS).game.new(seed=3, auto=False)
    game, chance = state.game, random.Random(1)
    readable = lower_readable(game.program, [])
    runner = Run(readable, state.words)
    plans = outcomes = 0
    while state.decision is not None:
        option = chance.choice(state.decision.options)
        before = len(state.log)
        rw.apply(state, option)
        runner.answer(option.raw)
        assert runner.words() == state.words
        if state.plan is not None:
            assert state.words[PLAN] and runner.planned() == state.plan.words
            plans += 1
        drawn = [entry for entry in state.log[before:] if entry.kind == "chance"]
        assert [(entry.address, entry.code[0], entry.audience) for entry in drawn] == runner.notes(game)
        outcomes += len(drawn)
    assert plans and outcomes


class Run:
    """A module that plays from a store, with what it notes."""

    def __init__(self, readable: Readable, words: list[int]) -> None:
        self.readable, self.runner = readable, instance(readable.lowered.module)
        self.runner.memory[: len(words)] = words
        self.runner.call(BEGIN, len(words))
        if not words[OVER]:
            self.runner.call(RELIST if words[SITE] else RUN)

    def words(self) -> Words:
        return new_store(self.runner.memory[: self.runner.get("sp")])

    def answer(self, option: Any) -> None:
        memory, regions = self.runner.memory, self.readable.lowered.regions
        memory[self.readable.noted] = 0
        rows = [option_at(memory, regions, n) for n in range(self.runner.get("count"))]
        self.runner.call(ANSWER, rows.index(option))

    def planned(self) -> Words:
        at = self.readable.planned
        return new_store(self.runner.memory[at + 1 : at + 1 + self.runner.memory[at]])

    def notes(self, game: rw.Game) -> list[tuple[str, int, tuple[int, ...] | None]]:
        noted = DrawsNoted(game.program).read(self.runner.memory, self.readable.noted)
        return [(draw.address, draw.values[0], draw.audience) for draw in noted]


def test_an_option_is_drawn_as_random_play_draws_it() -> None:
    game = rw.load("love_letter")
    words, chance = game.engine.new(seed=4), random.Random(9)
    runner = Run(lower_readable(game.program, []), words)
    game.engine.run(words)
    put_state(runner.runner.memory, runner.readable.lowered.regions.mersenne, random.Random(9))
    for _ in range(20):
        if not words[SITE]:
            break
        option = game.engine.draw_option(words, chance)
        at = runner.readable.lowered.regions
        index = runner.runner.call(DRAW_ONE)
        assert option_at(runner.runner.memory, at, index) == option
        game.machine.take(words, option)
        runner.runner.call(ANSWER, index)
        assert runner.words() == words


def test_the_greedy_bot_decides_as_in_python() -> None:
    game = rw.load("dominant_species")
    readable = lower_readable(game.program, [])
    state, bot, runner = game.new(seats=3, seed=4, auto=False), GreedyBot(6), Run(readable, game.engine.new(3, seed=4))
    put_generator(runner.runner.memory, readable.bots, Generator(6))
    put_generator(runner.runner.memory, readable.bots + STATE, Generator(~6))
    for _ in range(40):
        option = bot.choose(state)
        runner.runner.call(RELIST)
        index, regions = runner.runner.call(CHOOSE_GREEDY), readable.lowered.regions
        assert option_at(runner.runner.memory, regions, index) == option.raw
        rw.apply(state, option)
        runner.runner.call(ANSWER, index)
        assert runner.words() == state.words


def test_a_value_that_cannot_be_lowered_gives_up_and_is_named() -> None:
    game = start(SECRETS).game
    text = Reading(ir.Const("a text"), game.program.functions[0].result)
    readable = lower_readable(game.program, [text])
    assert list(readable.unread) == [0]
    with pytest.raises(Trapped) as trapped:
        instance(readable.lowered.module).call(f"{READ}0")
    assert trapped.value.reason == Reason.GAP
