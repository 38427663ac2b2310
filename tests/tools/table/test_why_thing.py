"""Why a thing cannot be chosen, for somebody who points at it: what it holds and what holds it count, texts do not."""

from __future__ import annotations

from tests.conformance.tables import load
from tests.tools.table.asking import asked
from tools.shows.presenter import Presenter
from tools.table.info import only_content
from tools.table.reasons import Why, why_thing
from tools.table.table import Table


def told(table: Table, kind: str, id_: str, lang: str = "en") -> Why:
    return why_thing(table.state, asked(table), kind, table.state.game.things[id_], lang)


def lines(found: Why) -> str:
    return "\n".join(line.plain for line in found.lines)


def test_a_thing_that_can_be_chosen_and_one_that_cannot() -> None:
    game = load("rulesets/tic_tac_toe")
    table = Table(game.new(), frozenset({1, 2}))
    taken = asked(table).options[0]
    kind = game.program.thing_kinds[game.things[taken.ids[-1]]]
    assert told(table, kind, taken.ids[-1]).offered
    table.answer(1, taken)
    found = told(table, kind, taken.ids[-1])
    assert not found.offered and "not offered" in lines(found) and len(found.lines) > 1


def test_a_thing_that_no_answer_is_about_is_called_by_its_name() -> None:
    game = load("rulesets/dominant_species")
    table = Table(game.new(seed=1), frozenset({1, 2}))
    assert "no answer to this question is about Adaptation 3" in lines(told(table, "Space", "adaptation_3"))
    assert "環境適応3" in lines(told(table, "Space", "adaptation_3", "ja"))


def test_a_card_is_asked_about_by_the_place_that_it_lies_in() -> None:
    game = load("rulesets/through_the_ages")
    table = Table(game.new(seed=1), frozenset({1, 2}))
    decision = asked(table)
    presenter = Presenter(table.state, decision.seat, "en")
    spaces = [game.things[o.ids[-1]] for o in decision.options if o.ids[-1] in game.things]
    cards = [card for space in spaces for card in only_content(presenter, space)]
    assert cards
    for card in cards[:3]:
        assert told(table, game.program.thing_kinds[card], game.program.thing_ids[card]).offered
