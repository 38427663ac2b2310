"""`triggers ordered by WHO`: a seat says which of several cards at one event comes first."""

from __future__ import annotations

import pytest

import interpreter as rw
from dsl.driver.load import check_texts
from interpreter import Game
from interpreter.records.ruling import run_ruling
from tests.concepts.everywhere import HERE, played
from tests.concepts.play import cell, errors, game, options, question

HEAD = """
piece coin
enum Cause: fallen
kind Tool
kind Seat
    zone tools: Tool ordered
    zone purse: coin
zone grave: Tool
field trail: 0..999999999
value owner(c: Tool): Seat or none = only(p in seats where c in p.tools)
value active(): Seat = p2
procedure note(n: int)
    set trail to trail * 10 + n
procedure ring(p: Seat)
    do note(9)
"""
CARDS = """
card bees "Bees": Tool
    while owner is not none
        after ring(p): do note(1)
card wasps "Wasps": Tool
    while owner is not none
        after ring(p): do note(2)
card ants "Ants": Tool
    while owner is not none
        after ring(p): do note(3)
card crows "Crows": Tool
    while owner is not none
        after ring(p): do note(4)
"""
DEALT = """
    move bees to p1.tools
    move wasps to p1.tools
    move ants to p2.tools
    move crows to p2.tools
"""
BACKENDS = pytest.mark.parametrize("backend", ["reference", "wasm"])


def text(clause: str, more: str, phase: str) -> str:
    return f"{HEAD}\n{clause}\n{more}\nphase game\n{phase}\n    stop game\n"


def begun(clause: str, more: str, phase: str, backend: str) -> rw.State:
    rules = text(clause, more, phase)
    return Game(game(rules, seats=(2, 2)).program, backend).new(seed=1, checked=backend == "reference")


def answers(state: rw.State, *given: str) -> list[str]:
    """What is asked before each of these answers, with the options."""
    found = []
    for answer in given:
        d = state.decision
        assert d is not None
        found.append(f"{d.seat_id}: {' '.join(' '.join(o.ids) for o in d.options)}")
        rw.answer(state, answer)
    assert state.decision is None
    return found


@BACKENDS
def test_each_owner_orders_his_own_cards_from_the_active_seat_on(backend: str) -> None:
    state = begun("triggers ordered by owner", CARDS, f"{DEALT}    do ring(p1)", backend)
    assert answers(state, "crows", "wasps") == ["p2: ants crows", "p1: bees wasps"]
    assert cell(state, "trail") == 94321


@BACKENDS
def test_one_seat_orders_all_cards(backend: str) -> None:
    state = begun("triggers ordered by active", CARDS, f"{DEALT}    do ring(p1)", backend)
    assert answers(state, "bees", "crows", "wasps") == [
        "p2: bees wasps ants crows",
        "p2: wasps ants crows",
        "p2: wasps ants",
    ]
    assert cell(state, "trail") == 91423


@BACKENDS
def test_nobody_is_asked_without_the_line_or_about_one_card(backend: str) -> None:
    assert cell(begun("", CARDS, f"{DEALT}    do ring(p1)", backend), "trail") == 93412
    alone = "    move bees to p1.tools\n    move ants to p2.tools\n    do ring(p1)"
    state = begun("triggers ordered by owner", CARDS, alone, backend)
    assert state.decision is None and cell(state, "trail") == 931


@BACKENDS
def test_where_it_does_not_hold_a_card_is_no_option(backend: str) -> None:
    cards = CARDS.replace("after ring(p): do note(3)", "after ring(p) where p is p2: do note(3)")
    state = begun("triggers ordered by active", cards, f"{DEALT}    do ring(p1)", backend)
    assert answers(state, "wasps", "bees") == ["p2: bees wasps crows", "p2: bees crows"]


@BACKENDS
def test_lines_of_the_ruleset_come_first_and_those_of_a_card_together(backend: str) -> None:
    cards = CARDS.replace("do note(2)", "do note(2)\n        after ring(p): do note(7)")
    rule = "rule own\n    after ring(p): do note(5)\n    after ring(p): do note(6)"
    state = begun("triggers ordered by owner", f"{cards}{rule}", f"{DEALT}    do ring(p1)", backend)
    assert answers(state, "ants", "wasps") == ["p2: ants crows", "p1: bees wasps"]
    assert cell(state, "trail") == 95634271


# ------------------------------------------------------------ at the end of what is one

BIRDS = """
card vulture "Vulture": Tool
    while owner is not none
        after move(c: Tool, a, b) where c is not this and cause is fallen: do note(1)
card ghoul "Ghoul": Tool
    while owner is not none
        after move(c: Tool, a, b) where c is not this and cause is fallen: do note(2)
card dryad "Dryad": Tool
    while owner is not none
        after move(c: Tool, a, b) where c is not this and cause is fallen: do note(3)
"""
NEST = """
    move vulture to p1.tools
    move ghoul to p1.tools
    move dryad to p2.tools
"""


