"""Whole games between pages of a browser, to the end and without an error in any of them: pages that take any option
that is offered, and pages that play for points, since games with much to do do not end by chance."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.chromium import chromium
from tests.tools.web.browser import Browser, Page
from tests.tools.web.players import Players
from tests.tools.web.site import Site, running

pytestmark = [pytest.mark.browser, pytest.mark.soak]
LONG = os.environ.get("RULEWRIGHT_WHOLE_GAMES") == "long"  # also those that take minutes
PATIENCE = 3000 if LONG else 240  # seconds that a game may take

# A page that plays: it takes one option of each version, by a generator of its own, and no other way out of the game.
PLAYER = """seed => {
    let state = seed, taken = -1, since = 0;
    const below = n => (state = (state * 1103515245 + 12345) % 2147483648, Math.floor(state / 65536) % n);
    setInterval(() => {
        if (v === taken && performance.now() - since < 3000) return;
        let buttons = [...document.querySelectorAll("#ask [data-do]")];
        const others = buttons.filter(one => !/resign/i.test(one.textContent));
        if (others.length) buttons = others;
        if (!buttons.length) return;
        taken = v; since = performance.now();
        const button = buttons[below(buttons.length)];
        delete button.dataset.sure;
        button.click();
    }, 5);
}"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running(tmp_path / "tables.sqlite") as found:
        yield found


@pytest.fixture
def browser(site: Site) -> Iterator[Browser]:
    with chromium() as started:
        found = Browser(started, site)
        yield found
    assert found.faults == []


SHORT_GAMES = [("love_letter", 3, ""), ("bios_mesofauna", 1, "solitaire"), ("through_the_ages", 2, "")]
LONG_GAMES = [("bios_origins", 2, "")]
WELL_PLAYED = [("dominant_species", 3, ""), ("civilization", 4, "short")]


def sit(browser: Browser, game: str, seats: int, preset: str) -> tuple[dict[int, Page], Page]:
    """A page for each seat, and one of an onlooker."""
    _, links = browser.open(game, *["person"] * seats, **({"preset": preset} if preset else {}))
    return {seat: browser.page().go(links[str(seat)]) for seat in range(1, seats + 1)}, browser.page().go(
        links["watch"]
    )


def is_told_that_it_is_over(page: Page) -> None:
    page.until("/over/i.test(document.getElementById('prompt').textContent)")


@pytest.mark.parametrize(("game", "seats", "preset"), [*SHORT_GAMES, *(LONG_GAMES if LONG else ())])
def test_pages_play_a_game_to_its_end(browser: Browser, site: Site, game: str, seats: int, preset: str) -> None:
    pages, onlooker = sit(browser, game, seats, preset)
    begun, room = time.monotonic(), site.room
    for number, page in pages.items():
        page.page.evaluate(PLAYER, 1000 * number + seats)
    while not room.table.over and not room.fault and time.monotonic() - begun < PATIENCE:
        time.sleep(0.2)
        pages[1].ask("v")  # lets the driver hear what the pages have noted
    told = f"{game}: {room.table.version} answers in {time.monotonic() - begun:.0f} s"
    print(told)
    assert not room.fault and room.table.over, told
    for page in [*pages.values(), onlooker]:
        is_told_that_it_is_over(page)


@pytest.mark.parametrize(("game", "seats", "preset"), WELL_PLAYED)
def test_pages_play_well(browser: Browser, site: Site, game: str, seats: int, preset: str) -> None:
    """To the end, or for a minute."""
    pages, onlooker = sit(browser, game, seats, preset)
    players = Players(browser, site, pages)
    seconds = players.play(PATIENCE if LONG else 60)
    told = f"{game}: {players.answers} answers in {seconds:.0f} s, {players.together} where others could have answered"
    print(told, f"at most {players.longest:.1f} s behind", dict(players.clicks.most_common()))
    assert not site.room.fault and players.answers > 20, told
    if not LONG:
        return
    assert site.room.table.over, told
    for page in [*pages.values(), onlooker]:
        is_told_that_it_is_over(page)
    if game == "civilization":
        assert players.together and players.clicks["propose"] and players.clicks["accept"], "nobody has traded"
