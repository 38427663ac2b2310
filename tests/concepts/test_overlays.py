"""Overlays and addresses (docs/manual/19-overlays-and-addresses.md): a patched tree is checked and played
like any other."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import interpreter as rw
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.load import compile_ruleset, compile_sources
from interpreter.session.setup import blank_store
from tests.concepts.play import answer_all, cell, options, value

BASE = """
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
option mood: calm, wild = calm
kind Card
    const price: 0..9
card storm "Storm": Card
    price: 3
    effect
        step damage: do note(1)
        step repair
            do note(2)
            do note(3)
value tax(n: int): int = n + 1
rule extra: modify tax(n) by 10
procedure day()
    step work: do note(tax(0) - 10)
    choose one by p1
        case rest: do note(4)
        case march: do note(5)
phase game
    do storm.effect by p1
    do day()
    do note(storm.price)
    do note(7 if mood is wild else 8)
"""


def compiled(*overlays: str) -> tuple[rw.Game | None, list[Diagnostic]]:
    texts = {f"patch{i}.errata": dedent(text) for i, text in enumerate(overlays)}
    program, found, _ = compile_sources({"small.rules": BASE}, seats=(2, 2), overlays=texts)
    errors = [d for d in found if d.severity.value == "error"]
    return (rw.Game(program) if program is not None else None), errors


def play_with(*overlays: str, reply: str = "rest") -> int:
    made, errors = compiled(*overlays)
    assert made is not None, errors
    state = made.new(checked=True)
    if state.decision is not None:
        answer_all(state, reply)
    return int(cell(state, "trail"))


def test_the_base_alone() -> None:
    assert play_with() == 12314_38 and play_with(reply="march") == 12315_38


def test_replace_a_step_and_a_value() -> None:
    # 19: an address is the dotted path of names; the section `effect` may be left out.
    patch = """
    errata second_printing on test because "printed card" dated "2020-05-01"
        replace storm.repair
            step repair: do note(6)
        replace tax
            value tax(n: int): int = n + 5
    """
    assert play_with(patch) == 1_6_5_4_38


def test_insert_before_and_after_and_drop() -> None:
    # 19: `insert before`, `insert after`, `drop`.
    patch = """
    variant long on test
        insert before day.work
            step dawn: do note(7)
        insert after storm.damage
            step again: do note(9)
        drop storm.repair
    """
    assert play_with(patch) == 1_9_7_1_4_38


def test_alter_changes_one_word_or_number() -> None:
    # 19: `alter A from v to w`: a row, or the default of an option.
    assert (
        play_with("errata e on test\n    alter storm.price from 3 to 6\n    alter mood from calm to wild\n") == 12314_67
    )


def test_replace_a_case_and_add_a_declaration() -> None:
    # 19: cases have addresses; new declarations are added.
    patch = """
    variant more on test
        procedure cheer(): do note(9)
        replace day.march
            case march: do cheer()
        insert after day.rest
            case sing: do note(6)
    """
    made, _ = compiled(patch)
    assert made is not None
    state = made.new()
    assert options(state) == ["rest", "sing", "march"]
    answer_all(state, "march")
    assert cell(state, "trail") == 12319_38 and value(state, "tax", 1) == 12


def test_a_rule_has_an_address() -> None:
    # 19: `rule name` gives a rule one.
    made, errors = compiled("errata e on test\n    drop extra\n")
    assert made is not None and errors == []
    assert value_of_tax(made) == 1


def value_of_tax(made: rw.Game) -> int:
    number = made.program.function_names["tax"]
    return int(made.machine.eval_fn(blank_store(made, 2, {}), number, [0]))


def test_a_wrong_address_is_an_error_with_the_nearest() -> None:
    # 19: a missing address is an error.
    made, errors = compiled("errata e on test\n    drop storm.repare\n")
    assert made is None and [d.code for d in errors] == ["RW1002"]
    assert "storm.repair" in (errors[0].help or "")


def test_a_digest_guards_against_changes_below() -> None:
    # 19: `was` is the digest of the canonical text; a different digest is an error that gives the new one.
    made, errors = compiled('errata e on test\n    drop storm.repair was "000000"\n')
    assert made is None and [d.code for d in errors] == ["RW1003"]
    new = errors[0].message.split("its digest is `")[1][:6]
    assert compiled(f'errata e on test\n    drop storm.repair was "{new}"\n')[1] == []


def test_what_a_patch_breaks_is_reported_at_its_line() -> None:
    # 19: the tree is patched before checking.
    made, errors = compiled("errata e on test\n    replace storm.repair\n        step repair: do nosuch(6)\n")
    assert made is None and [(d.code, d.span.file) for d in errors] == [("RW0207", "patch0.errata")]


def test_what_an_overlay_is_on_comes_before_it() -> None:
    # 19: two overlays at one address conflict unless one is `on` the other; the second sees what the first made.
    first = 'errata e on test dated "2020-05-01"\n    replace storm.repair\n        step repair: do note(6)\n'
    second = "variant v on e\n    insert after storm.repair\n        step late: do note(5)\n"
    assert play_with(first, second) == play_with(second, first) == 1_6_5_1_4_38


def test_errata_apply_by_date_and_before_variants() -> None:
    # 19: order: base, errata by date, variants as chosen.
    early = 'errata e1 on test dated "2020-05-01"\n    replace storm.repair\n        step repair: do note(6)\n'
    late = 'errata e2 on e1 dated "2021-01-01"\n    insert after storm.repair\n        step b: do note(7)\n'
    variant = "variant v on e1, e2\n    insert after storm.repair\n        step c: do note(8)\n"
    assert play_with(variant, late, early) == play_with(early, late, variant) == 1_6_8_7_1_4_38
    free = 'errata e0 on test dated "2019-05-01"\n    insert before day\n        field more: 0..9\n'
    assert play_with(late, free, early) == 1_6_7_1_4_38


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("drop storm.repair", "alter storm.repair from 2 to 5"),
        ("replace storm\n        price: 2", "alter storm.price from 3 to 4"),
        ("insert after storm.effect.damage\n        do note(1)", "drop storm.damage"),
        ("alter mood from calm to wild", "drop mood"),
    ],
)
def test_two_that_touch_one_place_are_refused(one: str, other: str) -> None:
    made, errors = compiled(f"variant v on test\n    {one}\n", f"variant w on test\n    {other}\n")
    assert made is None and [(d.code, d.span.file) for d in errors] == [("RW1005", "patch1.errata")]
    assert errors[0].labels[0].span.file == "patch0.errata"


def test_every_meeting_is_reported() -> None:
    first = "variant v on test\n    drop extra\n    alter storm.price from 3 to 4\n    drop storm.repair\n"
    second = "variant w on test\n    drop storm\n    drop extra\n    insert after day.work\n        do note(1)\n"
    _, errors = compiled(first, second)
    assert [d.code for d in errors] == ["RW1005"] * 2  # `drop storm` meets two; both drop `extra`


def test_what_two_drop_alike_is_gone() -> None:
    first = "variant v on test\n    drop storm.repair\n"
    second = "variant w on test\n    drop storm.repair\n"
    made, errors = compiled(first, second)
    once, _ = compiled(first)
    assert not errors and made is not None and once is not None
    assert len(made.program.procs) == len(once.program.procs)


def test_two_that_do_not_meet_are_combined() -> None:
    first = "variant v on test\n    alter storm.price from 3 to 4\n"
    second = "variant w on test\n    drop storm.repair\n"
    assert play_with(first, second) == play_with(second, first) == 1_1_4_48


def test_alter_finds_the_one_place_of_a_number() -> None:
    assert play_with("variant v on test\n    alter storm.repair from 2 to 9\n") == 1_9_3_1_4_38
    assert play_with("variant v on test\n    alter tax from 1 to 3\n") == 12334_38


TABLE = """
field shown: 0..99
table goal by 1..5
    1: 4
    2..4: 5
    5: 6
