"""What `info` tells about the cards in a panel."""

from __future__ import annotations

from interpreter import State
from tests.concepts.play import start
from tools.table.info import info_lines

RULES = """
enum Cause: dealt
kind Card: 5
    field price: 0..9
    field age: 0..9
kind Stall: 2
    zone goods: Card max 1
kind Seat
zone row: Card ordered
zone deck: Card ordered seen by nobody
phase game
    move card_3 to row as dealt
    move card_1 to row as dealt
    set card_1.price to 3
    set card_1.age to 2
    move card_2 to stall_2.goods as dealt
    move card_4 to deck as dealt
    show card_4 to p1
    choose n in 1..2 by p1
"""
FILES = {
    "display.yaml": """
panels:
  - {id: market, show: [{of: row, as: row}, {of: deck, as: total}]}
  - {id: dealt, group: Stall, by: id, cells: [{of: id}, {of: goods, as: text}]}
""",
    "locale/en.yaml": """
Card: {card_1: Plough, card_2: Bell, card_3: Cart, card_5: Stall_1}
Card.card_3.text: "Carries two apples."
Card.price: cost
display: {market: The market, dealt: Stalls}
""",
}


def told(name: str, by_id: bool = False) -> list[str]:
    state: State = start(RULES, FILES)
    return [line.plain for line in info_lines(state, 1, "en", name, by_id)]


def test_the_cards_in_the_zones_of_a_panel_are_listed_with_their_texts() -> None:
    assert (
        told("market")
        == told("The  Market")
        == [
            "  1 Cart",
            "    Carries two apples.",
            "  2 Plough",
            "    cost  3  age  2",
        ]
    )


def test_what_a_panel_only_counts_is_not_listed() -> None:
    """The reader knows a card of the deck, of which the panel says how many it holds."""
    assert not any("card_4" in line for line in told("market"))


def test_a_card_of_a_panel_is_named_by_its_number() -> None:
    assert told("market 1") == told("Cart")
    assert told("market 2")[0].startswith("Plough")
    assert told("market 3")[0].startswith("nothing is called") and told("market 0")[0].startswith("nothing is called")


def test_a_panel_goes_before_a_word_of_the_rules_with_its_name() -> None:
    assert told("dealt") == told("stalls") == ["  1 Bell"], "and not the cause `dealt`"


def test_the_beginning_of_a_title_is_not_enough() -> None:
    assert told("the mark")[0].startswith("nothing is called")


def test_a_thing_is_found_by_its_glyph_if_nothing_is_called_so() -> None:
    files = {
        **FILES,
        "display.yaml": FILES["display.yaml"] + "members: {Card: {card_1: {glyph: Plo}, card_2: {glyph: cart}}}\n",
    }
    s = start(RULES, files)
    assert info_lines(s, 1, "en", "plo")[0].plain.startswith("Plough")
    assert info_lines(s, 1, "en", "cart")[0].plain.startswith("Cart")


def test_an_option_is_about_its_own_thing_and_not_about_others_of_that_name() -> None:
    """A name that is typed may mean both; the id that an option names means one."""
    assert [line for line in told("stall_1") if not line.startswith(" ")] == [
        "Stall_1  Card card_5",
        "stall_1  Stall stall_1",
    ]
    assert told("stall_1", by_id=True) == ["stall_1  Stall stall_1"]
    assert told("plough", by_id=True) == told("plough"), "no id"