@BACKENDS
def test_what_leaves_together_is_ordered_by_who_owned_it_and_each_card_sees_all(backend: str) -> None:
    phase = f"{NEST}    move set(c in Tool) to grave as fallen\n    do note(8)"
    state = begun("triggers ordered by owner", BIRDS, phase, backend)
    assert answers(state, "ghoul") == ["p1: vulture ghoul"]
    assert cell(state, "trail") == 3322118
    state = begun("triggers ordered by active", BIRDS, phase, backend)
    assert answers(state, "vulture", "dryad") == ["p2: vulture ghoul dryad", "p2: ghoul dryad"]
    assert cell(state, "trail") == 1133228


@BACKENDS
def test_nobody_is_asked_inside_a_together(backend: str) -> None:
    birds = BIRDS.replace("after move", "before move")
    phase = f"{NEST}    together\n        move set(c in Tool) to grave as fallen\n    do note(8)"
    state = begun("triggers ordered by owner", birds, phase, backend)
    assert state.decision is None and cell(state, "trail") == 3231128


@BACKENDS
@pytest.mark.parametrize("clause", ["", "triggers ordered by owner"])
def test_what_a_block_sets_off_is_over_before_the_next_block_that_waits(backend: str, clause: str) -> None:
    cards = """
card vulture "Vulture": Tool
    after move(c: Tool, a, b) where cause is fallen
        do note(1)
        together
            do ring(p1)
            do ring(p1)
card dryad "Dryad": Tool
    after move(c: Tool, a, b) where cause is fallen: do note(3)
card ghoul "Ghoul": Tool
card bell "Bell": Tool
    after ring(p): do note(7)
"""
    phase = "    move vulture to p2.tools\n    move dryad to p1.tools\n    together\n"
    state = begun(clause, cards, f"{phase}        move ghoul to grave as fallen\n    do note(8)", backend)
    assert state.decision is None and cell(state, "trail") == 1997738


# ------------------------------------------------------------ before, and instead of


@BACKENDS
def test_lines_before_and_instead_of_are_ordered_too(backend: str) -> None:
    cards = CARDS.replace("after ring", "before ring")
    state = begun("triggers ordered by owner", cards, f"{DEALT}    do ring(p1)", backend)
    assert answers(state, "crows", "wasps") == ["p2: ants crows", "p1: bees wasps"]
    assert cell(state, "trail") == 43219
    cards = """
card double "Double": Tool
    while owner is not none
        instead of gain(p, n, what: coin) where p is owner: gain 2 * n coin by p
card more "More": Tool
    while owner is not none
        instead of gain(p, n, what: coin) where p is owner: gain n + 1 coin by p
"""
    phase = "    move double to p1.tools\n    move more to p1.tools\n    gain 3 coin by p1"
    for answer, coins in (("double", 7), ("more", 8)):
        state = begun("triggers ordered by owner", cards, phase, backend)
        assert answers(state, answer) == ["p1: double more"]
        assert cell(state, "p1.purse") == coins


# ------------------------------------------------------------ where it cannot matter


@BACKENDS
def test_copies_of_a_card_are_one_option_unless_they_name_themselves(backend: str) -> None:
    def asked(block: str) -> list[str]:
        cards = f"""
card hive "Hive": Tool
    copies: 3
    while owner is not none
        after ring(p): {block}
card bees "Bees": Tool
    while owner is not none
        after ring(p): do note(1)
"""
        phase = "    for every c in Tool: move c to p1.tools\n    do ring(p2)"
        state = begun("triggers ordered by owner", cards, phase, backend)
        found = []
        while state.decision is not None:
            found.append(" ".join(options(state)))
            rw.apply(state, rw.legal(state)[0])
        return found

    assert asked("gain 1 coin by p") == ["hive bees", "hive_2 bees", "hive_3 bees"]
    assert asked("move this to grave") == ["hive hive_2 hive_3 bees", "hive_2 hive_3 bees", "hive_3 bees"]


# ------------------------------------------------------------ cards of several kinds, timed lines, plans


@BACKENDS
def test_cards_of_several_kinds_are_asked_about_in_one_question(backend: str) -> None:
    rules = """
kind Charm
value owner(c: Charm): Seat or none = p1
card luck "Luck": Charm
    after ring(p): do note(5)
"""
    rules = CARDS + rules.replace("value owner(c: Charm): Seat or none = p1\n", "")
    state = begun("triggers ordered by active", rules, f"{DEALT}    do ring(p1)", backend)
    assert options(state) == ["Charm luck", "Tool bees", "Tool wasps", "Tool ants", "Tool crows"]
    assert rw.legal(state)[0].text() == "Luck"
    assert len(answers(state, "luck", "wasps", "bees", "crows")) == 4
    assert cell(state, "trail") == 952143


