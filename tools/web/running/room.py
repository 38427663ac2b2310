"""A table that is being played: its places, its viewers, its bots, and what is kept of it.

All that comes from a browser ends in `act`. An answer to another version than the present one changes nothing. A fault
of the ruleset ends this table and no other; the game is kept as it was before it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from interpreter import IllegalAnswer, Option, RulesetError
from interpreter.bots.levels import GREEDY, JUDGING, RANDOM, levels
from tools.table.log import Log
from tools.table.table import Table
from tools.web.page.about import trial
from tools.web.page.away import NEVER, Presence
from tools.web.page.drawn import Before, Drawn, drawn_table
from tools.web.running.past import Past
from tools.web.running.secrets import HOT
from tools.web.running.steps import Written
from tools.web.running.store import TableStore
from tools.web.running.thinking import Thinkers
from tools.web.running.viewers import Known, Viewer

PERSON, HERE = "person", "here"  # who sits at a seat, if it is no bot
QUIET = 300.0  # seconds after which a person who has a page open may have gone away
STAND_IN = "club"  # the bot that takes over for a person, where it can be had
BETWEEN = 0.25  # seconds after which the answers of bots are shown, though more of them follow


@dataclass(eq=False)
class Room:
    """`rules`: what the ruleset is named by; `sitting`: seat -> who sits there, of bots the name; `hashes`: place ->
    hash of its secret; `patience`: seconds that people are waited for, if there is another one; `since`: when the
    position or those who play it last changed; `closed`: it was removed, or the server ends."""

    id: str
    rules: str
    table: Table
    sitting: dict[int, str]
    hashes: dict[str, str]
    store: TableStore
    thinkers: Thinkers
    fault: str = ""
    closed: bool = False
    patience: int = NEVER
    since: float = field(default_factory=lambda: time.time())  # on the wall: it may be kept for days
    gone_shown: int = 0  # the seat that the pages tell of as gone
    moved: int = 0  # lines of its log that were played under other rules first
    viewers: set[Viewer] = field(default_factory=set)
    kept: Written = field(default_factory=Written)  # what was kept last
    pictures: dict[tuple[int | None, str, int, Presence], Drawn] = field(default_factory=dict)  # of the present version
    edits: Known = field(default_factory=dict)  # to the pages of the present version
    bots: asyncio.Task[None] | None = None
    version: int = 0  # grows with every change, also of who waits
    logs: dict[tuple[int | None, str], Log] = field(default_factory=dict)  # of the readers that have looked
    before: dict[str, Before] = field(default_factory=dict)  # by language, what was drawn last
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # to draw for those who have not clicked, at all tables
    replay: Past | None = None  # made when somebody looks back
    used: float = field(default_factory=time.monotonic)  # when somebody last looked or answered

    # ------------------------------------------------------------ who may what

    @property
    def here(self) -> list[int]:
        """The seats of the people at one screen who play themselves."""
        return [seat for seat in sorted(self.table.people) if self.sitting[seat] == HERE]

    @property
    def is_solo(self) -> bool:
        """Whether one person alone plays, so that a save tells nobody what others hold."""
        return len([who for who in self.sitting.values() if who in (PERSON, HERE)]) == 1

    @property
    def at_rest(self) -> bool:
        """True if nobody looks and no bot thinks, so that it can be put away."""
        return not self.viewers and (self.bots is None or self.bots.done())

    @property
    def may_be_saved(self) -> bool:
        """Whether the game may leave the server: a save holds every card and everything that was drawn."""
        return self.table.over or self.is_solo

    def next_up(self, viewer: Viewer) -> int:
        """The seat that is awaited behind the curtain at a common screen; 0: no curtain."""
        if viewer.place != HOT or self.table.over:
            return 0
        waiting = self.table.lets_others_answer
        seats = [s for s in self.here if self.table.asked(s) is not None and not waiting(s)]
        return seats[0] if seats and viewer.up not in seats else 0

    def turn_screen(self, viewer: Viewer) -> None:
        """Give the common screen to the one who is asked; at once, where nobody has secrets from another."""
        if viewer.place != HOT:
            return
        open_ = not self.table.state.game.has_secrets or len(self.here) == 1
        if seat := self.next_up(viewer):
            viewer.up = seat if open_ else 0
        elif len(self.here) == 1:
            viewer.up = self.here[0]

    # ------------------------------------------------------------ who has gone away

    def place_of(self, seat: int) -> str:
        """The place of a person."""
        return HOT if self.sitting[seat] == HERE else str(seat)

    def gone(self) -> int:
        """The seat that all wait for, if its person has gone away: none of its pages is open, or nothing has come for
        long; 0: no such seat."""
        seat = 0 if self.fault else self.table.person_to_ask()
        looks = seat and any(one.place == self.place_of(seat) for one in self.viewers)
        return 0 if looks and time.time() - self.since < QUIET else seat

    def presence(self, viewer: Viewer) -> Presence:
        """The presence of others, as a viewer is told of it."""
        gone = self.gone()
        own = [seat for seat in sorted(self.table.away) if self.place_of(seat) == viewer.place and not self.table.ended]
        return Presence(0 if gone and self.place_of(gone) == viewer.place else gone, tuple(own), self.patience)

    def look_around(self) -> bool:
        """True if a person who is waited for has come or gone since the pages were drawn, which are old then."""
        if (now := self.gone()) == self.gone_shown:
            return False
        self.gone_shown = now
        self.pictures.clear()
        for viewer in self.viewers:
            if viewer.seat in self.table.people:  # others are not told
                viewer.seen = -1
        return True

    def keep_time(self) -> bool:
        """Let a bot take over for whoever has kept others waiting for as long as the table was opened with. True if
        pages are out of date."""
        seat = self.table.person_to_ask()
        late = self.patience and time.time() - self.since >= self.patience and not self.fault
        if late and seat and self.table.people - {seat}:
            return self.change(partial(self.table.take_over, seat))
        return self.look_around()

    def bot_of(self, seat: int) -> str:
        """The name of the bot that plays a seat, maybe for its person."""
        who = self.sitting[seat]
        if who in JUDGING and self.table.state.game.program.evaluate < 0:
            return RANDOM  # the rules do not say what is good
        if who not in (PERSON, HERE):
            return who
        able = levels(self.table.state.game)
        return next(name for name in (STAND_IN, GREEDY, RANDOM) if name in able)

    # ------------------------------------------------------------ what comes from browsers

    def act(self, viewer: Viewer, told: dict[str, Any]) -> bool | str:
        """Do what a viewer has sent. True: the table has changed; False: nothing has; a text: HTML that answers it."""
        self.used = time.monotonic()
        seat = viewer.seat if viewer.seat in self.table.people else 0  # an onlooker answers for none
        if is_number_below(back := told.get("back"), self.table.state.seats + 1) and not (self.fault or self.closed):
            return back in self.presence(viewer).back and self.change(partial(self.table.come_back, back))
        if told.get("v") != self.version or self.fault or self.closed:
            return False
        if told.get("up") and (awaited := self.next_up(viewer)):
            viewer.up, viewer.seen = awaited, -1
            return True
        decision = self.table.asked(seat) if seat else None
        for key in ("do", "pay"):
            if (number := told.get(key)) is not None:
                return decision is not None and self.take(seat, decision.options, number, paying=key == "pay")
        if (number := told.get("try")) is not None:
            found = decision is not None and is_number_below(number, len(decision.options))
            return trial(self.table.state, decision, number, viewer.lang) if found and decision is not None else False
        if (number := told.get("now")) is not None:
            return bool(seat) and self.take(seat, self.table.moments(seat), number)
        if told.get("ask_bot"):
            gone = self.presence(viewer).gone
            able = bool(seat) and gone == told["ask_bot"]
            return able and self.change(partial(self.ask_all, lambda one: self.table.ask_bot(one, gone), seat))
        return bool(seat) and self.beside(seat, told)

    def beside(self, seat: int, told: dict[str, Any]) -> bool:
        """Take back, do again, let others go first; ask all to take back or to end the game, agree or refuse."""
        ways: dict[str, Callable[[int], bool]] = {
            "undo": self.table.undo, "redo": self.table.redo, "wait": self.table.wait,
            "ask_back": partial(self.ask_all, self.table.ask_back),
            "ask_end": partial(self.ask_all, self.table.ask_end),
            "agree": partial(self.reply, True), "refuse": partial(self.reply, False),
        }  # fmt: skip
        return next((self.change(partial(act, seat)) for key, act in ways.items() if told.get(key)), False)

    def ask_all(self, ask: Callable[[int], bool], seat: int) -> bool:
        """Ask something of all people; those at the screen of this seat agree aloud."""
        if not ask(seat):
            return False
        self.reply(True, seat)
        return True

    def reply(self, agrees: bool, seat: int) -> bool:
        """Reply to a request for all at the screen of this seat."""
        screen = self.here if seat in self.here else [seat]
        return any([self.table.reply(one, agrees) for one in screen])

    def take(self, seat: int, options: list[Option], number: Any, paying: bool = False) -> bool:
        if not is_number_below(number, len(options)):
            return False
        return self.change(lambda: self.table.answer(seat, options[number], paying))

    def change(self, act: Callable[[], object]) -> bool:
        """Let `act` change the table, and keep what came of it. True if it changed, or if it has come to a fault."""
        stood = self.table.state, len(self.table.notices)
        try:
            if act() is False:
                return False
        except IllegalAnswer:
            return False
        except RulesetError as fault:
            self.fault = self.told(fault)
        if stood != (self.table.state, len(self.table.notices)):
            self.since = time.time()
        self.note()
        return True

    def note(self) -> None:
        """Note that something has changed, and keep it."""
        self.version += 1
        self.gone_shown = self.gone()
        self.pictures.clear()
        self.edits.clear()
        for log in self.logs.values():  # of those as well who do not look now: events are not kept for long
            log.follow(self.table)
        self.keep()

    def stop(self, fault: Exception) -> None:
        """End this table and no other, where the program itself has failed; the game is as it was before."""
        self.fault = self.told(fault)
        self.note()

    def told(self, fault: Exception) -> str:
        """What all at the table are told of a fault: where it is. What it says may name what not all may know, so that
        is told on the server alone."""
        print(f"table {self.id}: {type(fault).__name__}: {fault}", file=sys.stderr)
        return (fault.where if isinstance(fault, RulesetError) else "") or type(fault).__name__

    def keep(self) -> None:
        self.kept = self.store.keep(self.id, self.setup(), self.table, self.version, self.fault, self.kept)

    def setup(self) -> dict[str, Any]:
        """What the store keeps of a table besides its game."""
        notices = [one.to_json() for one in self.table.notices]
        return {"sitting": list(self.sitting.values()), "moved": self.moved, "patience": self.patience,
                "since": self.since, "notices": notices}  # fmt: skip

    # ------------------------------------------------------------ bots

    def wake_bots(self) -> None:
        """Let the bots answer, one answer between two turns of the server's loop; what they think about they think
        beside it."""
        if self.bots is None or self.bots.done():
            self.bots = asyncio.create_task(self.play_bots())

    async def play_bots(self) -> None:
        shown, seen = time.monotonic(), -1
        while await self.one_bot_answer() or self.version != seen:  # somebody may answer while the last picture is sent
            if not self.bots_awaited() or time.monotonic() - shown > BETWEEN:
                seen = self.version
                await self.push()
                shown = time.monotonic()
            await asyncio.sleep(0)

    def bots_awaited(self) -> bool:
        return not (self.fault or self.closed) and bool(self.table.bot_to_ask())

    async def one_bot_answer(self) -> bool:
        """Let the bot that is asked answer, if one is; False if none is."""
        if not self.bots_awaited():
            return False
        state, bot = self.table.state, self.bot_of(self.table.bot_to_ask())

        def stands() -> bool:
            return self.table.state is state and self.bots_awaited()

        try:
            if bot == RANDOM:
                return self.change(self.table.bot_turn)
            option = await self.thinkers.choose(bot, state, stands)
            if option is not None and stands():  # else somebody has gone back, or away from the table
                self.change(partial(self.table.bot_answer, option))
            return True
        except Exception as fault:  # of this bot or the engine: it ends this table and no other
            if not self.closed:
                self.stop(fault)
            return False

    # ------------------------------------------------------------ pages

    def drawn(self, viewer: Viewer) -> Drawn:
        """The page of a viewer; drawn once for all who see the same."""
        self.turn_screen(viewer)
        next_up = self.next_up(viewer)
        there = self.presence(viewer)
        key = (viewer.seat, viewer.lang, next_up, there)
        if key not in self.pictures:
            table, seat, lang, log = self.table, viewer.seat, viewer.lang, self.log_of(viewer)
            kept = self.before.setdefault(lang, Before())
            try:
                self.pictures[key] = drawn_table(table, seat, lang, log, self.fault, next_up, kept, self.moved, there)
            except RulesetError as fault:  # such as one in a value of its display
                self.fault = self.fault or self.told(fault)
                self.pictures[key] = drawn_table(table, seat, lang, log, self.fault)
        return self.pictures[key]

    def log_of(self, viewer: Viewer) -> Log:
        """What the reader that a viewer is has been told."""
        key = (viewer.seat, viewer.lang)
        if key not in self.logs:
            self.logs[key] = Log(self.table.state, viewer.lang, viewer.seat)
        self.logs[key].follow(self.table)
        return self.logs[key]

    def past(self) -> Past:
        """The positions up to now."""
        self.replay = self.replay or Past(self.table.state)
        return self.replay

    async def push(self, first: Viewer | None = None) -> None:
        """Send every viewer what it does not have. The one who clicked is served first, before the others of all
        tables; a viewer for whom something newer is under way is left to that."""
        if first in self.viewers and first is not None and first.seen != self.version:
            await self.show(first)
        for viewer in list(self.viewers):
            await self.show_in_turn(viewer)

    async def show_in_turn(self, viewer: Viewer) -> None:
        """Show one who has not clicked. Between two turns of the server's loop only one such page is drawn, so that a
        click at any table waits for few of them."""
        if viewer.seen == self.version:
            return
        async with self.turn:
            await asyncio.sleep(0)
            if viewer not in self.viewers or viewer.seen == self.version:
                return
            message = self.message(viewer)
        await send(viewer, message)  # out of turn: a slow line keeps nobody waiting

    async def show(self, viewer: Viewer) -> None:
        """Send one viewer what it does not have."""
        await send(viewer, self.message(viewer))

    def message(self, viewer: Viewer) -> str:
        """What one viewer does not have; empty after a fault while drawing, which is told on the server alone."""
        try:
            return viewer.message(self.version, self.drawn(viewer), self.edits)
        except Exception as fault:  # of one table, which must not end the others
            print(f"table {self.id}: {type(fault).__name__}: {fault}", file=sys.stderr)
            return ""


async def send(viewer: Viewer, message: str) -> None:
    if message:
        with suppress(Exception):  # the line is gone; its own loop sees that
            await viewer.send(message)


def is_number_below(number: Any, end: int) -> bool:
    return type(number) is int and 0 <= number < end
