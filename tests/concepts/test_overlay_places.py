"""Addresses of unnamed lines, members and records, and overlays that put something beside one line
(docs/manual/19-overlays-and-addresses.md)."""

from __future__ import annotations

from itertools import permutations

import pytest

import interpreter as rw
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.load import compile_sources
from dsl.shows.program import MemberSign
from tests.concepts.play import answer_all, cell, options

BASE = """
enum Cause: paid, won
enum Mood: calm, wild
option speed: slow, fast = slow
field trail: 0..999999999
field mood: Mood
procedure note(n: 0..9)
    set trail to trail * 10 + n
procedure planning()
    do note(1)
procedure execution()
    do note(2)
phase turn
    set mood to calm
    do planning()
    do execution()
    if mood is calm
        do note(3)
        do note(4)
    else if trail > 0 and mood is wild
        do note(5)
    for every n in 6..7
        let twice = n
        do note(twice)
phase game
    do turn()
    choose p in Seat by p1
    do note(8 if speed is slow else 9)
"""
Found = tuple[rw.Game | None, list[Diagnostic]]


def compiled(*overlays: str, rules: str = BASE, data: dict[str, str] | None = None) -> Found:
    texts = {f"v{i}.variant": f"variant v{i} on test\n{text}" for i, text in enumerate(overlays)}
    return compiled_files(texts, rules, data)


def compiled_files(texts: dict[str, str], rules: str = BASE, data: dict[str, str] | None = None) -> Found:
    program, found, _ = compile_sources({"small.rules": rules}, data, seats=(2, 2), overlays=texts)
    wrong = [d for d in found if d.severity.value == "error"]
    return (rw.Game(program) if program is not None else None), wrong


def trail(*overlays: str) -> int:
    return trail_of(compiled(*overlays))


def trail_of(found: Found) -> int:
    game, wrong = found
    assert game is not None, [(d.code, d.message, d.help) for d in wrong]
    state = game.new(checked=True)
    answer_all(state, options(state)[0])
    return int(cell(state, "trail"))


def refused(*overlays: str) -> Diagnostic:
    _, wrong = compiled(*overlays)
    assert len(wrong) == 1, wrong
    return wrong[0]


# ---------------------------------------------------------------- every line has an address


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ("insert after turn.execution\n        do note(9)", 129_34678),
        ("insert before turn.execution\n        do note(9)", 192_34678),
        ("drop turn.planning", 2_34678),
        ("replace turn.execution\n        do note(8)\n        do note(9)", 189_34678),
        ("insert before turn.set\n        do note(9)", 912_34678),
        ("insert after turn.if\n        do note(9)", 12_349678),
        ("insert after turn.note[1]\n        do note(9)", 12_394678),
        ("drop turn.if.note[2]", 12_3678),
        ("drop turn.if", 12_678),
        ("replace turn.for\n        do note(9)", 12_3498),
        ("insert after turn.twice\n        do note(9)", 12_349_69_78),
        ("insert after turn.for.twice\n        do note(9)", 12_349_69_78),
        ("insert before game.p\n        do note(9)", 12_346_798),
        ("alter turn.set from calm to wild", 12_5678),
    ],
)
def test_a_line_goes_by_its_name_its_routine_or_its_word(patch: str, expected: int) -> None:
    assert trail() == 12_34678
    assert trail(f"    {patch}\n") == expected


def test_an_address_that_fits_several_lines_says_how_to_name_one() -> None:
    found = refused("    drop turn.note\n")
    assert found.code == "RW1008" and "stands 4 times" in found.message
    assert "`turn.note[1]` in line 18, `turn.note[2]` in line 19" in (found.help or "")
    assert refused("    drop turn.note[5]\n").code == "RW1002"
    assert refused("    drop turn.note[0]\n").code == "RW1002"


def test_a_declared_name_goes_before_a_routine_that_is_run() -> None:
    named = BASE.replace("    do planning()\n", "    step execution: do planning()\n")
    assert trail_of(compiled("    drop turn.execution\n", rules=named)) == 2_34678
    assert trail_of(compiled("    replace turn.execution.planning\n        do note(9)\n", rules=named)) == 92_34678


def test_a_wrong_address_lists_those_that_are_there() -> None:
    found = refused("    insert after turn.exekution\n        do note(9)\n")
    assert found.code == "RW1002" and "did you mean `turn.execution`?" in (found.help or "")
    found = refused("    insert after turn.reset_everything\n        do note(9)\n")
    assert "there are `turn.set`, `turn.planning`, `turn.execution`, `turn.if`, `turn.note[1]`" in (found.help or "")
    assert "there are `Cause.paid`, `Cause.won`" in (refused("    drop Cause.stolen\n").help or "")


# ---------------------------------------------------------------- two beside one line


ONE = "    insert after turn.execution\n        do note(8)\n"
OTHER = "    insert after turn.execution\n        do note(9)\n"


