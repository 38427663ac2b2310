"""Bots that search, in a page: the same answers as in Python, found between looks at the page."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import apply, load
from tests.tools.page.test_page import begin
from tools.simulation.bots import make_bot

pytestmark = pytest.mark.browser
PAUSES = "async () => { for (let n = 0; n < 5; n++) await new Promise((done) => setTimeout(done)); }"


@pytest.mark.parametrize(("ruleset", "steps"), [("dominant_species", 12), ("connect_four", 8), ("love_letter", 12)])
def test_a_search_finds_what_it_finds_in_python(page_of: Any, ruleset: str, steps: int) -> None:
    """With `evaluate` and without, and with secrets; in one slice or several."""
    opened = page_of(ruleset)
    page, game = opened.page, load(ruleset)
    page.locator("#setup").evaluate("(e) => { e.open = true; }")
    page.fill("#trials", "40")
    begin(page, people="", bot="search")
    state, bot = game.new(seed=5), make_bot("search:40", 5)
    for _ in range(steps):
        before = page.inner_text("#digest")
        page.click("#step")
        page.wait_for_selector(f"#digest:not(:text('{before}'))")
        apply(state, bot.choose(state))
        assert page.inner_text("#digest") == state.digest()
    assert opened.said == []


def test_a_person_plays_a_bot_of_a_level(page_of: Any) -> None:
    page = page_of("connect_four").page
    shown = page.locator("#player-2 option").evaluate_all("(all) => all.map((one) => one.value)")
    assert shown == ["person", "random", "club", "expert", "search"]  # the rules do not say what is good
    begin(page, bot="club")
    page.locator("[data-option]").first.click()
    page.wait_for_selector("#log li:nth-child(2)")
    page.wait_for_selector("[data-option]")
    assert page.locator("#log li").count() == 2


def test_a_page_offers_bots_by_their_names(page_of: Any) -> None:
    page = page_of("dominant_species").page
    page.select_option("#language", "ja")
    texts = page.locator("#player-1 option").all_inner_texts()
    assert texts == ["人", "ランダムボット", "初級ボット", "貪欲ボット", "中級ボット", "上級ボット", "先を読むボット"]


def test_the_page_goes_on_while_a_bot_thinks_and_drops_what_nobody_waits_for(page_of: Any) -> None:
    """The search of this test never ends, and notes each slice."""
    opened = page_of("connect_four")
    page = opened.page
    page.evaluate(
        "() => { Rulewright.slices = 0; Rulewright.Search.prototype.grow = () => { Rulewright.slices += 1; }; }"
    )
    begin(page, bot="expert")
    page.locator("[data-option]").first.click()
    page.wait_for_selector("#log li")
    page.evaluate(PAUSES)
    assert page.locator("[data-option]").count() == 0 and page.locator("#log li").count() == 1
    page.select_option("#language", "ja")  # the page hears what people do
    assert "問い" in page.inner_text("#question")
    page.click("#undo")
    slices = page.evaluate("Rulewright.slices")
    page.evaluate(PAUSES)
    assert slices > 1 and page.evaluate("Rulewright.slices") == slices
    assert page.locator("#log li").count() == 0 and page.locator("[data-option]").count() > 0
    page.locator("[data-option]").nth(1).click()
    page.evaluate(PAUSES)
    page.click("#tab-games")  # random games use the same memory
    slices = page.evaluate("Rulewright.slices")
    page.evaluate(PAUSES)
    assert page.evaluate("Rulewright.slices") == slices
    page.click("#tab-play")
    page.evaluate(PAUSES)
    assert page.evaluate("Rulewright.slices") > slices and opened.said == []


def test_a_saved_game_says_how_often_its_bot_looks_ahead(page_of: Any) -> None:
    page = page_of("connect_four").page
    page.locator("#setup").evaluate("(e) => { e.open = true; }")
    page.fill("#trials", "7")
    begin(page, bot="search")
    page.click("#save")
    link = page.get_attribute("#link", "href")
    other = page_of("connect_four").page
    other.goto(link)
    other.wait_for_selector("[data-option]")
    assert other.evaluate("[Rulewright.page.begun.trials, Rulewright.page.begun.players[1]]") == [7, "search"]
