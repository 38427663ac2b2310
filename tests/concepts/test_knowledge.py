"""Knowledge (docs/manual/16-knowledge.md): what a seat may see, what it remembers, and what its log tells."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from dsl.driver.load import check_texts
from interpreter.records.ruling import run_rulings
from tests.concepts.play import answer_all, cell, errors, game, options, question, start

BASE = """
enum Cause: drawn, played
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
kind Seat
    zone hand: Card seen by owner
    zone table_: Card
    zone safe: coin seen by owner
    field secret: 0..9 seen by owner
    field open_: bool
kind Card: 6
    const price: 0..9
zone deck: Card ordered seen by nobody
zone pile: Card ordered
zone vault: Card seen by keeper
field keeper_: Seat or none
value keeper(p: Seat): bool = p is keeper_
"""
DATA = {"data/card.yaml": "Card:\n" + "".join(f"  c{i}: {{price: {i}}}\n" for i in range(1, 7))}


def play(body: str, more: str = "", **how: Any) -> rw.State:
    return start(
        BASE.replace("kind Card: 6", 'kind Card from "data/card.yaml"') + more + "phase game\n" + body, DATA, **how
    )


DEAL = """
    for every c in Card: move c to deck
    shuffle deck
    for every p in seats, i in 1..2: move front(deck) to p.hand as drawn
"""
ORDER = [["c1", "c2", "c3", "c4", "c5", "c6"]]
ASK = """
    choose c in p1.hand by p1
    move c to pile as played
    do note(c.price)
    choose n in 1..2 by p2
    do note(n)
"""


def test_hidden_zones_are_counts_for_the_others() -> None:
    # 16: `view(seat)` shows a cell only if the seat is in its audience; hidden things appear as a count.
    s = play(DEAL + ASK, script=ORDER)
    mine, other, watcher = (rw.view(s, seat)["state"] for seat in (1, 2, None))
    assert mine["Seat.hand"] == {"p1": ["c1", "c2"], "p2": {"hidden": 2}}
    assert other["Seat.hand"]["p1"] == {"hidden": 2} and other["Seat.hand"]["p2"] == ["c3", "c4"]
    assert watcher["Seat.hand"]["p1"] == {"hidden": 2} and watcher["deck"] == {"hidden": 2}
    assert "options" in rw.view(s, 1)["decision"] and "options" not in rw.view(s, 2)["decision"]


def test_fields_and_pieces_may_be_hidden_too() -> None:
    # 16: `seen by` on zones and fields.
    s = play(
        "    set p1.secret to 7\n    gain 3 coin by p1\n    choose n in 1..2 by p2\n    do note(n)\n", seats=(2, 2)
    )
    assert rw.view(s, 1)["state"]["Seat.secret"] == {"p1": 7, "p2": {"hidden": True}}
    assert rw.view(s, 2)["state"]["Seat.secret"]["p1"] == {"hidden": True}
    assert rw.view(s, 1)["state"]["Seat.safe"]["p1"] == 3 and rw.view(s, 2)["state"]["Seat.safe"]["p1"] == {
        "hidden": True
    }


def test_a_predicate_as_audience() -> None:
    # 16: `seen by P`.
    s = play(
        DEAL + "    set keeper_ to p2\n    move front(deck) to vault\n    choose n in 1..2 by p2\n    do note(n)\n",
        script=ORDER,
    )
    assert rw.view(s, 2)["state"]["vault"] == ["c5"] and rw.view(s, 1)["state"]["vault"] == {"hidden": 1}


def test_the_owner_of_a_thing_sees_what_is_in_it() -> None:
    # 2 and 16: `seen by owner` of a kind that is not a seat: the seat that decides for it, or for its owner.
    s = play(
        DEAL + "    set tribe_1.player to p2\n    move front(deck) to tribe_1.camp\n"
        "    move front(deck) to tent_tribe_1.bed\n"
        "    choose c in tribe_1.camp by tribe_1\n    move c to pile\n    do note(1)\n",
        """
kind Tribe: 2 decided by player
    field player: Seat or none
    zone camp: Card seen by owner
kind Tent: 1 per Tribe
    zone bed: Card seen by owner
