"""A zone for each member of an enum or kind (docs/manual/03-pieces-and-zones.md): `zone column: Card by Suit`."""

from __future__ import annotations

from random import Random

import pytest

import interpreter as rw
from dsl.shows.spec import ShowSpec
from interpreter.records.ruling import run_rulings
from tests.concepts.play import STARTED, answer_all, cell, errors, game, options, play_on_both, start, value
from tools.shows.presenter import Presenter
from tools.shows.words import show_text

COLUMNS = """
enum Suit: hearts, clubs, spades
kind Card: 6
piece cube by Seat each 20 from stock
piece coin
zone stock: cube
zone pile: Card ordered by Suit seen by nobody
zone till: coin by 2..4
kind Seat
    zone column: Card ordered by Suit
    zone secret: Card by Suit seen by owner
    zone best: Card max 1 by Suit
    zone cubes: cube by Suit
    field moves: 0..999
value height(p: Seat): int = sum(s in Suit: size(p.column[s]))
value owner_of(c: Card): Seat or none = only(p in seats where c in p.column[hearts] or c in p.column[spades])
"""


def test_each_member_has_a_zone_of_its_own() -> None:
    s = start(
        COLUMNS
        + """
phase game
    move card_1 to p1.column[clubs]
    move card_2 to p1.column[clubs] at top
    move card_3 to p1.column[spades]
    move card_4 to p2.best[hearts]
    for every s in Suit: move 2 cube[p2] from stock to p1.cubes[s]
    move 1 cube[p2] from p1.cubes[clubs] to p2.cubes[spades]
    gain 3 coin by p1 to till[4]
    choose c in p1.column[clubs] by p1
    move c to p1.column[hearts]
"""
    )
    assert options(s) == ["card_2", "card_1"] and value(s, "height", "p1") == 3
    answer_all(s, "card_1")
    assert [cell(s, "p1.column", suit) for suit in ("hearts", "clubs", "spades")] == [
        ["card_1"],
        ["card_2"],
        ["card_3"],
    ]
    assert cell(s, "p2.best", "hearts") == "card_4" and cell(s, "p2.best", "clubs") == "none"
    assert [cell(s, "p1.cubes", suit, "p2") for suit in ("hearts", "clubs", "spades")] == [2, 1, 2]
    assert cell(s, "p2.cubes", "spades", "p2") == 1 and cell(s, "stock", "p2") == 14
    assert [cell(s, "till", n) for n in (2, 3, 4)] == [0, 0, 3]
    assert value(s, "owner_of", "card_1") == "p1" and value(s, "owner_of", "card_2") == "none"


def test_triggers_and_places_tell_the_zones_apart() -> None:
    s = start(
        COLUMNS
        + """
after move(c: Card, from, to) where to is p2.column[clubs]: set p2.moves to p2.moves + 1
after move(c: Card, from, to) where holder(from) is p2: set p2.moves to p2.moves + 100
procedure lay(p: Seat, c: Card, to: place): move c to to
phase game
    do lay(p2, card_1, p2.column[hearts])
    do lay(p2, card_1, p2.column[clubs])
    do lay(p2, card_2, p1.column[clubs])
"""
    )
    assert cell(s, "p2.moves") == 101 and cell(s, "p2.column", "clubs") == ["card_1"]


def test_views_hide_and_name_each_zone() -> None:
    s = start(
        COLUMNS
        + """
phase game
    for every c in {card_1, card_2}: move c to pile[spades]
    shuffle pile[spades]
    for every c in pile[spades]: move c to p1.secret[hearts]
    choose c in p1.secret[hearts] by p1 seen by p1
    move c to p1.secret[clubs]
    move card_3 to pile[hearts]
    move card_4 to pile[hearts]
    shuffle pile[hearts]
    choose done in 1..2 by p1
"""
    )
    answer_all(s, "card_2")
    mine, other = (rw.view(s, seat)["state"] for seat in (1, 2))
    assert mine["Seat.secret"]["p1"] == {"hearts": ["card_1"], "clubs": ["card_2"], "spades": []}
    assert other["Seat.secret"]["p1"] == {"hearts": {"hidden": 1}, "clubs": {"hidden": 1}, "spades": {"hidden": 0}}
    assert mine["pile"] == {"hearts": {"hidden": 2}, "clubs": {"hidden": 0}, "spades": {"hidden": 0}}
    assert "p1.secret[clubs]" in [s.game.names.place(n) for n in range(1, len(s.game.program.zones))]


