"""What the place of a word tells: members of several enums in a test, numbers that no set holds, cells within bounds,
names that are words elsewhere, and lines that go on inside brackets."""

from __future__ import annotations

import pytest

from dsl.driver.load import check_texts
from tests.concepts.everywhere import played
from tests.concepts.play import cell, errors


def noted(rules: str) -> list[str]:
    """The codes of all messages about a text that are no notes."""
    return [d.code for d in check_texts({"small.rules": rules}, None, seats=(2, 3)) if d.severity.value != "note"]


def test_the_words_of_a_test_in_a_set_are_those_of_its_left_side() -> None:
    # 1: the place tells which is meant; where it does not, the word is refused as before.
    text = """
enum Suit: clubs, hearts, spades
enum Strain: spades, hearts, clubs, none_at_all
kind Seat
    field n: 0..99
field strain: Strain
field suit: Suit
value minor(s: Strain): bool = s in {clubs, hearts}
value of_suit(s: Suit): bool = s not in {clubs, spades}
phase game
    for every s in Strain where minor(s): set p1.n to p1.n * 10 + s.rank
    for every s in Suit where of_suit(s): set p2.n to p2.n * 10 + s.rank
"""
    state = played(text.replace("enum S", "ranked enum S"))
    assert (cell(state, "p1.n"), cell(state, "p2.n")) == (23, 2)
    unsure = text.replace("s in {clubs", "clubs in {clubs").replace("enum S", "ranked enum S")
    assert [d.code for d in errors(unsure)] == ["RW0251"] * 3


LATTICE = """
lattice Cell: {shape} by {columns}, {rows}
kind Stone by Cell
kind Mark by Stone
kind Note: 2 per Cell
kind Colour: 2
kind Seat
    field n: -9..999
field at: Cell
field far: -5..5 = 0
"""


def test_a_number_below_zero_may_be_among_those_of_a_test() -> None:
    text = (
        LATTICE.format(shape="hex", columns="-3..3", rows="-2..2")
        + """
value rim(c: Cell): bool = c.q in {-3, 3} or c.r in {-2, far + 2}
phase game
    set p1.n to count(c in Cell where rim(c))
    set p2.n to count(c in Cell where c.q not in {far, 1})
    set far to 12345 mod 3 - 3
    if 0 - 3 in {far, 5}: set p1.n to p1.n + 100
"""
    )
    # 35 cells; 10 of the first and last column, and 5 + 5 of the first and last row beside these; 25 outside of 0 and 1
    state = played(text)
    assert (cell(state, "p1.n"), cell(state, "p2.n")) == (120, 25)


def test_things_for_each_cell_and_for_each_of_these() -> None:
    # 2 and 21: a kind `by` a lattice, by a kind of such things, and so many `per` cell; ids are joined as elsewhere.
    text = (
        LATTICE.format(shape="square", columns="1..2", rows="1..3")
        + """
phase game
    set p1.n to size(Stone) * 100 + size(Mark) * 10 + size(Note) - size(Colour)
    set p2.n to count(s in Stone where s.cell.x is 2)
    set at to first(m in Mark where m.stone.cell.y is 3).stone.cell
"""
    )
    state = played(text)
    assert (cell(state, "p1.n"), cell(state, "p2.n")) == (670, 3)
    assert cell(state, "at") == "cell_1_3"


def test_a_cell_of_coordinates_within_the_board_is_there() -> None:
    text = (
        LATTICE.format(shape="square", columns="1..4", rows="1..3")
        + """
ranked enum Row: low, middle, high
value corner(x: 1..4, y: 1..3): Cell = Cell(x, y)
value end_of(r: Row): Cell = Cell(1, r.rank)
phase game
    set at to corner(4, 3)
    set p1.n to at.x * 10 + end_of(high).y
"""
    )
    assert cell(played(text), "p1.n") == 43
    assert [d.code for d in errors(text.replace("x: 1..4", "x: 1..5"))] == ["RW0401"]
    for line in ("choose n in 1..{} by p1", "random number n in 1..{}"):
        for most, codes in ((4, []), (5, ["RW0401"])):
            asked = text.replace("corner(4, 3)\n", f"corner(4, 3)\n    {line.format(most)}\n    set at to Cell(n, 1)\n")
            assert [d.code for d in errors(asked)] == codes, line


def test_the_seats_round_the_table_are_never_none() -> None:
    text = """
kind Seat
    field n: 0..9
value who(p: Seat): Seat = first(q in seats from p where q.n is 0)
value most(p: Seat): int = max(q in seats from p: q.n)
phase game
    set p1.n to most(p1) + 1
    set p2.n to 2 if who(p1) is p2 else 3
"""
    assert noted(text) == []
    assert cell(played(text), "p2.n") == 2


@pytest.mark.parametrize("test", ["owner is not none", "this.owner is not none and p is owner", "p is owner"])
def test_you_is_somebody_where_the_line_says_so(test: str) -> None:
    text = f"""
piece coin
kind Card
kind Seat
    zone purse: coin
    zone table: Card
field n: 0..9
value owner(c: Card): Seat or none = only(p in seats where c in p.table)
card bank "Bank": Card
    after gain(p, n, what: coin) where {test}
        choose one by you
            case more: set n_ to n_ + 1
            case less: set n_ to n_ + 2
phase game
    gain 1 coin by p1
    move bank to p1.table
    gain 1 coin by p1
    gain 2 coin by p2
""".replace("field n:", "field n_:")
    assert cell(played(text, seed=3), "n_") in range(1, 5)


def test_a_field_called_open_is_set_like_others() -> None:
    text = """
kind Seat
    field open: bool
field open: bool
field at: 0..9
phase game
    set open to true
    set p1.open to open
    open to p in seats where p.open and at < 1
        choose number n in 1..2 by p or decline
        set at to n
"""
    text = text.replace("        set at to n\n", "").replace("and at < 1", "at most 1")
    state = played(text)
    assert cell(state, "open") is True and cell(state, "p1.open") is True


def test_a_line_inside_brackets_may_begin_with_if() -> None:
    text = """
kind Seat
    field n: 0..99
value worth(p: Seat): int = max(
    1,
    (
        5
        if p is p1
        else min(2, p.n)
    ) + (7
        if p is p2 and any(q in seats: q.n > 3)
        else 1)
)
phase game
    set p2.n to 4
    set p1.n to worth(p1)
    set p2.n to worth(p2)
"""
    state = played(text)
    assert (cell(state, "p1.n"), cell(state, "p2.n")) == (6, 9)
    assert noted("phase game\n    if any(p in seats: p is p1\n        if p1 is p2: stop game\n")[0] == "RW0104"


def test_a_set_of_things_takes_an_ordered_zone() -> None:
    text = """
kind Card: 4
kind Seat
    zone hand: Card
    field n: 0..99
zone deck: Card ordered
zone pile: Card ordered
value heads(cs: set of Card): int = size(cs)
procedure throw(cs: set of Card): move cs to pile
phase game
    for every c in Card: move c to deck
    set p1.n to heads(deck)
    do throw(front(deck, 2))
    set p2.n to heads(pile)
"""
    state = played(text)
    assert (cell(state, "p1.n"), cell(state, "p2.n")) == (4, 2)