def test_two_that_insert_beside_one_line_are_joined_in_the_order_of_the_layers() -> None:
    assert trail(ONE, OTHER) == 1289_34678 and trail(OTHER, ONE) == 1298_34678
    before = [text.replace("after", "before") for text in (ONE, OTHER)]
    assert trail(*before) == 1892_34678 and trail(*before[::-1]) == 1982_34678
    assert trail(ONE, before[1]) == trail(before[1], ONE) == 1928_34678


def test_errata_come_before_variants_also_beside_one_line() -> None:
    texts = {"v.variant": f"variant v on test\n{ONE}", "e.errata": f'errata e on test dated "2020-01-01"\n{OTHER}'}
    assert trail_of(compiled_files(texts)) == 1298_34678


def test_what_is_based_on_another_stands_right_beside_the_line() -> None:
    texts = {"v.variant": f"variant v on test\n{ONE}", "w.variant": f"variant w on v\n{OTHER}"}
    assert trail_of(compiled_files(texts)) == 1298_34678


@pytest.mark.parametrize(
    "other",
    [
        "    drop turn.execution\n",
        "    replace turn.execution\n        do note(9)\n",
        "    drop turn\n",
        "    replace turn\n        do note(9)\n",
    ],
)
def test_what_is_inserted_meets_who_takes_the_line_away(other: str) -> None:
    for overlays in ((ONE, other), (other, ONE)):
        _, wrong = compiled(*overlays)
        assert [d.code for d in wrong] == ["RW1005"]


def test_what_is_inserted_does_not_meet_who_changes_something_in_the_line() -> None:
    inner = "    alter planning.note from 1 to 7\n"
    beside = "    insert after planning\n        procedure more(): do note(9)\n"
    beside += "    insert after turn.planning\n        do more()\n"
    assert trail(inner, beside) == trail(beside, inner) == 792_34678


def test_an_overlay_sees_the_base_and_what_it_is_on_alone() -> None:
    # a stranger's line moves no number, changes no digest, and makes no word stand twice
    third = "    replace turn.note[2]\n        do note(9)\n"
    stranger = "    insert before turn.note[1]\n        do note(8)\n"
    assert trail(third) == 12_39678
    assert trail(stranger, third) == trail(third, stranger) == 12_839678
    _, wrong = compiled('    insert after turn was "000000"\n        procedure more(): do note(9)\n')
    digest = wrong[0].message.split("its digest is `")[1][:6]
    guarded = f'    insert after turn was "{digest}"\n        procedure more(): do note(9)\n    drop turn.set\n'
    assert trail(stranger, guarded) == trail(guarded, stranger) == 12_834678
    altered = "    alter planning from 1 to 7\n"
    twice = "    insert after planning.note\n        do note(1)\n"
    assert trail(twice, altered) == trail(altered, twice) == 712_34678


def test_three_strangers_are_joined_in_any_order() -> None:
    texts = [f"    insert after turn.execution\n        do note({n})\n" for n in (7, 8, 9)]
    texts[0] += "    drop turn.if\n"
    for order in permutations(range(3)):
        expected = int("12" + "".join("789"[n] for n in order) + "678")
        assert trail(*(texts[n] for n in order)) == expected


# ---------------------------------------------------------------- members


def test_members_are_inserted_dropped_and_altered() -> None:
    use = "    insert after turn.execution\n        set mood to grim\n    insert after turn.if\n        do note(9)\n"
    assert trail("    insert after Mood.wild\n        enum Mood: grim, gay\n" + use) == 12_9678
    game, _ = compiled("    insert before Mood.calm\n        enum Mood: grim\n")
    assert game is not None and game.program.domains["Mood"].ids == ("grim", "calm", "wild")
    game, _ = compiled("    drop Cause.won\n")
    assert game is not None and game.program.domains["Cause"].ids == ("paid",)
    game, _ = compiled(
        "    alter Cause.won from won to earned\n    replace Cause.paid\n        enum Cause: given, lent\n"
    )
    assert game is not None and game.program.domains["Cause"].ids == ("given", "lent", "earned")


def test_two_overlays_add_members_to_one_enum() -> None:
    one, other = (f"    insert after Cause.won\n        enum Cause: {name}\n" for name in ("heating", "raining"))
    for overlays, ids in (((one, other), "heating raining"), ((other, one), "raining heating")):
        game, wrong = compiled(*overlays)
        assert game is not None, wrong
        assert game.program.domains["Cause"].ids == ("paid", "won", *ids.split())
    assert [d.code for d in compiled(one, "    replace Cause\n        enum Cause: paid\n")[1]] == ["RW1005"]


def test_an_option_gets_another_answer() -> None:
    game, wrong = compiled("    insert after speed.slow\n        option speed: steady\n")
    assert game is not None, wrong
    assert game.program.domains[game.program.options[0].domain].ids == ("slow", "steady", "fast")


