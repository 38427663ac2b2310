"""`mutate`: the mutants of a text, and what notices them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dsl.base.span import Source
from dsl.driver.reference import RulesetReference
from dsl.program import Program
from dsl.syntax.parser import parse_file
from interpreter.backends.native.walks import NativeWalks
from tests.native import needs_wasmtime
from tests.tools.conftest import RULES
from tools import cli
from tools.mutation.mutants import Mutant, mutants
from tools.mutation.runner import (
    PLAY,
    REFUSED,
    RULING,
    SURVIVED,
    MutantResult,
    MutantRunner,
    TimeLimitExceeded,
    processor_time_limit,
)

Capture = pytest.CaptureFixture[str]
MEMBERS = {"Colour": ("red", "blue"), "Mood": ("calm", "red", "wild", "blue")}


def mutated(text: str) -> list[tuple[int, str, str]]:
    """(line, sort of change, the text afterwards) of every mutant."""
    tree, found = parse_file("a.rules", text)
    assert not found
    source = Source("a.rules", text)
    mutated = mutants([tree], {"a.rules": source}, MEMBERS)
    assert all(m.apply_to(source).text != text for m in mutated)
    return [(m.line, m.kind, m.apply_to(source).text) for m in mutated]


def test_expressions() -> None:
    value = "value v(h: Hut): int = {}\n".format
    assert sorted(mutated(value("2 if h.coins > 1 and not h.lost else h.coins - 1"))) == sorted(
        [
            (1, "number", value("3 if h.coins > 1 and not h.lost else h.coins - 1")),
            (1, "number", value("1 if h.coins > 1 and not h.lost else h.coins - 1")),
            (1, "comparison", value("2 if h.coins >= 1 and not h.lost else h.coins - 1")),
            (1, "comparison", value("2 if h.coins <= 1 and not h.lost else h.coins - 1")),
            (1, "number", value("2 if h.coins > 2 and not h.lost else h.coins - 1")),
            (1, "number", value("2 if h.coins > 0 and not h.lost else h.coins - 1")),
            (1, "connective", value("2 if h.coins > 1 or not h.lost else h.coins - 1")),
            (1, "guard", value("2 if not h.lost else h.coins - 1")),
            (1, "guard", value("2 if h.coins > 1 else h.coins - 1")),
            (1, "test", value("2 if h.coins > 1 and h.lost else h.coins - 1")),
            (1, "test", value("2 if not (h.coins > 1 and not h.lost) else h.coins - 1")),
            (1, "arithmetic", value("2 if h.coins > 1 and not h.lost else h.coins + 1")),
            (1, "number", value("2 if h.coins > 1 and not h.lost else h.coins - 2")),
            (1, "number", value("2 if h.coins > 1 and not h.lost else h.coins - 0")),
        ]
    )


def test_members_of_the_same_sort_take_each_others_place() -> None:
    """`red` is a colour and a mood: `blue`, which is both too, takes its place. What has a name of its own does not."""
    assert mutated("value v(wild: Hut): bool = wild.colour is red or wild.mood is calm\n") == [
        (1, "comparison", "value v(wild: Hut): bool = wild.colour is not red or wild.mood is calm\n"),
        (1, "member", "value v(wild: Hut): bool = wild.colour is blue or wild.mood is calm\n"),
        (1, "connective", "value v(wild: Hut): bool = wild.colour is red and wild.mood is calm\n"),
        (1, "comparison", "value v(wild: Hut): bool = wild.colour is red or wild.mood is not calm\n"),
        (1, "member", "value v(wild: Hut): bool = wild.colour is red or wild.mood is red\n"),
    ]


def test_keys_and_folds() -> None:
    texts = [
        text for _, _, text in mutated("value v: Hut or none = only(h in huts with highest max(x in h.rooms: x.n))\n")
    ]
    assert texts == [
        "value v: Hut or none = only(h in huts )\n",
        "value v: Hut or none = only(h in huts with lowest max(x in h.rooms: x.n))\n",
        "value v: Hut or none = only(h in huts with highest min(x in h.rooms: x.n))\n",
    ]


def test_statements_are_dropped_and_change_places() -> None:
    text = "procedure p()\n    do a()                  [AB-1]\n    # then\n    if x: do b()\n    else: do c()\n"
    assert mutated(text) == [
        (2, "statement", "procedure p()\n    # then\n    if x: do b()\n    else: do c()\n"),
        (
            2,
            "order",
            "procedure p()\n    if x: do b()\n    else: do c()\n    # then\n    do a()                  [AB-1]\n",
        ),
        (4, "statement", "procedure p()\n    do a()                  [AB-1]\n    # then\n"),
        (4, "test", text.replace("if x", "if not (x)")),
    ]


def test_a_condition_is_dropped_with_its_reason() -> None:
    head = "phase p\n    choose h in Hut"
    text = f'{head} where h.lost because "it stands" where h.mine because "it is not yours" by you\n'
    dropped = [after for _, sort, after in mutated(text) if sort == "guard"]
    assert dropped == [
        f'{head}  where h.mine because "it is not yours" by you\n',
        f'{head} where h.lost because "it stands"  by you\n',
    ]
    assert all(not parse_file("a.rules", after)[1] for after in dropped)


def test_guards_of_choices_and_loops() -> None:
    text = "procedure p()\n    choose h in huts where open(h) by you or decline\n"
    assert [t for _, _, t in mutated(text)] == [
        "procedure p()\n    choose h in huts  by you or decline\n",
        "procedure p()\n    choose h in huts where not (open(h)) by you or decline\n",
        "procedure p()\n    choose h in huts where open(h) by you \n",
    ]


def test_types_names_of_events_and_proofs_are_left_alone() -> None:
    text = (
        "field coins: 0..9\n"
        "invariant rich: every(h in huts: h.coins > 0)\n"
        "procedure p(n: 1..3)\n"
        "    gain n coin as red\n"
        "ruling R1 \"a\"\n    when\n        do p(2)\n    expect\n        coins: 2\n"
    )  # fmt: skip
    assert mutated(text) == []


def test_causes_count_where_a_rule_reads_them() -> None:
    text = "procedure p()\n    gain coins as {0}\nrule r\n    after gain(n) where cause is red\n        do q()\n"
    assert [t for line, _, t in mutated(text.format("red")) if line == 2] == [text.format("blue")]
    assert [t for line, _, t in mutated(text.format("calm")) if line == 2] == []


# ---------------------------------------------------------------- who notices


def make_mutant(file: str, before: str, after: str, rule: str) -> Mutant:
    start = RULES.index(before)
    return Mutant(file, RULES.count("\n", 0, start) + 1, start, start + len(before), after, "number", "", rule)


def run_mutant(folder: Path, before: str, after: str, rule: str, games: int = 0, **more: Any) -> MutantResult:
    runner = MutantRunner(RulesetReference(folder), games, **more)
    runner.prepare()
    return runner.run(make_mutant("rulesets/last_apple/game.rules", before, after, rule))


def test_a_ruling_notices(apples: Path) -> None:
    result = run_mutant(apples, "move n apple from tree", "move n - 1 apple from tree", "turn")
    assert (result.outcome, result.noticed_by) == (RULING, "LA_001")
    assert result.message == "tree: 0: expected 0, seen 1"


def test_the_checker_refuses(apples: Path) -> None:
    assert run_mutant(apples, "choose number n in 1..min(3, tree) by p", "", "turn").outcome == REFUSED


def test_nothing_notices(apples: Path) -> None:
    """The only ruling takes three apples, so it does not see that a turn may take four of more."""
    assert run_mutant(apples, "1..min(3, tree)", "1..min(4, tree)", "turn").outcome == SURVIVED


def test_a_game_that_can_not_go_on_is_noticed(apples: Path) -> None:
    """No ruling has an empty tree, but every game comes to one: then a number from 1 to 0 is asked for."""
    how = ("for every p in seats while tree > 0:", "for every p in seats:", "game")
    result = run_mutant(apples, *how, games=6)
    assert (result.outcome, result.noticed_by) == (PLAY, "dead end")
    assert run_mutant(apples, *how, games=1, options={"short": "true"}).outcome == SURVIVED  # no tree is emptied


def test_a_game_that_does_not_end_is_noticed(apples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its length, unless games without a change are nearly as long."""
    (apples / "rulings" / "apples.ruling").unlink()
    how = ("    move n apple from tree to p.basket as picked\n", "", "turn")
    result = run_mutant(apples, *how, games=1, max_decisions=500)
    assert (result.outcome, result.noticed_by) == (PLAY, "length")
    assert result.message == "a game is not over after 500 decisions"
    monkeypatch.setattr("tools.mutation.runner.FAR", 500)
    assert run_mutant(apples, *how, games=1, max_decisions=500).outcome == SURVIVED


