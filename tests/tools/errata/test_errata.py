"""`errata diff`: rules changed, rulings with another outcome, recorded games that diverge, the change of figures."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

import interpreter as rw
from dsl.driver.reference import RulesetReference, shipped_overlays
from dsl.files.ruleset import read_originals
from tests.tools.conftest import lay_out
from tools.cli import run
from tools.errata.diff import compare
from tools.errata.games import compare_game, sample_games

ROOT = Path(__file__).parents[3]
RULES = """\
enum Cause: paid
kind Card
    const price: 0..9
piece coin
kind Seat
    zone purse: coin
card loaf "Loaf": Card
    price: 2
    effect: gain 1 coin
value cost(c: Card): int = c.price                                                              [SH-2]
value score(p: Seat): int = p.purse
procedure round(p: Seat)
    step pick
        choose number n in 0..3 by p
        gain n coin by p
    step end: gain 1 coin by p                                                                  [SH-1]
phase game
    for every p in seats: do round(p)
    for every p in seats: do round(p)
invariant positive: every(p in seats: p.purse >= 0)
position start
    seats: 2
ruling SH_1 "a round pays the choice and one more"                                              [SH-1]
    given start
    when
        do round(p1)
        p1 chooses 2
    expect
        p1.purse: 3
ruling SH_2 "a loaf costs two"                                                                  [SH-2]
    given start
    expect
        cost(loaf): 2
ruling SH_3 "any choice may be made"
    given start
    when
        do round(p1)
    expect
        legal 3
"""
FILES = {
    "rulesets/shop/ruleset.yaml": """\