""",
        script=ORDER,
    )
    assert question(s) == "tribe_1: game.c" and options(s) == ["c5"]
    assert rw.view(s, 2)["state"]["Tribe.camp"]["tribe_1"] == ["c5"] and rw.view(s, 2)["state"]["Tent.bed"][
        "tent_tribe_1"
    ] == ["c6"]
    assert rw.view(s, 1)["state"]["Tribe.camp"]["tribe_1"] == {"hidden": 1}


TRIBES = """
kind Tribe: 3 decided by player
    field player: Seat or none
    zone camp: Card seen by owner
value friends(t: Tribe): set of Tribe = set(u in Tribe where u is not t)
"""


def test_a_set_of_actors_stands_for_the_seats_that_decide_for_them() -> None:
    # 16: `seen by` and `show` take a set of seats, or of actors; an actor for whom nobody decides adds nobody.
    s = play(
        DEAL + "    set tribe_1.player to p1\n    set tribe_2.player to p2\n"
        "    choose n in 1..2 by tribe_1 seen by {tribe_1, tribe_2}\n    do note(n)\n"
        "    choose m in 1..2 by tribe_1 seen by friends(tribe_2)\n    do note(m)\n"
        "    show c5 to friends(tribe_1)\n    choose k in 1..2 by tribe_1\n    do note(k)\n",
        TRIBES,
        script=ORDER,
    )
    answer_all(s, "1", "2")
    said = [e for e in s.log if e.address in ("game.n", "game.m")]
    assert [[e.seen_by(p) for p in (1, 2)] for e in said] == [[True, True], [True, False]]
    assert "c5" in str(rw.view(s, 2)["state"]["deck"]) and "c5" not in str(rw.view(s, 1)["state"]["deck"])


def test_a_shown_thing_is_remembered_until_it_is_lost_in_a_crowd() -> None:
    # 16: kept while it moves by itself; cleared when an unidentified one leaves its zone, or the zone is shuffled.
    s = play(
        DEAL
        + """
    show c1 to p2
    choose k in 1..2 by p2
    do note(k)
    move c2 to pile
    choose n in 1..2 by p2
    do note(n)
    move c1 to deck
    shuffle deck
    choose m in 1..2 by p2
    do note(m)
""",
        script=[*ORDER, ["c1", "c5", "c6"]],
    )
    assert rw.view(s, 2)["state"]["Seat.hand"]["p1"] == {"hidden": 2, "known": ["c1"]}
    answer_all(s, "1")
    assert rw.view(s, 2)["state"]["Seat.hand"]["p1"] == {"hidden": 1, "known": ["c1"]}
    answer_all(s, "1")
    assert "c1" not in str(rw.view(s, 2)["state"]["deck"])


def test_a_log_names_a_card_for_those_who_see_it() -> None:
    # 16: a move names the thing for those who see it in either zone, else "a card"; answers for the choice's audience.
    s = play(
        DEAL + "    choose c in p1.hand seen by p1 by p1\n    move c to p2.hand as played\n"
        "    choose n in 1..2 by p2\n    do note(n)\n",
        script=ORDER,
    )
    answer_all(s, "c2")
    assert "c2" in " ".join(rw.log_for(s, 1)) and "c2" not in " ".join(rw.log_for(s, None))
    assert rw.view(s, 2)["state"]["Seat.hand"]["p2"] == ["c2", "c3", "c4"]
    # p1 saw it go, so p1 still knows it
    assert rw.view(s, 1)["state"]["Seat.hand"]["p2"] == {"hidden": 3, "known": ["c2"]}


def test_asking_is_public_so_a_hidden_single_answer_is_asked() -> None:
    # 9 and 16: a choice that reads hidden cells is asked even when one answer is left.
    s = play("    move c4 to p1.hand\n    choose c in p1.hand by p1\n    do note(c.price)\n")
    assert question(s) == "p1: game.c" and options(s) == ["c4"]
    answer_all(s, "c4")
    assert s.over and cell(s, "trail") == 4


def test_a_choice_may_not_peek() -> None:
    # 16: an option list may read only what the asked seat sees: an error of the checker.
    rules = BASE.replace("    const price: 0..9\n", "")
    peek = rules + "phase game\n    choose c in p2.hand by p1\n    move c to pile as played\n    do note(1)\n"
    found = errors(peek)
    assert len(found) == 1 and "Seat.hand" in found[0].message
    assert (
        errors(rules + "phase game\n    choose c in p1.hand by p1\n    move c to pile as played\n    do note(1)\n")
        == []
    )


def test_a_random_thing_of_a_hidden_zone() -> None:
    # 17: `random x in Z`; the outcome is not told to those who do not see it. What all seats know, an onlooker knows.
    text = DEAL + "    random c in p1.hand\n    move c to p2.hand\n    choose n in 1..2 by p1\n    do note(n)\n"
    for seats in (2, 3):
        s = play(text, seats=(seats, seats), script=[*ORDER, "c2"])
        assert cell(s, "p2.hand") == ["c2", "c3", "c4"]
        told = ["c2" in " ".join(rw.log_for(s, seat)) for seat in (None, *range(1, seats + 1))]
        assert told == ([True, True, True] if seats == 2 else [False, True, True, False])
        assert "c1" not in " ".join(rw.log_for(s, 2))


def test_who_does_not_see_a_zone_can_not_tell_what_was_drawn_from_it() -> None:
    # 16 and 17: all know what lies in the deck, but not any more once a card was drawn from it at random.
    s = play(
        """
    for every c in Card: move c to deck
    choose k in 1..2 by p2
    do note(k)
    random c in deck
    move c to p1.hand as drawn
    choose n in 1..2 by p2
    do note(n)