def test_beside_a_member_stand_members_only() -> None:
    for block in ("procedure more(): do note(1)", "enum Mood: calm", "enum Cause: a = b"):
        _, wrong = compiled(f"    insert after Cause.won\n        {block}\n")
        assert "RW1009" in [d.code for d in wrong] or block.endswith("= b")
    assert "write `enum Cause: NEW`" in (refused("    insert after Cause.won\n        do note(1)\n").help or "")


def test_what_names_a_dropped_member_is_told_where_it_is_dropped() -> None:
    found = compiled("    drop Mood.wild\n")[1]
    assert {d.code for d in found} == {"RW0205"} and all(d.span.file == "small.rules" for d in found)
    assert found[0].labels[0].span.file == "v0.variant" and "an overlay drops it" in (found[0].help or "")


# ---------------------------------------------------------------- records


TREES = """
kind Tree from "data/trees.yaml"
    const height: 1..9
    const near: set of Tree
    field cut: bool
field tall: 0..99
phase game
    set tall to sum(t in Tree: t.height)
    choose t in Tree by p1
    set t.cut to true
"""
DATA = {
    "data/trees.yaml": "Tree:\n  oak: {height: 5}\n  elm: {height: 2, near: [oak]}\n  fir: {height: 1}\n",
    "locale/en.yaml": "Tree.fir: Fir\nTree.oak: Oak\nTree.elm: Elm\ngame.t.ask: Which?\n",
    "display.yaml": 'members:\n  Tree:\n    fir: {glyph: F}\n    oak: {glyph: O}\nmap:\n  layers:\n'
    "    - {kind: Tree, at: {fir: [1, 2], oak: [3, 4], elm: [5, 6]}, lines: [[cut]],\n"
    "       regions: {south: [oak, fir], north: [elm]}}\n",
}  # fmt: skip


def test_a_record_is_dropped_with_its_texts_and_hints() -> None:
    game, wrong = compiled("    drop Tree.fir\n", rules=TREES, data=DATA)
    assert game is not None and not wrong, wrong
    state = game.new()
    assert options(state) == ["oak", "elm"] and cell(state, "tall") == 7
    assert "Tree.fir" not in game.program.texts["en"] and game.program.texts["en"]["Tree.oak"] == "Oak"
    assert game.program.display.members == {"Tree": {"oak": MemberSign("O")}}
    (layer,) = game.program.display.map.layers
    assert layer.places == {"oak": (3, 4), "elm": (5, 6)}
    assert layer.regions == {"south": ("oak",), "north": ("elm",)}


def test_what_names_a_dropped_record_is_reported_at_its_place() -> None:
    _, wrong = compiled("    drop Tree.oak\n", rules=TREES, data=DATA)
    assert [(d.span.file, d.code) for d in wrong] == [("data/trees.yaml", "RW0314")]
    used = TREES + "value old(): bool = oak.cut\n"
    _, wrong = compiled("    drop Tree.oak\n    drop Tree.elm\n", rules=used, data=DATA)
    assert [(d.span.file, d.labels[0].span.file) for d in wrong] == [("small.rules", "v0.variant")]
    mended = "    drop Tree.oak\n    drop Tree.elm\n    drop old\n"
    assert compiled(mended, rules=used, data=DATA)[1] == []


def test_a_folder_may_mend_the_data_that_names_what_it_drops() -> None:
    files = {"v/v.variant": "variant v on test\n    drop Tree.oak\n", "v/data/trees.yaml": "Tree: {elm: {near: []}}\n"}
    game, wrong = compiled_files(files, TREES, DATA)
    assert game is not None and game.program.domains["Tree"].ids == ("elm", "fir"), wrong


def test_a_record_has_a_digest_and_two_may_not_drop_and_change_it() -> None:
    _, wrong = compiled('    drop Tree.fir was "000000"\n', rules=TREES, data=DATA)
    assert [d.code for d in wrong] == ["RW1003"] and wrong[0].labels[0].span.file == "data/trees.yaml"
    digest = wrong[0].message.split("its digest is `")[1][:6]
    assert compiled(f'    drop Tree.fir was "{digest}"\n', rules=TREES, data=DATA)[1] == []
    files = {
        "v/v.variant": "variant v on test\n    drop Tree.fir\n",
        "w/w.variant": "variant w on test\n",
        "w/data/trees.yaml": "Tree: {fir: {height: 3}}\n",
    }
    assert [d.code for d in compiled_files(files, TREES, DATA)[1]] == ["RW1005"]


def test_a_record_can_only_be_dropped_here() -> None:
    _, wrong = compiled("    replace Tree.fir\n        field x: 0..1\n", rules=TREES, data=DATA)
    assert [d.code for d in wrong] == ["RW1002"] and "by a file of the same name" in (wrong[0].help or "")
