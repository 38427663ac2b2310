"""`doc`: the site of a small game. Every page is there and well formed, every link leads somewhere, all is escaped."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dsl.driver.reference import RulesetReference
from tests.tools.conftest import RULES
from tests.tools.site.reader import faults, read
from tools import cli
from tools.site.command import site_files

WORMS = """
kind Worm
    const size: 1..9
    const homes: set of Spot
kind Spot: 3

value limit(p: Seat): int = 3 in layers season, hunger                                              [LA-1]
rule autumn: modify limit(p) in layer season by 1 where tree > 15
procedure bite(p: Seat)
    lose min(1, p.basket) apple by p from p.basket to tree as picked                            [LA-1]
value greedy(p: Seat): bool = limit(p) > 3 and not short
"""
CARDS = """\
# `<script>` in a comment is a comment.
card green "Green <worm> & co": Worm                                                                [LA-4]
    size: 2
    homes: spot_1, spot_3
    while short: modify limit(p) in layer hunger by -1 where p.last
    effect
        for every p in seats: do bite(p)
card red "Red": Worm
    size: 5
"""
ERRATA = """\
errata juicy on last_apple because "a letter of <the> author" dated "2012-03-04"                    [LA-4]
    replace green.effect
        for every p in seats where p.last: do bite(p)
"""
EARLIER = """\
errata small on last_apple because "a printer's error" dated "2010-01-01"
    replace green.size
        size: 3
"""
VARIANT = """\
variant long on last_apple because "for an evening"
    alter autumn from 15 to 18
"""
RULING = """\
ruling LA_long "a variant has rulings of its own"                                                   [LA-2]
    given three_left
    when
        do turn(p1)
        p1 chooses 3
    expect
        tree: 0
"""
FAILING = """\
ruling LA_wrong "nobody takes an apple"                                                             [LA-1]
    given three_left
    when
        do turn(p1)
        p1 chooses 1
    expect
        tree: 3
"""
THIRD = """\
ruling LA_third "the third worm"
    given three_left
    expect
        green_3.size: 2
