"""Every command that takes a ruleset takes its overlays and a day too, and finds again what was opened by a path."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from interpreter import apply, legal, save
from tests.tools.conftest import lay_out, run
from tools import cli
from tools.base.loading import load_game
from tools.base.saves import name_for_command

Capture = pytest.CaptureFixture[str]
RULES = """\
kind Weather
card storm "Storm": Weather
    effect: do mark(2)
card calm "Calm": Weather
    effect: do mark(6)
zone sky: Weather
field trail: 0..999
procedure mark(n: 0..9)
    set trail to trail * 10 + n
phase game
    choose w in Weather by p1
    do w.effect by p1
value score(p: Seat): int = trail
"""
VARIANT = """\
variant dry on small because "no rain"
    alter storm.effect from 2 to 3
    card drought "Drought": Weather
        effect: do mark(4)
"""
ERRATA = """\
errata hail_too on small because "letter" dated "2020-05-01"
    card hail "Hail": Weather
        effect: do mark(5)
"""
RULING = """\
ruling DRY_1 "a drought"
    when
        do drought.effect by p1
    expect
        trail: 4
"""
FILES = {
    "rulesets/small/ruleset.yaml": "id: small\nversion: 1\ntitle: {en: Small}\nseats: 2\nload: [small.rules]\n"
    "result: {score: score}\n",
    "rulesets/small/small.rules": RULES,
    "rulesets/small/variants/dry/dry.variant": VARIANT,
    "rulesets/small/variants/dry/rulings/dry.ruling": RULING,
    "cards/small/errata/hail.errata": ERRATA,
}
# What each command is given behind the name, and what it prints of a card that is only in the overlays.
COMMANDS = {
    "check": ([], "small{0}: no problems"),
    "play": (["--human", "0", "--seed", "1"], ""),
    "simulate": (["--games", "2", "--jobs", "1"], "finished    2"),
    "rulings": ([], "small{0}: "),
    "coverage": ([], "3 cards"),
    "card": (["{1}"], "card {1}"),
    "info": ([], "Small"),
    "draw": (["--out", "small.svg"], "the picture is in small.svg"),
    "build": (["--out", "page"], "the page is page/index.html"),
    "doc": (["--lang", "en", "--out", "site"], "wrote"),
    "errata accept": ([], "1 patch"),
    "errata diff": (["--sample", "0"], "add {1}"),
    "bench": (["--rounds", "1", "--seconds", "0.001"], "small{0}"),
    "mutate": (["--sample", "2", "--jobs", "1", "--games", "0"], "small{0}: "),
}
BY_DAYS = {"errata bisect"}  # it goes through the days itself
SERVING = {"serve", "bot_server"}  # go on until they are stopped; `tests/tools/web` opens tables of variants
WITHOUT = {"replay", "facts", "trace", "explain", "fmt", "new", "lsp"}  # they take no ruleset, or one by an option


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(FILES, tmp_path, monkeypatch)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path


def command_names() -> list[str]:
    own = [c.callback.__name__ for c in cli.app.registered_commands if c.callback]
    return own + [f"errata {c.name}" for c in cli.errata.registered_commands]


def test_the_table_names_every_command() -> None:
    assert sorted(command_names()) == sorted((*COMMANDS, *BY_DAYS, *SERVING, *WITHOUT))


@pytest.mark.parametrize(
    ("command", "laid_over", "card"),
    [(command, "+dry", "drought") for command in COMMANDS]
    + [(command, "@2020-05-01", "hail") for command in COMMANDS if command != "errata accept"],  # these patch nothing
)
def test_a_command_sees_overlays(home: Path, capsys: Capture, command: str, laid_over: str, card: str) -> None:
    words, expected = COMMANDS[command]
    out = run(capsys, *command.split(), f"small{laid_over}", *(word.format(laid_over, card) for word in words))
    assert expected.format(laid_over, card) in out
    if command == "doc":
        assert (
            "Drought" in "".join(p.read_text(encoding="utf-8") for p in (home / "site/en").rglob("*.html"))
            or card == "hail"
        )


def test_a_card_is_shown_as_overlays_make_it(home: Path, capsys: Capture) -> None:
    out = run(capsys, "card", "small+dry", "storm")
    assert "overlay 1: dry: no rain" in out and "as of" in out and "do mark(3)" in out
    assert "do mark(3)" not in run(capsys, "card", "small", "storm")
    found = json.loads(run(capsys, "card", "small+dry", "drought", "--json"))
    assert found["place"] == "rulesets/small/variants/dry/dry.variant:3" and found["history"] == []
    assert found["printed"] == found["rule"] == 'card drought "Drought": Weather\n    effect: do mark(4)'
    assert cli.run(["card", "small", "drought"]) == 2
    assert "there is no card 'drought'" in capsys.readouterr().err
    assert cli.run(["card", "small", "hail", "--as-of", "2020-04-30"]) == 2
    assert "card hail" in run(capsys, "card", "small", "hail", "--as-of", "2020-05-01")


# ---------------------------------------------------------------- rules that lie elsewhere


def saved(rules: str, file: Path) -> Path:
    state = load_game(rules).new(seats=2, seed=5)
    apply(state, legal(state)[0])
    file.write_text(json.dumps(save(state)), encoding="utf-8")
    return file


@pytest.fixture
def elsewhere(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ruleset in it that is in no home, as the current one."""
    folder = home / "elsewhere"
    (folder / "g").mkdir(parents=True)
    for name in ("ruleset.yaml", "small.rules"):
        text = FILES[f"rulesets/small/{name}"].replace("id: small", "id: g")
        (folder / "g" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("name", ["./g", "g", "g/ruleset.yaml"])
def test_the_rules_of_a_save_are_named_where_it_cannot_lead_to_them(elsewhere: Path, name: str) -> None:
    assert name_for_command(name, load_game(name).program) == name
    assert name_for_command("small", load_game("small").program) == ""
    assert name_for_command("small+dry", load_game("small+dry").program) == ""
    path = str(elsewhere.parent / "rulesets" / "small")
    assert name_for_command(path, load_game(path).program) == ""


@pytest.mark.parametrize(
    "words",
    [["replay", "{}", "--verify"], ["trace", "{}"], ["explain", "{}", "storm", "--at", "1"]],
    ids=lambda w: w[0],
)
def test_commands_about_a_save_take_the_path_of_its_rules(elsewhere: Path, capsys: Capture, words: list[str]) -> None:
    file = saved("./g", elsewhere / "mine.json")
    words = [word.format(file) for word in words]
    assert cli.run(words) == 2
    assert "--rules PATH behind replay, trace and explain" in capsys.readouterr().err
    assert cli.run([*words, "--rules", "./g"]) in (0, 1)
    assert "error" not in capsys.readouterr().err
    assert cli.run([*words, "--rules", "small"]) == 2
    assert "is a game of 'g', not of 'small'" in capsys.readouterr().err


def test_a_failed_game_says_a_command_that_finds_its_rules(elsewhere: Path, capsys: Capture) -> None:
    rules = elsewhere / "g" / "small.rules"
    rules.write_text(RULES + "invariant never: trail < 2\n", encoding="utf-8")
    out = run(capsys, "simulate", "./g", "--games", "1", "--jobs", "1", "--checked", code=1)
    command = next(line.partition("rulewright ")[2] for line in out.splitlines() if "rulewright replay" in line)
    assert "it fails again" in run(capsys, *shlex.split(command))


# ---------------------------------------------------------------- commands without a name


def test_without_a_name_only_the_first_home_is_meant(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    other = tmp_path / "other"
    for name in ("ruleset.yaml", "small.rules"):
        target = other / "rulesets" / "mine" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(FILES[f"rulesets/small/{name}"].replace("id: small", "id: mine"), encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_HOME", str(other))
    told = run(capsys, "check")
    assert "mine: " in told and "small: " not in told
    assert "small: " in run(capsys, "check", "small")  # it is in the current folder, and named
    before = {file: file.read_bytes() for file in (home / "rulesets").rglob("*") if file.is_file()}
    assert "mine: no rulings" in run(capsys, "rulings", "--update")
    assert {file: file.read_bytes() for file in (home / "rulesets").rglob("*") if file.is_file()} == before
    assert run(capsys, "play", "--human", "0").startswith("Small")


def test_a_home_without_rulesets_is_said(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("RULEWRIGHT_HOME", str(home / "nowhere"))
    for words in (["rulings", "--update"], ["check", "small"]):
        assert cli.run(words) == 2
        assert "where there is no folder 'rulesets'" in capsys.readouterr().err
