"""What people may answer besides the question that stands: before others, at any moment, and how to pay."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from interpreter import Game, State, apply, load
from interpreter.backends.low.base.exported import KIND_NAMES
from interpreter.session.decision import DECLINE, Option
from interpreter.session.interrupts import is_moment, moments, open_decision
from interpreter.session.log import log_for
from tests.concepts.play import start
from tests.concepts.test_gaining import SHOP
from tests.concepts.test_purses import FOOD
from tests.tools.page.test_page import begin
from tools.simulation.bots import make_bot

pytestmark = pytest.mark.browser
OWN, MEMBER, MOMENT, PAYING = 0, 1, 2, 4  # as in `saved.js`
BOT = "greedy"
MANUAL = {"dominance_claims": "manual"}
LINES = 6  # of the log that are compared at each position


def asked_of(state: State, seat: int) -> Any:
    decision = state.decision
    if decision is None or seat not in decision.open_seats:
        return None
    found = open_decision(state, seat) if decision.seat != seat else decision
    return found


def look(state: State) -> dict[str, Any]:
    """A position as the page tells of it."""
    seats = range(1, state.seats + 1)
    asked = [asked_of(state, seat) for seat in seats]
    return {
        "digest": state.digest(),
        "lines": [log_for(state, seat or None, "en")[-LINES:] for seat in range(state.seats + 1)],
        "asked": [d and [d.prompt("en"), [o.text("en") for o in d.options]] for d in asked],
        "moments": [[o.text("en") for o in moments(state, seat)] for seat in seats],
        "unchanged": True,
    }


def choose(state: State, chooser: random.Random, bot: Any) -> tuple[list[int], Option, bool]:
    """An answer by chance, of any of those who may give one; as the page stores it, and whether ways are asked for."""
    decision = state.decision
    assert decision is not None
    acts = [o for seat in range(1, state.seats + 1) for o in moments(state, seat)]
    others = [d for d in decision.of_open_members() if d.seat != decision.seat]
    how, who = OWN, 0
    if acts and chooser.random() < 0.3:
        option = chooser.choice(acts)
        how, who = MOMENT, option.decision.seat
    elif others and chooser.random() < 0.6:
        other = chooser.choice(others)
        slot = other.words[1] + 3 + other.open_slot  # FP and the link of a frame
        option, how, who = chooser.choice(other.options), MEMBER, other.words[slot]
    elif decision.site.by_default or chooser.random() < 0.2:
        option = chooser.choice(decision.options)
    else:
        option = bot.choose(state)
        how, who = (MOMENT, option.decision.seat) if is_moment(option) else (OWN, 0)
    paying = chooser.random() < 0.8
    raw = option.raw
    code = raw.code[0]
    values = () if raw.kind in ("ready", DECLINE) else raw.values
    return [how + PAYING * paying, who, KIND_NAMES.index(raw.kind), code, *values], option, paying


def play(
    game: Game, seats: int, seed: int, most: int, options: dict[str, Any]
) -> tuple[list[Any], list[Any], Counter[str]]:
    """Answers of a game by chance, what is seen after each, and how often each sort of answer came."""
    state, chooser = game.new(seats=seats, seed=seed, options=options), random.Random(seed)
    bot = make_bot(BOT if game.program.evaluate >= 0 else "random", seed)
    given, looks, sorts = [], [look(state)], Counter[str]()
    while not state.over and len(given) < most:
        row, option, paying = choose(state, chooser, bot)
        decision = option.decision
        sorts["way"] += decision.site.by_default
        sorts["moment"] += is_moment(option)
        sorts["open"] += state.decision is not None and decision.seat != state.decision.seat and not is_moment(option)
        apply(state, option, paying)
        given.append(row)
        looks.append(look(state))
    return given, looks, sorts


def numbers_of(game: Game, options: dict[str, str]) -> dict[str, str]:
    """The values of options as a page holds them."""
    found = {}
    for info in game.program.options:
        if info.name in options:
            domain = game.program.domains[info.domain]
            found[info.name] = str(domain.values[domain.ids.index(options[info.name])])
    return found


def compare(page: Any, game: Game, seats: int, seed: int, most: int, options: dict[str, Any]) -> Counter[str]:
    given, looks, sorts = play(game, seats, seed, most, options)
    numbers = {name: int(value) for name, value in numbers_of(game, options).items()}
    found = page.drive(given=given, seats=seats, seed=seed, options=numbers, langs=["en"], lines=LINES)
    for n, (seen, real) in enumerate(zip(found["looks"], looks, strict=False)):
        for key, value in real.items():
            assert seen[key] == value, (n, key)
    assert len(found["looks"]) == len(looks) and not found["gaveUp"]
    assert found["saved"] == given
    return sorts


def test_an_action_at_any_moment_is_taken_as_in_python(page_of: Any) -> None:
    game, page = load("dominant_species"), page_of("dominant_species")
    assert compare(page, game, 3, 4, 150, MANUAL)["moment"] > 5


def test_ways_to_pay_are_offered_and_told_as_in_python(page_of: Any) -> None:
    assert compare(page_of("through_the_ages"), load("through_the_ages"), 3, 7, 200, {})["way"] > 5


MEALS = (
    FOOD
    + """