def test_a_limit_that_is_not_heard_once_is_called_out_again() -> None:
    """As in a callback of the garbage collector, where Python forgets what is raised."""
    caught = 0
    with pytest.raises(TimeLimitExceeded), processor_time_limit(0.01):
        while True:
            try:
                while True:
                    pass
            except TimeLimitExceeded:
                caught += 1
                if caught == 2:
                    raise
    assert caught == 2


def test_a_ruling_that_fails_by_itself_proves_nothing(apples: Path) -> None:
    file = apples / "rulings" / "apples.ruling"
    file.write_text(file.read_text().replace("score(p1): 1", "score(p1): 0"), encoding="utf-8")
    runner = MutantRunner(RulesetReference(apples), 0)
    runner.prepare()
    assert runner.failing == ["LA_001"]
    mutant = make_mutant("rulesets/last_apple/game.rules", "1 if p.last else 0", "2 if p.last else 0", "score")
    assert runner.run(mutant).outcome == SURVIVED


# ---------------------------------------------------------------- under overlays

VARIANT = """\
variant sour on last_apple because "a trial"
    alter turn.n from 3 to 2
    insert after turn.move
        if tree is 1: move 1 apple from tree to p.basket
        set sour to sour + 1
    field sour: 0..99
    replace score
        value score(p: Seat): int = 2 if p.last and sour > 4 else 0
"""

