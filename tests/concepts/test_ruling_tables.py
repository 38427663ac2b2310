"""A ruling with a table: each row is a ruling of its own, in results, transcripts, messages and the cache."""

from __future__ import annotations

from pathlib import Path

from dsl.driver.load import compile_ruleset, compile_sources
from dsl.program import Program
from interpreter import Game
from interpreter.records.ruling import RulingResult, run_rulings

RULES = """\
kind Seat
    zone coins: coin
    field rich: bool
piece coin each 20 from bank
zone bank: coin
option quick: bool = false
phase day(p: Seat, n: 0..9)
    gain n coin by p
    choose one by p
        case keep where total(p.coins) > 1 because "there is one coin only"
            set p.rich to true
        case spend
            lose 1 coin by p
phase game
    for every p in seats: do day(p, 1)
"""
TABLE = """\
position two "two"
    seats: 2
ruling DAY(who: Seat, held: 0..9, won: 0..9, sum: 0..20, rich: bool) "{who} has {held} and wins {won}"  [DAY-1]
    given two
        who.coins: held
    when
        do day(who, won)
    expect
        asks who
        who.coins: sum
        legal keep
    when
        who chooses keep
    expect
        who.rich: rich
        count(p in seats where p is not who and p.rich): 0
    cases
        none_held: p1, 0, 2, 2, true                                                            [DAY-2]
        2: p2, 2, 3, 5, true
"""


def compiled(cases: str) -> Program:
    program, messages, _ = compile_sources({"small.rules": RULES, "rulings/some.ruling": cases})
    assert program is not None, messages
    return program


def results(cases: str) -> dict[str, RulingResult]:
    return {result.name: result for result in run_rulings(Game(compiled(cases)))}


def test_each_row_is_a_ruling() -> None:
    cases = results(TABLE)
    assert list(cases) == ["DAY.none_held", "DAY.2"] and all(result.passed for result in cases.values())
    assert cases["DAY.none_held"].title == "p1 has 0 and wins 2" and cases["DAY.2"].title == "p2 has 2 and wins 3"
    assert cases["DAY.none_held"].cites == ("DAY-1", "DAY-2") and cases["DAY.2"].cites == ("DAY-1",)


WRITTEN_OUT = """\
position two "two"
    seats: 2
ruling DAY "p2 has 2 and wins 3"  [DAY-1]
    given two
        p2.coins: 2
    when
        do day(p2, 3)
    expect
        asks p2
        p2.coins: 5
        legal keep
    when
        p2 chooses keep
    expect
        p2.rich: true
        count(p in seats where p is not p2 and p.rich): 0
"""


def test_a_transcript_is_that_of_the_ruling_written_out() -> None:
    lines = results(WRITTEN_OUT)["DAY"].transcript
    assert tuple(line.replace("ruling DAY", "ruling DAY.2") for line in lines) == results(TABLE)["DAY.2"].transcript


def test_a_row_fails_alone_with_its_values_at_its_line() -> None:
    cases = results(TABLE + "        three: p2, 2, 3, 4, true\n        last: p1, 1, 1, 2, false\n")
    assert [name for name, result in cases.items() if not result.passed] == ["DAY.three", "DAY.last"]
    (failure,) = cases["DAY.three"].failures
    assert (failure.text, failure.expected, failure.seen) == ("p2.coins: 4", "4", "5")
    (failure,) = cases["DAY.last"].failures
    assert (failure.text, failure.line) == ("p1.rich: false", 15)


def test_each_row_has_the_place_of_its_line() -> None:
    program = compiled(TABLE)
    source = program.sources["rulings/some.ruling"]
    assert [source.place(r.span.start)[0] for r in program.rulings.values()] == [18, 19]


def test_a_fault_leaves_all_rows_out_and_nothing_else() -> None:
    more = 'ruling PLAIN "plain"\n    given two\n    expect\n        p1.coins: 0\n'
    for wrong in (
        TABLE.replace("5, true", "5, maybe"),
        TABLE.replace("asks who", "asks nobody"),
        TABLE.replace("2: p2,", "2:"),
        TABLE.replace("given two", "given tow"),
    ):
        program = compiled(wrong + more)
        assert list(program.rulings) == ["PLAIN"]
        assert {name.partition(".")[0] for name in program.broken} == {"DAY"}


def test_a_row_may_begin_from_a_position_of_its_own() -> None:
    table = (
        'position three "three" from two\n    p1.coins: 3\n'
        'ruling FROM(given_by: position, held: 0..9) "{held} in {given_by}"\n    given given_by\n    expect\n'
        "        p1.coins: held\n    cases\n        a: two, 0\n        b: three, 3\n        c: three, 4\n"
    )
    cases = results(TABLE + table)
    assert [name for name, result in cases.items() if not result.passed] == ["FROM.c"]
    assert cases["FROM.b"].transcript[:2] == ('ruling FROM.b "3 in three"', "given three")


def test_rows_may_hold_for_some_options_only() -> None:
    table = (
        'ruling FEW(fast: bool) "few"\n    holds with quick\n    given two\n        quick: fast\n    cases\n'
        "        a: true\n        b: false\n"
    )
    program = compiled(TABLE + table)
    assert "FEW.a" in program.rulings and "FEW.b" not in program.rulings and [*program.elsewhere] == ["FEW.b"]


def test_tables_come_out_of_the_cache_as_they_were(tmp_path: Path) -> None:
    folder = tmp_path / "rulesets" / "small"
    (folder / "rulings").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text("id: small\nversion: 1\ntitle: {en: Small}\nseats: 2\nload: [small.rules]\n")
    (folder / "small.rules").write_text(RULES)
    (folder / "rulings" / "some.ruling").write_text(TABLE.replace("  [DAY-1]", "").replace("[DAY-2]", ""))
    first, _, _ = compile_ruleset(folder)
    (folder / "small.rules").write_text(RULES + "value coins_of(p: Seat): int = total(p.coins)\n")
    again, _, _ = compile_ruleset(folder)
    for program in (first, again):
        assert program is not None
        cases = {result.name: result for result in run_rulings(Game(program))}
        assert list(cases) == ["DAY.none_held", "DAY.2"] and all(result.passed for result in cases.values())
