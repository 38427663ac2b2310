"""Playing on the board by keys alone: what can be chosen there is reached, named, seen, and chosen."""

from __future__ import annotations

import random
import re

import pytest

from tests.tools.web.browser import Browser, Page
from tools.table.table import Table

pytestmark = pytest.mark.browser
ACTIVE = "document.activeElement"


def tab_to_the_map(page: Page) -> None:
    for _ in range(40):
        page.page.keyboard.press("Tab")
        if page.ask(f"Boolean({ACTIVE}.closest('#map'))"):
            return
    raise AssertionError("Tab does not lead to the map")


def here(page: Page) -> str:
    return str(page.ask(f"{ACTIVE}.dataset.thing || {ACTIVE}.id"))


def test_places_are_reached_by_arrows_and_chosen_by_enter(browser: Browser) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.ready()
    tab_to_the_map(page)
    first = here(page)
    steps = []
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End", "Home"):
        page.page.keyboard.press(key)
        steps.append(here(page))
    row = steps[:2]
    assert len({first, *row}) == 3 and steps[2] == row[1], "at the edge it stays"
    assert steps[3] not in (first, *row) and steps[5] == row[0] and steps[7] == first
    assert page.ask("document.querySelectorAll('#map [tabindex=\"0\"]').length") == 1
    page.page.keyboard.press("Tab")
    assert not page.ask(f"Boolean({ACTIVE}.closest('#map'))"), "the map is one stop"
    page.page.keyboard.press("Shift+Tab")
    assert here(page) == first
    page.page.keyboard.press("ArrowRight")
    page.act(lambda: page.page.keyboard.press("Enter"))
    assert [f"Square.{e.ids[0]}" for e in browser.site.room.table.state.log] == [row[0]]
    assert page.ask(f"{ACTIVE}.matches('#map .can')") and here(page) != row[0], "and one goes on from there"
    page.act(lambda: page.page.keyboard.press(" "))
    assert page.site_log(browser) == 2 and page.ask("document.querySelectorAll('#map .can').length") == 7


def test_things_have_names_and_the_focus_is_seen(browser: Browser) -> None:
    page, _ = browser.open("tic_tac_toe", "here", "here")
    page.ready()
    tab_to_the_map(page)
    label, role = page.ask(f"[{ACTIVE}.getAttribute('aria-label'), {ACTIVE}.getAttribute('role')]")
    assert role == "button" and label.lower().startswith(here(page).partition(".")[2])
    names = page.ask("[...document.querySelectorAll('#map .can')].map(el => el.getAttribute('aria-label'))")
    assert len(set(names)) == 9 and all(names)
    assert page.ask("document.querySelector('#map svg.map').getAttribute('role')") == "group"
    style = f"getComputedStyle({ACTIVE})"
    assert page.ask(f"{style}.outlineStyle") == "dashed"
    other = "document.querySelectorAll('#map .can')[5]"
    assert page.ask(f"getComputedStyle({other}).outlineStyle") == "none"
    page.until("document.querySelector('#about button') !== null")  # what is told of it, as with the mouse


def test_what_cannot_be_chosen_any_more_is_no_stop(browser: Browser) -> None:
    _, links = browser.open("tic_tac_toe", "person", "person")
    page = browser.page().go(links["1"])
    tab_to_the_map(page)
    page.act(lambda: page.page.keyboard.press("Enter"))
    assert page.ask(f"{ACTIVE}.id") == "prompt", "it is the turn of the other"
    assert page.ask("document.querySelectorAll('#board [data-thing][tabindex], #board [data-thing][role]').length") == 0
    assert page.ask("document.querySelector('#map svg.map').getAttribute('role')") == "img"


def test_a_thing_with_several_answers_opens_their_list(browser: Browser) -> None:
    page, _ = browser.open("breakthrough", "here", "here")
    page.ready()
    tab_to_the_map(page)
    for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
        if page.ask(f"marks[{ACTIVE}.dataset.thing].length") > 1:
            break
        page.page.keyboard.press(key)
    assert page.ask(f"marks[{ACTIVE}.dataset.thing].length") > 1
    page.page.keyboard.press("Enter")
    page.until(f"{ACTIVE}.closest('#about button') !== null")
    page.page.keyboard.press("Tab")
    page.act(lambda: page.page.keyboard.press("Enter"))
    assert page.site_log(browser) == 1