def test_only_members_have_zones_to_show() -> None:
    """The numbers of Rope and Camp leave a gap, and nobody sits on the third seat."""
    s = start(
        """
kind Camp: 1
kind Hill: 2
kind Rope: 1
kind Place: Camp, Rope
kind Card: 3
zone near: Card by Place
zone before: Card by Seat
phase game
    move card_1 to near[rope_1]
    move card_2 to before[p2]
    choose n in 1..2 by p1
"""
    )
    shown = rw.view(s, 1)["state"]
    assert shown["near"] == {"camp_1": [], "rope_1": ["card_1"]} and shown["before"] == {"p1": [], "p2": ["card_2"]}


def test_a_display_names_the_member_of_what_lies_there() -> None:
    s = start(
        COLUMNS
        + """
phase game
    move card_1 to p1.column[clubs]
    move card_2 to p1.column[spades]
    move 2 cube[p2] from stock to p1.cubes[hearts]
    choose done in 1..2 by p1
"""
    )
    shown = Presenter(s, 1, "en")
    p1 = s.game.things["p1"]
    assert show_text(shown, ShowSpec("column"), p1).plain == "clubs: card_1; spades: card_2"
    assert show_text(shown, ShowSpec("cubes"), p1).plain == "hearts: p2 2" and not shown.has_content("best", p1)
    assert show_text(shown, ShowSpec("till"), 3, "").plain == ""


RULINGS = """
position laid
    given
        seats: 2
        p1.column[clubs]: card_3, card_1
        p1.best[spades]: card_2
        p2.cubes[hearts]: p1 2, p2 1
        till[3]: 4
ruling kept "each zone keeps what was given"
    given laid
    when: do game()
    expect
        options: card_1, card_3
        p1.column[clubs]: card_3, card_1
        p1.column[hearts]: none
        p1.best[spades]: card_2
        p2.cubes[hearts][p1]: 2
        p2.cubes[hearts]: p1 2, p2 1
        stock[p1]: 18
        till[3]: 4
phase game: choose c in p1.column[clubs] by p1
"""


def test_positions_and_rulings_name_the_member() -> None:
    made = game(COLUMNS + RULINGS, seats=(2, 2))
    results = run_rulings(made, ())
    assert [str(f) for r in results for f in r.failures] == [] and len(results) == 1
    wrong = game(COLUMNS + RULINGS.replace("p1.column[hearts]: none", "p1.column[hearts]: card_3"), seats=(2, 2))
    assert [r.name for r in run_rulings(wrong, ()) if r.failures] == ["kept"]


def test_invariants_and_cards_name_the_zones() -> None:
    rules = (
        COLUMNS
        + """
kind Tool
card saw "Saw": Tool
    copies: 2
    after move(c: Card, from, to) where to is p1.column[hearts]: gain 1 coin by p1 to till[2]
invariant low: every(p in seats, s in Suit: size(p.column[s]) <= 2)
phase game
    for every c in Card
        choose s in Suit by p1
        move c to p1.column[s]
"""
    )
    s = start(rules)
    answer_all(s, "hearts", "clubs", "hearts", "clubs")
    assert cell(s, "till", 2) == 4
    STARTED.clear()  # the next answer breaks the game off
    with pytest.raises(rw.RulesetError, match="the invariant `low` does not hold"):
        answer_all(s, "clubs")


def test_both_back_ends_agree() -> None:
    program = game(
        COLUMNS
        + """
phase game
    for every p in {p1, p2, p1, p2, p1}
        choose c in Card, s in Suit where p.best[s] is not c by p
        move c to p.column[s] at bottom
        move 1 cube[p] from stock to p.cubes[s]
        move first(x in Card where x is not c) to p.secret[s]
        if size(p.column[s]) > 1: move front(p.column[s]) to p.best[s]
        shuffle p.column[s]
""",
        seats=(2, 2),
    ).program
    for seed in range(8):
        play_on_both(program, seed)


def test_a_random_game_saves_and_replays() -> None:
    s = start(
        COLUMNS
        + """
phase game
    for every p in {p1, p2, p1, p2}
        choose c in Card, s in Suit by p
        move c to p.secret[s]
        random x in p.secret[s]
        move x to p.column[s]
"""
    )
    draw = Random(3)
    while not s.over:
        rw.apply(s, draw.choice(rw.legal(s)))
    assert sum(value(s, "height", p) for p in ("p1", "p2")) > 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("move card_1 to p1.column", "RW0236"),
        ("move card_1 to p1.column[p1]", "RW0402"),
        ("if size(p1.column) > 0: set p1.moves to 1", "RW0236"),
        ("gain 1 coin by p1", "RW0513"),
    ],
)
def test_the_member_has_to_be_named(line: str, code: str) -> None:
    text = COLUMNS.replace("zone cubes: cube by Suit", "zone cubes: cube by Suit\n    zone coins: coin by Suit")
    assert [d.code for d in errors(text + f"phase game\n    {line}\n    choose done in 1..2 by p1\n")] == [code]