""",
        script=["c3"],
    )
    assert rw.view(s, 2)["state"]["deck"]["known"] == ["c1", "c2", "c3", "c4", "c5", "c6"]
    answer_all(s, "1")
    assert rw.view(s, 1)["state"]["Seat.hand"]["p1"] == ["c3"]
    assert rw.view(s, 2)["state"]["Seat.hand"]["p1"] == {"hidden": 1}
    assert [rw.view(s, seat)["state"]["deck"] for seat in (1, 2)] == [{"hidden": 5}, {"hidden": 5}]
    assert "c3" in " ".join(rw.log_for(s, 1)) and "c3" not in " ".join(rw.log_for(s, 2) + rw.log_for(s, None))


def test_a_draw_may_be_told_to_some() -> None:
    # 17: `seen by` says who is told an outcome; the others only hear that something was drawn.
    s = play(
        """
    random number n in 1..6 seen by p1
    set p1.secret to n
    random number k in 7..9 seen by nobody
    set p2.secret to k
    choose m in 1..2 by p2
    do note(m)
""",
        script=[4, 8],
    )
    assert (cell(s, "p1.secret"), cell(s, "p2.secret")) == (4, 8)
    assert rw.log_for(s, 1) == ["Chance: 4", "Chance: ?"]
    assert rw.log_for(s, 2) == rw.log_for(s, None) == ["Chance: ?", "Chance: ?"]


def test_answers_given_at_once_are_told_when_all_have_answered() -> None:
    # 12 and 16: others hear of an answer when the last one is given; of one that is `seen by` its giver never.
    s = play(
        """
    repeat while trail < 500
        for every p in seats at once
            choose number n in 1..9 by p
            choose number k in 0..9 by p seen by p
            do note(n)
            set p.secret to k
"""
    )
    answer_all(s, "3", "7", "4")
    assert rw.log_for(s, 1) == ["p1: 3", "p1: 7", "p2 chose in secret"]
    assert rw.log_for(s, 2) == ["p1 chose in secret", "p1 chose in secret", "p2: 4"]
    later = rw.restore(s.game, rw.save(s))
    for state in (rw.copy(s), later):
        answer_all(state, "8")
        assert rw.log_for(state, None) == ["p1: 3", "p1 chose in secret", "p2: 4", "p2 chose in secret"]
        assert rw.log_for(state, 2) == ["p1: 3", "p1 chose in secret", "p2: 4", "p2: 8"]
        answer_all(state, "5", "1")
        assert rw.log_for(state, 2)[4:] == ["p1 chose in secret", "p1 chose in secret"], "a new round of answers"
        answer_all(state, "6", "1")
        assert state.over and rw.log_for(state, None)[4::2] == ["p1: 5", "p2: 6"]
    assert rw.log_for(s, 2)[0] == "p1 chose in secret", "a copy tells nothing to the one it was made of"


def test_a_ruling_says_who_knows_what() -> None:
    # 20: things by where they are, fields, zones and values by what they read.
    made = game(
        BASE.replace("kind Card: 6", 'kind Card from "data/card.yaml"')
        + """
value riches(p: Seat): int = p.safe
phase game
    show c1 to p2
position dealt "cards in hand"
    seats: 3
    p1.hand: c1, c2
    p1.secret: 4
    p1.safe: 3
    deck: c3
