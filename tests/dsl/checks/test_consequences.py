"""One mistake gives one message: the true one, at the mistake, and nothing that only follows from it."""

from __future__ import annotations

from collections.abc import Mapping

from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.diagnostics.render import sort_by_place
from dsl.driver.load import compile_sources
from dsl.driver.pipeline import compile_texts
from dsl.files.ruleset import FileTexts

RULES = """\
enum Fruit: apple, pear
kind Tree from "data/trees.yaml"
    const height: 1..5
    field age: 0..9
kind Card
    const price: 0..9
field left: 0..9 by Fruit

phase game
    set left[apple] to 3
    set left[pear] to 4
    for every t in Tree: set t.age to t.height + min(left[apple], t.age)
    if axe.price + spade.price > 3: set oak.age to 0
    stop game
"""
CARDS = """\
card axe "Axe": Card
    price: 3
card spade "Spade": Card
    price: 4
"""
TREES = "Tree:\n  oak: {height: 5}\n  elm: {height: 3}\n"
MANIFEST = "id: test\nversion: 1\ntitle: {en: Test}\nseats: {min: 2, max: 5}\nload: [game.rules]\n"
RULINGS = """\
position five "five players"
    seats: 5
    p5: p5
ruling R1 "the axe"
    given five
        axe: axe
    expect
        axe.price: 3
        oak.height: 5
"""
TEXTS = {"game.rules": RULES, "tools.cards": CARDS, "data/trees.yaml": TREES, "ruleset.yaml": MANIFEST}


def told(changed: Mapping[str, str] | None = None) -> list[tuple[str, int, str]]:
    """File, line and code of each message, in the order in which they are read."""
    return [place for _, place in messages(changed)]


def messages(changed: Mapping[str, str] | None = None) -> list[tuple[Diagnostic, tuple[str, int, str]]]:
    texts = TEXTS | dict(changed or {})
    rules = {name: text for name, text in texts.items() if not name.endswith(".yaml")}
    _, found, sources = compile_sources(rules, {name: t for name, t in texts.items() if name.endswith(".yaml")})
    places = [(d, (d.span.file, Source("", texts[d.span.file]).place(d.span.start)[0], d.code)) for d in found]
    order = sort_by_place(found, sources)
    return sorted(places, key=lambda pair: order.index(pair[0]))


def test_the_texts_are_clean() -> None:
    assert told() == []


def test_data_that_cannot_be_read_hold_back_all_that_needs_them() -> None:
    for broken in (TREES.replace("oak: {", "oak: {{"), TREES.replace("oak:", "oak"), TREES.replace("  elm", "\telm")):
        ((file, _, code),) = told({"data/trees.yaml": broken})
        assert (file, code) == ("data/trees.yaml", "RW0301")


def test_a_manifest_with_a_wrong_key_is_the_only_thing_told() -> None:
    rulings = RULINGS.replace("    p5: p5\n", "").replace("        axe: axe\n", "")
    more = {"rulings/some.ruling": rulings.replace("expect", "when\n        p5 chooses 1\n    expect")}
    assert told(more) == []
    for wrong in ("seat:", "setas:"):
        assert told({"ruleset.yaml": MANIFEST.replace("seats:", wrong), **more}) == [("ruleset.yaml", 4, "RW0310")]


def test_a_wrong_key_of_the_seats_is_told_with_the_right_one() -> None:
    ((d, place),) = messages({"ruleset.yaml": MANIFEST.replace("max:", "amx:")})
    assert place == ("ruleset.yaml", 4, "RW0310") and d.help == "did you mean `max`?"


def test_a_card_with_a_broken_head_keeps_its_name() -> None:
    for wrong, code in (('"Axe" Card', "RW0114"), ('"Axe": Crad', "RW0210")):
        cards = CARDS.replace('"Axe": Card', wrong)
        assert told({"tools.cards": cards}) == [("tools.cards", 1, code)]
    assert told({"tools.cards": CARDS.replace("card axe", "cadr axe")}) == [("tools.cards", 1, "RW0109")]


def test_of_a_card_of_an_unknown_kind_only_that_is_told() -> None:
    cards = CARDS.replace("    price: 3", "    price: 3\n    effect: set owner.age to left(3)")
    wrong = {"tools.cards": cards.replace('"Axe": Card', '"Axe": Crad')}
    assert told(wrong) == [("tools.cards", 1, "RW0210")]
    assert told({"tools.cards": cards}) != []  # one check later