"""
JAPANESE = """\
Worm: {green: 青虫}
Worm.green.text: "<b>青虫</b>はりんごを1個戻す。"
kind: {Worm: 虫}
clause: {LA-1: 手番}
"""


@pytest.fixture
def worms(apples: Path) -> Path:
    """The last apple with worms: cards, errata, a variant with a ruling, and texts in two languages."""
    cards = apples.parent.parent / "cards" / "last_apple"
    files = {
        apples / "game.rules": RULES + WORMS,
        apples / "clauses.yaml": (apples / "clauses.yaml").read_text() + 'LA-4: "Worms & co"\nLA-5: Nothing\n',
        apples / "locale" / "ja.yaml": JAPANESE,
        apples / "variants" / "long" / "long.variant": VARIANT,
        apples / "variants" / "long" / "rulings" / "long.ruling": RULING,
        cards / "worms.cards": CARDS,
        cards / "errata" / "juicy.errata": ERRATA,
        cards / "errata" / "small.errata": EARLIER,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return apples


@pytest.fixture
def site(worms: Path) -> dict[str, str]:
    return site_files(RulesetReference(worms), ("en", "ja"))


def text(page: str) -> str:
    """What a page shows, with single spaces."""
    return " ".join(read(page).text.split())


def part(page: str, anchor: str) -> str:
    """The text of a page from an anchor to the end of its section."""
    return text(page[page.index(f'id="{anchor}"') :].partition(">")[2].partition("</section")[0])


def test_every_page_is_there_in_both_languages(site: dict[str, str]) -> None:
    english = {name.partition("/")[2] for name in site if name.startswith("en/")}
    assert english == {
        *("index.html", "cards.html", "clauses.html", "values.html", "rulings.html", "data.html", "rules.html"),
        *("overlays.html", "names.html", "cards/green.html", "cards/red.html", "clauses/LA.html"),
        *(f"data/{name}.html" for name in ("Cause", "Seat", "Spot", "Worm")),
        *("rules/game.rules.html", "rules/worms.cards.html", "rules/juicy.errata.html", "rules/small.errata.html"),
        *("rules/long-long.variant.html", "rulings/apples.ruling.html", "rulings/long-long.ruling.html"),
        *("pictures/LA_001.svg", "pictures/LA_long.svg", "pictures/card-green.svg", "pictures/card-red.svg"),
    }
    assert english == {name.partition("/")[2] for name in site if name.startswith("ja/")}
    assert {name for name in site if "/" not in name} == {"index.html", "site.css", "site.js"}


def test_pages_are_well_formed_and_links_lead_somewhere(site: dict[str, str]) -> None:
    assert faults(site) == []


def test_the_check_of_links_finds_what_is_wrong() -> None:
    pages = {"a.html": '<p id="x"><a href="b.html#y">to <b>b</b></a></p>', "b.html": '<p id="x"><a href="c.html">c</a>'}
    assert faults(pages) == ["b.html: <p> is not closed", "a.html: no anchor b.html#y", "b.html: no page c.html"]


def test_whatever_a_game_says_is_escaped(site: dict[str, str]) -> None:
    elements = {tag for page in site.values() for tag in re.findall(r"<(\w+)", page)}
    assert "pre" in elements and not elements & {"worm", "the"}
    assert "<script>" not in site["en/rules/worms.cards.html"]
    assert "Green &lt;worm&gt; &amp; co" in site["en/cards/green.html"]
    assert "&lt;b&gt;青虫&lt;/b&gt;は" in site["ja/cards/green.html"]


def test_a_card_tells_its_text_figures_rule_and_history(site: dict[str, str]) -> None:
    page = site["en/cards/green.html"]
    shown = text(page)
    assert shown.index("small, 2010-01-01: a printer's error") < shown.index("juicy, 2012-03-04: a letter of <the>")
    assert "before effect for every p in seats: do bite(p) after effect" in shown
    now = shown[shown.index("Rule with all errata") :]
    assert "size: 3" in now and "where p.last: do bite(p)" in now
    assert "<dt>size</dt><dd>2</dd>" in page and "<dd>spot_1, spot_3</dd>" in page
    assert "LA-4 Worms & co" in shown
    assert "There are no errata." in text(site["en/cards/red.html"])
    assert "homes" not in text(site["en/cards/red.html"]).partition("Rule")[0]  # an empty set says nothing


def test_a_card_of_several_copies_is_shown_once(worms: Path) -> None:
    """`this` makes rules for each copy; they are one text, and a ruling that names a copy names the card."""
    cards = worms.parent.parent / "cards" / "last_apple" / "worms.cards"
    copied = CARDS.replace("    size: 2\n", "    size: 2\n    copies: 3\n")
    copied = copied.replace("while short", "while short and this.size > 1")
    cards.write_text(copied, encoding="utf-8")
    (worms / "rulings" / "third.ruling").write_text(THIRD, encoding="utf-8")
    pages = site_files(RulesetReference(worms), ("en", "ja"))
    assert faults(pages) == []
    assert {name for name in pages if name.startswith("en/cards/")} == {"en/cards/green.html", "en/cards/red.html"}
    shown = text(pages["en/cards/green.html"])
    assert "green · 3 copies ·" in shown and "LA_third the third worm" in shown
    assert text(pages["en/cards.html"]).count("3 copies") == 1 and "3 枚" in text(pages["ja/cards/green.html"])
    rows = text(pages["en/data/Worm.html"])
    assert rows.count("Green <worm> & co") == 1 and "green (3 copies)" in rows and "green_2" not in rows
    assert part(pages["en/values.html"], "limit").count("Layer hunger green") == 1
    assert "copies" not in text(pages["en/cards/red.html"]).partition("Rule")[0]


def test_a_value_tells_its_modifiers_layer_by_layer(site: dict[str, str]) -> None:
    shown = part(site["en/values.html"], "limit")
    season, hunger = shown.index("Layer season autumn"), shown.index("Layer hunger green")
    assert season < shown.index("by 1 where tree > 15") < hunger < shown.index("by -1 where p.last")
    assert "while short" in shown
    assert "Read by: greedy" in shown
    assert "long: for an evening alter autumn" not in shown  # a change of a rule is shown with the rule
    assert 'href="cards/green.html"' in site["en/values.html"]
    assert "No rule reads it" in part(site["en/values.html"], "greedy")


def test_a_clause_tells_its_rules_rulings_and_why_there_are_none(site: dict[str, str]) -> None:
    page = site["en/clauses/LA.html"]
    first = part(page, "LA-1")
    assert "Source: page 1" in first
    assert "phase turn(p: Seat)" in first and "value limit(p: Seat)" in first
    assert "bite · rulesets/last_apple/game.rules:" in first and "lose min(1, p.basket)" in first
    assert "procedure bite" not in first  # only the line that cites it
    assert "LA_001 the last apple wins" in part(page, "LA-2")
    assert "LA_long a variant has rulings of its own" in part(page, "LA-2")
    assert "No rule nothing of it is in the game" in part(page, "LA-3")
    assert "No rule cites this clause." in part(page, "LA-5")


def test_rulings_show_their_text_their_outcome_and_their_course(worms: Path, site: dict[str, str]) -> None:
    page = site["en/rulings/apples.ruling.html"]
    shown = part(page, "LA_001")
    assert shown.startswith("LA_001 the last apple wins holds")
    assert "p1 chooses 3 expect tree: 0" in shown
    assert "ok tree: 0" in shown
    assert "three apples left position" in part(page, "three_left")
    assert "2 of 2 hold" in text(site["en/rulings.html"])
    (worms / "rulings" / "wrong.ruling").write_text(FAILING, encoding="utf-8")
    wrong = site_files(RulesetReference(worms), ("en",))
    shown = part(wrong["en/rulings/wrong.ruling.html"], "LA_wrong")
    assert "nobody takes an apple fails" in shown and "tree: 3: expected 3, seen 2" in shown
    assert "2 of 3 hold" in text(wrong["en/rulings.html"])


TABLE = """\
ruling LA_table(taken: 1..3, left: 0..2) "{taken} taken"                                                [LA-1]
    given three_left
    when
        do turn(p1)
        p1 chooses taken
    expect
        tree: left
    cases
        one: 1, 2                                                                                   [LA-2]
        all: 3, 1