ruling A "what lies in a hand is known to its owner, and to those to whom it was shown"
    given dealt
    when
        do game()
    expect
        known c1 to p1
        known c1 to p2
        hidden c1 to p3
        hidden c2 to seats - {p1}
        hidden c3 to seats
        hidden p1.hand to p2
        known p1.hand to p1
        known c4 to seats
ruling B "fields, pieces and values"
    given dealt
    expect
        known p1.secret to p1
        hidden p1.secret to p2
        hidden p1.safe to p2
        known p1.safe to p1
        hidden riches(p1) to p3
        known p1.open_ to seats
ruling C "what is expected wrongly"
    given dealt
    expect
        known c1 to seats
        hidden c1 to seats
        hidden p1.secret to p1
""",
        DATA,
    )
    a, b, c = run_rulings(made)
    assert [str(f) for f in a.failures + b.failures] == []
    assert [(f.text, f.expected, f.seen) for f in c.failures] == [
        ("known c1 to seats", "known to p2", "hidden"),
        ("hidden c1 to seats", "hidden to p1", "known"),
        ("hidden p1.secret to p1", "hidden to p1", "known"),
    ]


def test_showing_something_ends_the_plan() -> None:
    # 11: the commit point is the first sentence that shows the actor something new.
    s = play(
        DEAL + "    offer looks by p1\n    do note(9)\n",
        """
action look(p: Seat) of looks
    move front(deck) to p.hand as drawn
    choose c in p.hand
    move c to pile as played
action rest(p: Seat) of looks: do note(1)
""",
        script=ORDER,
    )
    assert options(s) == ["look", "rest"]
    answer_all(s, "look")
    assert s.plan is None and question(s) == "p1: look.c" and "c5" in options(s)


def test_openly_means_what_stands_in_it() -> None:
    # 16: the mark is for readers and the checker; both branches, with `not` and `and`, in `where` and in a value.
    s = play(
        """
    set p1.secret to 4
    if openly(p1.secret > 3) and not openly(p1.secret > 4): do note(1)
    if openly(p1.secret is 5): do note(2)
    for every p in seats where openly(p.secret is 0): do note(3)
    if high(p1) and not high(p2): do note(4)
""",
        more="value high(p: Seat): bool = openly(p.secret > 2)\n",
    )
    assert cell(s, "trail") == 134  # two play: the second alone has 0


def test_what_all_may_learn_may_decide_a_choice() -> None:
    # 16: `openly(V)` says that everybody may learn V, so that the options may tell it, too; without it they may not.
    rules = BASE + "phase game\n    choose c in Card where {} by p1\n    move c to pile\n"
    assert [d.code for d in errors(rules.format("c in p2.hand"))] == ["RW1210"]
    assert errors(rules.format("openly(c in p2.hand)")) == []


GUESS = (
    BASE.replace("kind Card: 6", 'kind Card from "data/card.yaml"')
    + "phase game\n"
    + DEAL
    + "    choose c in Card by p1\n    do note(c.price)\n    choose n in 1..2 by p1\n    do note(n)\n"
)


def log_texts(done: str, key: str = "game.c") -> dict[str, str]:
    return {**DATA, "locale/en.yaml": f'{key}.done: "{done}"\n'}


def test_a_line_of_the_log_may_say_openly_what_is_hidden() -> None:
    # 16: the second has c3 and c4; without `openly` only the second reads whether the guess was right.
    s = start(GUESS, log_texts("{c}: {openly(c in p2.hand)} {c in p2.hand}; {openly(p2.hand)}"), script=ORDER)
    answer_all(s, "c3")
    assert rw.log_for(s, 1)[-1] == "c3: yes a card; c3, c4"
    assert rw.log_for(s, None)[-1] == "c3: yes a card; c3, c4"
    assert rw.log_for(s, 2)[-1] == "c3: yes yes; c3, c4"
    again = start(GUESS, log_texts("{c}: {openly(c in p2.hand)}"), script=ORDER)
    assert rw.log_for(answer_all(again, "c5"), 1)[-1] == "c5: no"


def test_an_option_may_not_say_openly_what_is_hidden() -> None:
    # 16: before the answer is given it would be a peek; the check calls the placeholder unknown.
    texts = {**DATA, "locale/en.yaml": 'game.c.pick: "{c} {openly(c in p2.hand)}"\n'}
    assert [d.code for d in check_texts({"small.rules": GUESS}, texts) if "openly" in d.message] == ["RW1112"]
    texts = log_texts("{openly(c in p2.hand)}")
    assert not [d for d in check_texts({"small.rules": GUESS}, texts) if "openly" in d.message]


def test_nothing_is_said_openly_of_what_is_only_tried() -> None:
    # 11 and 16: an answer inside a plan can still be taken back, so its line of the log tells the actor nothing new.
    looking = GUESS.split("phase game")[0] + """
