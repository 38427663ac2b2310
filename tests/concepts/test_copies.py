"""Copies of a card (CONCEPTS 18): several things of one text, each with a `this` of its own."""

from __future__ import annotations

from dsl.diagnostics import Severity
from dsl.load import check_texts
from tests.concepts.play import asked, cell, game, mistakes, options, say, start, value

BASE = """
field trail: 0..999999999
procedure note(n: 0..9): set trail to trail * 10 + n
piece coin
kind Seat
    zone purse: coin
    zone hand: Work
    zone built: Work
kind Work
    const price: 1..9
    strip top
    field marks: 0..9
    field owner: Seat or none
zone deck: Work ordered
zone gone: Work
icon mark(n: 0..9): do note(n)
icon stamp(c: Work): set c.marks to c.marks + 1
value worth(p: Seat): int = 0
procedure bell(): do note(0)
procedure top_of(p: Seat, c: Work)
    resolve c.top by p
"""
USE = """
procedure use(p: Seat, c: Work)
    do c.effect() by p
"""
PLAIN = USE + """
card mine "Mine": Work
    price: 2
    copies: 3
    effect: gain 1 coin
card farm "Farm": Work
    price: 3
"""


def played(cards: str, body: str) -> int:
    return int(cell(start(BASE + cards + "phase game\n" + body), "trail"))


def test_a_card_stands_for_as_many_things_as_it_says() -> None:
    g = game(BASE + PLAIN + "phase game: stop game\n")
    assert g.program.domains["Work"].ids == ("mine", "mine_2", "mine_3", "farm")


def test_all_copies_have_the_rows_and_the_effect() -> None:
    body = """
    for every c in Work where c in {mine, mine_2, mine_3}
        do note(c.price)
        do use(p1, c)
    do note(p1.purse)
"""
    assert played(PLAIN, body) == 2223


def test_copy_and_original() -> None:
    body = """
    for every c in Work: do note(c.copy)
    do note(1 if mine_3.original is mine else 2)
    do note(1 if farm.original is farm else 2)
    do note(count(c in Work where c.original is mine_2.original))
"""
    assert played(PLAIN, body) == 1231_113


def test_what_is_held_can_be_asked_by_name() -> None:
    rules = BASE + PLAIN + """
value knows(p: Seat, c: Work): bool = any(d in p.hand where d.original is c.original)
phase game
    move mine_2 to p1.hand
    stop game
"""
    s = start(rules)
    assert value(s, "knows", "p1", "mine_3") and value(s, "knows", "p1", "mine")
    assert not value(s, "knows", "p1", "farm") and not value(s, "knows", "p2", "mine_2")


def test_an_effect_about_itself_is_that_of_the_copy_used() -> None:
    cards = PLAIN.replace("effect: gain 1 coin", "effect: set this.marks to this.marks + 1")
    body = """
    do use(p1, mine_2)
    do use(p1, mine_3)
    do use(p1, mine_3)
    for every c in Work: do note(c.marks)
"""
    assert played(cards, body) == 120  # 0, 1, 2 and 0: the leading zero does not show


def test_an_effect_is_one_for_all_copies_unless_it_is_about_itself() -> None:
    def effects(cards: str) -> list[str]:
        g = game(BASE + cards + "phase game: do use(p1, mine_2)\n")
        return [p.name for p in g.program.procs if p.word == "effect"]

    assert effects(PLAIN) == ["mine.effect"]
    assert effects(PLAIN.replace("gain 1 coin", "move this to gone")) == ["mine.effect"] * 3


def test_strips_are_those_of_the_copy() -> None:
    cards = """
card seal "Seal": Work
    price: 1
    copies: 2
    strip top: mark(7) + stamp(this) -> stamp(this)
"""
    body = """
    do top_of(p1, seal_2)
    do note(seal.marks)
    do note(seal_2.marks)
"""
    assert played(cards, body) == 702


def test_each_copy_has_its_own_lasting_rules() -> None:
    # 5: what several lines add is summed; 6: a line counts while its own card is there.
    cards = """
card bank "Bank": Work
    price: 1
    copies: 3
    while owner is not none: modify worth(p) by 2 where p is owner
"""
    body = """
    set bank.owner to p1
    set bank_3.owner to p1
    set bank_2.owner to p2
    do note(worth(p1))
    do note(worth(p2))
"""
    assert played(cards, body) == 42


def test_copies_hear_an_event_in_source_order() -> None:
    # 6: by owner from the active seat on (the first, where none is said), then by number.
    cards = """
card clock "Clock": Work
    price: 1
    copies: 3
    while owner is not none
        after bell(): do note(this.copy)
"""
    body = """
    set clock.owner to p2
    set clock_2.owner to p1
    set clock_3.owner to p1
    do bell()
"""
    assert played(cards, body) == 231  # the 0 of the bell comes first


