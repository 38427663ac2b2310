"""Hidden hands of games that people write first, on every machine: what is put away, shown, picked and told."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.first_games import MACHINES, begun
from tests.concepts.play import answer_all, cell, options

HANDS = """
kind Card: 9
kind Seat
    zone hand: Card seen by owner
    zone face_down: Card seen by owner
    zone taken: Card
zone deck: Card ordered seen by nobody
procedure put_away(p: Seat)
    choose c in p.hand by p
    move c to p.face_down
procedure search(p: Seat, q: Seat)
    let five = front(deck, 5)
    show five to q
    choose c in five by q seen by q
    move c to p.hand
    shuffle deck
procedure draft()
    for every p in seats at once
        choose c in p.hand by p
        move c to p.taken
phase game
    for every c in Card: move c to deck
    shuffle deck
    for every p in seats: move front(deck, 2) to p.hand
    choose one by p1
        case away: do put_away(p1)
        case look: do search(p1, p2)
        case pick: do draft()
        case shown: show p1.hand to seats
    choose number n in 1..2 by p1
"""


def open_seats(state: rw.State) -> list[int]:
    """The seats that are asked."""
    return list(state.decision.open_seats) if state.decision else []


def known(state: rw.State, seat: int | None, zone: str, of: str) -> list[str]:
    """The cards of a zone of a seat that a reader's view names."""
    found = rw.view(state, seat)["state"][zone][of]
    return sorted(found.get("known", []) if isinstance(found, dict) else found)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_card_that_is_put_away_is_named_to_its_owner_alone(machine: str) -> None:
    state = begun(HANDS, machine, "away")
    card = cell(state, "p1.hand")[0]
    answer_all(state, card)
    assert rw.log_for(state, 1)[-1] == f"p1: {card}"
    for other in (2, None):
        assert not any(card in line for line in rw.log_for(state, other))
        assert known(state, other, "Seat.face_down", "p1") == []
    assert known(state, 1, "Seat.face_down", "p1") == [card]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("named", ["front(deck, 5)", "set(c in front(deck, 5))"])
def test_who_was_shown_five_cards_picks_one_and_forgets_where_the_others_are(machine: str, named: str) -> None:
    state = begun(HANDS.replace("front(deck, 5)\n", named + "\n", 1), machine, "look")
    assert sorted(options(state)) == sorted(cell(state, "deck")) and len(options(state)) == 5
    hand, card = cell(state, "p1.hand"), options(state)[1]
    answer_all(state, card)
    # p2 knows what it has picked; its owner sees it; nobody knows anything of the deck any more
    assert known(state, 2, "Seat.hand", "p1") == [card]
    assert known(state, 1, "Seat.hand", "p1") == sorted([*hand, card])
    for reader in (1, 2, None):
        assert rw.view(state, reader)["state"]["deck"] == {"hidden": 4}, reader


@pytest.mark.parametrize("machine", MACHINES)
def test_all_pick_a_card_of_their_hidden_hands_at_the_same_time(machine: str) -> None:
    state = begun(HANDS, machine, "pick")
    assert open_seats(state) == [1, 2]
    before = rw.log_for(state, 1), rw.log_for(state, None)
    mine, other = cell(state, "p1.hand")[0], cell(state, "p2.hand")[1]
    rw.answer(state, other, "p2")
    assert open_seats(state) == [1]
    assert before == (rw.log_for(state, 1), rw.log_for(state, None)) and cell(state, "p2.taken") == []
    rw.answer(state, mine, "p1")
    assert cell(state, "p1.taken") == [mine] and cell(state, "p2.taken") == [other]


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_shown_to_all_seats_an_onlooker_sees(machine: str) -> None:
    state = begun(HANDS, machine, "shown")
    for reader in (1, 2, None):
        assert known(state, reader, "Seat.hand", "p1") == sorted(cell(state, "p1.hand"))
    assert known(state, None, "Seat.hand", "p2") == []