phase game
    move 2 token from bank to p1.spare
    move 4 token from bank to p1.ones
    move 4 token from bank to p1.fives
    move 3 token from bank to p1.reserve
    for every n in 1..3
        choose number k in 1..2 by p1
        pay 4 + k food by p1 as meal
"""
)


def test_change_that_comes_back_is_told(page_of: Any) -> None:
    game, page = start(MEALS).game, page_of(start(MEALS).game)
    assert sum(compare(page, game, 2, seed, 20, {})["way"] for seed in range(4)) > 3
    given, looks, _ = play(game, 2, 1, 20, {})
    assert given and any("change" in line for look_ in looks for lines in look_["lines"] for line in lines)


def test_ways_to_gain_are_told_as_in_python(page_of: Any) -> None:
    game = start(SHOP.format(before="set p1.days to 0"), seats=(2, 2)).game
    found = sum((compare(page_of(game), game, 2, seed, 20, {}) for seed in range(4)), Counter[str]())
    assert found["way"] > 5


BAZAAR = """
piece coin
kind Seat
    zone purse: coin
action take(p: Seat, n: 1..2) of bazaar
    require p.purse + n < 6
    gain n coin by p
action waste(p: Seat) of bazaar
    lose 1 coin by p
phase game
    open to p in seats at most 5 per p: offer bazaar by p or decline
"""


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_members_of_an_open_loop_answer_in_any_order(page_of: Any, seed: int) -> None:
    game = start(BAZAAR).game
    assert compare(page_of(game), game, 3, seed, 40, {})["open"] > 2


@pytest.mark.soak
def test_nations_trade_in_any_order(page_of: Any) -> None:
    sorts = compare(page_of("civilization"), load("civilization"), 3, 2, 500, {})
    assert sorts["open"] > 2


# ------------------------------------------------------------ as people use it


def test_a_person_answers_before_the_bots_or_lets_them(page_of: Any) -> None:
    opened = page_of(start(BAZAAR).game)
    page = opened.page
    begin(page, people="2")
    assert page.locator("#log li").count() == 0  # p1 is named, p2 may answer first
    assert "p1" in page.inner_text("#pass")
    page.locator("[data-option]").first.click()
    lines = page.locator("#log li").all_inner_texts()
    assert len(lines) == 1 and lines[0].startswith("p2")
    page.click("#undo")
    assert page.locator("#log li").count() == 0
    page.click("#pass")
    assert page.locator("#log li").first.inner_text().startswith("p1")
    page.wait_for_selector("[data-option]")
    assert opened.said == []


def test_two_people_may_both_answer(page_of: Any) -> None:
    page = page_of(start(BAZAAR).game).page
    begin(page, people="12")
    page.select_option("#view", "2")
    page.locator("[data-option]").first.click()
    assert page.inner_text("#log").startswith("p2")
    page.select_option("#view", "1")
    page.locator("[data-option]").first.click()
    assert page.locator("#log li").nth(1).inner_text().startswith("p1")


def test_an_action_at_any_moment_is_a_button(page_of: Any) -> None:
    page = page_of("dominant_species").page
    page.locator("#setup").evaluate("(e) => { e.open = true; }")
    page.select_option("#new-option-dominance_claims", numbers_of(load("dominant_species"), MANUAL)["dominance_claims"])
    begin(page, people="1")
    for _ in range(100):
        if page.locator("[data-moment]").count():
            break
        page.locator("[data-option]").first.click()
        page.wait_for_selector("[data-option]")
    asked, before = page.inner_text("#prompt"), page.inner_text("#digest")
    page.locator("#moments").evaluate("(e) => { e.open = true; }")
    lines = page.locator("#log li").count()
    page.locator("[data-moment]").first.click()
    assert page.inner_text("#digest") != before and page.inner_text("#prompt") == asked
    assert page.locator("#log li").count() == lines + 1


def test_whoever_wishes_is_asked_how_to_pay(page_of: Any) -> None:
    page = page_of(start(MEALS).game).page
    begin(page, people="1")
    page.locator("[data-option]").first.click()
    assert page.locator("#log li").count() == 1 and "game.k" in page.inner_text("#prompt")
    page.click("#undo")
    page.check("#paying")
    page.locator("[data-option]").first.click()
    assert page.inner_text("#prompt") == "How do you pay?" and page.locator("[data-option]").count() > 1
    page.locator("[data-option]").nth(1).click()
    assert "pays" in page.inner_text("#log")
