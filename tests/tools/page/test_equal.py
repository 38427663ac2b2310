"""A page plays and shows what Python does: digests, questions, log lines and pictures, for every seat and language."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import pytest

from interpreter import Game, State, apply, copy, load, result
from interpreter.backends.low.base.exported import KIND_NAMES
from interpreter.bots.levels import RANDOM
from interpreter.choices.generator import Generator
from interpreter.session.interrupts import moment_decision
from interpreter.session.log import log_for
from interpreter.session.state import digest
from tests.conformance.redeal import redealt
from tools.picture.model.data import as_json
from tools.picture.model.position import picture_of
from tools.simulation.bots import make_bot

pytestmark = pytest.mark.browser
CLASSICS = (
    "breakthrough", "connect_four", "goofspiel", "hex", "kuhn_poker", "leduc_poker", "liars_dice", "love_letter", "nim",
    "othello", "pentominoes", "tic_tac_toe",
)  # fmt: skip
LOOKS = 5  # positions of a game that are compared whole


@pytest.mark.parametrize(
    ("ruleset", "games"),
    [
        *((name, 20) for name in CLASSICS),
        ("dominant_species", 4),
        pytest.param("dominant_species", 20, marks=pytest.mark.soak),
    ],
)
def test_the_same_seed_plays_the_same_random_games(page_of: Any, ruleset: str, games: int) -> None:
    game = load(ruleset)
    for seats in {game.program.seats[0], min(game.program.seats[1], 3)}:
        found = page_of(ruleset).drive(random=games, seats=seats, seed=11)
        played = game.engine.playouts(game.engine.new(seats), games, 11, keep=True)
        whole = hashlib.blake2b("".join(map(digest, played.ends)).encode(), digest_size=16).hexdigest()
        assert (found["games"], found["decisions"], found["gaveUp"]) == (games, played.decisions, 0)
        assert found["digest"] == whole


def test_a_seed_gives_bots_the_numbers_that_it_gives_in_python(page_of: Any) -> None:
    seeds = (0, 1, 7_000_001, ~7_000_001, 2**62 - 1)
    found = page_of("nim").page.evaluate("of => of.map(x => Rulewright.generator(BigInt(x)))", [str(s) for s in seeds])
    states = [(lower & 0xFFFFFFFF) | (upper & 0xFFFFFFFF) << 32 for lower, upper in found]
    assert states == [Generator(seed).state for seed in seeds]


def answers_of(game: Game, seats: int, seed: int, most: int) -> tuple[list[list[Any]], list[State]]:
    """A game of random bots: its answers as a page takes them, and its states."""
    state = game.new(seats=seats, seed=seed)
    bot = make_bot(RANDOM, seed)
    answers, states = [], [copy(state)]
    while not state.over and len(answers) < most:
        option = bot.choose(state)
        answers.append(
            [option.kind] if option.kind in ("ready", "decline") else [option.kind, option.code[0], *option.raw.values]
        )
        apply(state, option)
        states.append(copy(state))
    return answers, states


def compare(page: Any, game: Game, seats: int, seed: int, most: int) -> int:
    """Play the same answers in the page; gives how many positions have been compared."""
    answers, states = answers_of(game, seats, seed, most)
    looks = sorted({0, len(answers), *range(0, len(answers), max(1, len(answers) // LOOKS))})
    langs = list(game.program.languages)
    found = page.drive(answers=answers, seats=seats, seed=seed, looks=looks, langs=langs)
    assert len(found["steps"]) == len(states) or found["gaveUp"]
    for n, (step, state) in enumerate(zip(found["steps"], states, strict=False)):
        assert (n, step["digest"], step["over"]) == (n, state.digest(), state.over)
        if n not in looks:
            continue
        assert step["unchanged"], "looking changes nothing"
        for lang in langs:
            for seat in range(seats + 1):
                seen = step["views"][f"{lang}{seat}"]
                assert seen["picture"] == plain(as_json(picture_of(state, seat or None, lang))), (n, lang, seat)
                assert seen["lines"] == log_for(state, seat or None, lang), (n, lang, seat)
            if state.decision is not None:
                options = [option.text(lang) for option in state.decision.options]
                assert step[lang] == [state.decision.prompt(lang), options]
    if states[-1].over and not found["gaveUp"]:
        assert found["result"]["winners"] == result(states[-1]).winners
    return len(found["steps"])


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("ruleset", CLASSICS)
def test_a_game_is_shown_as_python_shows_it(page_of: Any, ruleset: str) -> None:
    """A game of the fewest seats, and one of three, if there can be so many."""
    game, page = load(ruleset), page_of(ruleset)
    few, many = game.program.seats[0], min(game.program.seats[1], 3)
    for seats, seed in {few: 3, many: 8}.items():
        assert compare(page, game, seats, seed, 400) > 2
    assert page.said == []


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", CLASSICS)
def test_more_games_are_shown_as_python_shows_them(page_of: Any, ruleset: str) -> None:
    game, page = load(ruleset), page_of(ruleset)
    for seed in (3, 4, 6):
        assert compare(page, game, game.program.seats[0], seed, 400) > 2


def test_a_heavy_game_is_shown_as_python_shows_it(page_of: Any) -> None:
    assert compare(page_of("dominant_species"), load("dominant_species"), 3, 7, 300) == 301


HEAVY = [
    ("civilization", 3),
    ("through_the_ages", 3),
    ("bios_origins", 3),
    ("bios_mesofauna", 2),
    ("dominant_species", 3),
]


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "seats"), HEAVY)
def test_the_heaviest_games_are_shown_as_python_shows_them(page_of: Any, ruleset: str, seats: int) -> None:
    game = load(ruleset)
    assert compare(page_of(ruleset), game, seats, 7, 300) == len(answers_of(game, seats, 7, 300)[1])


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "seats"), HEAVY)
def test_a_whole_game_of_greedy_bots_is_a_game_of_python(page_of: Any, ruleset: str, seats: int) -> None:
    """The answers that the bots of the page have given are answers in Python, and lead to the same end."""
    game = load(ruleset)
    found = page_of(ruleset).drive(bots="greedy", seats=seats, seed=2)
    assert (found["over"], found["gaveUp"]) == (True, "")
    state = game.new(seats=seats, seed=2)
    for how, seat, kind, code, *values in found["saved"]:
        decision = state.decision if how == 0 else moment_decision(state, seat)
        assert decision is not None
        wanted = (KIND_NAMES[kind], code, *values)
        apply(state, next(o for o in decision.options if wanted == (o.kind, o.code[0], *listed(o))))
    assert state.over and state.digest() == found["digest"]
    assert found["result"]["winners"] == result(state).winners


def listed(option: Any) -> tuple[int, ...]:
    """The values of an option as a page holds them."""
    return () if option.kind in ("ready", "decline") else option.raw.values


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", ["through_the_ages", "bios_origins", "bios_mesofauna"])
def test_the_heaviest_games_at_random_are_those_of_python(page_of: Any, ruleset: str) -> None:
    game, page = load(ruleset), page_of(ruleset)
    for seed in (1, 2, 3):
        found = page.drive(random=1, seats=2, seed=seed)
        played = game.engine.playouts(game.engine.new(2), 1, seed, keep=True)
        whole = hashlib.blake2b("".join(map(digest, played.ends)).encode(), digest_size=16).hexdigest()
        assert (found["games"], found["gaveUp"], found["digest"]) == (1, 0, whole)


@pytest.mark.parametrize("ruleset", ["leduc_poker", "love_letter", "liars_dice"])
def test_what_a_seat_cannot_know_makes_no_difference(page_of: Any, ruleset: str) -> None:
    game, page, chooser = load(ruleset), page_of(ruleset), random.Random(5)
    _, states = answers_of(game, game.program.seats[0], 4, 12)
    different = 0
    for state in states:
        for seat in range(state.seats + 1):
            twins = [redealt(state, seat or None, chooser).words for _ in range(3)]
            different += sum(twin != state.words for twin in twins)
            job = {"stores": [state.words, *twins], "seat": seat, "langs": ["en"]}
            first, *others = page.drive(**job)["pictures"]
            assert all(other == first for other in others)
    assert different > len(states)