@BACKENDS
def test_lines_for_a_while_belong_to_their_card(backend: str) -> None:
    cards = (
        CARDS
        + """
card feast "Feast": Tool
    effect
        until end of game
            after ring(p): do note(6)
"""
    )
    phase = f"{DEALT}    move feast to p1.tools\n    do feast.effect by p1\n    do feast.effect by p1\n    do ring(p1)"
    state = begun("triggers ordered by owner", cards, phase, backend)
    assert answers(state, "ants", "feast", "wasps") == ["p2: ants crows", "p1: bees wasps feast", "p1: bees wasps"]
    assert cell(state, "trail") == 9346621


PLANNED = (
    CARDS
    + """
action toll(p: Seat) of tolls
    do ring(p)
    require trail is 921
"""
)


@BACKENDS
def test_in_a_plan_the_planner_is_offered_what_can_still_be_completed(backend: str) -> None:
    phase = "    move bees to p1.tools\n    move wasps to p1.tools\n    offer tolls by p1 or decline"
    state = begun("triggers ordered by owner", PLANNED, phase, backend)
    assert options(state) == ["toll", "decline"]  # in one of the orders it can be done
    rw.answer(state, "toll")
    assert options(state) == ["wasps"] or state.decision is None
    assert cell(state, "trail") == 921


# ------------------------------------------------------------ rulings, saves, texts, bots

RULING = """
ruling R "the one who owns both orders them"
    given
        seats: 2
        p1.tools: bees, wasps
    when
        do ring(p2)
    expect
        asks p1
        legal bees
        illegal ants
        options: bees, wasps
    when
        p1 chooses wasps
    expect
        nothing asked
        trail: 921
"""


def test_a_ruling_answers_it() -> None:
    made = game(text("triggers ordered by owner", CARDS + RULING, "    do note(1)"), seats=(2, 2))
    result = run_ruling(made, made.program.rulings["R"])
    assert not result.failures, result.failures


def test_it_is_kept_in_saves_and_replays() -> None:
    state = begun("triggers ordered by active", BIRDS, f"{NEST}    move set(c in Tool) to grave as fallen", "reference")
    rw.answer(state, "dryad")
    again = rw.restore(state.game, rw.save(state))
    assert again.digest() == state.digest() and options(again) == ["vulture", "ghoul"]
    rw.answer(again, "ghoul")
    assert rw.replay(again.game, rw.save(again)).digest() == again.digest()
    assert cell(again, "trail") == 332211


def test_the_texts_are_phrases_of_the_tool_unless_the_ruleset_has_its_own() -> None:
    state = begun("triggers ordered by owner", CARDS, f"{DEALT}    do ring(p1)", "reference")
    assert question(state) == "p2: triggers.first"
    assert state.decision is not None and state.decision.prompt("en") == "Which card comes first?"
    assert [o.text("en") for o in rw.legal(state)] == ["Ants", "Crows"]


@pytest.mark.parametrize("target", HERE)
def test_all_back_ends_play_alike(target: str) -> None:
    dying = "    set trail to 0\n    move set(c in {vulture, ghoul, dryad, bees}) to grave as fallen"
    phase = f"{DEALT}{NEST}    do ring(p1)\n{dying}"
    for seed in range(3):
        played(text("triggers ordered by owner", CARDS + BIRDS, phase), seed=seed, target=target)
        played(text("triggers ordered by active", CARDS + BIRDS, phase), seed=seed, target=target)


def test_who_orders_has_to_be_somebody() -> None:
    assert [d.code for d in errors(text("triggers ordered by trail", CARDS, DEALT))] == ["RW0512"]


def test_a_demand_behind_such_an_event_may_come_too_late() -> None:
    def late(clause: str) -> list[str]:
        cards = PLANNED.replace("ring(p): do note", "gain(p, n): do note").replace("do ring(p)", "gain 1 coin by p")
        found = check_texts({"small.rules": text(clause, cards, DEALT)}, None, seats=(2, 2))
        return [d.labels[0].text for d in found if d.code == "RW1214"]

    assert late("") == []
    assert ["asked for their order" in label for label in late("triggers ordered by owner")] == [True]


@BACKENDS
def test_answers_of_a_loop_at_once_are_followed_by_the_question(backend: str) -> None:
    phase = f"""{DEALT}
    for every p in seats at once
        choose number n in 1..2 by p
        do ring(p)
        set trail to trail * n
"""
    cards = CARDS.replace("ring(p)", "ring(p) where p is p1")
    state = begun("triggers ordered by owner", cards, phase, backend)
    assert answers(state, "1", "2", "crows", "bees") == ["p1: 1 2", "p2: 1 2", "p2: ants crows", "p1: bees wasps"]
    assert cell(state, "trail") == (94312 * 10 + 9) * 2