def test_once_per_counts_for_each_copy() -> None:
    cards = """
card clock "Clock": Work
    price: 1
    copies: 2
    while owner is not none
        after bell() once per game: do note(this.copy)
"""
    body = """
    set clock.owner to p1
    do bell()
    set clock_2.owner to p1
    do bell()
"""
    assert played(cards, body) == 102


def test_lines_that_hold_for_a_while_are_those_of_the_copy() -> None:
    cards = USE + """
card feast "Feast": Work
    price: 1
    copies: 2
    effect
        until end of game
            after bell(): do note(this.copy)
"""
    body = """
    do use(p1, feast_2)
    do bell()
"""
    assert played(cards, body) == 2


ACTIONS = """
card mill "Mill": Work
    price: 1
    copies: 2
    while owner is not none
        action grind(p: Seat) of works
            require owner is p because "it is another's"
            set this.marks to this.marks + 1
phase game
    set mill.owner to p1
    set mill_2.owner to p2
    offer works by p2
    do note(mill.marks)
    do note(mill_2.marks)
    set mill.owner to p2
    offer works by p2
    stop game
"""


def test_each_copy_has_an_action_of_its_own() -> None:
    s = start(BASE + ACTIONS)
    assert asked(s) == "p2: game.works_2"
    assert cell(s, "trail") == 1
    assert options(s) == ["grind", "grind_2"]
    say(s, "grind")
    assert cell(s, "mill.marks") == 1 and cell(s, "mill_2.marks") == 1


def test_a_record_may_have_copies() -> None:
    rules = """
kind Work from "data/works.yaml"
    const price: 0..9
zone deck: Work
phase game
    for every c in Work: move c to deck
    stop game
"""
    data = {"data/works.yaml": "Work:\n    mine: {price: 2, copies: 2, aliases: [pit]}\n    farm: {price: 3}\n"}
    g = game(rules, data)
    assert g.program.domains["Work"].ids == ("mine", "mine_2", "farm")
    assert g.program.tables[g.program.consts["Work.price"][0]] == (2, 2, 3)


def test_the_row_of_a_card_counts_before_the_record() -> None:
    rules = """
kind Work from "data/works.yaml"
    const price: 0..9
card mine "Mine": Work
    copies: 3
zone deck: Work
phase game
    for every c in Work: move c to deck
    stop game
"""
    g = game(rules, {"data/works.yaml": "Work:\n    mine: {price: 2, copies: 2}\n    farm: {price: 3}\n"})
    assert g.program.domains["Work"].ids == ("mine", "mine_2", "mine_3", "farm")


OWN = """
field trail: 0..999999999
kind Work
    const copies: 0..9
    const copy: 0..9
    field original: 0..9
card mine "Mine": Work
    copies: 3
    copy: 7
phase game
    set mine.original to 5
    set trail to mine.copies * 100 + mine.copy * 10 + mine.original
    stop game
"""


def test_what_a_kind_declares_itself_wins() -> None:
    s = start(OWN)
    assert s.game.program.domains["Work"].ids == ("mine",)
    assert cell(s, "trail") == 375


def test_a_value_may_be_called_copy() -> None:
    assert played(PLAIN + "value copy(c: Work): int = c.price\n", "    do note(mine_2.copy)\n") == 2


def test_copies_of_a_union_are_told_apart() -> None:
    rules = """
field trail: 0..999999999
kind Hut
    const price: 0..9
kind Mast
    const price: 0..9
kind Work: Hut, Mast
card barn "Barn": Hut
    price: 1
    copies: 2
card pole "Pole": Mast
    price: 2
    copies: 3
phase game
    for every w in Work: set trail to trail * 10 + w.copy
    for every w in Work where w.original is pole: set trail to trail * 10 + w.price
    stop game
"""
    assert cell(start(rules), "trail") == 12123222


def test_a_mistake_on_a_card_is_told_once() -> None:
    cards = USE + """
card mine "Mine": Work
    copies: 9
    effect: set this.mark to 1
    while owner is not none
        modify worht(p) by 2 where p is owner
        after bell(): do rign()
        action dig(p: Seat) of works
            if p is owner: do note(1)
"""
    found = mistakes(BASE + cards + "phase game: do use(p1, mine)\n")
    assert sorted(d.code for d in found) == ["RW0207", "RW0242", "RW0260", "RW0282"]


def test_a_habit_on_a_card_is_told_once() -> None:
    cards = """
card mine "Mine": Work
    price: 1
    copies: 4
    while owner is not none
        modify worth(p) to 2
        action dig(p: Seat) of works
            if p is owner: do note(1)
phase game: offer works by p1
"""
    found = [d.code for d in check_texts({"small.rules": BASE + cards}) if d.severity is not Severity.ERROR]
    assert found.count("RW1201") == 1 and "RW1204" not in found


def test_texts_fall_back_to_those_of_the_original() -> None:
    g = game(BASE + PLAIN + "phase game: stop game\n")
    assert g.texts.id("en", "Work", "mine_3") == "Mine"
    assert list(g.program.cards) == ["mine", "farm"]