def test_an_enum_that_cannot_be_read_keeps_its_members() -> None:
    assert told({"game.rules": RULES.replace("Fruit: apple", "Fruit apple")}) == [("game.rules", 1, "RW0114")]
    assert told({"game.rules": RULES.replace("enum", "enmu")}) == [("game.rules", 1, "RW0109")]


def test_a_constant_that_cannot_be_read_is_not_missed_in_the_data() -> None:
    assert told({"game.rules": RULES.replace("const height", "cosnt height")}) == [("game.rules", 3, "RW0109")]


def test_a_constant_of_an_unknown_type_is_not_missed_in_the_data() -> None:
    broken = RULES.replace("const height: 1..5", "const height: 1..5\n    const sort: Fruti")
    trees = TREES.replace("5}", "5, sort: apple}")
    assert told({"game.rules": broken, "data/trees.yaml": trees}) == [("game.rules", 4, "RW0210")]


def test_a_misspelt_row_is_not_missed_as_well() -> None:
    ((d, place),) = messages({"tools.cards": CARDS.replace("    price: 4", "    pricee: 4")})
    assert place == ("tools.cards", 4, "RW0270") and d.fix is not None and d.fix.text == "price"


def test_a_name_that_is_taken_is_told_and_its_uses_are_not() -> None:
    rules = RULES.replace("    stop game\n", "    do fast()\n    stop game\n")
    rules += "option fast: bool = true\nphase fast\n    set left[pear] to 0\n"
    assert told({"game.rules": rules}) == [("game.rules", 17, "RW0202")]


def test_a_card_that_is_declared_twice_is_told_with_the_name_that_is_missing() -> None:
    """By its title, whatever else is unknown; the title says which of the two is wrong."""
    cards = CARDS.replace("card axe", "card spade")
    for more in ({}, {"rulings/some.ruling": RULINGS.replace("5\n    p5: p5", "5")}):
        ((d, place),) = messages({"tools.cards": cards} | more)
        assert place == ("tools.cards", 3, "RW0202")
        assert d.fix is not None and (d.fix.span.start, d.fix.text) == (CARDS.index("axe"), "axe")
        assert "did you mean `axe` at the other declaration?" in (d.help or "")
        assert "unknown `axe`" in [label.text for label in d.labels]
    rules = RULES.replace("oak.age to 0", "oka.age to 0")
    assert told({"tools.cards": cards, "game.rules": rules}) == [
        ("game.rules", 13, "RW0205"),
        ("tools.cards", 3, "RW0202"),
    ]


def test_a_name_that_is_declared_twice_is_told_with_the_only_name_that_is_missing() -> None:
    rules = RULES.replace("apple, pear", "apple, apple")
    ((d, place),) = messages({"game.rules": rules})
    assert place == ("game.rules", 1, "RW0202") and "`pear` is used once" in (d.help or "")
    values = "value one: int = 1\nvalue one: int = left[apple]\n"
    rules = RULES.replace("to 4", "to two") + values
    ((d, place),) = messages({"game.rules": rules})
    assert place == ("game.rules", 16, "RW0202") and d.fix is not None and d.fix.text == "two"
    two = RULES.replace("to 4", "to two + three") + values
    assert told({"game.rules": two}) == [
        ("game.rules", 11, "RW0205"),
        ("game.rules", 11, "RW0205"),
        ("game.rules", 16, "RW0202"),
    ]


def test_a_ruling_that_is_declared_twice_stands_for_no_other_name() -> None:
    rulings = RULINGS.replace("    p5: p5\n", "").replace("        axe: axe\n", "")
    rulings += rulings[rulings.index("ruling R1") :]
    found = told({"rulings/some.ruling": rulings, "game.rules": RULES.replace("to 4", "to two")})
    assert sorted(code for _, _, code in found) == ["RW0202", "RW0205"]


def test_causes_stand_before_what_may_follow_from_them() -> None:
    texts = FileTexts()
    for name in ("some.ruling", "tools.cards", "game.rules", "data/trees.yaml", "ruleset.yaml", "locale/en.yaml"):
        texts.add(name, Source(name, ""))
    order = list(texts.all())
    assert order[:2] == ["ruleset.yaml", "data/trees.yaml"]
    assert order.index("game.rules") < order.index("some.ruling") < order.index("locale/en.yaml")


# ---------------------------------------------------------------- misspelt declarations


