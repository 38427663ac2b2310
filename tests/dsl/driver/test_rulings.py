"""The pass over rulings says and gives the same whichever order their files come in, and however often a line comes."""

from __future__ import annotations

import pickle

import pytest

from dsl import ir
from dsl.base.lazy import LazyMapping, pack
from dsl.base.span import Source
from dsl.driver.load import Result, compile_sources
from dsl.driver.pipeline import compile_texts, run_all_passes
from dsl.files.ruleset import FileTexts
from dsl.overlay import ALL_ERRATA
from interpreter import Game, view
from interpreter.records.ruling import played, run_ruling

GAME = """\
enum Tier: low, high
kind Tree: 3
    field age: 0..99
kind Bush: 2
    field age: 0..9
value double(t: Tree): int = t.age * 2
action grow(p: Seat, t: Tree) of chores
    require t.age < 9
    set t.age to t.age + 1
phase game
    for every p in seats: offer chores by p or decline
    stop game
"""
FIRST = """\
position spring "Spring"
    seats: 2
    tree_1.age: 3
ruling old "A tree is old"
    given spring
    expect
        tree_1.age: 3
"""
SECOND = """\
ruling twice "The double of an age"
    given spring
    expect
        tree_1.double: 6
"""


def compiled(**files: str) -> Result:
    given = {name.replace("__", "."): text for name, text in files.items()}
    data = {name: text for name, text in given.items() if name.endswith(".yaml")}
    return compile_sources({name: text for name, text in given.items() if name not in data}, data)


def either_way(first: str, second: str, **files: str) -> Result:
    """What two files of rulings give, after looking that they give as much in the other order."""
    result = compiled(**files, a__ruling=first, b__ruling=second)
    turned = compiled(**files, a__ruling=second, b__ruling=first)
    assert sorted(d.message for d in result[1]) == sorted(d.message for d in turned[1])
    if result[0] and turned[0]:
        assert set(result[0].rulings) == set(turned[0].rulings) and result[0].needs == turned[0].needs
        assert repr(result[0].functions) == repr(turned[0].functions)
    return result


def test_a_position_may_stand_in_any_file() -> None:
    program, found, _ = either_way(FIRST, SECOND, game__rules=GAME)
    assert program and found == [] and len(program.rulings) == 2
    assert program.rulings["twice"].base == "spring"


WRONG = {
    "a slip of the form": "ruling slip\n    expect\n        tree_1.age 3\n",
    "an unknown name": SECOND.replace("tree_1", "tre_1"),
    "a base that is nowhere": SECOND.replace("given spring", "given sprnig"),
    "a name for the second time": FIRST.replace("spring", "summer"),
    "a position for the second time": FIRST.replace("ruling old", "ruling older"),
    "a rule among rulings": SECOND + "value more: int = 3\n",
    "a slip that comes again": "".join(SECOND.replace("tree_1", "tre_1").replace("twi", name) for name in ("o", "th")),
}


@pytest.mark.parametrize("second", WRONG.values(), ids=WRONG.keys())
def test_mistakes_of_rulings_are_told_in_either_order(second: str) -> None:
    _, found, _ = either_way(FIRST, second, game__rules=GAME)
    assert len(found) >= 1


@pytest.mark.parametrize(
    "wrong",
    [
        "a slip of the form",
        "an unknown name",
        "a base that is nowhere",
        "a rule among rulings",
        "a slip that comes again",
    ],
)
def test_a_ruling_with_a_mistake_is_left_out(wrong: str) -> None:
    """What can be played is, without it; a slip spoils the ruling that it stands in."""
    text = WRONG[wrong]
    program, found, _ = compiled(game__rules=GAME, a__ruling=FIRST, b__ruling=text)
    assert program is not None and any(d.severity.value == "error" for d in found)
    assert list(program.notes) == found
    assert "old" in program.rulings and not program.rulings.keys() & set(program.broken)
    assert not program.rulings.keys() & {"slip", "twice", "othis"} and program.broken
    assert Game(program).new(seats=2).decision is not None


def test_a_mistake_of_the_rules_leaves_no_program() -> None:
    wrong = GAME.replace("t.age + 1", "t.aeg + 1")
    program, found, _ = compiled(game__rules=wrong, a__ruling=FIRST, b__ruling=WRONG["an unknown name"])
    assert program is None and len(found) > 1


LINES = """\
    given spring
        seats: 2
        tree_2.age: 4
    when
        do chores_of(p1)
        p1 chooses tree_2
    expect
        tree_2.age: 5
        any(t in Tree where t.age is 5): true
        oldest: tree_2.age
        possible(grow(p1, tree_1)): true
"""