id: shop
version: 1
title: {en: Shop}
seats: 2
load: [shop.rules]
result: {score: score}
""",
    "rulesets/shop/shop.rules": RULES,
    "rulesets/shop/clauses.yaml": "SH-1: A round\nSH-2: Prices\n",
    "rulesets/shop/variants/dear.variant": "variant dear on shop\\n    alter loaf.price from 2 to 3\\n".replace(
        "\\n", "\n"
    ),
    "rulesets/shop/variants/rich/rich.variant": (
        'variant rich on shop because "more"\n    replace round.end                                      [SH-1]\n'
        "        gain 3 coin by p\n"
    ),
    "rulesets/shop/variants/rich/rulings/rich.ruling": (
        'ruling SH_4 "three more"\n    given start\n    when\n        do round(p1)\n        p1 chooses 0\n'
        "    expect\n        p1.purse: 3\n"
    ),
    "cards/shop/errata/narrow.errata": (
        'errata narrow on shop because "shop" dated "2020-01-01"\n    alter round.pick from 0..3 to 0..2\n'
    ),
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(FILES, tmp_path, monkeypatch)
    return tmp_path / "rulesets" / "shop"


def overlaid(path: Path, *names: str) -> RulesetReference:
    return RulesetReference(path, tuple(shipped_overlays(path)[name] for name in names))


def test_rules_touched_are_shown_before_and_after(shop: Path) -> None:
    found = compare(RulesetReference(shop), overlaid(shop, "rich", "narrow"), 0, [])
    narrow, rich = found.changes  # errata come before variants
    assert (narrow.word, narrow.address, narrow.dated, narrow.because) == ("alter", "round.pick", "2020-01-01", "shop")
    assert narrow.before.splitlines()[1] == "    choose number n in 0..3 by p"
    assert (rich.word, rich.address, rich.clauses, rich.line) == ("replace", "round.end", ("SH-1",), 2)
    assert rich.before.startswith("step end: gain 1 coin by p") and rich.after == "gain 3 coin by p"


def test_rulings_that_come_out_otherwise(shop: Path) -> None:
    rich = compare(RulesetReference(shop), overlaid(shop, "rich"), 0, [])
    assert rich.compared == 3  # SH_4 is there only with the variant
    assert [(r.name, r.outcome, r.before, r.after) for r in rich.rulings] == [
        ("SH_1", True, (), ("p1.purse: 3: expected 3, seen 5",))
    ]
    dear = compare(RulesetReference(shop), overlaid(shop, "dear"), 0, [])
    assert [(r.name, r.after) for r in dear.rulings] == [("SH_2", ("cost(loaf): 2: expected 2, seen 3",))]
    narrow = compare(RulesetReference(shop), overlaid(shop, "narrow"), 0, [])
    assert [r.name for r in narrow.rulings if r.outcome] == ["SH_3"]


def test_a_recorded_game_parts_where_the_rules_first_matter(shop: Path) -> None:
    base = rw.load("shop")
    state = base.new(seats=2)
    for number in ("1", "3", "0", "0"):
        rw.answer(state, number)
    data = rw.save(state)
    rich = compare_game("a", base, rw.load("shop+rich"), data)
    assert rich.entry == 2 and "purse" in rich.difference  # the coins differ after the first answer
    assert compare_game("a", base, rw.load("shop+dear"), data).entry is None
    narrow = compare_game("a", base, rw.load("shop+narrow"), data)
    assert narrow.entry == 1 and "only before: 3" in narrow.difference  # the option is gone before anything is answered


def test_samples_are_the_same_for_a_seed(shop: Path) -> None:
    game = rw.load("shop")
    first, again, other = ([data["log"] for _, data in sample_games(game, 3, seed)] for seed in (1, 1, 2))
    assert first == again != other and len(first) == 3


def test_the_command_in_three_forms(shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "diff.html"
    assert run(["errata", "diff", "shop", "rich", "--sample", "2", "--html", str(page)]) == 0
    output = capsys.readouterr().out
    assert "rulings with another outcome: 1 of 3" in output and "recorded games that diverge: 2 of 2" in output
    text = page.read_text(encoding="utf-8")
    assert "shop → shop+rich" in text and "expected 3, seen 5" in text and text.count("<h2>") == 3
    assert run(["errata", "diff", "shop+rich", "--sample", "0", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [r["name"] for r in data["rulings"]] == ["SH_1"] and data["changes"][0]["address"] == "round.end"


def test_accepted_patches_notice_a_change_below(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    variant = shop / "variants" / "rich" / "rich.variant"
    assert run(["errata", "accept", "shop", "rich"]) == 0
    assert "1 patch: 1 digest written" in capsys.readouterr().out
    first = variant.read_text(encoding="utf-8")
    assert 'replace round.end was "' in first and "[SH-1]" in first
    assert "== " + first.split('was "')[1][:6] + " round.end\nstep end: gain 1 coin by p" in (
        variant.with_suffix(".was").read_text(encoding="utf-8")
    )
    assert run(["check", "shop+rich"]) == 0
    assert run(["errata", "accept", "shop", "rich"]) == 0 and variant.read_text(encoding="utf-8") == first

    rules = shop / "shop.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("step end: gain 1 coin", "step end: gain 2 coin"), encoding="utf-8")
    capsys.readouterr()
    assert run(["check", "shop+rich"]) == 1
    output = capsys.readouterr().out
    assert "RW1003" in output and "rulewright errata accept" in output
    was, now = output.split("it was written for:")[1].split("it reads now:")
    assert "gain 1 coin by p" in was and "gain 2 coin by p" in now
    assert run(["errata", "accept", "shop", "rich"]) == 0
    assert run(["check", "shop+rich"]) == 0
    assert "gain 2 coin" in variant.with_suffix(".was").read_text(encoding="utf-8")


@pytest.mark.parametrize("survived", range(4))
def test_accepting_may_be_killed_at_any_time(shop: Path, survived: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each of its writes the digests in the overlay have their texts alongside."""

    class Killed(BaseException):
        pass

    variant = shop / "variants" / "rich" / "rich.variant"
    assert run(["errata", "accept", "shop", "rich"]) == 0
    rules = shop / "shop.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("end: gain 1 coin", "end: gain 2 coin"), encoding="utf-8")
    written: list[Path] = []

    def cut(path: Path, text: str) -> None:
        if len(written) == survived:
            raise Killed
        path.write_text(text, encoding="utf-8")
        written.append(path)

    monkeypatch.setattr("tools.errata.accept.write_atomic", cut)
    with contextlib.suppress(Killed):
        run(["errata", "accept", "shop", "rich"])
    assert len(written) == min(survived, 3)
    digest = variant.read_text(encoding="utf-8").split('was "')[1][:6]
    assert digest in read_originals(variant.with_suffix(".was").read_text(encoding="utf-8"))


def test_comments_and_layout_do_not_count(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["errata", "accept", "shop", "rich"]) == 0
    rules = shop / "shop.rules"
    text = rules.read_text(encoding="utf-8")
    changed = text.replace("step end: gain 1 coin by p", "step end  # as ever\n        gain 1 coin  by p")
    rules.write_text(changed, encoding="utf-8")
    assert changed != text and run(["check", "shop+rich"]) == 0, capsys.readouterr().out


