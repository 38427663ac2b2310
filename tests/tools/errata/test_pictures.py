"""What errata change, drawn: the end of rulings with another outcome before and after, and changed cards."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.tools.conftest import lay_out
from tests.tools.errata.test_errata import FILES
from tools.cli import run

Capture = pytest.CaptureFixture[str]
DEARER = 'errata dearer on shop because "a slip" dated "2020-01-01"\n    replace loaf.price\n        price: 3\n'
RICHER = (
    'errata richer on shop because "more"\n    replace round.end                                               [SH-1]\n'
    "        gain 3 coin by p\n"
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    errata = {"cards/shop/errata/dearer.errata": DEARER, "cards/shop/errata/richer/richer.errata": RICHER}
    texts = {"rulesets/shop/locale/en.yaml": "Card: {loaf: Loaf}\nCard.price: price\nSeat: {p1: Anna, p2: Bert}\n"}
    lay_out(FILES | errata | texts, tmp_path, monkeypatch)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_the_rulings_with_another_outcome_are_drawn_at_their_end(shop: Path, capsys: Capture) -> None:
    assert run(["draw", "cards/shop/errata/richer", "--out", "richer.html"]) == 0
    page = (shop / "richer.html").read_text(encoding="utf-8")
    assert "SH_1: a round pays the choice and one more</h2>" in page
    assert page.count("◆") >= 4 and "Before</h2>" in page and "After</h2>" in page
    assert len({*re.findall(r'<section id="([^"]*)"', page)}) == len(re.findall(r'<section id="([^"]*)"', page))
    assert run(["draw", "cards/shop/errata/richer/richer.errata", "--ruling", "SH_1"]) == 0
    svg = (shop / "richer.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(svg.partition("\n")[2])
    written = re.findall(r"<text[^>]*>([^<]*)<", svg)
    assert "3" in written and "5" in written  # p1's purse: two chosen, and one or three more
    assert capsys.readouterr().out.endswith("the picture is in richer.svg\n")


def test_the_cards_that_are_changed_are_drawn(shop: Path, capsys: Capture) -> None:
    assert run(["draw", "cards/shop/errata/dearer.errata", "--ruling", "cards"]) == 0
    svg = (shop / "dearer.svg").read_text(encoding="utf-8")
    written = re.findall(r"<text[^>]*>([^<]*)<", svg)
    assert written.count("Loaf") == 2 and {"2", "3", "price"} <= {*written}
    assert svg.count('class="mark none"') == 2


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (
            ["cards/shop/errata/richer", "--ruling", "SH_3"],
            2,
            "there is no ruling with another outcome 'SH_3' in richer",
        ),
        (["cards/shop/errata/richer", "--out", "a.png"], 2, "--out should end in .svg or .html"),
        (["cards/shop/errata/nothing.errata"], 1, "no ruling comes out otherwise, so there is nothing to draw"),
        (["alone.errata"], 2, "'alone.errata' lies in no ruleset"),
    ],
)
def test_what_draw_refuses_of_an_erratum(
    shop: Path, capsys: Capture, words: list[str], code: int, expected: str
) -> None:
    (shop / "alone.errata").write_text(RICHER, encoding="utf-8")
    nothing = RICHER.replace("richer", "nothing").replace("gain 3 coin", "gain 1 coin")
    (shop / "cards/shop/errata/nothing.errata").write_text(nothing, encoding="utf-8")
    assert run(["draw", *words]) == code
    assert expected in capsys.readouterr().err


def test_a_comparison_names_the_picture_and_its_page_has_it(shop: Path, capsys: Capture) -> None:
    assert run(["errata", "diff", "shop", "richer", "--sample", "0", "--html", "diff.html"]) == 0
    told = capsys.readouterr().out
    assert "as pictures: rulewright draw cards/shop/errata/richer/richer.errata --out pictures.html" in told
    page = (shop / "diff.html").read_text(encoding="utf-8")
    (data, alt), *_ = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]*)" alt="([^"]*)"', page)
    assert alt == "SH_1: a round pays the choice and one more: Before / After"
    svg = base64.b64decode(data).decode()
    assert "Before" in svg and "◆" in svg


def test_a_comparison_without_a_page_draws_nothing(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.errata.diff.pairs_of", lambda *_: pytest.fail("it draws"))
    assert run(["errata", "diff", "shop", "richer", "--sample", "0"]) == 0


def test_what_no_picture_shows_is_said_in_words(shop: Path, capsys: Capture) -> None:
    """Each heading of a page has what differs in words; a picture alone is drawn of what it shows, or refused."""
    with (shop / "rulesets/shop/shop.rules").open("a", encoding="utf-8") as file:
        file.write('value fee: int = 1\nruling SH_9 "the fee"\n    expect\n        fee: 1\n')
    fee = 'errata fees on shop because "more" dated "2020-01-01"\n    alter fee from 1 to 2\n'
    (shop / "cards/shop/errata/fees.errata").write_text(fee, encoding="utf-8")
    assert run(["draw", "cards/shop/errata/fees.errata", "--out", "fees.html"]) == 0
    page = (shop / "fees.html").read_text(encoding="utf-8")
    said = page.partition("SH_9: the fee</h2>")[2]
    assert said.startswith("<p><b>Before</b>: passed</p><p><b>After</b>: fee: 1: expected 1, seen 2</p>")
    assert "<svg" not in said and page.count("<h2>") == 1
    capsys.readouterr()
    assert run(["draw", "cards/shop/errata/fees.errata"]) == 1
    assert "nothing that a picture shows; write a page" in capsys.readouterr().err
    assert run(["errata", "diff", "shop", "fees", "--sample", "0", "--html", "diff.html"]) == 0
    compared = (shop / "diff.html").read_text(encoding="utf-8")
    assert "SH_9" in compared and "<img" not in compared
