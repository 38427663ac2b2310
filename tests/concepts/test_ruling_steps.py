"""What a step of a ruling calls: every routine that has a name, by whoever acts in it, whatever becomes of it."""

from __future__ import annotations

from textwrap import dedent

import pytest

from dsl.base.types import MemberType
from interpreter.records.ruling import RulingResult, run_ruling, run_rulings
from interpreter.records.steps import StepError
from tests.concepts.play import errors, game
from tools.commands.ruling_names import names_for_rulings

FAIR = """\
kind Seat
    zone coins: coin
    field sunny: bool
kind Robot: 2 decided by master
    field master: Seat or none
    zone coins: coin
kind Tale
piece coin each 20 from bank
zone bank: coin
card rain "Rain": Tale
    effect: gain 1 coin
card sun "Sun": Tale
    effect: set p1.sunny to true
card storm "Storm": Tale
    effect: do still()
icon crowd(n: 0..9)
    gain n coin
icon still
    set p2.sunny to true
icon grind
    gain 2 coin
action dig(p: Seat) of works
    gain 3 coin by p
procedure work(p: Seat, r: Robot)
    gain 1 coin by r
    offer works by p or decline
procedure read(p: Seat, c: Tale)
    do c.effect by p
procedure feast(p: Seat)
    plan by p
        do crowd(2)
        do still()
        do storm.effect by p
phase game
    do work(p1, robot_1)
    do read(p1, rain)
    do feast(p1)
"""


def ruling(step: str, *rows: str) -> str:
    expected = "".join(f"        {row}\n" for row in rows) or "        p1.coins: 0\n"
    return f'ruling R "A ruling"\n    when\n        {step}\n    expect\n{expected}'


def run(step: str, *rows: str) -> RulingResult:
    made = game(FAIR + ruling(step, *rows))
    return run_ruling(made, made.program.rulings["R"])


@pytest.mark.parametrize(
    ("step", "rows"),
    [
        ("do crowd(3) by p2", ("p2.coins: 3", "p1.coins: 0", "nothing asked")),
        ("do still()", ("p2.sunny: true",)),
        ("do still() by p1", ("p2.sunny: true",)),
        ("do grind() by p1", ("p1.coins: 2",)),
        ("do rain.effect by p2", ("p2.coins: 1",)),
        ("do sun.effect", ("p1.sunny: true",)),
        ("do sun.effect by p2", ("p1.sunny: true",)),
        ("do storm.effect by p2", ("p2.sunny: true",)),
        ("do dig(p1)", ("p1.coins: 3",)),
    ],
)
def test_a_step_calls_it(step: str, rows: tuple[str, ...]) -> None:
    assert run(step, *rows).failures == ()


@pytest.mark.parametrize(
    ("step", "code", "text"),
    [
        ("do crowd(3)", "RW0906", "who does `crowd`?"),
        ("do rain.effect", "RW0906", "who does `rain.effect`?"),
        ("do grind() by robot_1", "RW0402", "a `Seat` does `grind`"),
        ("do rain.effect by robot_1", "RW0402", "a `Seat` does `rain.effect`"),
        ("do rain.effect(3) by p1", "RW0250", "takes 0 arguments"),
        ("do rain.colour by p1", "RW0616", "`rain` has no colour"),
        ("do crowd() by p1", "RW0250", "takes 1 argument"),
        ("do dig(p1) by p1", "RW0906", "`dig` is called without `by`"),
        ("let x = do dig(p1)", "RW0906", "`dig` is called without `let`"),
        ("do crowd(3) by p1 or decline", "RW0906", "without `or decline`"),
    ],
)
def test_what_is_refused(step: str, code: str, text: str) -> None:
    found = errors(FAIR + ruling(step))
    assert [d.code for d in found] == [code] and text in found[0].message


def test_each_routine_that_is_listed_can_be_called() -> None:
    """With the first members as arguments, by the first seat where somebody acts: no call fails of itself."""
    program = game(FAIR).program
    listed = names_for_rulings(program)
    names = {named.name.partition("(")[0] for group in ("do", "effect") for named in listed[group]}
    procs = [proc for proc in program.procs if proc.name in names]
    assert {proc.word for proc in procs} == {"phase", "procedure", "action", "icon", "effect"}
    rulings = ""
    for number, proc in enumerate(procs):
        own = [t for name, t in proc.params if not name.startswith("$")]
        args = ", ".join(program.domains[t.domain].ids[0] if isinstance(t, MemberType) else "1" for t in own)
        by = " by p1" if len(own) < len(proc.params) else ""
        call = proc.name if proc.word == "effect" else f"{proc.name}({args})"
        rulings += ruling(f"do {call}{by}", "over: false").replace("ruling R", f"ruling R{number}")
    results = run_rulings(game(FAIR + rulings))
    wrong = [str(f) for result in results for f in result.failures if "the end of the game" not in f.seen]
    assert len(results) == len(procs) and wrong == []


# ---------------------------------------------------------------- a ruling in which this program fails


@pytest.mark.parametrize("place", ["base_state", "run_step", "questions", "judge", "log_for"])
def test_an_internal_error_is_one_failure(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it comes: the result says so, and the next ruling runs."""
    one = ruling("do still()", "p2.sunny: true")
    made = game(FAIR + one + one.replace("ruling R", "ruling Q"))

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a trial")

    with monkeypatch.context() as patched:
        patched.setattr(f"interpreter.records.ruling.{place}", fail)
        result = run_ruling(made, made.program.rulings["R"])
    (failure,) = result.failures
    assert failure.seen.startswith("internal error (ZeroDivisionError at test_ruling_steps.py:")
    assert "please report it" in failure.seen and failure.line
    assert run_ruling(made, made.program.rulings["Q"]).passed


def test_rules_without_end_are_a_failure() -> None:
    """The budget of steps is spent: by a step, by a forced answer, by an answer that a row tries."""
    rules = """\
    kind Seat
        field n: 0..9
    procedure spin(p: Seat)
        repeat while p.n < 5: set p.n to 1
    procedure turn(p: Seat, low: 0..3)
        choose number k in low..3 by p
        do spin(p)
    phase game
        do turn(p1, 0)
    """
    rows = {
        "A": ("do spin(p1)", "over: false"),
        "B": ("do turn(p1, 3)", "over: false"),
        "C": ("do turn(p1, 0)", "legal 3"),
        "D": ("do turn(p1, 0)", "illegal 3"),
        "E": ("do turn(p1, 0)", "asks p1"),
    }
    written = "".join(ruling(*said).replace("ruling R", f"ruling {name}") for name, said in rows.items())
    results = run_rulings(game(dedent(rules) + written, manifest="limits: {steps: 2000}"))
    assert [result.passed for result in results] == [False, False, False, False, True]
    assert all("limit `steps`" in result.failures[0].seen for result in results[:-1])


def test_an_internal_error_is_raised_where_it_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made = game(FAIR + ruling("do still()", "p2.sunny: true"))

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a trial")

    monkeypatch.setattr("interpreter.records.ruling.run_step", fail)
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run_ruling(made, made.program.rulings["R"])


def test_a_step_that_does_not_fit_is_no_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    made = game(FAIR + ruling("do still()", "p2.sunny: true"))

    def refuse(*_: object) -> None:
        raise StepError("it does not fit")

    monkeypatch.setattr("interpreter.records.ruling.run_step", refuse)
    assert run_ruling(made, made.program.rulings["R"]).failures[0].seen == "it does not fit"