SOUR = """\
ruling LA_002 "two apples, and the third is lost"
    given three_left
    when
        do turn(p1)
        p1 chooses 2
    expect
        tree: 0
        sour: 1
"""


def variant_runner(folder: Path) -> tuple[MutantRunner, dict[tuple[int, str, str], Mutant]]:
    """The runner of the game with a variant, and the mutants by line of the variant (0: not in it), kind and text."""
    layer = folder / "variants" / "sour"
    layer.mkdir(parents=True)
    (layer / "sour.variant").write_text(VARIANT, encoding="utf-8")
    (layer / "sour.ruling").write_text(SOUR, encoding="utf-8")
    runner = MutantRunner(RulesetReference(folder, (layer,)), 0)
    known = runner.prepare()
    own = "rulesets/last_apple/variants/sour/sour.variant"
    return runner, {(m.line if m.file == own else 0, m.kind, m.text): m for m in known}


def test_rules_are_mutated_as_overlays_make_them(apples: Path) -> None:
    runner, found = variant_runner(apples)
    lines = {(line, kind) for line, kind, _ in found}
    assert {(2, "number"), (2, "patch"), (3, "patch"), (4, "number"), (5, "statement"), (8, "comparison")} <= lines
    in_base = {(m.rule, m.description) for key, m in found.items() if key[0] == 0}
    assert ("turn", "`1` becomes `2`") in in_base
    assert ("turn", "`3` becomes `4`") not in in_base and "score" not in {rule for rule, _ in in_base}  # not in force


def test_mutants_of_overlays_are_run_with_all_their_layers(apples: Path) -> None:
    """The ruling of the game takes three apples at once, which the variant forbids; it proves nothing here."""
    runner, found = variant_runner(apples)
    assert runner.failing == ["LA_001"]
    outcomes = {key: runner.run(found[key]) for key in [(2, "number", "3"), (2, "number", "1"), (3, "patch", "")]}
    assert outcomes[2, "number", "3"].outcome == SURVIVED
    assert (outcomes[2, "number", "1"].outcome, outcomes[2, "number", "1"].noticed_by) == (RULING, "LA_002")
    assert (outcomes[3, "patch", ""].outcome, outcomes[3, "patch", ""].noticed_by) == (RULING, "LA_002")


# ---------------------------------------------------------------- the command


