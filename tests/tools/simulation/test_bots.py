"""The bots: they choose offered options, repeat under a seed, and the greedy one prefers what the ruleset values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl import ir
from interpreter import Game, State, apply, copy, legal
from interpreter.choices.generator import Generator
from interpreter.core.question import ASKED_ANY_MOMENT
from interpreter.play.result import scores
from interpreter.visibility.imagine import imagined
from tests.concepts.play import game as game_of
from tests.conformance.tables import load
from tests.interpreter.programs import APPLES, COINS, SEAT, at_seat, cell, fair
from tools.base.seats import evaluate_seat
from tools.simulation.bots import GreedyBot, RandomBot
from tools.simulation.drivers import play_at_random
from tools.simulation.playout import GameSetup, play_out
from tools.simulation.walk import Walk, retrace


def with_values() -> Game:
    """Apples are the score, and what greedy bots look at."""
    program = fair()
    apples = cell(at_seat(APPLES, ir.Temp(0)), symbol="Seat.apples")
    number = len(program.functions)
    program.functions = (*program.functions, ir.Function("apples", (("s", SEAT),), 1, COINS, apples))
    program.evaluate = number
    program.result = {"score": number}
    return Game(program)


def play(state: State, bot: RandomBot | GreedyBot) -> list[tuple[str, ...]]:
    while not state.over:
        apply(state, bot.choose(state))
    return [e.ids for e in state.log]


def test_the_random_bot_repeats_under_a_seed(game: Game) -> None:
    first = play(game.new(seats=2, seed=1), RandomBot(4))
    assert first == play(game.new(seats=2, seed=1), RandomBot(4))
    assert first != play(game.new(seats=2, seed=1), RandomBot(5))


def test_the_greedy_bot_takes_the_most_apples() -> None:
    game = with_values()
    state = game.new(seats=2, seed=1)
    option = GreedyBot(1).choose(state)
    assert option.ids == ("take", "3")


def test_choosing_changes_nothing() -> None:
    state = with_values().new(seats=2, seed=1)
    before = copy(state)
    for bot in (RandomBot(1), GreedyBot(1)):
        assert bot.choose(state) in legal(state)
    assert state.words == before.words
    assert len(state.log) == len(before.log)


def test_bots_take_actions_at_any_moment_now_and_then() -> None:
    game = load("rulesets/dominant_species")
    for options, wanted in (({"dominance_claims": "manual"}, True), ({}, False)):
        state, bot = game.new(seats=4, seed=1, options=options), RandomBot(1)
        seen = set()
        for _ in range(400):
            option = bot.choose(state)
            seen.add(option.decision.address)
            apply(state, option)
        assert (ASKED_ANY_MOMENT in seen) is wanted


def test_random_games_have_actions_at_any_moment_too() -> None:
    """The same ones on both back ends, and the log tells them again."""
    played = []
    for backend in ("wasm", "reference"):
        game = load("rulesets/dominant_species", backend)
        walk = Walk(game, 3, {"dominance_claims": "manual"}, 8, False)
        walk.begin()
        play_at_random(walk, 8, 150)
        played.append((walk.answers, walk.moments, walk.words))
    assert played[0] == played[1] and walk.moments
    state, _, fault = retrace(walk)
    assert state is not None and fault is None and state.words == walk.words
    out_of_turn = [e.seat for e in state.log if e.address == ASKED_ANY_MOMENT]
    assert out_of_turn == list(walk.moments.values())


def test_the_greedy_bot_does_not_know_the_order_of_the_deck() -> None:
    """In its copies the hidden deck has as many cards, in many orders, none of them its own; others change places with
    the hand of the other seat."""
    game = with_values()
    state = game.new(seats=2, seed=1)
    (deck,) = [z for z in game.program.zones if z.symbol == "deck"]
    seen = set()
    for seed in range(20):
        words = imagined(game, state.words, 1, Generator(seed))
        seen.add(tuple(words[deck.base + 1 : deck.base + 1 + words[deck.base]]))
        assert words[deck.base] == state.words[deck.base]
    assert len(seen) > 1
    own = [z for z in game.program.zones if z.symbol == "Seat.hand"][0]
    held = set(state.words[own.base + 1 : own.base + 1 + state.words[own.base]])
    assert not any(held & set(order) for order in seen)


def test_scores_by_seat() -> None:
    state = with_values().new(seats=2, seed=1)
    assert scores(state).scores == {1: 2, 2: 2}
    assert evaluate_seat(state, 1) == 2


GIVING_UP = """
field trail: 0..9
action play(p: Seat) of turn
    set trail to 1
action give_up(p: Seat) of turn
    set trail to 2
