"""What a SHOW stands for as parts, and the same as text."""

from __future__ import annotations

from typing import Any

import pytest

from dsl.shows.reading import spec
from tests.tools.picture.games import RULES, hand, state
from tools.display.board import board_lines
from tools.picture.model.reader import Reader
from tools.shows.parts import CHIP, FACE, HEAD, NAME, Part, as_list, in_list, shown
from tools.shows.presenter import Presenter
from tools.shows.words import between, name_text, show_text, text_of, titled

IN_ORDER = RULES.replace("    shuffle deck\n", "").replace(
    "    move apple from deck to market\n", "    move apple from deck to market\n    move fig from deck to market\n"
)  # so that hands and market are known


def reader(seat: int | None = 1) -> Presenter:
    return Presenter(state(rules=IN_ORDER), seat, "en")


def thing(presenter: Presenter, id_: str) -> int:
    return presenter.game.things[id_]


def test_a_member_is_shown_by_its_sign_its_name_its_card_or_its_id() -> None:
    presenter = reader()
    field = thing(presenter, "f1")
    assert shown(presenter, spec("ground"), field) == (Part("meadow", "Ground.meadow", CHIP),)
    assert shown(presenter, spec({"of": "ground", "as": "text"}), field) == (Part("meadow", "Ground.meadow", NAME),)
    assert shown(presenter, spec("id"), field) == (Part("f1"),)
    assert shown(presenter, spec({"of": "market", "as": "face"})) == as_list(
        [Part("Apple", "Card.apple", FACE), Part("Fig", "Card.fig", FACE)]
    )


def test_nothing_has_no_parts() -> None:
    presenter = reader()
    assert shown(presenter, spec("no_such_name")) == ()
    assert shown(presenter, spec("ground"), thing(presenter, "f3")) == ()
    assert show_text(presenter, spec({"of": "keeper", "label": "kept by "}), thing(presenter, "f3")).plain == ""


def test_who_reads_is_told_of_each_member_and_how_it_is_shown() -> None:
    met: list[tuple[int, str, str]] = []
    presenter = reader()
    shown(
        presenter,
        spec({"of": "market", "as": "face"}),
        meet=lambda value, type_, part: met.append((value, type_.domain, part.form)),
    )
    assert met == [(thing(presenter, "apple"), "Card", FACE), (thing(presenter, "fig"), "Card", FACE)]


def test_what_is_hidden_tells_how_much_it_is_and_no_member() -> None:
    met: list[Any] = []
    presenter = Presenter(state(), 1, "en")
    other, own = thing(presenter, "p2"), thing(presenter, "p1")
    assert shown(presenter, spec("hand"), other, meet=lambda *how: met.append(how)) == (Part("hidden (1)", dim=True),)
    assert met == []
    assert [part.thing for part in shown(presenter, spec("hand"), own)] == [f"Card.{hand(presenter.state, 1)}"]


def test_text_has_labels_signs_names_and_counts() -> None:
    presenter = reader()
    assert show_text(presenter, spec({"of": "ground", "label": "on "}), thing(presenter, "f2")).plain == "on Ma"
    assert show_text(presenter, spec({"of": "market", "as": "row"})).plain == "Apple, Fig"
    assert show_text(presenter, spec({"of": "market", "by": "hue"})).plain == "Me1 Ma1"
    assert show_text(presenter, spec({"of": "market", "by": "hue", "as": "short"})).plain == "Me Ma"
    assert name_text(presenter, thing(presenter, "p2")).plain == "Bert"
    head = Part("meadow", "Ground.meadow", NAME)
    assert (
        titled(presenter, (head,)).plain == "Me meadow"
        and titled(presenter, (Part("Anna", "Seat.p1", NAME),)).plain == "Anna"
    )


CLUBS, SPADES = (Part(suit, dim=True, role=HEAD) for suit in ("clubs:", "spades:"))


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ((CLUBS, Part("a", more=True), Part("b"), SPADES, Part("c")), "clubs: a, b; spades: c"),
        ((Part("hidden (2):", dim=True, role=HEAD), *as_list([Part("a"), Part("b")])), "hidden (2): a, b"),
        ((CLUBS, Part("hidden (1):", dim=True, role=HEAD), Part("a")), "clubs: hidden (1): a"),
        ((*as_list([Part("meadow", "Ground.meadow", CHIP, 2), Part("marsh", "Ground.marsh", CHIP, 1), Part("x")]),),
         "Me2 Ma1, x"),
        ((Part("meadow", "Ground.meadow", NAME, 3),), "meadow 3"),
        ((), ""),
    ],
)  # fmt: skip
def test_parts_stand_beside_each_other_as_they_belong_together(parts: tuple[Part, ...], text: str) -> None:
    presenter = reader()
    assert text_of(presenter, parts).plain == text
    assert not parts or between(presenter, parts[-1], Part("y")) == " "


def test_several_contents_become_one_list() -> None:
    one, other, third = Part("a"), Part("b"), Part("c")
    assert in_list([(one,), (), as_list([other, third])]) == as_list([one, other, third])
    assert in_list([(one, one)]) == (one, one), "what is no list does not become one"


def test_a_label_stands_right_before_its_value_wherever_both_are_read() -> None:
    presenter = Presenter(state(), 1, "en")
    field = thing(presenter, "f1")
    starred = spec({"of": "keeper", "label": "*", "as": "text"})
    assert show_text(presenter, starred, field).plain == "*Bert"
    parts = (*Reader(presenter).show(spec({"of": "id", "as": "text"}), field), *Reader(presenter).show(starred, field))
    assert text_of(presenter, parts).plain == "North *Bert"


def test_groups_of_a_terminal_show_the_labels_of_their_cells() -> None:
    cells = '[{of: id, as: text}, {of: keeper, label: "="}]'
    display = f"panels: [{{id: fields, group: Field, by: ground, cells: {cells}}}]\n"
    lines = [line.plain for line in board_lines(state(display), 1, "en", 80)]
    assert "  meadow  North =Bert" in lines