def report(capsys: Capture, *words: str) -> dict[str, object]:
    assert cli.run(["mutate", "last_apple", "--json", *words]) == 0, capsys.readouterr().err
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_same_mutants_whatever_the_number_of_processes(
    apples: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.mutation.runner.BASE_SECONDS", 2)  # for a mutant without end
    one = report(capsys, "--sample", "4", "--seed", "3", "--jobs", "1")
    two = report(capsys, "--sample", "4", "--seed", "3", "--jobs", "2")
    assert one == two
    assert one["tested"] == 4
    assert one["tested"] == one["caught_by_rulings"] + one["caught_by_play"] + one["survived"]  # type: ignore[operator]
    assert one["made"] == one["refused"] + 4  # type: ignore[operator]
    assert one["results"] != report(capsys, "--sample", "4", "--seed", "4", "--jobs", "1")["results"]


def test_all_of_them_with_a_bound(apples: Path, capsys: Capture) -> None:
    assert cli.run(["mutate", "last_apple", "--jobs", "1", "--games", "0"]) == 0
    shown = capsys.readouterr().out
    assert "nothing noticed\n" in shown
    assert "rulesets/last_apple/game.rules:17: `3` becomes `4`\n" in shown
    assert cli.run(["mutate", "last_apple", "--jobs", "1", "--games", "0", "--least", "100"]) == 1


def test_what_is_no_number_of_mutants_is_refused(apples: Path, capsys: Capture) -> None:
    assert cli.run(["mutate", "last_apple", "--sample", "0"]) == 2
    assert "--sample should be a number from 1 to 1000000" in capsys.readouterr().err


# ---------------------------------------------------------------- native code


@needs_wasmtime
@pytest.mark.parametrize(
    ("before", "after", "rule", "noticed"),
    [
        ("for every p in seats while tree > 0:", "for every p in seats:", "game", "dead end"),
        ("q.last to q is p", "q.last to q is not p", "turn", "invariant"),
        ("    move n apple from tree to p.basket as picked\n", "", "turn", "length"),
        ("min(3, tree)", "min(4, tree)", "turn", ""),
    ],
)
def test_games_in_native_code_notice_the_same(
    before: str, after: str, rule: str, noticed: str, apples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (apples / "rulings" / "apples.ruling").unlink()  # games alone notice something
    with (apples / "game.rules").open("a", encoding="utf-8") as rules:
        rules.write("\ninvariant one_last: count(q in seats where q.last) <= 2\n")
    native: list[NativeWalks] = []
    play = NativeWalks.play

    def noting(self: NativeWalks, *args: Any) -> Any:
        native.append(self)
        return play(self, *args)

    monkeypatch.setattr(NativeWalks, "play", noting)
    how: dict[str, Any] = {"games": 5, "max_decisions": 300}
    found = run_mutant(apples, before, after, rule, backend="wasm", **how)
    assert native[-1].checked and (noticed in ("dead end", "invariant")) == (native[-1].replayed > 0)
    assert found == run_mutant(apples, before, after, rule, backend="reference", **how)
    assert (found.outcome, found.noticed_by) == (PLAY if noticed else SURVIVED, noticed)


@needs_wasmtime
def test_who_plays_sooner_is_tried_where_games_are_long(apples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = {"reference": 30.0, "wasm": 20.0}
    tried: list[str] = []

    def seconds(self: MutantRunner, program: Program, backend: str) -> float:
        tried.append(backend)
        return times[backend]

    monkeypatch.setattr(MutantRunner, "_seconds_of_games", seconds)

    def chosen(backend: str | None = None) -> str | None:
        tried.clear()
        runner = MutantRunner(RulesetReference(apples), 2, backend=backend)
        runner.prepare()
        return runner.backend

    assert (chosen(), tried) == ("wasm", ["reference", "wasm"])
    times["wasm"] = 31.0
    assert (chosen(), tried) == ("reference", ["reference", "wasm"])
    times["reference"] = 0.5
    assert (chosen(), tried) == ("reference", ["reference"])
    assert (chosen("wasm"), tried) == ("wasm", ["wasm"])


def test_a_back_end_that_is_not_there_is_a_sentence(apples: Path, capsys: Capture) -> None:
    assert cli.run(["mutate", "last_apple", "--backend", "wasn"]) == 2
    assert "wasn" in capsys.readouterr().err