def test_a_card_of_several_copies_is_shown_with_them(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An errata that changes how many there are is one change of one card."""
    rules = shop / "shop.rules"
    rules.write_text(rules.read_text().replace("    price: 2\n", "    price: 2\n    copies: 3\n"))
    errata = shop.parents[1] / "cards" / "shop" / "errata"
    errata.joinpath("fewer.errata").write_text(
        'errata fewer on shop because "shop" dated "2021-02-03"\n    alter loaf.copies from 3 to 2\n'
    )
    assert run(["card", "shop", "loaf_3", "--as-of", "2021-02-04"]) == 0
    output = capsys.readouterr().out
    assert "Card loaf  " in output and "3 copies: loaf, loaf_2, loaf_3" in output
    assert "alter loaf.copies" in output and "    copies: 2\n" in output
    assert run(["card", "shop", "loaf_4"]) == 2
    assert rw.load(shop).program.domains["Card"].ids == ("loaf", "loaf_2", "loaf_3")
    assert rw.load(f"{shop}@2021-02-04").program.domains["Card"].ids == ("loaf", "loaf_2")


def test_a_card_is_shown_with_its_text_for_players(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "locale").mkdir()
    (shop / "locale" / "en.yaml").write_text("Card.loaf.text: Bread for a day.\n")
    (shop / "locale" / "ja.yaml").write_text("Card: {loaf: パン}\nCard.loaf.text: 一日分のパン。\n", encoding="utf-8")
    for lang, shown in (("en", ["Loaf  Card", "Bread for a day."]), ("ja", ["パン  Card", "一日分のパン。"])):
        assert run(["card", "shop", "loaf", "--lang", lang]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith(shown[0]) and lines[1] == shown[1]


def test_a_card_is_shown_as_of_a_day(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    errata = shop.parents[1] / "cards" / "shop" / "errata"
    errata.joinpath("price.errata").write_text(
        'errata price on shop because "shop" dated "2021-02-03"\n    alter loaf.price from 2 to 4\n'
    )
    errata.joinpath("late.errata").write_text(
        'errata late on price because "fair" dated "2022-01-01"\n    replace loaf.effect\n        gain 2 coin\n'
    )
    printed = 'card loaf "Loaf": Card\n    price: 2\n    effect: gain 1 coin'
    rules = {
        "2021-02-02": printed,
        "2021-02-03": printed.replace("price: 2", "price: 4"),
        "2022-01-01": 'card loaf "Loaf": Card\n    price: 4\n    effect\n        gain 2 coin',
    }
    for day, rule in rules.items():
        assert run(["card", "shop", "loaf", "--as-of", day, "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert (shown["printed"], shown["rule"]) == (printed, rule)
    assert [change["dated"] for change in shown["history"]] == ["2021-02-03", "2022-01-01"]
    assert run(["card", "shop", "loaf"]) == 0
    output = capsys.readouterr().out
    heads = ["without errata, as `shop` is played", "errata 1: from 2021-02-03, price: shop", "as of "]
    assert [output.index(head) for head in heads] == sorted(output.index(head) for head in heads)
    assert run(["card", "shop", "loaf", "--as-of", "2021-03-01"]) == 0
    assert "as of 2021-03-01, as `shop@2021-03-01` is played" in capsys.readouterr().out
    assert run(["card", "shop", "lof"]) == 2 and "did you mean 'loaf'" in capsys.readouterr().err
    assert run(["card", "shop", "loaf", "--as-of", "2021"]) == 2 and "should be a date" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["shop"], "name overlays"),
        (["shop", "reich"], "did you mean 'rich'"),
        (["shop", "rich", "--sample", "-1"], "--sample should be"),
        (["shop", "rich", "--recorded", "none.json"], "there is no file"),
    ],
)
def test_mistakes_in_the_command(
    shop: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert run(["errata", "diff", *arguments]) == 2
    assert words in capsys.readouterr().err


PRINTED = {
    # DS-24.3: a neighbour cannot be spared any more
    "catastrophe_printed": {"DS_R074a", "DS_J090"},
    # DS-24.3: one animal gets the points of all
    "fertile_printed": {"DS_R080a", "DS_J110"},
    # DS-24.3: cards without points, for animals and for stale markers, which can then keep a game going
    "domination_printed": {"DS_R066a", "DS_J042", "DS_J045", "DS_J048", "DS_J058", "DS_J157b"},
}


def changed(*overlays: str) -> set[str]:
    path = ROOT / "rulesets" / "dominant_species"
    found = compare(RulesetReference(path), overlaid(path, *overlays), 0, [])
    return {ruling.name for ruling in found.rulings if ruling.outcome}


def test_the_printed_readings_change_the_rulings_that_are_about_them() -> None:
    assert changed(*PRINTED) == set().union(*PRINTED.values())


@pytest.mark.soak
@pytest.mark.parametrize("overlay", PRINTED)
def test_each_printed_reading_changes_its_own_rulings(overlay: str) -> None:
    assert changed(overlay) == PRINTED[overlay]


TWO_PATCHES = """\
errata generous on shop because "shop" dated "2021-02-03"
    alter loaf.price from 2 to 4                                                                    [SH-2]
    replace loaf.effect                                                                             [SH-1]
        gain 2 coin
"""
BREAD = 'note: the text of `loaf` for players stays "Bread for a day.": see whether it still says what the card does'


@pytest.fixture
def generous(shop: Path) -> Path:
    errata = shop.parents[1] / "cards" / "shop" / "errata"
    errata.joinpath("generous.errata").write_text(TWO_PATCHES)
    errata.joinpath("later.errata").write_text(
        'errata later on generous because "fair" dated "2022-01-01"\n    alter loaf.price from 4 to 5\n'
    )
    return shop


def test_an_errata_with_two_patches_is_one(generous: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["card", "shop", "loaf", "--as-of", "2022-02-02"]) == 0
    output = capsys.readouterr().out
    assert "errata 1: from 2021-02-03, generous: shop [SH-2, SH-1]\n  alter loaf.price" in output
    assert "errata 2: from 2022-01-01, later: fair\n" in output and "errata 3" not in output
    assert output.index("alter loaf.price from 2") < output.index("replace loaf.effect") < output.index("errata 2: ")
    assert output.count("generous.errata:") == 2 and "note: " not in output  # no text for players, nothing to say


def test_a_text_for_players_that_stays_is_told(generous: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (generous / "locale").mkdir()
    (generous / "locale" / "en.yaml").write_text("Card.loaf.text: Bread for a day.\n")
    words = [["card", "shop", "loaf", "--as-of", "2021-03-03"], ["errata", "diff", "shop", "generous", "--sample", "0"]]
    for command in words:
        assert run(command) == 0
        assert BREAD in capsys.readouterr().out
    assert run(["card", "shop", "loaf", "--as-of", "2021-01-01"]) == 0
    assert "note: " not in capsys.readouterr().out  # nothing has changed by then
    assert run(["errata", "diff", "shop", "rich", "--sample", "0"]) == 0
    assert "note: " not in capsys.readouterr().out  # it changes no card
    assert run([*words[1], "--html", "page.html"]) == 0
    assert "see whether it still says what the card does" in Path("page.html").read_text(encoding="utf-8")


def test_an_overlay_that_gives_another_text_is_not_reminded(generous: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (generous / "locale").mkdir()
    (generous / "locale" / "en.yaml").write_text("Card.loaf.text: Bread for a day.\n")
    folder = generous.parents[1] / "cards" / "shop" / "errata" / "worded"
    (folder / "locale").mkdir(parents=True)
    (folder / "worded.errata").write_text(TWO_PATCHES.replace("generous", "worded"))
    (folder / "locale" / "en.yaml").write_text("Card.loaf.text: Bread for two days.\n")
    assert run(["errata", "diff", "shop", "worded", "--sample", "0"]) == 0
    assert "note: " not in capsys.readouterr().out
    assert run(["card", "shop+worded", "loaf", "--as-of", "2021-03-01"]) == 1  # both errata change one place


def test_what_alter_changes_is_shown_as_lines_of_the_rule(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["errata", "diff", "shop", "narrow", "--sample", "0", "--html", str(shop / "page.html")]) == 0
    output, page = capsys.readouterr().out, (shop / "page.html").read_text()
    assert "    -     choose number n in 0..3 by p\n    +     choose number n in 0..2 by p\n" in output
    assert "alter round.pick from" not in output and "choose number n in 0..2 by p" in page


def test_errata_on_a_variant_that_nobody_named_are_not_in_force(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    errata = shop.parents[1] / "cards" / "shop" / "errata"
    errata.joinpath("dearer.errata").write_text(
        'errata dearer on dear because "fair" dated "2022-01-01"\n    alter loaf.price from 3 to 5\n'
        'errata other on dearer because "fair" dated "2023-01-01"\n    alter loaf.price from 5 to 6\n'
    )
    assert run(["check", "shop@2024-01-01"]) == 0
    assert run(["card", "shop", "loaf", "--as-of", "2024-01-01"]) == 0
    assert "dearer" not in capsys.readouterr().out
    assert run(["card", "shop+dear", "loaf", "--as-of", "2024-01-01"]) == 0
    output = capsys.readouterr().out
    assert "dearer" in output and output.index("price: 2") < output.index("price: 6")
