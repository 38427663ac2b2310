"""Whole games between pages of a browser, each of which takes any option that it is offered, to the end and without an
error in any of them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.chromium import chromium
from tests.tools.web.browser import Browser
from tests.tools.web.site import Site, running

pytestmark = [pytest.mark.browser, pytest.mark.soak]
LONG = os.environ.get("RULEWRIGHT_WHOLE_GAMES") == "long"  # also those that take half an hour
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
LONG_GAMES = [
    ("dominant_species+short_game", 3, ""),
    ("bios_origins", 2, ""),
    ("dominant_species", 3, ""),
    ("civilization", 4, "short"),
]


@pytest.mark.parametrize(("game", "seats", "preset"), [*SHORT_GAMES, *(LONG_GAMES if LONG else ())])
def test_pages_play_a_game_to_its_end(browser: Browser, site: Site, game: str, seats: int, preset: str) -> None:
    _, links = browser.open(game, *["person"] * seats, **({"preset": preset} if preset else {}))
    pages = [browser.page().go(links[str(seat)]) for seat in range(1, seats + 1)]
    onlooker = browser.page().go(links["watch"])
    begun, room = time.monotonic(), site.room
    for number, page in enumerate(pages, 1):
        page.page.evaluate(PLAYER, 1000 * number + seats)
    while not room.table.over and not room.fault and time.monotonic() - begun < PATIENCE:
        time.sleep(0.2)
        pages[0].ask("v")  # lets the driver hear what the pages have noted
    told = f"{game}: {room.table.version} answers in {time.monotonic() - begun:.0f} s"
    print(told)
    assert not room.fault and room.table.over, told
    for page in [*pages, onlooker]:
        page.until("/over/i.test(document.getElementById('prompt').textContent)")
