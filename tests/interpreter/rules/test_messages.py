"""Every message of the engine exists in every language, and reasons are given in that of the reader."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.rules.messages import in_english, join_messages, message
from tests.concepts.play import game

KEEPER = """
enum Fruit: apple, pear, plum
piece fruit by Fruit each 5 from tree
zone tree: fruit
kind Seat
    zone basket: fruit
    field tired: bool
action pick(p: Seat, f: Fruit) of chores
    require f is not plum because "plums are sour"
    move 1 fruit[f] from tree to p.basket
action sell(p: Seat, f: Fruit, n: 1..3) of chores
    move n fruit[f] from p.basket to tree
phase game
    offer chores by p1
    choose some F in Fruit at least 2 by p1
"""


def reason_texts(answer: str, lang: str) -> list[str]:
    s = game(KEEPER).new(seats=2)
    if answer.startswith("then "):
        answer = answer.removeprefix("then ")
        rw.answer(s, "pick apple")
    found = rw.explain(s, answer)
    return [s.game.texts.render(lang, reason.message) if reason.message else reason.text for reason in found]


@pytest.mark.parametrize(
    "answer, en, ja",
    [
        (
            "pikc apple",
            "`pikc` is not of type Fruit; did you mean `pick`?",
            "`pikc`はFruitではない（`pick`のことか？）",
        ),
        ("pick sell", "`sell` is not of type Fruit", "`sell`はFruitではない"),
        (
            "then sell",
            "`sell` belongs to other questions, not to this one",
            "`sell`は別の問いの選択肢で、この問いにはない",
        ),
        ("sell apple", "the answer is missing: 1..3", "続きが必要：1..3"),
        ("sell apple 9", "9 is outside 1..3", "9は1..3の範囲外"),
        ("decline", "this question cannot be declined", "この問いは辞退できない"),
        ("then ready", "the answer is not complete (at least 2)", "答えが足りない（2以上）"),
    ],
)
def test_a_reason_in_both_languages(answer: str, en: str, ja: str) -> None:
    assert (reason_texts(answer, "en"), reason_texts(answer, "ja")) == ([en], [ja])


def test_sentences_stand_in_sentences() -> None:
    bounds = join_messages([message("at least", n="2"), message("in_total", bound=message("at most", n="5"))])
    incomplete = message("why_incomplete", bounds=message("bounds", bounds=bounds))
    assert in_english(incomplete) == "the answer is not complete (at least 2, at most 5 in total)"
    assert game(KEEPER).texts.render("ja", incomplete) == "答えが足りない（2以上、合計5以下）"
