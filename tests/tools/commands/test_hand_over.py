"""A campaign as people play it: the end of one game is kept, and the next one begins from it, or says why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.campaign import lay_out_campaign
from tests.tools.conftest import rewrite, run
from tools import cli
from tools.lsp.workspace import RulesetWorkspace

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def campaign(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(home / "cache"))
    monkeypatch.setattr("tools.base.home.homes", lambda: iter([home]))
    lay_out_campaign(home)
    return home


def refused(capsys: Capture, *words: str) -> str:
    assert cli.run(list(words)) == 2
    return capsys.readouterr().err


@pytest.fixture
def spring(campaign: Path, capsys: Capture) -> Path:
    """The save of a game of spring for three, which bots have played to its end."""
    out = run(capsys, "play", "spring", "--seed", "3", "--seats", "3", "--human", "none")
    assert "its end is saved as spring-3.json." in out
    assert "another game may begin from it: rulewright play summer --from spring-3.json" in out
    return campaign / "spring-3.json"


@pytest.fixture
def facts(spring: Path, capsys: Capture) -> Path:
    """Its facts, in a file of their own."""
    file = spring.with_name("facts.json")
    assert run(capsys, "facts", str(spring), "--out", str(file)) == f"8 facts are in {file}\n"
    return file


def edited(file: Path, **facts: Any) -> str:
    """Another file, with some facts changed by hand; those that are None are taken out."""
    data = json.loads(file.read_text(encoding="utf-8"))
    data["facts"] = {name: fact for name, fact in {**data["facts"], **facts}.items() if fact is not None}
    other = file.with_name("edited.json")
    other.write_text(json.dumps(data), encoding="utf-8")
    return str(other)


# ------------------------------------------------------------ going on


def test_a_game_begins_from_the_save_of_another_and_can_be_replayed(spring: Path, capsys: Capture) -> None:
    out = run(capsys, "play", "summer", "--from", str(spring), "--seed", "4", "--human", "none")
    assert out.startswith("Summer: 3 seats, seed 4\n")
    assert "is saved" not in out, "this one hands nothing on"


def test_facts_are_shown_and_begin_the_same_game(spring: Path, facts: Path, capsys: Capture) -> None:
    shown = run(capsys, "facts", str(spring))
    assert shown == facts.read_text(encoding="utf-8")
    assert json.loads(shown)["ruleset"] == "spring"
    words = ("--seed", "4", "--human", "none")
    from_save = run(capsys, "play", "summer", "--from", str(spring), *words)
    assert run(capsys, "play", "summer", "--from", str(facts), *words) == from_save


def test_a_game_that_follows_is_saved_with_its_facts(campaign: Path, spring: Path, facts: Path) -> None:
    from interpreter import replay, save
    from tools.base.handed import read_facts
    from tools.base.loading import load_game

    game = load_game("summer")
    given = read_facts(facts, game)
    data = json.loads(json.dumps(save(game.new(given=given))))
    for file in (spring, facts, *(campaign / "rulesets/spring").iterdir()):
        file.unlink()
    assert replay(game, data).given == given


def test_bots_play_many_games_from_one_end(spring: Path, capsys: Capture) -> None:
    (report,) = [json.loads(run(capsys, "simulate", "summer", "--from", str(spring), "--games", "3", "--json"))]
    assert report["finished"] == 3 and {row["seats"] for row in report["seats"]} == {3}


def test_a_failure_of_a_game_that_follows_is_saved_and_happens_again(spring: Path, capsys: Capture) -> None:
    game = spring.parent / "rulesets/summer/game.rules"
    rewrite(game, "field harvest: 0..999", "field harvest: 0..200")
    words = ("--from", str(spring), "--games", "2", "--jobs", "1", "--json")
    assert json.loads(run(capsys, "simulate", "summer", *words, code=1))["failures"] == 2
    (file, *_) = sorted((spring.parent / ".rulewright/failures").iterdir())
    assert json.loads(file.read_text(encoding="utf-8"))["given"]["source"] == "sown"
    assert "`harvest` must be in 0..200, but was set to 314" in run(capsys, "replay", str(file))


def test_a_campaign_is_one_command(campaign: Path, capsys: Capture) -> None:
    words = ("spring", "--then", "summer", "--games", "4", "--seats", "2..3", "--jobs", "1")
    out = run(capsys, "simulate", *words)
    assert "spring 1: 4 games" in out and "summer 1: 4 games" in out
    first, second = json.loads(run(capsys, "simulate", *words, "--json"))
    assert (first["ruleset"], second["ruleset"], second["finished"]) == ("spring", "summer", 4)
    again = json.loads(run(capsys, "simulate", *words, "--json"))[1]
    assert (again["seats"], again["decisions"]) == (second["seats"], second["decisions"])


def test_what_is_to_come_sets_options_of_the_game_before(campaign: Path, capsys: Capture) -> None:
    """Without weeds the source is `sown`, which is worth ten to every seat of summer."""
    words = ("simulate", "spring", "--then", "summer", "--games", "4", "--seats", "2", "--jobs", "1", "--json")

    def scores(*more: str) -> list[float]:
        (_, second) = json.loads(run(capsys, *words, *more))
        return [row["score"] for row in second["seats"]]

    plain = scores()
    rewrite(
        campaign / "rulesets/summer/ruleset.yaml",
        "follows: [spring]",
        "follows: [spring]\noptions_before: {weeds: true}",
    )
    assert scores() == pytest.approx([mean - 10 for mean in plain])
    assert scores("--option", "weeds=false") == plain, "who says otherwise is heard"


# ------------------------------------------------------------ what is refused


def test_a_game_that_follows_nothing_begins_from_nothing(spring: Path, capsys: Capture) -> None:
    err = refused(capsys, "play", "spring", "--from", str(spring))
    assert "is of a game of 'spring', and 'spring' follows no other." in err
    assert "'spring' does not follow 'summer'" in refused(capsys, "simulate", "summer", "--then", "spring")


def test_the_save_of_another_game_is_refused(facts: Path, capsys: Capture) -> None:
    rewrite(facts, '"ruleset": "spring"', '"ruleset": "autumn"')
    assert "is of a game of 'autumn', and 'summer' follows 'spring'." in refused(
        capsys, "play", "summer", "--from", str(facts)
    )


def test_a_game_that_is_not_over_hands_nothing_on(campaign: Path, capsys: Capture) -> None:
    from interpreter import save
    from tools.base.loading import load_game

    file = campaign / "begun.json"
    file.write_text(json.dumps(save(load_game("spring").new())), encoding="utf-8")
    told = "this game of `spring` is not over; what it hands on is known at its end."
    assert told in refused(capsys, "play", "summer", "--from", str(file))
    assert told in refused(capsys, "facts", str(file))
    file.write_text(json.dumps(save(load_game("summer").new())), encoding="utf-8")
    assert "this game of `summer` is not over" in refused(capsys, "facts", str(file))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"source": None}, "the fact `source` is missing, without which this game begins from no others."),
        ({"source": None, "sorce": "sown"}, "this game takes no fact `sorce`; did you mean `source`?"),
        ({"points": {"p1": 11}}, "`points` of `p1` is 11, expected a number from 0 to 9."),
        ({"points": {"p4": 1}}, '`points` has a row for "p4", expected a seat from `p1` to `p3`'),
        ({"colour": {"p1": "pnik"}}, '`colour` of `p1` is "pnik", expected a `Tint` or null; did you mean `pink`?'),
    ],
)
def test_facts_that_were_edited_are_tested(facts: Path, capsys: Capture, changes: dict[str, Any], words: str) -> None:
    err = refused(capsys, "play", "summer", "--from", edited(facts, **changes))
    assert "'summer' cannot begin from " in err and words in err


def test_files_that_are_no_saves_are_refused(campaign: Path, capsys: Capture) -> None:
    file = campaign / "other.json"
    for text, words in (("{", "it is not JSON"), ("{}", "it names no ruleset"), ('{"ruleset": "x"}', "neither a save")):
        file.write_text(text, encoding="utf-8")
        assert words in refused(capsys, "play", "summer", "--from", str(file))
    assert "there is no file" in refused(capsys, "facts", str(campaign / "nowhere.json"))


def test_seats_and_loads_do_not_contradict_the_facts(spring: Path, facts: Path, capsys: Capture) -> None:
    assert "the facts name `p3`, but this game has 2 seats" in refused(
        capsys, "play", "summer", "--from", str(facts), "--seats", "2"
    )
    assert "--seats should be 3" in refused(capsys, "simulate", "summer", "--from", str(facts), "--seats", "2")
    assert "leave --seats, --option, --preset, --from and --ruling out" in refused(
        capsys, "play", "--load", str(spring), "--from", str(facts)
    )


def test_a_campaign_stops_where_the_next_game_cannot_begin(campaign: Path, capsys: Capture) -> None:
    assert "'summer' cannot begin from the end of game 0: " in refused(
        capsys, "simulate", "spring", "--then", "summer", "--games", "1", "--seats", "4", "--jobs", "1"
    )


# ------------------------------------------------------------ checking


def test_check_compares_the_games(campaign: Path, capsys: Capture) -> None:
    assert run(capsys, "check", "summer") == "summer: no problems\n"
    rewrite(campaign / "rulesets/spring/game.rules", "enum Colour: pink, blue, grey", "enum Colour: pink, blue, gray")
    out = run(capsys, "check", "summer", code=1)
    assert "rulesets/summer/game.rules:10:11: error[RW1303]: `colour` of `spring` does not fit" in out
    assert "`Tint` here has no `gray`" in out and "did you mean `gray` where `Tint` has `grey`?" in out
    run(capsys, "play", "summer", "--human", "none")  # it is as good a game as before
    (row,) = [json.loads(run(capsys, "check", "summer", "--format", "json", code=1))]
    assert not row["ok"] and {d["code"] for d in row["diagnostics"]} == {"RW1303"}


def test_an_editor_compares_them_too(campaign: Path) -> None:
    file = campaign / "rulesets/summer/game.rules"
    workspace = RulesetWorkspace()
    text = file.read_text(encoding="utf-8").replace("0..9 = 4 given", "0..9 given")
    workspace.set_text(file, text)
    state = workspace.state(file)
    assert state is not None
    told = {with_rulings: workspace.check(state, with_rulings).messages for with_rulings in (False, True)}
    assert [d.code for d in told[True]] == ["RW1302"] and not told[False]
    assert "`spring` hands no fact `extra` on" in told[True][0].message
