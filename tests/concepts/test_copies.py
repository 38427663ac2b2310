"""Copies of a card (docs/manual/18-cards-and-strips.md): several things of one text, each with a `this` of its own."""

from __future__ import annotations

import interpreter as rw
from dsl.diagnostics.diagnostic import Severity
from dsl.driver.load import check_texts, compile_sources
from interpreter.records.ruling import run_ruling
from tests.concepts.play import answer_all, cell, errors, game, options, question, start, value

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
    do c.top by p
"""
USE = """
procedure use(p: Seat, c: Work)
    do c.effect() by p
"""
PLAIN = (
    USE
    + """
card mine "Mine": Work
    price: 2
    copies: 3
    effect: gain 1 coin
card farm "Farm": Work
    price: 3
"""
)


def play_cards(cards: str, body: str) -> int:
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
    assert play_cards(PLAIN, body) == 2223


def test_copy_and_original() -> None:
    body = """
    for every c in Work: do note(c.copy)
    do note(1 if mine_3.original is mine else 2)
    do note(1 if farm.original is farm else 2)
    do note(count(c in Work where c.original is mine_2.original))
"""
    assert play_cards(PLAIN, body) == 1231_113


def test_what_is_held_can_be_asked_by_name() -> None:
    rules = (
        BASE
        + PLAIN
        + """
value knows(p: Seat, c: Work): bool = any(d in p.hand where d.original is c.original)
phase game
    move mine_2 to p1.hand
    stop game
"""
    )
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
    assert play_cards(cards, body) == 120  # 0, 1, 2 and 0: the leading zero does not show


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
    assert play_cards(cards, body) == 702


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
    assert play_cards(cards, body) == 42


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
    assert play_cards(cards, body) == 231  # the 0 of the bell comes first


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
    assert play_cards(cards, body) == 102


def test_lines_that_hold_for_a_while_are_those_of_the_copy() -> None:
    cards = (
        USE
        + """
card feast "Feast": Work
    price: 1
    copies: 2
    effect
        until end of game
            after bell(): do note(this.copy)
"""
    )
    body = """
    do use(p1, feast_2)
    do bell()
"""
    assert play_cards(cards, body) == 2


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
    assert question(s) == "p2: game.works_2"
    assert cell(s, "trail") == 1
    assert options(s) == ["grind", "grind_2"]
    answer_all(s, "grind")
    assert cell(s, "mill.marks") == 1 and cell(s, "mill_2.marks") == 1


def test_the_name_of_an_action_speaks_of_all_its_copies() -> None:
    # 10, 13: `stop`, `at end of` and `after` name a frame, maybe that of a copy; `once per` counts for each copy.
    rules = """
card mill "Mill": Work
    price: 1
    copies: 2
    while owner is not none
        action grind(p: Seat) of works once per game
            at end of grind: do note(this.copy)
            if this.copy is 2: stop grind
            do note(9)
rule bell_rings: after grind(p): do note(5)
phase game
    for every c in Work: set c.owner to p1
    offer works by p1
    offer works by p1
    stop game
"""
    s = start(BASE + rules)
    assert options(s) == ["grind", "grind_2"]
    answer_all(s, "grind_2")  # 2 at its end, then 5; the other is left over: 9, 1 at its end, 5
    assert cell(s, "trail") == 25_915


def test_a_counter_is_set_back_by_any_copy_of_the_action() -> None:
    # 6: `once per F` holds until F begins again.
    rules = """
card mill "Mill": Work
    price: 1
    copies: 2
    while owner is not none
        action grind(p: Seat) of works
            do bell()
            do bell()
rule ringing: after bell() once per grind: do note(3)
phase game
    set mill_2.owner to p1
    offer works by p1
    offer works by p1
    stop game
"""
    assert cell(start(BASE + rules), "trail") == 30_030  # 030 twice: the bell notes 0, and what rings 3, once


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


def test_the_row_of_a_table_counts_for_the_copies() -> None:
    """Also where a table has several keys; a row of its own counts before it."""
    cards = (
        PLAIN
        + """
enum Sky: clear, grey
table toll by Work
    mine: 3
    mine_3: 6
    farm: 1
table rent by Work, Sky
    rent[mine, clear]: 1
    rent[mine, grey]: 2
    rent[farm, clear]: 3
    rent[farm, grey]: 4
"""
    )
    body = """
    for every c in Work: do note(toll[c])
    for every c in Work: do note(rent[c, grey])
"""
    assert play_cards(cards, body) == 3361_2224


def test_a_table_without_the_card_misses_one_row() -> None:
    (found,) = errors(BASE + PLAIN + "table toll by Work\n    farm: 1\nphase game: do note(toll[farm])\n")
    assert found.code == "RW0275" and "no row for `mine`" in found.message and "mine_2" not in found.message


def test_a_copy_pays_by_its_own_source() -> None:
    # 15: the lines of cards are sources of their owner's purse; each copy has its own pieces.
    rules = """
piece coin
kind Seat
    zone purse: coin
kind Work
    zone stock: coin
    field owner: Seat or none
card vault "Vault": Work
    copies: 2
    while owner is not none: source this.stock of money
purse money(p: Seat)
    source p.purse
phase game
    set vault.owner to p1
    set vault_2.owner to p2
    gain 3 coin to vault.stock
    gain 5 coin to vault_2.stock
    pay 2 money by p2
    stop game
