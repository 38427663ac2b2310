"""What stands on a terminal while a person chooses: it fits, nothing is lost, places carry the numbers of options."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
from rich.cells import cell_len

from interpreter import State, apply, copy
from tests.conformance.tables import ROOT, is_large
from tools.base.console import CommandConsole
from tools.base.loading import load_game
from tools.display.map import things_on_map
from tools.simulation.bots import make_bot
from tools.table.table import Table
from tools.terminal.screen import Screen

GAMES = ("dominant_species", "through_the_ages", "civilization", "bios_mesofauna", "hex", "othello", "nim")
SIZES = ((80, 24), (40, 24), (200, 50))


def screen_for(state: State, width: int, height: int, lang: str) -> Screen:
    assert state.decision is not None
    screen = Screen(Table(state, frozenset({state.decision.seat})), lang)
    screen.console = CommandConsole(
        force_terminal=True,
        color_system=None,
        highlight=False,
        markup=False,
        emoji=False,
        width=width,
        height=height,
        file=io.StringIO(),
    )
    return screen


def printed(screen: Screen) -> list[str]:
    """The lines printed since the last call; the first one, if it is empty, may be above the screen."""
    file = screen.console.file
    assert isinstance(file, io.StringIO)
    lines = file.getvalue().splitlines()
    file.seek(0)
    file.truncate()
    return lines[1:] if lines and not lines[0] else lines


def screens(screen: Screen) -> Iterator[list[str]]:
    """All that a person sees of a question by pressing Enter until it begins again."""
    screen.show_question(draw=True)
    yield printed(screen)
    while True:
        screen.show_more()
        if (screen.page, screen.part) == (0, 0):
            return
        yield printed(screen)


def positions(name: str, every: int, last: int) -> Iterator[State]:
    """Positions of a game of bots, one in `every`."""
    game = load_game(name)
    state = game.new(seats=min(game.program.seats[1], 4), seed=7)
    bot = make_bot("greedy" if game.program.evaluate >= 0 else "random", 7)
    for number in range(last):
        if state.decision is None:
            return
        if number % every == 0:
            yield copy(state)
        apply(state, bot.choose(state))


@pytest.mark.parametrize("name", GAMES)
def test_every_screen_fits_and_together_they_show_all_options(name: str) -> None:
    every = 130 if is_large(ROOT / "rulesets" / name) else 43
    for number, state in enumerate(positions(name, every, 260)):
        for size, (width, height) in enumerate(SIZES):
            lang = ("en", "ja")[(number + size) % 2]
            screen = screen_for(state, width, height, lang)
            found = list(screens(screen))
            for lines in found:
                picture = f"{name} {lang} {width}x{height}\n" + "\n".join(lines)
                assert max(map(cell_len, lines)) <= width, picture
                assert len(lines) + 1 <= height, picture
            text = "\n".join(line for lines in found for line in lines)
            if screen.decision.shape != "number":
                for label, option in screen.listing().rows:
                    assert re.search(rf"(^|\s){label} +{re.escape(option.text(lang)[:1])}", text, re.M), (label, text)


def test_offered_places_carry_their_numbers_on_the_map_above_the_question() -> None:
    """On each map that is shown, every place has one number or one range, and all of them have one on some map."""
    asked = set()
    for state in positions("dominant_species", 3, 400):
        assert state.decision is not None
        if (site := state.decision.address) in asked:
            continue
        asked.add(site)
        screen = screen_for(state, 80, 24, "en")
        on_map = things_on_map(state.game.program)
        for page in screen.pages():
            for mark in (mark for thing, mark in page.marks.items() if thing in on_map):
                assert re.fullmatch(r"\d+(-\d+)?", mark), (site, mark)
        wanted = {mark for page in screen.pages() for thing, mark in page.marks.items() if thing in on_map}
        question = screen.question_lines()[0].plain
        above = [line for lines in screens(screen) if wanted for line in lines[: lines.index(question)]]
        shown = set(re.findall(r"\d+-\d+|(?<![A-Z])\d+", "\n".join(above)))
        assert wanted <= shown, (site, wanted - shown)
    assert {"plant.e", "speciate.c", "speciate.n", "wander.k", "migrate.n", "dominate.h"} <= asked


def test_names_of_what_is_left_out_are_not_torn() -> None:
    """In one line, as many of them as fit."""
    state = next(positions("dominant_species", 1, 1))
    screen = screen_for(state, 40, 24, "en")
    names = ["Earth", "Animals", "Dominance cards"]
    assert screen.left_out_line(names[:1]).plain == "-- left out ('board NAME' draws one): E…"
    screen = screen_for(state, 55, 24, "en")
    assert screen.left_out_line(names).plain == "-- left out ('board NAME' draws one): Earth … --"
    assert screen.left_out_line(names[:2]).plain == "-- left out ('board NAME' draws one): Earth, Animals --"
