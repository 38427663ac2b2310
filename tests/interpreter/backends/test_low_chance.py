"""Chance in low code against the reference: drawn and asked, by weight and by keys, with what is noted of it.

At each stop all words must agree, the options or the outcomes with their weights, and what was drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from dsl.program import ASKING, CHANCE, OVER, SITE, Program
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.low.whole import asked
from interpreter.backends.low.whole.asked import LIST_OUTCOMES, TAKE_OUTCOME
from interpreter.backends.low.whole.lowering import Lowered, guarded, lower_with
from interpreter.backends.native.draws import DrawsNoted
from interpreter.backends.wasm import host
from interpreter.backends.wasm.binary import encode
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine
from interpreter.session.game import Game
from interpreter.session.setup import ASK, DRAW, blank_store
from tests.concepts.play import game
from tests.conformance.tables import ruleset
from tests.interpreter.backends.test_low_trials import GARDEN
from tests.interpreter.random_programs import random_program
from tests.interpreter.stepper import Stepper
from tests.secrets.accepted import accepted
from tests.secrets.programs import program as secrets_program

pytestmark = pytest.mark.skipif(not host.available(), reason="the extra `native` is not installed")
LIGHT = ["kuhn_poker", "leduc_poker", "liars_dice", "love_letter", "goofspiel", "dominant_species"]
HEAVY = ["civilization", "through_the_ages", "bios_origins", "bios_mesofauna"]


def lower_asked(program: Program) -> tuple[Lowered, int]:
    """A module for drivers, and where it notes what is drawn."""
    noted = []

    def before(lo: Lowering) -> None:
        lo.asks_chance = lo.tells_undecided = True
        noted.append(lo.memory.note_chance())

    return guarded(lambda: lower_with(program, [], before, asked.write, ())), noted[0]


class AskedPair:
    """A game by the reference and in WebAssembly. `given_up`: how often low code gave up without a fault of the rules;
    `told`: how often the reference told of answers that it withheld."""

    def __init__(self, program: Program) -> None:
        self.program, self.machine, self.draws = program, Machine(program), DrawsNoted(program)
        lowered, self.noted = lower_asked(program)
        self.runner = host.WasmInstance(host.compiled(encode(lowered.module)))
        self.stepper = Stepper(lowered.regions, self.runner)
        self.words: list[int] = []
        self.events = self.drawn = self.given_up = self.faults = self.told = 0
        self.behind = False  # the question cannot be listed in low code

    def play(self, words: list[int], choices: random.Random, stops: int) -> None:
        """Play a game from this store until it has stopped so often."""
        self.words, self.behind = words[:], False
        self.machine.start(self.words, self.program.entry)
        self.stepper.load(self.words)
        going = self.both(lambda: self.machine.run(self.words), self.stepper.run)
        while going and stops and not self.words[OVER]:
            stops -= 1
            going = self.draw(choices) if self.words[CHANCE] else self.answer(choices)

    def answer(self, choices: random.Random) -> bool:
        options = self.machine.options(self.words)
        index = choices.randrange(len(options))
        return self.both(lambda: self.machine.take(self.words, options[index]), lambda: self.stepper.answer(index))

    def draw(self, choices: random.Random) -> bool:
        outcomes = self.machine.outcomes(self.words)
        assert self.outcomes() == list(outcomes.items()) and len(outcomes) > 1
        assert self.stepper.words == self.words
        self.events += 1
        value = choices.choice(list(outcomes))
        return self.both(lambda: self.machine.draw(self.words, value), lambda: self.runner.call(TAKE_OUTCOME, value))

    def outcomes(self) -> list[tuple[int, int]]:
        count, at = self.runner.call(LIST_OUTCOMES), self.stepper.regions.options
        return [(self.runner.memory[at + 2 * n], self.runner.memory[at + 2 * n + 1]) for n in range(count)]

    def both(self, by_reference: Callable[[], None], in_low_code: Callable[[], object]) -> bool:
        """Do the same in both; false after a fault of the rules."""
        self.machine.draws.clear()
        self.runner.memory[self.noted] = 0
        try:
            by_reference()
        except RulesetError as fault:
            self.faults += 1
            assert self.behind or self.gives_up(in_low_code), fault.message
            return False
        self.told += bool(self.machine.undecided)
        if self.behind or self.gives_up(in_low_code):
            self.given_up += not self.behind and not self.machine.undecided
            self.stepper.load(self.words)
            self.behind = self.gives_up(self.stepper.run)
        else:
            assert not self.machine.undecided
            assert self.draws.read(self.runner.memory, self.noted) == self.machine.draws
            self.drawn += len(self.machine.draws)
        if not self.behind:
            assert self.stepper.words == self.words
            if self.words[SITE]:
                assert self.stepper.options == self.machine.options(self.words)
        return True

    def gives_up(self, work: Callable[[], object]) -> bool:
        try:
            work()
        except Trapped:
            return True
        return False


def both_ways(program: Program, seeds: int, stops: int) -> AskedPair:
    """Games with chance that is drawn, and with chance that is asked, with the least and the most seats."""
    pair, rules = AskedPair(program), Game(program, "reference")
    for chance in (DRAW, ASK):
        for seed in range(seeds):
            words = blank_store(rules, program.seats[seed % 2], {}, seed, chance)
            pair.play(words, random.Random(seed), stops)
    return pair


def test_a_ruleset_without_chance_has_nothing_to_take() -> None:
    pair = both_ways(ruleset("nim"), 2, 60)
    assert (pair.events, pair.outcomes()) == (0, [])
    with pytest.raises(Trapped):
        pair.runner.call(TAKE_OUTCOME, 1)


@pytest.mark.parametrize("name", LIGHT)
def test_rulesets(name: str) -> None:
    pair = both_ways(ruleset(name), 4, 60)
    assert pair.events and pair.drawn and pair.given_up == 0


@pytest.mark.soak
@pytest.mark.parametrize("name", [*LIGHT, *HEAVY])
def test_longer_games(name: str) -> None:
    pair = both_ways(ruleset(name), 2 if name in HEAVY else 8, 200)
    assert pair.events > 10 and pair.drawn > 20 and pair.given_up == 0


SORTS = """
enum Colour: red, green, blue
piece bead by Colour each 4 from bag
zone bag: bead
zone out: bead
kind Seat
    field got: -999..9999
    field told: Card or none seen by owner
    zone hand: Card seen by owner