phase game: offer turn by p1
"""


def test_the_random_bot_seldom_takes_what_is_called_seldom() -> None:
    """Half of the answers without the word; with it about one in two times SELDOM."""
    for seldom, least, most in ((), 400, 600), (("give_up",), 0, 20):
        found = replace(game_of(GIVING_UP).program, seldom=seldom)
        state, bot = Game(found).new(seats=2, seed=1), RandomBot(1)
        taken = sum(bot.choose(state).ids[0] == "give_up" for _ in range(1000))
        assert least <= taken <= most


def test_the_random_bot_seldom_declines_or_ends_an_answer_of_a_question_that_is_called_seldom() -> None:
    rules = "phase game: choose some ps in seats by p1 or decline\n"
    for seldom, least, most in ((), 450, 550), (("game.ps",), 0, 20):  # two members, or the end, or to decline
        found = replace(game_of(rules).program, seldom=seldom)
        state, bot = Game(found).new(seats=2, seed=1), RandomBot(1)
        taken = sum(bot.choose(state).kind in ("ready", "decline") for _ in range(1000))
        assert least <= taken <= most


BACKS = """
kind Card
    const age: 1..2 on back
card a "A": Card
    age: 1
card b "B": Card
    age: 2
card c "C": Card
    age: 1
card d "D": Card
    age: 2
zone deck: Card ordered seen by nobody top seen by all
kind Seat
    field n: 0..9
phase game
    for every x in Card: move x to deck
    shuffle deck
    choose k in 1..2 by p1
"""


def test_a_bot_imagines_only_what_the_top_and_the_backs_allow() -> None:
    state = game_of(BACKS, seats=(2, 2)).new(seed=3)
    program = state.game.program
    at = next(e for e in program.layout if e.symbol == "deck").base + 1
    ages = dict(zip(program.domains["Card"].values, program.tables[program.consts["Card.age"][0]], strict=True))
    order = state.words[at : at + 4]
    seen = set()
    for seed in range(40):
        found = imagined(state.game, state.words, 1, Generator(seed))[at : at + 4]
        assert found[0] == order[0] and [ages[x] for x in found] == [ages[x] for x in order]
        seen.add(tuple(found))
    # Below the top lie one more card of its age, which has to stay, and two of the other, in one order or the other.
    assert len(seen) == 2


def test_a_bot_is_not_swayed_by_the_order_that_it_cannot_see() -> None:
    """Positions that differ below the top of the deck, in cards of the same backs, are imagined alike."""
    state = game_of(BACKS, seats=(2, 2)).new(seed=3)
    at = next(e for e in state.game.program.layout if e.symbol == "deck").base + 1
    ages = dict(zip("abcd", (1, 2, 1, 2), strict=True))
    cards = {n: state.game.program.thing_ids[n] for n in state.words[at : at + 4]}
    first, second = (n for n in range(at + 1, at + 4) if ages[cards[state.words[n]]] != ages[cards[state.words[at]]])
    other = state.words[:]
    other[first], other[second] = other[second], other[first]
    for seed in range(10):
        one, two = (imagined(state.game, words, 1, Generator(seed)) for words in (state.words, other))
        assert one == two


NUMBERS = """
kind Field: 6
kind Seat
    field worth: 0..9
    field good: Field or none
    field sown: 0..9
value hope(p: Seat): int = 9 if p.good is field_5 and p.sown is BEST else 1 if p.sown > 0 else 0
action sow(p: Seat, f: Field) of chores
    choose number n in 1..9 by p
    set p.good to f
    set p.sown to n
phase game: offer chores by p1
"""


@pytest.mark.parametrize("best", [1, 9])
def test_of_many_options_with_a_number_the_lowest_and_the_highest_are_looked_at(best: int) -> None:
    """Only three of six fields are searched in full, so the right one must stand out before that."""
    found = game_of(NUMBERS.replace("BEST", str(best)), seats=(2, 2), manifest="evaluate: hope\n")
    for seed in range(5):
        state = found.new(seed=1)
        for wanted in (("sow", "field_5"), (str(best),)):
            option = GreedyBot(seed).choose(state)
            assert option.ids == wanted
            apply(state, option)


def greedy_game(folder: str, backend: str, decisions: int) -> list[tuple[tuple[str, ...], list[int]]]:
    state, bot, seen = load(folder, backend).new(seed=5), GreedyBot(2), []
    while not state.over and len(seen) < decisions:
        option = bot.choose(state)
        apply(state, option)
        seen.append((option.ids, state.words))
    return seen


@pytest.mark.parametrize(
    ("folder", "decisions"),
    [
        ("rulesets/love_letter", 200),
        ("rulesets/goofspiel", 200),
        ("rulesets/othello", 20),
        ("rulesets/dominant_species", 45),
        ("rulesets/through_the_ages", 16),
    ],
)
def test_a_seed_gives_the_same_greedy_game_on_both_back_ends(folder: str, decisions: int) -> None:
    assert greedy_game(folder, "wasm", decisions) == greedy_game(folder, "reference", decisions)


@pytest.mark.soak
def test_the_greedy_bot_beats_random_ones_in_a_short_game_of_civilization() -> None:
    """Three seats to the arrow of the late bronze age. A game that goes on for long is given up."""
    game = load("rulesets/civilization")
    over = 0
    for seed in range(3):
        setup, bots = GameSetup(seed, 3, seed), ("greedy", "random", "random")
        outcome = play_out(game, setup, bots, False, {"goal": "late_bronze"}, most=4000)
        assert outcome.failure is None
        if not outcome.unfinished:
            over += 1
            assert [setup.bot_of(seat, bots) for seat in outcome.seat_wins] == ["greedy"]
    assert over >= 2
