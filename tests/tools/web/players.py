"""Whoever plays a table by its pages: each page clicks what a greedy bot would answer at its seat."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from interpreter import Option, copy, moments
from tests.tools.web.browser import Browser, Page
from tests.tools.web.site import Site
from tools.simulation.bots import GreedyBot
from tools.web.running.room import Room

T = TypeVar("T")
AGAIN = 2.0  # seconds after which a click that came to nothing is made again
SLOWEST = 60.0  # seconds that a page may be behind the room, on a machine that has much to do
TELLING = 60.0  # seconds between two lines about how far the game is

# Click the button of an answer, if the page has come to this version; nothing is asked back.
CLICK = """([at, kind, number]) => {
    const button = v === at && document.querySelector(`#ask [data-${kind}="${number}"]`);
    if (!button) return false;
    delete button.dataset.sure;
    button.click();
    return true;
}"""


@dataclass(frozen=True)
class Wish:
    """What a seat wants: the version it looked at, which kind of button (`do` or `now`), its number, and what it is."""

    version: int
    kind: str
    number: int
    case: str


@dataclass
class Players:
    """`pages`: seat -> its page. `clicks`: how often each action was taken; `together`: how many of the `answers` were
    given where several seats could have answered; `longest`: how many seconds a page was behind the room at most."""

    browser: Browser
    site: Site
    pages: dict[int, Page]
    clicks: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    together: int = 0
    longest: float = 0.0

    def __post_init__(self) -> None:
        self.bots = {seat: GreedyBot(seat) for seat in self.pages}

    @property
    def room(self) -> Room:
        found: Room = self.site.room
        return found

    def play(self, patience: float) -> float:
        """Play until the game is over, has failed, or time is up. Gives the seconds that it took."""
        begun = told = time.monotonic()
        last = 0
        while not self.room.table.over and not self.room.fault and time.monotonic() - begun < patience:
            last = self.one_answer(last)
            if time.monotonic() - told > TELLING:
                told = time.monotonic()
                print(f"{told - begun:.0f} s: {self.answers} answers, {dict(self.clicks.most_common(5))}", flush=True)
        return time.monotonic() - begun

    def one_answer(self, last: int) -> int:
        """Let one of those who may answer do so: whoever comes after the one who answered last. Gives its seat."""
        seats = self.at_the_server(self.seats)
        if not seats:
            self.pages[1].ask("v")  # nobody is awaited for now, or the room is still at work
            return last
        seat = next((seat for seat in seats if seat > last), seats[0])
        wish = self.at_the_server(lambda: self.wish(seat))
        if self.click(self.pages[seat], wish):
            self.answers += 1
            self.together += len(seats) > 1
            self.clicks[wish.case] += 1
        return seat

    def click(self, page: Page, wish: Wish) -> bool:
        """Click, and wait until the room has taken it; False if it did not."""
        begun = time.monotonic()
        while not page.page.evaluate(CLICK, [wish.version, wish.kind, wish.number]):
            if time.monotonic() > begun + SLOWEST:
                raise AssertionError(f"no button for {wish} in version {page.version}: {page.text('#ask')}")
        self.longest = max(self.longest, time.monotonic() - begun)
        end = time.monotonic() + AGAIN
        while self.room.version == wish.version:
            if time.monotonic() > end:
                return False
            page.ask("v")
        return True

    # ------------------------------------------------------------ on the thread of the server, which has the game

    def at_the_server(self, look: Callable[[], T]) -> T:
        async def looked() -> T:
            return look()

        assert self.site.loop is not None
        return asyncio.run_coroutine_threadsafe(looked(), self.site.loop).result()

    def seats(self) -> list[int]:
        """The seats that may answer now."""
        table = self.room.table
        return [] if self.room.fault else [seat for seat in self.pages if table.asked(seat) is not None]

    def wish(self, seat: int) -> Wish:
        """What a greedy bot would answer at this seat, were it asked first."""
        table = self.room.table
        decision = table.asked(seat)
        assert decision is not None
        asked = copy(table.state)
        if asked.decision is None or asked.decision.seat != seat:
            asked.replace_words(decision.words, decision.offers, decision.withheld)
        option = self.bots[seat].choose(asked)
        now = option.decision.address != decision.address
        among = moments(table.state, seat) if now else decision.options
        case = option.decision.case(option.raw) or option.kind
        return Wish(self.room.version, "now" if now else "do", number_of(option, among), case)


def number_of(option: Option, among: list[Option]) -> int:
    return next(number for number, one in enumerate(among) if one.raw == option.raw)