phase game: set shown to goal[1] * 10 + goal[3]
"""


def play_table(*overlays: str) -> int:
    texts = {f"v{i}.variant": f"variant v{i} on test\n    {text}\n" for i, text in enumerate(overlays)}
    program, found, _ = compile_sources({"table.rules": TABLE}, seats=(2, 2), overlays=texts)
    assert program is not None, [(d.code, d.message) for d in found]
    return int(cell(rw.Game(program).new(), "shown"))


def test_a_row_of_a_table_has_an_address() -> None:
    # 19: an address leads to a table's row by its key, so two overlays may change two rows of one table.
    assert play_table() == 45
    assert play_table("alter goal[1] from 4 to 3", "alter goal[2..4] from 5 to 7") == 37


# ---------------------------------------------------------------- folders

DATA = {"data/trees.yaml": "Tree:\n    oak: {height: 5, near: [elm]}\n    elm: {height: 2, near: [oak]}\n"}
TREES = """
kind Tree from "data/trees.yaml"
    const height: 1..9
    const near: set of Tree
field tall: 0..99
phase game
    set tall to sum(t in Tree: t.height)
    choose t in Tree by p1
    set tall to t.height
"""
LOCALE = {
    "locale/en.yaml": 'game.t: {ask: "Which tree?", pick: "{t}"}\n',
    "locale/ja.yaml": 'game.t: {ask: "どの木？"}\n',
}


def grown(**overlays: str) -> rw.Game:
    files = {name.replace("__", "/").replace("_yaml", ".yaml"): text for name, text in overlays.items()}
    program, found, _ = compile_sources({"trees.rules": TREES}, {**DATA, **LOCALE}, seats=(2, 2), overlays=files)
    assert program is not None, [(d.code, d.message) for d in found]
    return rw.Game(program)


def test_a_folder_lays_texts_and_records_over_those_of_the_base() -> None:
    # 19 and decision 16: locale and data of an overlay count key by key.
    game = grown(
        marine__data__trees_yaml="Tree:\n    palm: {height: 7, near: [oak]}\n    elm: {height: 3}\n",
        marine__locale__en_yaml='game.t: {ask: "Which tree at sea?"}\n',
    )
    state = game.new()
    assert options(state) == ["oak", "elm", "palm"] and cell(state, "tall") == 5 + 3 + 7
    assert game.program.texts["en"]["game.t.ask"] == "Which tree at sea?"
    assert game.program.texts["en"]["game.t.pick"] == "{t}"


def test_two_folders_that_set_one_key_are_refused() -> None:
    folders = {"a/data/trees.yaml": "Tree: {elm: {height: 3}}\n", "b/data/trees.yaml": "Tree: {elm: {height: 4}}\n"}
    _, found, _ = compile_sources({"trees.rules": TREES}, {**DATA, **LOCALE}, seats=(2, 2), overlays=folders)
    assert [(d.code, d.span.file) for d in found if d.severity.value == "error"] == [("RW1005", "b/data/trees.yaml")]
    both = {"a/locale/en.yaml": 'game.t.ask: "A?"\n', "b/locale/en.yaml": 'game.t: {ask: "B?"}\n'}
    _, found, _ = compile_sources({"trees.rules": TREES}, {**DATA, **LOCALE}, seats=(2, 2), overlays=both)
    assert [d.code for d in found if d.severity.value == "error"] == ["RW1005"]


def test_a_folder_brings_a_data_file_of_its_own() -> None:
    # 19: a kind of a variant may read a file that the base does not have.
    rules = (
        'kind Bird from "data/birds.yaml"\n    const legs: 1..4\nrule flock: modify extra by sum(b in Bird: b.legs)\n'
    )
    base = {"trees.rules": f"{TREES}value extra: int = 0\nfield more: 0..9\n"}
    birds = {"birds/birds.rules": rules, "birds/data/birds.yaml": "Bird: {wren: {legs: 2}}\n"}
    program, found, _ = compile_sources(base, {**DATA, **LOCALE}, seats=(2, 2), overlays=birds)
    assert program is not None, [(d.code, d.message) for d in found]
    assert value(rw.Game(program).new(), "extra") == 2
    _, found, _ = compile_sources({"trees.rules": TREES.replace("trees.yaml", "tress.yaml")}, DATA, seats=(2, 2))
    assert [d.code for d in found if d.severity.value == "error"][:1] == ["RW0321"]


MANIFEST = {
    "ruleset.yaml": "id: test\nversion: 1\ntitle: {en: Trees}\nseats: 2\nload: [trees.rules]\nlimits: {tries: 50}\n"
}


def test_a_folder_says_for_how_many_it_is() -> None:
    # 19: of the manifest a variant says anew what it changes, blocks key by key.
    files = {**DATA, **LOCALE, **MANIFEST}
    over = {"wide/ruleset.yaml": "seats: 3..5\ntitle: {ja: 木}\nlimits: {frames: 70}\n"}
    program, found, _ = compile_sources({"trees.rules": TREES}, files, overlays=over)
    assert program is not None, [(d.code, d.message) for d in found]
    assert program.seats == (3, 5) and program.title == {"en": "Trees", "ja": "木"} and program.id == "test"
    assert (program.limits.tries, program.limits.frames) == (50, 70)
    assert rw.Game(program).new(5).seats == 5
    alone, _, _ = compile_sources({"trees.rules": TREES}, files)
    assert alone is not None and alone.seats == (2, 2)


def test_rulings_for_a_number_of_seats_that_a_folder_excludes_are_left_out() -> None:
    # 19: those of the base count only where they can be played; a number that the base does not have is an error.
    cases = """
