"""A language is a file: it is listed, chosen by its tag, shown, and told where it is not complete."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dsl.driver.reference import RulesetReference
from tools.cli import run

ROOT = Path(__file__).resolve().parents[2]
FRENCH = """\
Cause: {picked: cueillies}
Seat: {p1: Anne, p2: Bruno, p3: Chloé, p4: David}
turn.n: {ask: "Combien de pommes, {p} ?", pick: "{n} {n|pomme|pommes}", done: "{p} prend {n} {n|pomme|pommes}"}
preset.small: Partie rapide
short: Courte
clause.LA-1: On prend une à trois pommes
clause.LA-2: La dernière pomme gagne
clause.LA-3: Le perdant mange le panier
clause.LA-3.prose: rien dans ce jeu
"""
GERMAN = """\
Cause: {picked: gepflückt}
Seat: {p1: Anton, p2: Berta, p3: Carl, p4: Dora}
turn.n: {ask: "Wie viele?", done: "{p} nimmt {n}"}
preset.small: Kurzes Spiel
short: Kurz
"""


def write_texts(folder: Path, **languages: str) -> None:
    (folder / "locale").mkdir(exist_ok=True)
    for tag, text in languages.items():
        (folder / "locale" / f"{tag.replace('_', '-')}.yaml").write_text(text, encoding="utf-8")


def told(capsys: pytest.CaptureFixture[str], command: str, code: int = 0) -> str:
    assert run(command.split()) == code
    shown = capsys.readouterr()
    return shown.out + shown.err


def test_a_game_is_played_in_any_language_that_has_a_file(apples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_texts(apples, fr=FRENCH)
    lines = told(capsys, "play last_apple --seed 1 --bot random --human 0 --lang fr").splitlines()
    assert any(line.strip() in ("Anne prend 1 pomme", "Bruno prend 1 pomme") for line in lines)
    assert any(line.strip() in ("Anne prend 2 pommes", "Bruno prend 3 pommes") for line in lines)


def test_a_ruleset_needs_no_english_and_the_tool_then_speaks_it_alone(
    apples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = apples / "ruleset.yaml"
    manifest.write_text(manifest.read_text().replace('{en: "The last apple", ja: "最後のりんご"}', '{de: "Der Apfel"}'))
    write_texts(apples, de=GERMAN)
    assert told(capsys, "check last_apple") == "last_apple: no problems\n"
    shown = told(capsys, "play last_apple --seed 1 --human 0")
    assert (
        "Der Apfel: 2 seats" in shown and "Anton nimmt" in shown
    )  # the tool has no German and says its part in English
    assert "Anton nimmt" in told(capsys, "play last_apple --seed 1 --human 0 --lang ja")


def test_a_ruleset_of_ours_speaks_a_third_language_as_the_tool_does(capsys: pytest.CaptureFixture[str]) -> None:
    shown = told(capsys, f"play {ROOT / 'rulesets/nim'} --seed 4 --human 0 --lang fr")
    assert "Second joueur prend 1 pierre de Tas 2" in shown and "Gagné par : Second joueur" in shown


def test_a_region_is_shown_what_its_language_has(apples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_texts(apples, pt="turn.n.done: '{p} pega {n}'\n", pt_BR="Seat: {p1: Ana, p2: Bia, p3: Caio, p4: Davi}\n")
    assert "Ana pega" in told(capsys, "play last_apple --seed 1 --human 0 --lang pt_br")


@pytest.mark.parametrize(
    "command", ["play last_apple --seed 1 --human 0", "card last_apple x", "doc last_apple --out pages"]
)
def test_a_wrong_tag_is_told_with_those_there_are(
    apples: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_texts(apples, fr=FRENCH)
    shown = told(capsys, f"{command} --lang fra", 2)
    assert "there is no language 'fra' in last_apple: did you mean 'fr'?" in shown
    shown = told(capsys, f"{command} --lang klingon", 2)
    assert "there is no language 'klingon' in last_apple: choose from en, fr, ja" in shown
    assert not Path("pages").exists()


def test_a_table_tells_how_complete_each_language_is(apples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    english = "Cause.picked: picked\nturn.n.ask: How many?\nSeat: {p1: Ann, p2: Ben, p3: Cleo, p4: Dan}\ntree: tree\n"
    english += "preset.small: Quick game\nshort: Short\n"
    write_texts(apples, en=english, ja=english.replace("Cause.picked: picked\n", ""), fr=FRENCH)
    rows = json.loads(told(capsys, "check last_apple --texts --format json"))["texts"]
    assert [(row["language"], row["texts"], row["of"]) for row in rows] == [
        ("en", 14, 14),
        ("ja", 9, 14),
        ("fr", 12, 14),
    ]
    clauses = ["clause.LA-1", "clause.LA-2", "clause.LA-3", "clause.LA-3.prose"]
    assert [sorted(row["missing"]) for row in rows] == [[], ["Cause.picked", *clauses], ["game.title", "tree"]]
    shown = told(capsys, "check last_apple --texts")
    assert "  fr: no text for tree\n" in shown and "phrases of the tool itself" in shown


def test_files_that_nothing_reads_are_told_also_when_they_come_later(
    apples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "RW0352" not in told(capsys, "check last_apple")
    write_texts(apples, french="tree: arbre\n")
    (apples / "locale/de.yml").write_text("tree: Baum\n")
    (apples / "locale/.fr.yaml.swp").write_bytes(b"\xff")
    shown = told(capsys, "check last_apple")
    assert shown.count("RW0352") == 2 and "last_apple/locale/french.yaml" in shown and "locale/de.yml" in shown
    assert "arbre" not in told(capsys, "play last_apple --seed 1 --human 0")


@pytest.mark.parametrize(
    "ruleset",
    ["dominant_species", *(pytest.param(g, marks=pytest.mark.soak) for g in ("through_the_ages", "bios_mesofauna"))],
)
def test_a_new_language_of_a_heavy_game_falls_back_text_by_text(
    ruleset: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = RulesetReference(ROOT / "rulesets" / ruleset).compile()[0]
    assert program is not None
    for part in ("rulesets", "cards"):
        shutil.copytree(
            ROOT / part / ruleset, home / part / ruleset, ignore=shutil.ignore_patterns("rulings", "errata")
        )
    english = program.texts["en"]
    left_out = sorted(a for a in program.wanted if english.get(a, "").isalpha())[::40][:3]
    french = {address: f"«{english[address]}»" for address in program.wanted if address not in left_out}
    write_texts(home / "rulesets" / ruleset, fr=json.dumps(french, ensure_ascii=False))
    report = json.loads(told(capsys, f"check {ruleset} --texts --format json"))
    assert [sorted(row["missing"]) for row in report["texts"]] == [[], [], left_out]
    (found,) = [d for d in report["diagnostics"] if d["code"] != "RW1103"]  # what only rulings read
    assert found["code"] == "RW1111" and all(f"`{address}`" in found["message"] for address in left_out)
    shown = told(capsys, f"play {ruleset} --seed 5 --bot random --human 0 --lang fr")
    assert shown.count("«") > 400
    new = RulesetReference(home / "rulesets" / ruleset).compile()[0]
    assert new is not None
    from interpreter import Game

    texts = Game(new).texts
    assert [texts.find("fr", address) for address in left_out] == [english[address] for address in left_out]


def test_pages_say_the_language_of_a_source_that_is_not_their_own(
    apples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = apples / "clauses.yaml"
    clauses.write_text(clauses.read_text().replace('source: "page 2"', "source: {ja: 規則2}"), encoding="utf-8")
    told(capsys, "doc last_apple --out pages")
    english, japanese = (Path(f"pages/{lang}/clauses/LA.html").read_text(encoding="utf-8") for lang in ("en", "ja"))
    assert 'Source (日本語): <span lang="ja">規則2</span>' in english and "Source: <span>page 1</span>" in english
    assert "出典: <span>規則2</span>" in japanese