"""
    s = start(rules)
    assert (cell(s, "vault.stock"), cell(s, "vault_2.stock")) == (3, 3)


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
    assert play_cards(PLAIN + "value copy(c: Work): int = c.price\n", "    do note(mine_2.copy)\n") == 2


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
    cards = (
        USE
        + """
card mine "Mine": Work
    copies: 9
    effect: set this.mark to 1
    while owner is not none
        modify worht(p) by 2 where p is owner
        after bell(): do rign()
        action dig(p: Seat) of works
            if p is owner: do note(1)
"""
    )
    found = errors(BASE + cards + "phase game: do use(p1, mine)\n")
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


def test_a_text_is_asked_for_once() -> None:
    rules = (
        BASE
        + PLAIN
        + """
phase game
    for every c in Work: do use(p1, c)
    offer works by p1
card mill "Mill": Work
    price: 1
    copies: 3
    effect: choose n in 1..2
    action grind(p: Seat) of works: choose m in 1..2
"""
    )
    data = {"locale/en.yaml": "engine.and: ' and '\n", "locale/ja.yaml": "engine.and: と\n"}
    found = check_texts({"small.rules": rules}, data)
    (told,) = [d.message for d in found if d.code == "RW1111" and "`ja`" in d.message]
    assert "`Work.mine`, `Work.farm`, `Work.mill`" in told and "_2" not in told
    assert told.endswith("and 1 more")  # besides three cards the menu and two choices


def test_texts_fall_back_to_those_of_the_original() -> None:
    g = game(BASE + PLAIN + "phase game: stop game\n")
    assert g.texts.id("en", "Work", "mine_3") == "Mine"
    assert list(g.program.cards) == ["mine", "farm"]


def test_texts_of_an_action_fall_back_to_that_of_the_card() -> None:
    data = {"locale/en.yaml": "game.works_2.grind.pick: turn the wheel\n"}
    s = start(BASE + ACTIONS, data)
    assert s.decision is not None
    assert [o.text("en") for o in s.decision.options] == ["turn the wheel", "turn the wheel"]


def test_texts_of_an_action_on_a_copy_work_out_values_too() -> None:
    rules = (
        BASE
        + """
value price_of(c: Work): int = c.price
card mill "Mill": Work
    price: 4
    copies: 3
    action grind(p: Seat, c: Work) of works: require c is this
phase game: offer works by p1
"""
    )
    s = start(rules, {"locale/en.yaml": "grind.pick: grind for {price_of(c)}\n"})
    assert s.decision is not None
    assert [o.text("en") for o in s.decision.options] == ["grind for 4"] * 3


def test_both_machines_play_copies_alike() -> None:
    cards = (
        PLAIN
        + """
card clock "Clock": Work
    price: 1
    copies: 3
    strip top: mark(this.copy)
    effect: set this.owner to you
    while owner is not none
        after bell(): do note(this.copy)
"""
    )
    body = """phase game
    for every c in Work
        do use(p2 if c.copy is 2 else p1, c)
        if c.original is clock: do top_of(p1, c)
    do bell()
"""
    for backend in ("reference", "wasm"):
        s = rw.Game(game(BASE + cards + body).program, backend).new()
        assert cell(s, "trail") == 123_0_132


def test_signs_are_those_of_the_original() -> None:
    hints = "members:\n  Work:\n    mine: {glyph: m}\n    mine_3: {glyph: M}\n"
    g = game(BASE + PLAIN + "phase game: stop game\n", {"display.yaml": hints})
    assert {id_: sign.glyph for id_, sign in g.program.display.members["Work"].items()} == {
        "mine": "m", "mine_2": "m", "mine_3": "M",
    }  # fmt: skip


def test_what_changes_a_card_changes_all_its_copies() -> None:
    rules = BASE + PLAIN + "phase game: stop game\n"
    errata = """
errata dearer on test dated "2020-01-01"
    alter mine.price from 2 to 4
    alter mine.copies from 3 to 2
"""
    program, found, _ = compile_sources({"small.rules": rules}, overlays={"dearer.errata": errata})
    assert program is not None and not [d for d in found if d.severity is Severity.ERROR]
    assert program.domains["Work"].ids == ("mine", "mine_2", "farm")
    assert program.tables[program.consts["Work.price"][0]] == (4, 4, 3)


def test_what_changes_a_record_changes_all_its_copies() -> None:
    rules = """
kind Work from "data/works.yaml"
    const price: 0..9
phase game: stop game
"""
    data = {"data/works.yaml": "Work:\n  mine: {price: 2, copies: 3}\n"}
    over = {"cheap/data/works.yaml": "Work:\n  mine: {price: 1, copies: 2}\n"}
    program, _, _ = compile_sources({"small.rules": rules}, data, overlays=over)
    assert program is not None and program.domains["Work"].ids == ("mine", "mine_2")
    assert program.tables[program.consts["Work.price"][0]] == (1, 1)


def test_rulings_and_positions_name_copies_by_id() -> None:
    rules = (
        BASE
        + PLAIN
        + """
phase game
    choose c in deck by p1
    move c to p1.hand
position dealt
    seats: 2
    deck: mine_2, farm, mine_3
ruling third "the third of them is taken"
    given dealt
    when
        do game()
        p1 chooses mine_3
    expect
        p1.hand: mine_3
        deck: mine_2, farm
"""
    )
    g = game(rules)
    result = run_ruling(g, g.program.rulings["third"])
    assert result.passed, result.failures
