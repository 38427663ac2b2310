"""`why`, `try` and `info` know the words on the screen, of answers that are offered or not, in every language."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.terminal.test_session import Typist
from tools.base.loading import load_game
from tools.terminal.session import Session

Talk = Callable[..., list[str]]


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Talk:
    """`talk(ruleset, seats, seed, lines, lang)`: what is printed for each line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(ruleset: str, seats: int, seed: int, lines: list[str], lang: str = "en") -> list[str]:
        typist = Typist(lines)

        def typed(prompt: str) -> str:
            print("\n@@@")
            return typist(prompt)

        monkeypatch.setattr("builtins.input", typed)
        Session(load_game(ruleset).new(seats=seats, seed=seed), frozenset({1}), lang, "random").run()
        return capsys.readouterr().out.split("\n@@@\n")[1:]

    return run


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


INSECTS = ["insect", "adaptation_1"]


@pytest.mark.parametrize(
    "typed",
    ["why adaptation_1", "why Adaptation 1", "why adaptation 1", "why 環境適応1", "try Adaptation 1", "Adaptation 1"],
)
def test_a_space_that_is_taken_says_who_stands_there(talk: Talk, typed: str) -> None:
    shown = flat(talk("dominant_species", 3, 7, [*INSECTS, typed])[len(INSECTS)])
    head = "Adaptation 1 is not offered" if typed.startswith(("why", "try")) else "that is not possible"
    assert f"{head}: pawn of Adaptation 1: there is already Insects (you) [DS-6.2]" in shown


def test_the_tour_of_the_readme_shows_this_very_answer(talk: Talk) -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    (promised,) = (text for text in readme.split("```text\n") if text.startswith("Adaptation 1"))
    shown = talk("dominant_species", 3, 7, [*INSECTS, "why Adaptation 1"])[len(INSECTS)]
    assert promised.partition("```")[0] in shown


def test_the_same_in_japanese(talk: Talk) -> None:
    shown = talk("dominant_species", 3, 7, [*INSECTS, "why 環境適応1", "why Adaptation 1"], "ja")[len(INSECTS) :]
    assert all("環境適応1 は選べません" in text and "すでに昆虫（あなた）がある" in text for text in shown[:2])


def test_a_card_of_the_row_is_asked_for_by_its_name(talk: Talk) -> None:
    lines = ["why Hammurabi", "why take Hammurabi", "why Take Hammurabi", "try hammurabi", "Take Hammurabi"]
    for shown in talk("through_the_ages", 2, 18, lines)[: len(lines)]:
        assert "Take Hammurabi (A; 3 civil actions) is not offered: your civil actions: 3" in flat(shown)
        assert "needed, 1 there [TTA-11.3]" in flat(shown)
        assert not re.search(r"\bw\b|`", shown)


def test_what_a_card_of_the_row_is_can_be_asked_by_the_text_of_its_option(talk: Talk) -> None:
    shown = talk("through_the_ages", 2, 18, ["info Take Hammurabi"])[0]
    assert shown.startswith("Hammurabi  Leader hammurabi")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("why Joan of Arc", "Joan of Arc is not offered: no answer to this question is about Joan of Arc"),
        ("why declare war", "`declare war` belongs to other questions, not to this one"),
        ("why Hamurabi", "nothing is called `Hamurabi` here; did you mean `Hammurabi`?"),
        ("why take Stockpile", "Take Stockpile (A; 1 civil action) is offered as number 2."),
    ],
)
def test_what_is_not_in_the_question_is_said_to_be_elsewhere(talk: Talk, typed: str, expected: str) -> None:
    assert expected in flat(talk("through_the_ages", 2, 18, [typed])[0])


MANY = """
kind Seat
    field coins: 0..9
kind Tool: 3
kind Tree: 3

phase game
    repeat: offer doing by p1 or decline
    stop game

action buy(p: Seat, t: Tool) of doing
    require p.coins > 3 because "you are too poor"
    set p.coins to 0

action plant(p: Seat, t: Tool, w: Tree) of doing
    require p.coins > 5
    set p.coins to 0

action rest(p: Seat) of doing
    set p.coins to 1
"""


def test_what_is_common_to_all_answers_of_a_kind_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.concepts.play import start

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", Typist(["why buy", "why tool_2", "why plant tool_2"]))
    Session(start(MANY, seats=(2, 2)), frozenset({1}), "en", "random").run()
    shown = flat(capsys.readouterr().out)
    assert "buy is not offered: you are too poor (your coins is 0, and must be more than 3)" in shown
    assert "buy tool_2 is not offered: you are too poor" in shown
    assert "plant is not offered: your coins is 0, and must be more than 5" in shown