position pair "two seats"
    seats: 2
ruling T_1 "two seats"
    given pair
    expect
        tall: 0
ruling T_2 "whoever plays"
    expect
        tall: 0
"""
    rules = {"trees.rules": TREES, "trees.ruling": cases}
    files = {**DATA, **LOCALE, **MANIFEST}
    alone, found, _ = compile_sources(rules, files)
    assert alone is not None and list(alone.rulings) == ["T_1", "T_2"], [(d.code, d.message) for d in found]
    wide, found, _ = compile_sources(rules, files, overlays={"wide/ruleset.yaml": "seats: 3..5\n"})
    assert wide is not None and (list(wide.rulings), list(wide.positions)) == (["T_2"], [])
    assert not [d for d in found if d.severity.value == "error"]
    _, found, _ = compile_sources({**rules, "trees.ruling": cases.replace("seats: 2", "seats: 7")}, files)
    assert [d.code for d in found if d.severity.value == "error"] == ["RW0904"]


def test_signs_of_seats_that_a_folder_excludes_are_left_out() -> None:
    # 19: only those of the base: what the folder itself says must name what is there.
    signs = {
        "display.yaml": "members: {Seat: {p1: {glyph: one}, p2: {glyph: two}}}\n",
        "locale/en.yaml": LOCALE["locale/en.yaml"] + "Seat: {p1: First, p2: Second}\n",
    }
    files = {**DATA, **MANIFEST, **signs}

    def made(**over: str) -> tuple[Any, list[tuple[str, str]]]:
        program, found, _ = compile_sources({"trees.rules": TREES}, files, overlays=over)
        return program, [(d.code, d.span.file) for d in found if d.span.file != "trees.rules"]

    alone, found = made()
    assert list(alone.display.members["Seat"]) == ["p1", "p2"] and not found
    narrow = {"lone/ruleset.yaml": "seats: 1\n"}
    lone, found = made(**narrow)
    assert list(lone.display.members["Seat"]) == ["p1"] and not found
    _, found = made(**narrow, **{"lone/display.yaml": "members: {Seat: {p2: {glyph: II}}}\n"})
    assert found == [("RW0360", "lone/display.yaml")]


def test_two_folders_that_say_for_how_many_are_refused() -> None:
    over = {"a/ruleset.yaml": "seats: 3\n", "b/ruleset.yaml": "seats: 4\n"}
    _, found, _ = compile_sources({"trees.rules": TREES}, {**DATA, **LOCALE, **MANIFEST}, overlays=over)
    assert [(d.code, d.span.file) for d in found if d.severity.value == "error"] == [("RW1005", "b/ruleset.yaml")]


# ---------------------------------------------------------------- days and printings


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "rulesets" / "small").mkdir(parents=True)
    errata = tmp_path / "cards" / "small" / "errata"
    errata.mkdir(parents=True)
    folder = tmp_path / "rulesets" / "small"
    folder.joinpath("small.rules").write_text(BASE)
    folder.joinpath("ruleset.yaml").write_text(
        "id: small\nversion: 1\ntitle: {en: Small}\nseats: 2\nload: [small.rules]\n"
    )
    errata.joinpath("a.errata").write_text(
        'errata cheaper on small because "shop" dated "2020-05-01"\n    alter storm.price from 3 to 2\n'
    )
    errata.joinpath("b.errata").write_text(
        'errata calmer on small because "shop" dated "2021-05-01" printing "second"\n    drop storm.damage\n'
    )
    return folder


def price_and_steps(program: Any) -> str:
    assert program is not None
    state = rw.Game(program).new()
    answer_all(state, "rest")
    return str(cell(state, "trail"))


@pytest.mark.parametrize(
    ("as_of", "printing", "trail"),
    [
        (None, None, "1231438"),
        ("2020-04-30", None, "1231438"),
        ("2020-05-01", None, "1231428"),
        ("2022-01-01", None, "231428"),
        ("2022-01-01", "second", "231428"),
        ("2022-01-01", "first", "1231428"),
    ],
)
def test_errata_count_up_to_a_day_and_for_a_printing(
    small: Path, as_of: str | None, printing: str | None, trail: str
) -> None:
    program, found, _ = compile_ruleset(small, as_of=as_of, printing=printing, cached=False)
    assert not [d for d in found if d.severity.value == "error"]
    assert price_and_steps(program) == trail


BOTS = "value hope(p: Seat): int = wish(p) + 1\nvalue wish(p: Seat): int = 2\n"


def judged(overlays: dict[str, str]) -> tuple[rw.Game | None, list[Diagnostic]]:
    """A game with values for bots under overlays."""
    manifest = "id: small\nversion: 1\ntitle: {en: Small}\nseats: 2\nload: [small.rules]\nevaluate: hope\n"
    rules = {"small.rules": "field warmth: 0..9 = 4\nphase game\n    choose k in 1..2 by p1\n    set warmth to k\n"}
    made = {name: dedent(text) for name, text in overlays.items()}
    program, found, _ = compile_sources(rules, {"bots.rules": BOTS, "ruleset.yaml": manifest}, overlays=made)
    return (rw.Game(program) if program is not None else None), [d for d in found if d.severity.value == "error"]


def evaluation(game: rw.Game | None) -> int:
    """What the bots of a game make of its beginning."""
    assert game is not None
    state = game.new()
    return int(game.machine.eval_fn(state.words, game.program.evaluate, [1]))


def test_values_for_bots_are_patched_and_still_know_no_more_than_before() -> None:
    # 19: what stands in bots.rules has addresses as well.
    patch = """
    variant warm on small
        replace hope
            value hope(p: Seat): int = wish(p) + warmth
        replace wish
            value wish(p: Seat): int = 5
    """
    assert evaluation(judged({})[0]) == 3
    game, found = judged({"warm.variant": patch})
    assert evaluation(game) == 9, found
    _, found = judged({"warm.variant": patch + "    value rule_of(p: Seat): int = wish(p)\n"})
    assert [d.code for d in found] == ["RW0419"]


def test_a_variant_brings_values_for_bots_of_its_own() -> None:
    # 19: `bots.rules` in the folder of a variant.
    folder = {
        "warm/warm.variant": "variant warm on small\n    replace wish\n        value wish(p: Seat): int = zeal\n",
        "warm/bots.rules": "value zeal: int = 7\nvalue other(p: Seat): int = 10 * wish(p)\n",
        "warm/ruleset.yaml": "evaluate: other\n",
    }
    game, found = judged(folder)
    assert evaluation(game) == 70, found
