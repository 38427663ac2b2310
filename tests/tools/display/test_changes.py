"""Reports besides the log: things that arrive in zones, and values that change."""

from __future__ import annotations

from interpreter import State
from tests.concepts.play import answer_all, start
from tools.display.board import board_lines
from tools.shows.changes import ChangeTracker

RULES = """
enum Cause: dealt
kind Card from "data/cards.yaml"
    const legs: 0..9
zone deck: Card ordered seen by nobody
zone table_: Card
zone pile: Card
kind Seat
    zone hand: Card seen by owner
    zone front: Card
field hour: 0..9
value sees(c: Card, p: Seat): bool = c in p.hand
value held_by(p: Seat, c: Card): int = 3 if c in p.hand else 0
value one_of_us(p: Seat, q: Seat): bool = p is q
phase game
    for every c in Card: move c to deck as dealt
    shuffle deck
    repeat
        choose one by p1
            case open_: move front(deck) to table_ as dealt
            case over: move first(c in table_) to pile as dealt
            case take: move front(deck) to p2.hand as dealt
            case lay: move front(deck) to p2.front as dealt
            case wait: set hour to min(hour + 1, 9)
"""
TEXTS = """
Card: {fox: Fox, owl: Owl, elk: Elk}
Card.fox.text: It is sly.
told: {shown: "shown: {it}. {text}", gift: "{whose} has {it}", clock: "from {was} to {it}"}
"""
DISPLAY = """
told:
  - {id: shown, come: [table_, pile]}
  - {id: gift, per: Seat, come: [hand, front]}
  - {id: clock, change: hour}
"""


def game(display: str, texts: str = "") -> State:
    data = {"data/cards.yaml": "Card: {fox: {legs: 4}, owl: {legs: 2}, elk: {legs: 4}}\n"}
    return start(
        RULES,
        {**data, "display.yaml": display, "locale/en.yaml": TEXTS + texts},
        seats=(2, 2),
        script=[["fox", "owl", "elk"]],
    )


def reported(state: State, seat: int | None, *answers: str) -> list[str]:
    news = ChangeTracker("en", seat)
    assert news.report(state) == [], "the first look tells nothing"
    return [line for answer in answers for line in news.report(answer_all(state, answer))]


def test_things_are_told_with_their_text_when_they_come_to_one_of_the_zones() -> None:
    # The owl comes to the table before the elk; on its way from the table to the pile it is no news.
    assert reported(game(DISPLAY), 1, "open_", "open_", "over") == ["shown: Fox. It is sly.", "shown: Owl."]


def test_what_the_reader_may_not_see_is_no_news() -> None:
    assert reported(game(DISPLAY), 1, "take", "lay") == ["p2 has Owl"]
    assert reported(game(DISPLAY), 2, "take", "lay") == ["p2 has Fox", "p2 has Owl"]
    assert reported(game(DISPLAY), None, "take", "lay") == ["p2 has Owl"]


def test_a_change_is_told_with_what_was_before() -> None:
    assert reported(game(DISPLAY), 1, "wait", "open_", "wait") == [
        "from 0 to 1",
        "shown: Fox. It is sly.",
        "from 1 to 2",
    ]


def test_that_nothing_is_read_any_more_is_told_where_there_is_a_text_for_it() -> None:
    display = "told: [{id: top, change: table_}, {id: gone, change: table_}]\n"
    texts = '"told.gone.none": "{was} is gone"\n'
    assert reported(game(display, texts), 1, "open_", "over") == ["Fox", "Fox", "Fox is gone"]


def test_rows_leave_out_what_is_empty_or_does_not_hold() -> None:
    display = """
panels:
  - {id: all, rows: [[hour, {of: table_, as: text, label: clock.name}], {of: pile, where: hour}]}
  - {id: mine, per: Seat, where: one_of_us, rows: [[front, {of: hand, as: number}]]}
"""
    state = answer_all(game(display), "open_", "lay")
    assert [line.plain for line in board_lines(state, 2, "en", 80)] == [
        "all",
        "  hour 0  clock.name Fox",
        "",
        "mine",
        "  p2",
        "    front Owl  hand 0",
    ]


def test_a_value_of_a_thing_and_a_seat_is_shown_for_the_reader() -> None:
    display = "panels: [{id: cards, per: Card, where: sees, columns: [held_by]}]\n"
    state = answer_all(game(display), "take")
    assert [line.plain.split() for line in board_lines(state, 2, "en", 80)] == [["cards"], ["held", "by"], ["Fox", "3"]]
    assert board_lines(state, 1, "en", 80) == [], "the first holds none"