def test_lines_that_come_again_are_as_if_they_were_read_again() -> None:
    """At their own places, with the same in them; a line with a search takes its own variables."""
    rules = GAME + "procedure chores_of(p: Seat)\n    offer chores by p\nvalue oldest: int = max(t in Tree: t.age)\n"
    names = ("one", "two", "three", "four")
    given = [FIRST, *("".join(f'ruling {name}{n} "A"\n{LINES}' for name in names) for n in (1, 2))]
    texts = FileTexts()
    for name, text in (("game.rules", rules), *((f"{n}.ruling", text) for n, text in enumerate(given))):
        texts.add(name, Source(name, text))
    program, found = compile_texts(texts, "test", "")
    each = run_all_passes(texts, "test", (2, 4), (), ALL_ERRATA)
    assert program and each.cases and len(program.rulings) == 9 and found == each.found == []
    assert repr(dict(program.rulings)) == repr(dict(each.cases.rulings))
    assert repr(dict(program.positions)) == repr(dict(each.cases.positions))
    assert program.needs == each.cases.needs()


@pytest.mark.parametrize("altered", ["first", "second"])
def test_an_altered_line_is_not_taken_for_another_with_its_text(altered: str) -> None:
    rulings = "\n".join(
        f'ruling {name} "An age"\n    given\n        seats: 2\n        tree_1.age: 3\n    expect\n        tree_1.age: 3'
        for name in ("first", "second")
    )
    patch = f"errata e on test\n    alter {altered}.given from 3 to 5\n    alter {altered}.expect from 3 to 5\n"
    program, found, _ = compile_sources({"game.rules": GAME, "a.ruling": rulings}, overlays={"e.errata": patch})
    assert program, found
    for name, ruling in program.rulings.items():
        age = 5 if name == altered else 3
        assert [given.value for given in ruling.given if isinstance(given, ir.GivenCell)] == [age]
        assert [expected.right for expected in ruling.expect] == [ir.Const(age)]


def test_what_only_rulings_use_is_used() -> None:
    """Without the rulings the checker would say that nothing uses the value."""
    manifest = "id: test\nversion: '1'\ntitle: {en: Test}\nseats: 2..4\nload: [game.rules]\n"
    _, found, _ = either_way(FIRST, SECOND, game__rules=GAME, ruleset__yaml=manifest)
    assert not any("double" in d.message for d in found)
    _, found, _ = either_way(FIRST, SECOND.replace("double", "age"), game__rules=GAME, ruleset__yaml=manifest)
    assert any("double" in d.message for d in found)


def test_a_ruling_may_ask_for_more_of_the_program() -> None:
    """The constant of a union is a table, made when something first reads it: here a ruling."""
    union = GAME + "kind Plant: Tree, Bush\n" + "field first: Plant\n"
    union += "procedure later(p: Seat)\n    at end of game\n        set tree_1.age to 1\n"
    union = union.replace("    stop game", "    for every p in seats: do later(p)\n    stop game")
    union = union.replace("kind Tree: 3\n", "kind Tree: 3\n    const tier: Tier\n")
    union = union.replace("kind Bush: 2\n", "kind Bush: 2\n    const tier: Tier\n")
    ruling = "ruling tier\n    expect\n        first.tier: low\n"
    program, _, _ = either_way(FIRST, ruling, game__rules=union)
    without, _, _ = compiled(game__rules=union, a__ruling=FIRST)
    assert program and without and len(program.tables) > len(without.tables)


# ---------------------------------------------------------------- what is kept


def test_a_shelf_unpacks_when_it_is_asked() -> None:
    for lazy in (LazyMapping({"a": 1, "b": 2}), LazyMapping[int](pack({"a": 1, "b": 2}))):
        again = pickle.loads(pickle.dumps(lazy))
        assert again._items is None and isinstance(again._source, bytes)
        assert list(again) == ["a", "b"] and len(again) == 2 and again["b"] == 2 and again == lazy
        with pytest.raises(KeyError):
            again["c"]


def test_rulings_tell_what_they_need_of_a_machine() -> None:
    """They may try actions, and ask what is running, where the rules never do."""
    tries = FIRST + "ruling tries\n    given spring\n    expect\n        possible(grow(p1, tree_1)): true\n"
    plain, trying, asking = (
        compile_sources({"game.rules": GAME, "a.ruling": text})[0]
        for text in (FIRST, tries, tries.replace("possible(grow(p1, tree_1))", "running(game)"))
    )
    assert plain and trying and asking
    assert (plain.needs.tried, plain.needs.running) == (frozenset(), False)
    assert trying.needs.tried == {trying.proc_names["grow"]} and not trying.needs.changed
    assert asking.needs.running and not asking.needs.tried
    for program, outcome in ((trying, True), (asking, False)):
        for backend in ("wasm", "reference"):
            assert run_ruling(Game(program, backend), program.rulings["tries"]).passed is outcome


def test_a_ruling_is_played_from_its_beginning_to_its_end() -> None:
    grows = FIRST + (
        'ruling grown "A tree grows"\n    given spring\n    when\n        do game\n        p1 chooses grow(tree_1)\n'
        "    expect\n        tree_1.age: 4\n"
    )
    program, found, _ = compiled(game__rules=GAME, a__ruling=grows)
    assert program is not None and not program.broken, found
    game = Game(program)
    ages = [view(state, 1)["state"]["Tree.age"]["tree_1"] for state in played(game, program.rulings["grown"])]
    assert ages == [3, 4]
    first, last = played(game, program.rulings["old"])
    assert first.words == last.words and first is not last