kind Card: 9
    field luck: 0..9
zone deck: Card ordered seen by nobody
zone pile: Card ordered seen by nobody top seen by all
zone one: Card ordered max 1
field few: 0..9
phase game
    for every x in Card: move x to deck
    shuffle deck
    shuffle pile
    for every p in seats: move first(x in deck) to p.hand
    move first(x in deck) to one
    shuffle one
    move first(x in deck) to pile
    move first(x in deck) to pile
    repeat while few < 9
        set few to few + 1
        for every p in seats
            random c in Colour where c is not blue or few > 5
            show deck to p1
            random y in Card by y.luck + 1 if any
            show deck to p2
            random hidden in deck where few > 2 if any seen by p
            set p.told to hidden
            set y.luck to min(9, y.luck + 1)
            random lucky in Card where lucky.luck > 1 by lucky.luck if any
            set p.got to p.got + lucky.luck
            if total(bag) > 0
                random b in bag
                move 1 bead[b] from bag to out
            if bag[red] > 0
                random only in bag where only is red
                move 1 bead[only] from bag to out
            random number d in 0..few + 1 by 3 if d < 2 else d
            random some xs in Card exactly 2 by xs.luck + 1
            choose number n in 0..3 by p
            set p.got to p.got + n + d + sum(x in xs: x.luck)
            if n is 2: shuffle pile
            if n is 3
                random number single in few..few
                shuffle deck
"""  # rules with each sort of chance, of things that some seats see


def test_every_sort_of_chance() -> None:
    pair = both_ways(game(SORTS).program, 6, 90)
    assert pair.events > 200 and pair.drawn > 400 and pair.given_up == pair.faults == 0


WRONG = """
kind Seat
    field got: 0..9
kind Lot: 70
    field luck: -9..9
phase game
    choose number n in 0..4 by p1
    for every x in Lot: set x.luck to n - 1
    if n is 3: set lot_66.luck to -1
    random x in Lot where n < 4 by x.luck
    set p1.got to 1
"""  # weights below 0, all 0, none, and things of two words


def test_weights_that_are_faults() -> None:
    pair = both_ways(game(WRONG).program, 20, 3)
    assert pair.faults > 10 and pair.events > 2 and pair.given_up == 0


def test_random_programs() -> None:
    """Of the rules of games with secrets, and of the intermediate form."""
    check_secrets(range(12))
    check_forms(range(12))


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(10))
def test_hundreds_of_random_programs(batch: int) -> None:
    check_secrets(range(100 + batch * 30, 130 + batch * 30))
    check_forms(range(100 + batch * 30, 130 + batch * 30))


def check_secrets(seeds: range) -> None:
    events = drawn = 0
    for seed in seeds:
        found = accepted(secrets_program(seed))
        if found is not None:
            try:
                pair = both_ways(found[1], 2, 30)
            except Unsupported:
                continue
            events, drawn = events + pair.events, drawn + pair.drawn
    assert events > len(seeds) and drawn > len(seeds)


def check_forms(seeds: range) -> None:
    events = 0
    for seed in seeds:
        program, words = random_program(seed)
        try:
            pair = AskedPair(program)
        except Unsupported:
            continue
        for asking in (0, 1):
            words[ASKING] = asking
            pair.play(words, random.Random(seed), 25)
        events += pair.events
    assert events


@pytest.mark.parametrize("limit", [2, 3, 400])
def test_answers_that_are_withheld_are_left_to_the_reference(limit: int) -> None:
    pair = both_ways(game(GARDEN, seats=(2, 2), manifest=f"limits: {{tries: {limit}}}").program, 3, 40)
    assert pair.given_up == 0 and bool(pair.told) == (limit < 400)


def test_more_notes_than_there_is_room_for_are_given_up() -> None:
    """Nothing of what is drawn is lost in silence."""
    rules = SORTS.replace("shuffle deck\n    shuffle pile", MANY)
    pair = AskedPair(game(rules).program)
    words = blank_store(Game(pair.program, "reference"), 2, {}, 1)
    pair.play(words, random.Random(1), 1)
    assert pair.given_up == 1


MANY = "for every n in 1..2000: shuffle deck\n    shuffle pile"