def test_answers_below_headings_are_told_with_them(browser: Browser) -> None:
    _, links = browser.open("dominant_species", "person", "person")
    room = browser.site.room
    state = room.table.state.game.new(seats=2, seed=3, chance="ask")
    bots = Table(state, frozenset(), "random", chance=random.Random(1))
    while (decision := bots.state.decision) is not None:
        if decision.seat == 1 and decision.address == "wander.k" and len(decision.options) > 30:
            break
        bots.bot_turn()
    room.table.state = bots.state
    page = browser.page().go(links["1"])
    label = page.ask("document.querySelector('#map .can').getAttribute('aria-label')")
    assert re.fullmatch(r"(\w\d), stack 1 \1, stack 2 \1, stack 3 \1", label), label
    page.ask("document.querySelector('#map .can').focus()")
    page.page.keyboard.press("Enter")
    page.until("document.querySelectorAll('#about button').length === 3")
    assert re.search(r"stack 1 (\w\d).*stack 2 \1.*stack 3 \1", page.text("#about"), re.S)


def test_cards_are_reached_too(browser: Browser) -> None:
    _, links = browser.open("love_letter", "person", "person")
    page = browser.page().go(links["1"])
    assert page.ask("document.querySelectorAll('#board .can').length") > 0
    for _ in range(40):
        page.page.keyboard.press("Tab")
        if page.ask(f"{ACTIVE}.matches('#board .can')"):
            break
    assert page.ask(f"{ACTIVE}.matches('#board .can')")
    role, label, text = page.ask(f"[{ACTIVE}.role, {ACTIVE}.getAttribute('aria-label'), {ACTIVE}.textContent]")
    assert role == "button" and label is None and len(text) > 3, "it is named by what stands on it"
    page.page.keyboard.press("Enter")
    page.until(f"{ACTIVE}.matches('#about button') || v > 0")


def test_what_has_not_changed_on_a_map_stays_as_it_is_drawn(browser: Browser) -> None:
    page, _ = browser.open("hex", "here", "here")
    page.ready()
    page.ask("window.before = [...document.querySelectorAll('#map svg.map > *')]")
    count = page.ask("before.length")
    page.page.keyboard.press("Tab")  # the link to the log comes and goes, and moves nothing meanwhile
    for number in range(3):
        page.act(lambda: page.page.click("#ask [data-do] >> nth=20"))
        gone = page.ask("before.filter(el => !el.isConnected).length")
        assert 0 < gone <= 3 * (number + 1), (gone, count)
    shown = "document.getElementById('map').outerHTML"
    page.page.click("h1")  # no focus on the map
    before = page.ask(shown)
    page.page.reload()
    page.ready()
    assert page.ask(shown) == before
    page.act(lambda: page.page.keyboard.press("u"))
    page.act(lambda: page.page.keyboard.press("u"))
    assert page.ask("document.querySelectorAll('#map .can').length") == page.options


def test_a_large_map_is_edited_in_place_and_looking_back_leads_back(browser: Browser) -> None:
    page, links = browser.open("dominant_species", "here", "random")
    page.ready()
    for _ in range(4):
        page.until("document.querySelectorAll('#ask [data-do]').length > 0 && mine")
        page.act(lambda: page.page.click("#ask [data-do] >> nth=0"))
    page.until("document.querySelectorAll('#ask [data-do]').length > 0 && mine")
    shown = page.ask("Object.entries(parts).sort().map(([name, html]) => name + html).join()")
    page.page.fill("#slider", "1")
    page.until("document.body.classList.contains('past')")
    page.page.click("#now")
    map_ = page.ask("document.getElementById('map').textContent")
    page.page.reload()
    page.ready()
    page.until("mine")
    page.ask("draw(parts)")
    assert page.ask("Object.entries(parts).sort().map(([name, html]) => name + html).join()") == shown
    assert page.ask("document.getElementById('map').textContent") == map_
