"""The sites of the rulesets that come with Rulewright: nothing is left out, and every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.base.span import Source
from dsl.driver.reference import RulesetReference
from dsl.files.yaml import read_yaml
from tests.tools.site.reader import faults, read
from tools.site.command import site_files

ROOT = Path(__file__).resolve().parents[3]
CARD = re.compile(r"^card (\w+)", re.MULTILINE)
RULING = re.compile(r"^ruling (\w+)", re.MULTILINE)


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    return site_files(RulesetReference(ROOT / "rulesets/dominant_species"), ("en", "ja"), pictures=False)


@pytest.mark.soak
def test_every_link_of_a_large_site_leads_somewhere(site: dict[str, str]) -> None:
    assert len(site) > 250
    assert faults(site) == []


def test_every_link_of_a_small_site_leads_somewhere() -> None:
    small = site_files(RulesetReference(ROOT / "rulesets/love_letter"), ("en", "ja"))
    assert len(small) > 30
    assert faults(small) == []


def test_all_cards_have_a_page_and_a_place_in_the_gallery(site: dict[str, str]) -> None:
    cards = CARD.findall((ROOT / "cards/dominant_species/dominance.cards").read_text(encoding="utf-8"))
    assert len(cards) == 26
    for lang in ("en", "ja"):
        links = read(site[f"{lang}/cards.html"]).links
        assert [card for card in cards if f"cards/{card}.html" not in links] == []
        assert {f"{lang}/cards/{card}.html" for card in cards} <= site.keys()


def test_all_clauses_stand_in_the_index_and_on_a_page(site: dict[str, str]) -> None:
    text = (ROOT / "rulesets/dominant_species/clauses.yaml").read_text(encoding="utf-8")
    node, _ = read_yaml(Source("clauses.yaml", text))
    assert node is not None
    clauses = set(node.entries())
    pages = [read(page) for name, page in site.items() if name.startswith("en/clauses/")]
    assert clauses == {anchor for page in pages for anchor in page.ids}
    links = {link.partition("#")[2] for link in read(site["en/clauses.html"]).links}
    assert clauses <= links


def test_clauses_have_titles_in_both_languages(site: dict[str, str]) -> None:
    shown = {lang: read(site[f"{lang}/clauses/DS-9.html"]).text for lang in ("en", "ja")}
    assert "DS-9.5 Reptile has one free protection" in shown["en"]
    assert "DS-9.5 爬虫類は1つ無償で守れる" in shown["ja"] and "Reptile" not in shown["ja"].partition("DS-9.6")[0]


def test_all_rulings_hold_and_have_their_place(site: dict[str, str]) -> None:
    files = [
        *(ROOT / "rulesets/dominant_species").rglob("*.ruling"),
        *(ROOT / "cards/dominant_species").rglob("*.ruling"),
    ]
    names = [name for file in files for name in RULING.findall(file.read_text(encoding="utf-8"))]
    pages = [read(page) for name, page in site.items() if name.startswith("ja/rulings/")]
    assert set(names) <= {anchor for page in pages for anchor in page.ids}
    assert f"{len(names)} of {len(names)} hold" in read(site["en/rulings.html"]).text


def test_the_links_of_the_manual_are_there(site: dict[str, str]) -> None:
    manual = (ROOT / "docs/manual/website.md").read_text(encoding="utf-8")
    links = re.findall(r"^(\S+\.html)(?:#(\S+))?  ", manual, re.MULTILINE)
    assert len(links) == 6
    assert [link for link, anchor in links if anchor and anchor not in read(site[f"en/{link}"]).ids] == []
    assert {f"ja/{link}" for link, _ in links} <= site.keys()


def test_a_game_without_overlays_has_no_page_of_them() -> None:
    site = site_files(RulesetReference(ROOT / "rulesets/love_letter"), ("en",))
    assert faults(site) == []
    assert "en/overlays.html" not in site and "en/cards/countess.html" in site
    assert "deny may_play(p, l) where holds(p, countess)" in read(site["en/values.html"]).text
