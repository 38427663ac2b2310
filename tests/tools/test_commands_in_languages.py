"""Commands that report in words take `--lang`, and say nothing in English that a reader of another language would miss.

The tool is given a language in which every phrase is the English one in angle brackets. What then stands outside of
brackets has to be words of the ruleset, names of files or what was typed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl.files import phrases
from dsl.files.phrases import languages, sections
from interpreter import answer, load, save
from tests.tools.conftest import lay_out
from tests.tools.errata.test_errata import FILES as SHOP
from tools.cli import run

BRACKETED = re.compile(r"‹[^‹›]*›")
WORD = re.compile(r"[^\W\d_]{2,}")
# in every language: names of bots, words that are typed, words of overlays, and those of the rows of a ruling
EVERYWHERE = "random greedy rulewright replay rules json diff html errata replace alter from to add by itself given"
EVERYWHERE += " legal answer is outside left open at when expect ok refused ruling start shop chooses FAILED"
EVERYWHERE += " expected seen before after"
SAME = ("engine.plural", "simulate.list", "simulate.and", "errata.and", "engine.and")
EXTRA = {
    "rulesets/shop/locale/eo.yaml": 'Seat: {p1: Unua, p2: Dua}\nround.pick.n: {ask: "Kiom?", done: "{p} prenas {n}"}\n'
    "Card.loaf: Pano\nCard.loaf.text: Pano por tago.\nclause.SH-1: Rondo\nclause.SH-2: Prezoj\nclause.SH-3: Nenio\n",
    "rulesets/shop/clauses.yaml": "SH-1: A round\nSH-2: Prices\nSH-3: Nothing of it\n",
    "rulesets/shop/more.ruling": """\
ruling SH_9 "a loaf costs three"
    given start
    expect
        cost(loaf): 3
""",
    "cards/shop/errata/more.errata": """\
errata more on shop because "fair" dated "2021-01-01"
    alter loaf.price from 2 to 4  [SH-2]
""",
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A ruleset that brings a language of its own, `eo`, and a tool that speaks it in brackets."""
    folder = tmp_path / "languages"
    folder.mkdir()
    for lang in languages():
        (folder / f"{lang}.toml").write_bytes((phrases.FOLDER / f"{lang}.toml").read_bytes())
    rows = []
    for section, texts in sections("en").items():
        rows.append(f"[{section}]")
        for key, text in texts.items():
            bracketed = text if f"{section}.{key}" in SAME else f"‹{text}›"
            rows.append(f"{json.dumps(key)} = {json.dumps(bracketed, ensure_ascii=False)}")
    (folder / "eo.toml").write_text("\n".join(rows), encoding="utf-8")
    monkeypatch.setattr(phrases, "FOLDER", folder)
    caches = (phrases.languages, phrases.sections, phrases.template)
    for cached in caches:
        cached.cache_clear()
    lay_out(SHOP | EXTRA, tmp_path / "home", monkeypatch)
    yield tmp_path / "home"
    for cached in caches:
        cached.cache_clear()


def left_over(shown: str, home: Path) -> set[str]:
    """Words of a report that are neither in brackets nor of the ruleset."""
    while (shorter := BRACKETED.sub("", shown)) != shown:
        shown = shorter
    files = "\n".join([str(home), *SHOP, *EXTRA, *SHOP.values(), *EXTRA.values()])
    return set(WORD.findall(shown)) - set(WORD.findall(files)) - set(EVERYWHERE.split())


REPORTS = {
    "simulate shop --games 3 --jobs 1 --bot random --checked": ["‹finished›", "‹wins (95%)›"],
    "coverage shop": ["‹clauses without a rule›", "Nenio", "‹cards that no ruling uses›"],
    "info shop": ["‹shop, version 1›", "‹seats›: ", "‹errata›: "],
    "rulings shop": ["‹FAILED› SH_9", "‹expected›", "‹another way› SH_1", "‹shop: 3 passed, 1 failed›"],
    "rulings shop --only SH_1": ["Unua prenas 2"],
    "card shop loaf": [
        "Pano por tago.", "‹without errata, as `shop` is played›", "‹errata 1: ", "‹rulings about its clauses›",
    ],
    "errata diff shop rich dear --sample 2 --games 3 --jobs 1": [
        "‹rules changed: 2›", "‹rulings with another outcome: ", "‹recorded games that diverge: 2 of 2›",
        "‹pairs›", "‹score of seat 1 of 2›", "‹before›", "‹‹the text of `loaf`".replace("‹‹", "‹note: ‹"),
    ],
    "lab shop rich --seats 2 --games 60 --jobs 1": [
        "‹What changes from shop to shop+rich›", "‹Once players know it: ", "‹undecided›", "‹Bots are no people: ",
    ],
    "errata diff shop narrow --sample 4": ["‹at `round.pick.n` only before: 3; only after: ‹nothing››"],
    "errata bisect shop SH_2 SH_1": [
        "‹without errata›", "‹FAIL›", "‹it comes out like this since 2021-01-01, by more›",
    ],
    "replay game.json --verify": ["Unua prenas 2", "‹verified: 1 entry›", "Kiom?"],
    "trace game.json": ["‹entry 1 of 1: ", "Unua prenas 2"],
    "explain game.json 9": ["is asked: Kiom?›"],
}  # fmt: skip


@pytest.mark.parametrize("command", REPORTS)
def test_a_report_is_in_the_language_that_is_asked_for(
    command: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rulings", "shop", "--update"]) == 1  # SH_9 fails
    transcripts = next(shop.rglob("shop.ambr"))
    transcripts.write_text(transcripts.read_text(encoding="utf-8").replace("p1 chooses 2", "p1 chooses  2"))
    state = load("shop").new(seats=2, seed=4)
    answer(state, "2")
    (shop / "game.json").write_text(json.dumps(save(state)))
    capsys.readouterr()
    run([*command.split(), "--lang", "eo"])
    shown = capsys.readouterr().out
    assert [text for text in REPORTS[command] if text not in shown] == []
    assert left_over(shown, shop) == set()


def test_a_page_of_changes_is_in_the_language_that_is_asked_for(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("errata diff shop rich --sample 2 --games 2 --jobs 1 --html diff.html --lang eo".split()) == 0
    assert "‹written to diff.html›" in capsys.readouterr().out
    page = Path("diff.html").read_text(encoding="utf-8")
    assert '<html lang="eo">' in page and "<h2>‹rules changed: 1›</h2>" in page
    text = re.sub(r"<style>.*</style>|<[^>]*>|&\w+;", " ", page, flags=re.DOTALL)
    assert left_over(text, shop) == set()


def test_data_is_the_same_in_every_language(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        "simulate shop --games 3 --jobs 1",
        "errata diff shop rich --sample 0 --games 3 --jobs 1",
        "lab shop rich --games 3 --jobs 1",
    ):
        found = []
        for lang in ("en", "eo"):
            assert run([*command.split(), "--json", "--lang", lang]) == 0
            found.append(json.loads(re.sub(r'"[a-z_]*second[a-z_]*": [0-9.]+', '"": 0', capsys.readouterr().out)))
        if "balance" in found[0]:
            found = [data["balance"] for data in found]
        assert found[0] == found[1]


@pytest.mark.parametrize(
    "command", ["simulate shop", "coverage shop", "rulings shop", "errata diff shop rich", "lab shop rich"]
)
def test_a_wrong_tag_is_refused_by_each(command: str, shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), "--lang", "klingon"]) == 2
    assert "there is no language 'klingon' in shop: choose from en, eo, fr, ja" in capsys.readouterr().err