action look(p: Seat) of looks
    choose c in Card
    do note(c.price)
    choose d in p.hand
    move d to pile as played
phase game
""" + DEAL + "    offer looks by p1\n    do note(9)\n"  # fmt: skip
    s = start(looking, log_texts("{c}: {openly(c in p2.hand)}", "look.c"), script=ORDER)
    answer_all(s, "c3")
    assert s.plan is not None and rw.log_for(s, 1)[-1] == "c3: a card"


def test_what_others_read_of_a_secret_answer_may_have_a_text_of_its_own() -> None:
    # 16: an empty text tells nothing.
    rules = """
phase game
    choose some cs in p1.hand at most 2 by p1 seen by p1
    choose n in 1..2 by p1 seen by p1
    do note(n)
"""
    keys = 'game.cs.secret: ""\ngame.cs.ready.secret: "{actor} lays cards aside"\n'
    s = start(GUESS.partition("phase game")[0] + rules, {**DATA, "locale/en.yaml": keys}, script=ORDER)
    while s.decision is not None and s.decision.address == "game.cs":
        answer_all(s, " ".join(rw.legal(s)[0].ids))
    answer_all(s, "2")
    assert rw.log_for(s, 2)[-2:] == ["p1 lays cards aside", "p1 chose in secret"]
    assert not any("aside" in line for line in rw.log_for(s, 1))


LOOKS = (
    BASE.replace("    const price: 0..9\n", "").replace(
        "kind Seat\n", "kind Seat\n    zone face_down: Card seen by owner\n"
    )
    + "phase game\n    for every c in Card: move c to deck\n    shuffle deck\n"
    + "    for every p in seats, i in 1..2: move front(deck) to p.hand as drawn\n    do turn(p1, p2)\n"
    + "procedure turn(p: Seat, q: Seat)\n"
)
CHOICE = "    choose c in {} by p\n    move c to pile\n"


@pytest.mark.parametrize(
    ("before", "among", "codes"),
    [
        ("show q.hand to p", "q.hand", []),
        ("show q.hand to seats", "q.hand", []),
        ("let h = q.hand\n    show h to {p}", "h", []),
        ("let two = front(deck, 2)\n    show two to p", "two", []),
        ("show deck to p", "deck", []),
        ("show q.hand + p.hand to {p, q}", "q.hand", []),
        ("show q.hand to q", "q.hand", ["RW1210"]),
        ("show p.hand to p", "q.hand", ["RW1210"]),
        ("show set(c in q.hand where c is c1) to p", "q.hand", ["RW1210"]),
        ("show q.hand to p\n    move front(deck) to q.hand", "q.hand", ["RW1210"]),  # something unseen has come
        ("if size(deck) > 1: show q.hand to p", "q.hand", ["RW1210"]),
        ("show q.hand to p\n    do other(q)", "q.hand", ["RW1210"]),
    ],
)
def test_what_was_shown_whole_may_be_chosen_from(before: str, among: str, codes: list[str]) -> None:
    rules = LOOKS + f"    {before}\n" + CHOICE.format(among)
    rules += "procedure other(q: Seat): move front(deck) to q.hand\n" if "other" in before else ""
    assert [d.code for d in errors(rules.replace("c1", "card_1"))] == codes


@pytest.mark.parametrize("line", ["move {} to p.hand", "move {} to pile", "let x = {}\n    move x to p.hand"])
@pytest.mark.parametrize("what", ["front(deck)", "front(deck, 2)", "last(deck, 2)"])
def test_how_many_are_moved_from_a_pile_is_seen_however_many_they_are(line: str, what: str) -> None:
    rules = LOOKS + f"    {line.format(what)} as drawn\n"
    assert not [d for d in check_texts({"small.rules": rules}, None, seats=(2, 3)) if d.code in ("RW1210", "RW1212")]


AWAY = LOOKS + "    choose c in p.hand by p\n    move c to {}\n    choose d in Card by q\n    choose n in 1..2 by p\n"


def test_a_line_names_what_was_chosen_among_hidden_things_to_who_knows_it() -> None:
    # 16: put away it is "a card" for the others, and played it is named; a guess is named to all.
    texts = {"locale/en.yaml": 'turn.n.done: "{n}: {c} and {d}"\n'}
    for to, named in (("p.face_down", False), ("pile", True)):
        s = start(AWAY.format(to), {}, seats=(3, 3))
        mine = options(s)[0]
        answer_all(s, mine, "card_1", "2")
        for seat in (1, 2, 3, None):
            assert rw.log_for(s, seat)[-3] == (f"p1: {mine}" if named or seat == 1 else "p1: a card"), (to, seat)
            assert rw.log_for(s, seat)[-2] == "p2: card_1"
        again = rw.restore(s.game, rw.save(s))
        assert all(rw.log_for(again, seat) == rw.log_for(s, seat) for seat in (1, 2, 3, None))
        s = start(AWAY.format(to), texts, seats=(2, 2))
        answer_all(s, mine, "card_1", "2")
        assert rw.log_for(s, 1)[-1] == f"2: {mine} and card_1"
        assert rw.log_for(s, 2)[-1] == f"2: {mine if named else 'a card'} and card_1"


def test_what_was_shown_to_all_an_onlooker_sees_and_what_one_does_not_know_he_does_not() -> None:
    for who, known in (("seats", True), ("{p, q}", False)):
        s = start(LOOKS + f"    show p.hand to {who}\n    choose n in 1..2 by p\n", seats=(3, 3))
        hand = sorted(cell(s, "p1.hand"))
        shown = rw.view(s, None)["state"]["Seat.hand"]["p1"]
        assert shown == ({"hidden": 2, "known": hand} if known else {"hidden": 2})


def test_a_secret_answer_of_several_members_is_told_once() -> None:
    rules = "    choose some cs in p.hand by p seen by p\n    move cs to p.face_down\n    choose n in 1..2 by q\n"
    s = start(LOOKS + rules, seats=(2, 2))
    answer_all(s, ", ".join(options(s)[:2]))
    assert len([line for line in rw.log_for(s, 1) if line.startswith("p1: ")]) == 2
    for seat in (2, None):
        assert [line for line in rw.log_for(s, seat) if "p1" in line] == ["p1 chose in secret"]


@pytest.mark.parametrize("chance", ["draw", "ask"])
@pytest.mark.parametrize("to, named", [("pile", True), ("p.face_down", False)])
@pytest.mark.parametrize("line, told", [("choose c in p.hand by p", "p1: {}"), ("random c in p.hand", "Chance: {}")])
@pytest.mark.parametrize("back", ["", "    move c to deck\n"])
def test_who_knows_it_at_the_next_question_reads_it_however_chance_comes(
    chance: str, to: str, named: bool, line: str, told: str, back: str
) -> None:
    # 16: what is shuffled away before is "a card", where chance is drawn and where it is asked.
    body = f"    choose k in 1..2 by p\n    {line}\n    move c to {to}\n{back}    shuffle deck\n"
    body += "    choose n in 1..2 by q\n"
    s = start(LOOKS.replace("kind Card: 6", "kind Card: 9") + body, seats=(3, 3), chance=chance)
    hand: list[str] = []
    while (s.decision is None or s.decision.address != "turn.n") and not s.over:
        hand = hand or [c for c in cell(s, "p1.hand") if s.decision is not None]
        rw.apply(s, s.chance.outcomes[0] if s.chance is not None else rw.legal(s)[0])
    taken = next(entry.ids[0] for entry in s.log if entry.address == "turn.c")
    assert taken in hand
    for seat in (2, 3, None):
        lines = [line for line in rw.log_for(s, seat) if line in (told.format(taken), told.format("a card"))]
        assert lines == [told.format(taken if named and not back else "a card")], (seat, rw.log_for(s, seat))


def test_things_of_two_kinds_with_one_id_are_told_apart() -> None:
    # The town `card_1` is known to all; the card put away is not, and is not named for the town's sake.
    rules = AWAY.format("p.face_down").replace("kind Seat\n", 'kind Town from "data/town.yaml"\nkind Seat\n')
    s = start(rules, {"data/town.yaml": "Town:\n" + "".join(f"  card_{i}: {{}}\n" for i in range(1, 7))}, seats=(3, 3))
    answer_all(s, options(s)[0], "card_1", "2")
    assert [rw.log_for(s, seat)[-3] for seat in (2, 3, None)] == ["p1: a card"] * 3