"""


def test_rows_of_a_table_stand_below_its_text(worms: Path) -> None:
    (worms / "rulings" / "table.ruling").write_text(TABLE, encoding="utf-8")
    pages = site_files(RulesetReference(worms), ("en",))
    assert faults(pages) == []
    page = pages["en/rulings/table.ruling.html"]
    assert "do turn(p1)" in part(page, "LA_table") and "holds" not in part(page, "LA_table")
    one = part(page, "LA_table.one")
    assert one.startswith("LA_table.one 1 taken holds LA-1") and "LA-2" in one and " one: 1, 2 " in one
    assert "tree: 1: expected 1, seen 0" in part(page, "LA_table.all")
    assert "3 of 4 hold" in text(pages["en/rulings.html"])


def test_a_file_of_rules_may_hold_rulings(worms: Path) -> None:
    rules = worms / "game.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n" + RULING.replace("LA_long", "LA_here"), encoding="utf-8")
    pages = site_files(RulesetReference(worms), ("en",))
    assert faults(pages) == []
    assert "LA_here" in read(pages["en/rulings/game.rules.html"]).ids
    assert "turn" in read(pages["en/rules/game.rules.html"]).ids


def test_overlays_show_what_they_change(site: dict[str, str]) -> None:
    page = site["en/overlays.html"]
    shown = text(page)
    assert shown.index("small errata") < shown.index("juicy errata") < shown.index("long variant")
    long = part(page, "long")
    assert "where tree > 15 after" in long and long.endswith("LA_long a variant has rulings of its own")


def test_data_are_tables_with_anchors(site: dict[str, str]) -> None:
    rows = "Name Id size homes Green <worm> & co green 2 spot_1, spot_3 Red red 5"
    assert rows in text(site["en/data/Worm.html"])
    assert {"spot_1", "spot_2", "spot_3"} <= read(site["en/data/Spot.html"]).ids


def test_names_in_rules_lead_to_what_they_mean(site: dict[str, str]) -> None:
    deck = site["en/rules/worms.cards.html"]
    assert '<a href="../values.html#limit" class="name">limit</a>' in deck
    assert '<a href="../rules/game.rules.html#bite" class="name">bite</a>' in deck
    assert '<a href="../rules/game.rules.html#Seat.last" class="name">last</a>' in deck
    assert '<a href="../data/Worm.html" class="name">Worm</a>' in deck
    assert '<a href="../data/Spot.html#spot_3" class="name">spot_3</a>' in deck
    assert '<span class="name" id="green">green</span>' in deck
    assert '<span class="comment"># `&lt;script&gt;` in a comment is a comment.</span>' in deck


def test_japanese_pages_speak_japanese(site: dict[str, str]) -> None:
    page = site["ja/cards/green.html"]
    assert '<html lang="ja">' in page
    assert "青虫" in text(page) and "エラッタ" in text(page)
    assert 'href="../../en/cards/green.html"' in page
    assert 'href="../../ja/cards/green.html"' in site["en/cards/green.html"]
    assert "LA-1 手番" in text(site["ja/clauses.html"])
    assert "最後のりんご" in text(site["ja/index.html"])


def test_the_first_page_tells_options_and_presets(site: dict[str, str]) -> None:
    shown = text(site["en/index.html"])
    assert "Seats: 2–4" in shown and "no false default yes true" in shown and "small short=true" in shown


def test_the_same_rules_give_the_same_bytes(worms: Path, site: dict[str, str]) -> None:
    assert site_files(RulesetReference(worms), ("en", "ja")) == site


def test_an_applied_overlay_is_part_of_the_rules(worms: Path) -> None:
    overlay = worms / "variants" / "long"
    pages = site_files(RulesetReference(worms, (overlay,)), ("en",))
    assert faults(pages) == []
    assert "With long" in text(pages["en/index.html"])
    assert "long variant applied here" in text(pages["en/overlays.html"])
    assert "2 of 2 hold" in text(pages["en/rulings.html"])


# ---------------------------------------------------------------- the folder


def test_a_site_is_written_and_replaced(worms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert cli.run(["doc", "last_apple", "--out", str(out)]) == 0
    assert f"open {out / 'index.html'}" in capsys.readouterr().out
    first = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    assert cli.run(["doc", "last_apple", "--out", str(out), "--lang", "en"]) == 0
    second = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    assert second == {name for name in first if not name.startswith("ja/")}


def test_a_folder_with_something_else_is_left_alone(
    worms: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "letter.txt").write_text("mine")
    assert cli.run(["doc", "last_apple", "--out", str(out)]) == 2
    assert "holds 'letter.txt', which rulewright did not write there" in capsys.readouterr().err
    assert [p.name for p in out.iterdir()] == ["letter.txt"]
    (out / "letter.txt").unlink()
    assert cli.run(["doc", "last_apple", "--out", str(out)]) == 0
    (out / "en" / "mine.html").write_text("mine")
    assert cli.run(["doc", "last_apple", "--out", str(out)]) == 2
    assert "'en/mine.html'" in capsys.readouterr().err


def test_a_site_that_fails_halfway_leaves_the_old_one(
    worms: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert cli.run(["doc", "last_apple", "--out", str(out)]) == 0
    before = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    written: list[Path] = []

    def full(path: Path, text: str) -> None:
        written.append(path)
        if len(written) == 5:
            raise OSError(28, "No space left on device", str(path))  # a file that nobody will find
        path.write_text(text, encoding="utf-8")

    monkeypatch.setattr("tools.site.output.write_atomic", full)
    capsys.readouterr()
    assert cli.run(["doc", "last_apple", "--out", str(out)]) == 2
    assert capsys.readouterr().err == f"error: {out} cannot be used: No space left on device.\n"
    assert {p: p.read_bytes() for p in out.rglob("*") if p.is_file()} == before
    assert [p.name for p in tmp_path.iterdir() if p.name.endswith(".part")] == []


def test_an_interruption_at_the_last_moment_leaves_the_old_site(
    worms: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert cli.run(["doc", "last_apple", "--out", str(out)]) == 0
    rename = Path.rename

    def stopped(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", stopped)
    assert cli.run(["doc", "last_apple", "--out", str(out), "--lang", "en"]) == 130
    assert (out / "ja" / "index.html").is_file()


def test_an_unknown_language_is_refused(worms: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["doc", "last_apple", "--lang", "tlh"]) == 2
    assert "there is no language 'tlh'" in capsys.readouterr().err


def test_rulings_and_cards_show_their_pictures(site: dict[str, str]) -> None:
    rulings, card = site["ja/rulings/apples.ruling.html"], site["en/cards/green.html"]
    assert re.search(r'<summary>図</summary><img src="\.\./pictures/LA_001\.svg" alt="LA_001: [^"]+" loading', rulings)
    assert re.search(r'<img src="\.\./pictures/card-green\.svg" alt="Green [^"]* as a card"', card)
    for name in ("en/pictures/LA_001.svg", "ja/pictures/LA_001.svg", "en/pictures/card-green.svg"):
        ElementTree.fromstring(site[name].partition("\n")[2])
    assert "Begins from" in site["en/pictures/LA_001.svg"] and "始まりの局面" in site["ja/pictures/LA_001.svg"]
    assert "size" in site["en/pictures/card-green.svg"] and "<worm>" not in site["en/pictures/card-green.svg"]


def test_a_site_without_pictures(worms: Path) -> None:
    pages = site_files(RulesetReference(worms), ("en",), pictures=False)
    assert not [name for name in pages if name.endswith(".svg")]
    assert not [name for name, page in pages.items() if "<img" in page]