def test_a_name_that_is_given_somewhere_is_no_misspelt_one() -> None:
    rules = (
        RULES
        + "value staff: int = 5\nvalue free: int = count(stage in Tree where stage.age > 0)\nvalue w: int = stage\n"
    )
    found = messages({"game.rules": rules})
    assert [place for _, place in found] == [("game.rules", 17, "RW0205")]
    assert [label.text for label in found[0][0].labels] == ["`staff` is declared here and used nowhere"]


def test_a_nearer_name_is_the_one_that_was_meant() -> None:
    """`prices` is near to both; only the row of the card can be meant."""
    rules = RULES + "value pricky: int = 5\nvalue other: int = count(pric in Tree where pric.age > 0)\n"
    ((d, place),) = messages({"game.rules": rules, "tools.cards": CARDS.replace("    price: 4", "    pric: 4")})
    assert place == ("tools.cards", 4, "RW0270") and d.help == "did you mean `price`?"


def test_a_misspelt_declaration_stands_for_all_of_its_uses() -> None:
    rules = RULES.replace("axe.price + spade", "cost + cost + spade") + "value csot: int = 3\n"
    assert told({"game.rules": rules}) == [("game.rules", 15, "RW0219")]


def test_what_uses_a_dropped_name_is_not_about_one_like_it() -> None:
    """Two values read `wage`, which an overlay drops; `wages` is near to it, and nothing reads that."""
    rules = (
        RULES + "value wage: int = 3\nvalue wages: int = 4\nvalue one: int = wage + oak.age\nvalue two: int = wage\n"
    )
    texts, layer = FileTexts(), FileTexts("unpaid")
    for name, text in {**TEXTS, "game.rules": rules}.items():
        texts.add(name, Source(name, text))
    patch = "variant unpaid on test\n    drop wage\n"
    layer.add("unpaid.variant", Source("unpaid.variant", patch))
    texts.overlays = [layer]
    _, found = compile_texts(texts, "test", "")
    assert [(d.code, d.span.file) for d in found] == [("RW0205", "game.rules")]


def test_a_misspelt_card_stands_for_its_copies_and_texts() -> None:
    cards = CARDS.replace("    price: 3", "    price: 3\n    copies: 2")
    rules = RULES.replace("axe.price", "axe.price + axe_2.price + axe.price")
    assert told({"tools.cards": cards, "game.rules": rules}) == []
    assert told({"tools.cards": cards.replace("card axe", "card aexe"), "game.rules": rules}) == [
        ("tools.cards", 1, "RW0219")
    ]


def test_a_misspelt_record_of_a_data_file_stands_for_all_of_its_uses() -> None:
    rules = RULES.replace("set oak.age to 0", "set oak.age to min(oak.height, elm.age)")
    assert told({"game.rules": rules}) == []
    assert told({"game.rules": rules, "data/trees.yaml": TREES.replace("oak", "oaak")}) == [
        ("data/trees.yaml", 2, "RW0219")
    ]


def test_a_record_that_other_data_refers_to_is_told_where_it_is_misspelt() -> None:
    rules = RULES + 'kind Park from "data/parks.yaml"\n    const first: Tree\n    const second: Tree\n'
    parks = "Park:\n  north: {first: oak, second: elm}\n  south: {first: elm, second: elm}\n"
    given = {"game.rules": rules.replace("oak.age", "elm.age"), "data/parks.yaml": parks}
    assert told({**given, "data/trees.yaml": TREES.replace("elm", "lem")}) == [("data/trees.yaml", 3, "RW0219")]


# ---------------------------------------------------------------- nothing is lost


SHOP = """\
enum Cause: spent
kind Purse: 1 per Seat
    zone coins: coin
piece coin each 9 from bank
zone bank: coin
field n: 0..9
phase game
    set n to 1
    for every p in seats: offer shop by p
    stop game
action buy(p: Seat) of shop
    move AMOUNT coin from p.purse.coins to bank as spent
"""


def test_a_name_in_a_place_that_is_read_twice_is_told() -> None:
    """What an action demands is read once without messages, to see whether it can be offered, and once for good."""
    for amount, code in (("csot(p)", "RW0206"), ("csot", "RW0205")):
        assert told({"game.rules": SHOP.replace("AMOUNT", amount), "tools.cards": ""})[-1] == ("game.rules", 12, code)
    assert told({"game.rules": SHOP.replace("AMOUNT", "n"), "tools.cards": ""}) == []
