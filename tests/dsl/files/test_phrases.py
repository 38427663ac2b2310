"""What the tool says lies in one file for each language, and falls back to English phrase by phrase."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl.files import phrases
from dsl.files.phrases import PLACEHOLDER, languages, phrase, pick_form, plural_rule, sections, shorter_tags
from tests.concepts.play import game


@pytest.fixture
def dutch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of languages with half a Dutch file in it, in the place of the real one."""
    for lang in languages():
        (tmp_path / f"{lang}.toml").write_bytes((phrases.FOLDER / f"{lang}.toml").read_bytes())
    (tmp_path / "nl.toml").write_text('[engine]\nready = "Klaar"\n[terminal]\nleft = "je verlaat het spel."\n')
    monkeypatch.setattr(phrases, "FOLDER", tmp_path)
    caches = (phrases.languages, phrases.sections, phrases.template)
    for cached in caches:
        cached.cache_clear()
    yield tmp_path
    for cached in caches:
        cached.cache_clear()


def rows(lang: str) -> dict[tuple[str, str], frozenset[str]]:
    """The placeholders of each phrase of a file."""
    return {
        (section, key): frozenset(name.split("|")[0] for name in PLACEHOLDER.findall(text))
        for section, texts in sections(lang).items()
        for key, text in texts.items()
    }


@pytest.mark.parametrize("lang", languages())
def test_a_phrase_has_the_parts_of_the_english_one_in_every_language(lang: str) -> None:
    assert rows(lang).items() <= rows("en").items()


def test_the_second_language_of_all_rulesets_has_every_phrase() -> None:
    assert rows("ja").keys() == rows("en").keys()


@pytest.mark.parametrize("lang", languages())
def test_every_language_has_a_name_and_a_rule_for_numbers(lang: str) -> None:
    assert sections(lang)["engine"]["language"]
    assert plural_rule(sections(lang)["engine"]["plural"])(1) == 0


def test_a_third_language_is_a_file(dutch: Path) -> None:
    assert "nl" in languages()
    assert phrase("nl", "engine", "ready") == "Klaar"
    assert phrase("nl-BE", "terminal", "left") == "je verlaat het spel."  # a region says what its language says
    assert phrase("nl", "engine", "decline") == "Decline"


def test_an_unknown_language_speaks_english() -> None:
    assert phrase("tlh", "terminal", "winner", names="p1") == "Winner: p1"


def test_shorter_tags() -> None:
    assert shorter_tags("zh-Hant-TW") == ("zh-Hant-TW", "zh-Hant", "zh")


@pytest.mark.parametrize(
    "plural, forms",
    [
        ("n != 1", ["cards", "card", "cards", "cards"]),
        ("n > 1", ["card", "card", "cards", "cards"]),  # as in French
        ("0", ["card", "card", "card", "card"]),
    ],
)
def test_the_language_says_which_form_fits_a_number(plural: str, forms: list[str]) -> None:
    assert [pick_form(["card", "cards"], n, plural) for n in (0, 1, 2, 5)] == forms


def test_a_language_may_have_more_than_two_forms() -> None:
    polish = "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2"
    forms = ["karta", "karty", "kart"]
    assert [pick_form(forms, n, polish) for n in (1, 3, 5, 22)] == ["karta", "karty", "kart", "karty"]


def test_texts_of_a_ruleset_follow_the_rule_of_their_language() -> None:
    texts = {
        "locale/pl.yaml": """
            engine: {plural: "n==1 ? 0 : n<5 ? 1 : 2"}
            game.n.pick: "{n} {n|karta|karty|kart}"
            """
    }
    rules = "kind Seat\nphase game\n    choose number n in 0..5 by p1\n"
    decision = game(rules, texts).new(seats=2).decision
    assert decision is not None
    assert [o.text("pl") for o in decision.options][1:] == ["1 karta", "2 karty", "3 karty", "4 karty", "5 kart"]


def test_a_phrase_that_falls_back_keeps_the_rule_of_its_own_language(dutch: Path) -> None:
    (dutch / "nl.toml").write_text('[engine]\nplural = "0"\n')
    assert phrase("nl", "site", "n_cards", n=2) == "2 cards"
