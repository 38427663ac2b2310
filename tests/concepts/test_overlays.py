"""Overlays and addresses (CONCEPTS 19): a patched tree is checked and played like any other."""

from __future__ import annotations

from textwrap import dedent

import interpreter as rw
from dsl.diagnostics import Diagnostic
from dsl.load import compile_sources
from tests.concepts.play import cell, options, say, value

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


def played(*overlays: str, answer: str = "rest") -> int:
    made, errors = compiled(*overlays)
    assert made is not None, errors
    state = made.new(checked=True)
    if state.decision is not None:
        say(state, answer)
    return int(cell(state, "trail"))


def test_the_base_alone() -> None:
    assert played() == 12314_38 and played(answer="march") == 12315_38


def test_replace_a_step_and_a_value() -> None:
    # 19: an address is the dotted path of names; the section `effect` may be left out.
    patch = """
    errata second_printing on small because "printed card" dated "2020-05-01"
        replace storm.repair
            step repair: do note(6)
        replace tax
            value tax(n: int): int = n + 5
    """
    assert played(patch) == 1_6_5_4_38


def test_insert_before_and_after_and_drop() -> None:
    # 19: `insert before`, `insert after`, `drop`.
    patch = """
    variant long on small
        insert before day.work
            step dawn: do note(7)
        insert after storm.damage
            step again: do note(9)
        drop storm.repair
    """
    assert played(patch) == 1_9_7_1_4_38


def test_alter_changes_one_word_or_number() -> None:
    # 19: `alter A from v to w`: a row, or the default of an option.
    assert (
        played("errata e on small\n    alter storm.price from 3 to 6\n    alter mood from calm to wild\n") == 12314_67
    )


def test_replace_a_case_and_add_a_declaration() -> None:
    # 19: cases have addresses; new declarations are added.
    patch = """
    variant more on small
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
    say(state, "march")
    assert cell(state, "trail") == 12319_38 and value(state, "tax", 1) == 12


def test_a_rule_has_an_address() -> None:
    # 19: `rule name` gives a rule one.
    made, errors = compiled("errata e on small\n    drop extra\n")
    assert made is not None and errors == []
    assert value_of_tax(made) == 1


def value_of_tax(made: rw.Game) -> int:
    number = made.program.function_names["tax"]
    return int(made.machine.eval_fn(made.blank(2, {}), number, [0]))


def test_a_wrong_address_is_an_error_with_the_nearest() -> None:
    # 19: a missing address is an error.
    made, errors = compiled("errata e on small\n    drop storm.repare\n")
    assert made is None and [d.code for d in errors] == ["RW1002"]
    assert "storm.repair" in (errors[0].help or "")


def test_a_digest_guards_against_changes_below() -> None:
    # 19: `was` is the digest of the canonical text; a different digest is an error that gives the new one.
    made, errors = compiled('errata e on small\n    drop storm.repair was "000000"\n')
    assert made is None and [d.code for d in errors] == ["RW1003"]
    new = errors[0].message.split("its digest is `")[1][:6]
    assert compiled(f'errata e on small\n    drop storm.repair was "{new}"\n')[1] == []


def test_what_a_patch_breaks_is_reported_at_its_line() -> None:
    # 19: the tree is patched before checking.
    made, errors = compiled("errata e on small\n    replace storm.repair\n        step repair: do nosuch(6)\n")
    assert made is None and [(d.code, d.span.file) for d in errors] == [("RW0207", "patch0.errata")]


def test_two_overlays_in_their_order() -> None:
    # 19: applied in the order given; the second sees what the first made.
    first = "errata e on small\n    replace storm.repair\n        step repair: do note(6)\n"
    second = "variant v on small\n    insert after storm.repair\n        step late: do note(5)\n"
    assert played(first, second) == 1_6_5_1_4_38
