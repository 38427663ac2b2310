"""Options on the screen: those of several actions are listed beside the titles of the actions."""

from __future__ import annotations

import pytest

from interpreter import State
from tests.concepts.play import start
from tools.table.info import option_names
from tools.table.listing import list_options
from tools.terminal.options import option_lines

RULES = """
enum Cause: paid
kind Slot: 3
    zone card: Card max 1
kind Card: 4
kind Seat
    zone hand: Card
field sum: 0..9
action pick(p: Seat, s: Slot) of turn: require s.card is not none
action bid(p: Seat, n: 1..9) of turn: require n <= high
action rest(p: Seat) of turn: set sum to sum
value high: int = 6
phase game
    move card_4 to slot_1.card as paid
    move card_2 to slot_3.card as paid
    offer turn by p1 or decline
"""
TITLES = "pick: {title: Cards, pick: 'card {s.card}'}\nbid: {title: Bids, pick: '{n} coins'}\n"


def small(texts: str) -> State:
    return start(RULES, {"locale/en.yaml": texts})


def shown(state: State, width: int = 40) -> list[str]:
    assert state.decision is not None
    return [line.plain for line in option_lines(list_options(state.decision, "en"), width)]


def test_the_title_of_an_action_stands_beside_its_options() -> None:
    assert shown(small(TITLES + "rest: {title: Nothing, pick: wait}\n")) == [
        "  Cards     1 card card_4",
        "            2 card card_2",
        "  Bids      3 1 coins    6 4 coins",
        "            4 2 coins    7 5 coins",
        "            5 3 coins    8 6 coins",
        "  Nothing   9 wait",
        "           10 Decline",
    ]


@pytest.mark.parametrize("texts", ["", TITLES])
def test_without_a_title_for_every_action_there_is_one_list(texts: str) -> None:
    assert not any("Bids" in line for line in shown(small(texts)))


def test_an_option_is_about_what_lies_in_the_place_that_it_names() -> None:
    state = small("")
    assert state.decision is not None
    names = [option_names(state, 1, option) for option in state.decision.options]
    assert names[:3] == [["card_4"], ["card_2"], ["bid"]]


LONG = """
kind Place: 12
kind Seat
phase game
    choose x in Place by p1
"""
LONGER = " beyond the mountains"
NAMES = ", ".join(f"place_{n}: Place {n} of the north{LONGER * (n == 7)}" for n in range(1, 13))


def test_options_that_only_fit_one_after_the_other_are_listed_so() -> None:
    """One long text makes a single column of all; with less room than it takes, all are there nevertheless."""
    state = start(LONG, {"locale/en.yaml": f"Place: {{{NAMES}}}"})
    assert state.decision is not None
    listing = list_options(state.decision, "en")
    assert len(option_lines(listing, 60)) == len(option_lines(listing, 60, room=12)) == 12
    flowing = option_lines(listing, 60, room=11)
    assert len(flowing) < 9 and "7 Place 7 of the north beyond" in "\n".join(line.plain for line in flowing)
    assert len(option_lines(listing, 60, room=2)) == 12, "where neither fits, columns are paged"
