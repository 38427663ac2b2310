"""Hand-over: what a game hands on at its end, and how another one begins from it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import interpreter as rw
from interpreter import GameSetupError, HandOverError, SaveError, hand_over
from interpreter.records.handed import facts_file, facts_in
from interpreter.records.ruling import run_rulings
from interpreter.records.save import sealed
from tests.campaign import SPRING, SUMMER
from tests.concepts.play import errors, game, start, value

ANSWERS = [["3"], ["grey"], ["0"], ["decline"], ["5"], ["blue"]]
FACTS: dict[str, Any] = {
    "source": "sown",
    "leader": "p3",
    "order": ["p3", "p1", "p2"],
    "points": {"p1": 3, "p2": 0, "p3": 5},
    "colour": {"p1": "grey", "p3": "blue"},
    "rows": {"p1": ["grey"], "p2": [], "p3": ["blue"]},
    "crop": {
        "p1": {"pink": 0, "blue": 0, "grey": 3},
        "p2": {"pink": 0, "blue": 0, "grey": 0},
        "p3": {"pink": 0, "blue": 5, "grey": 0},
    },
    "shared": {"p1": {"1": 3, "2": 6}, "p2": {"2": 0}, "p3": {"1": 5, "2": 10}},
}


def ended(backend: str = "wasm") -> rw.State:
    """A game of spring for three, played to its end."""
    state = rw.Game(game(SPRING, seats=(2, 4)).program, backend).new(seats=3)
    for words in ANSWERS:
        rw.answer(state, words)
    assert state.over
    return state


def summer(manifest: str = "") -> rw.Game:
    return game(SUMMER, seats=(2, 3), manifest=manifest)


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


# ------------------------------------------------------------ what is handed on


@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_facts_are_plain_data_by_name(backend: str) -> None:
    """Seats that do not play have no rows, and rows may be left out; a word behind `as` is the name of the fact."""
    facts = hand_over(ended(backend))
    assert facts == FACTS == through_json(facts)
    assert list(facts)[:3] == ["source", "leader", "order"], "in the order of the text"


def test_nothing_is_handed_on_before_the_end() -> None:
    state = game(SPRING, seats=(2, 4)).new(seats=2)
    with pytest.raises(HandOverError, match="`test` is not over"):
        hand_over(state)
    with pytest.raises(HandOverError, match="no line of its rules says `hands on`"):
        hand_over(start("phase game: stop game"))


def test_a_fact_without_rows_is_empty_and_one_without_a_value_is_not_there() -> None:
    rules = """
        value late: bool = true
        value old(p: Seat): bool = p is p1
        hands on late where false
        hands on old(p) where p is p2 and false
        phase game: stop game
    """
    assert hand_over(start(rules)) == {"old": {}}


# ------------------------------------------------------------ a game that begins from it


def test_a_game_begins_with_the_facts() -> None:
    """Names of members cross by their ids, whatever their numbers; as many play as the facts name."""
    state = summer().new(given=FACTS)
    assert state.seats == 3 and state.given == FACTS
    assert value(state, "score", "p1") == 300 + 4 + 10 + 3 + 6 + 1
    for words in (["3"], ["0"]):  # of what came up: 3, nothing (p2 is not asked), 5
        rw.answer(state, words)
    assert state.over and value(state, "score", "p3") == 314 + 3 + 3 + 5 + 10 + 1


def test_without_facts_it_begins_as_its_fields_do() -> None:
    state = summer().new()
    assert state.seats == 2 and state.given == {}
    assert value(state, "score", "p1") == 4 + 1


def test_what_is_not_taken_is_left_and_what_is_optional_may_be_missing() -> None:
    facts = {"source": None, "leader": None, "colour": {}, "crop": {}, "shared": {}, "weather": "fine"}
    state = summer().new(given=facts)
    assert "weather" not in state.given and value(state, "score", "p2") == 4 + 1


def test_the_facts_of_a_state_are_its_own() -> None:
    facts = through_json(FACTS)
    state = summer().new(given=facts)
    facts["points"]["p1"] = 9
    assert state.given == FACTS


def changed(**facts: Any) -> dict[str, Any]:
    return {**through_json(FACTS), **facts}


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"points": {"p1": 1}}, "the fact `source` is missing"),
        ({**changed(), "sourse": 1, "source": 1}, r'`source` is 1, expected a `Source` or null'),
        ({k: v for k, v in {**changed(), "exta": 3}.items()}, "takes no fact `exta`; did you mean `extra`"),
        (changed(source="sowm"), r'`source` is "sowm", expected a `Source` or null; did you mean `sown`'),
        (changed(extra=10), "`extra` is 10, expected a number from 0 to 9"),
        (changed(extra=True), "`extra` is true, expected a number"),
        (changed(extra="3"), '`extra` is "3", expected a number'),
        (changed(order="p1"), '`order` is "p1", expected a list'),
        (changed(order=["p1", "p4"]), 'item 2 of `order` is "p4", expected a seat from `p1` to `p3`'),
        (changed(order=["p1"] * 4), "`order` has 4 items, expected at most 3"),
        (changed(points=[1, 2]), r"`points` is \[1, 2\], expected an object with a value for each Seat"),
        (changed(points={"p9": 1}), '`points` has a row for "p9", expected a seat'),
        (changed(points={"p1": None}), "`points` of `p1` is null, expected a number"),
        (changed(crop={"p1": {"green": 1}}), '`crop` of `p1` has a row for "green", expected a `Tint`'),
        (changed(crop={"p1": 3}), "`crop` of `p1` is 3, expected an object"),
        (changed(rows={"p1": [["grey"]]}), r'item 1 of `rows` of `p1` is \[\["grey"\]\]|item 1 of `rows` of `p1` is'),
        (changed(shared={"p1": {"4": 1}}), '`shared` of `p1` has a row for "4", expected a number from 1 to 3'),
    ],
)  # fmt: skip
def test_a_fact_that_does_not_fit_is_named(facts: dict[str, Any], words: str) -> None:
    with pytest.raises(GameSetupError, match=words):
        summer().new(given=facts)


def test_a_seat_that_does_not_play_is_refused() -> None:
    with pytest.raises(GameSetupError, match="the facts name `p3`, but this game has 2 seats"):
        summer().new(seats=2, given=FACTS)


@pytest.mark.parametrize("facts", [[], "x", 3, {1: 2}, {"source": {}}, {"order": [[]]}])
def test_facts_of_any_form_are_refused_in_words(facts: Any) -> None:
    with pytest.raises(GameSetupError):
        summer().new(given=facts or [0])


def test_what_is_given_may_be_hidden() -> None:
    state = summer().new(given=FACTS)
    seen = [json.dumps(rw.view(state, seat=seat)) for seat in (1, 2)]
    other = summer().new(given=changed(crop={"p1": {"grey": 7}}))
    assert json.dumps(rw.view(other, seat=1)) != seen[0]
    assert json.dumps(rw.view(other, seat=2)).replace(rw.State.digest(other), "") == seen[1]


# ------------------------------------------------------------ saves


def test_a_save_holds_what_the_game_began_with() -> None:
    rules = summer()
    state = rules.new(given=FACTS, seed=4)
    rw.answer(state, ["2"])
    data = through_json(rw.save(state))
    assert rw.restore(rules, data).given == FACTS
    assert rw.replay(rules, data).digest() == rw.restore(rules, data).digest() == state.digest()
    moved = rw.migrate(rules, data)
    assert not moved.difference and moved.state.digest() == state.digest()
    assert rw.copy(state).given == FACTS


@pytest.mark.parametrize("given", [3, {"extra": 77}, {"source": "sown"}])
def test_a_save_with_facts_that_do_not_fit_is_refused(given: Any) -> None:
    rules = summer()
    data = through_json(rw.save(rules.new(given=FACTS)))
    with pytest.raises(SaveError):
        rw.restore(rules, sealed({**data, "given": given}))


def test_a_save_of_the_end_holds_what_is_handed_on() -> None:
    state = ended()
    data = through_json(rw.save(state))
    assert facts_in(data) == ("test", FACTS)
    assert rw.restore(state.game, data).digest() == state.digest()
    forged = sealed({**data, "hands_on": {**data["hands_on"], "source": "wild"}})
    with pytest.raises(SaveError, match="what it hands on is not what its end says"):
        rw.restore(state.game, forged)


def test_a_file_of_facts_leads_back_to_them() -> None:
    state = ended()
    data = through_json(facts_file(state.game.program.id, state.game.program.named, hand_over(state)))
    assert facts_in(data) == ("test", FACTS)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "other"}, "neither a save of a game nor a file of facts"),
        ({"ruleset": 3}, "neither a save"),
        ({"format_version": 9}, "facts of format 9"),
        ({"facts": []}, "no valid facts"),
    ],
)
def test_a_file_of_another_form_is_refused(change: dict[str, Any], words: str) -> None:
    state = ended()
    with pytest.raises(SaveError, match=words):
        facts_in({**facts_file(state.game.program.id, state.game.program.named, FACTS), **change})


def test_a_save_that_hands_nothing_on_says_why() -> None:
    begun = through_json(rw.save(game(SPRING, seats=(2, 4)).new()))
    with pytest.raises(SaveError, match="is not over"):
        facts_in(begun)
    silent = through_json(rw.save(start("phase game: stop game")))
    with pytest.raises(SaveError, match="hands nothing on"):
        facts_in(silent)
    altered = through_json(rw.save(ended()))
    altered["hands_on"]["source"] = "wild"
    with pytest.raises(SaveError, match="own seal"):
        facts_in(altered)
    for nonsense in (None, [], 3, {"format": []}):
        with pytest.raises(SaveError, match="neither"):
            facts_in(nonsense)


# ------------------------------------------------------------ rulings

FACT_RULINGS = """
ruling handed_1 "all rows of a fact"
    given
        seats: 2
        p1.seeds: 3
        p1.colour: grey
        p2.basket: pink 1, blue 2
    expect
        handed(source): sown
        handed(leader): p1
        handed(order): p1, p2
        handed(points): p1 3, p2 0
        handed(colour): p1 grey
        handed(rows): p1 {}, p2 {pink, blue}
        handed(crop): p1 pink 0, p1 blue 0, p1 grey 0, p2 pink 1, p2 blue 2, p2 grey 0
        handed(shared): p1 1 3, p1 2 6, p2 2 0
ruling handed_2 "a row too few"
    given
        seats: 2
        p1.seeds: 3
    expect: handed(points): p1 3
ruling handed_3 "a row that is not handed on"
    given
        seats: 2
        p1.seeds: 1
        p1.colour: grey
    expect: handed(colour): p1 grey
ruling handed_4 "another value"
    given
        seats: 2
    expect: handed(leader): p2
ruling handed_5 "no rows"
    given
        seats: 2
    expect: handed(colour): none
"""


def test_rulings_state_what_is_handed_on() -> None:
    results = {r.name: r for r in run_rulings(game(SPRING + FACT_RULINGS, seats=(2, 4)))}
    assert results["handed_1"].passed and results["handed_5"].passed
    told = {name: [(f.expected, f.seen) for f in r.failures] for name, r in results.items()}
    assert told["handed_2"] == [("p1 3", "p1 3, p2 0")]
    assert told["handed_3"] == [("p1 grey", "none")]
    assert told["handed_4"] == [("p2", "none")]


def test_a_position_sets_what_is_given() -> None:
    rulings = """
        ruling begun "from what another game has handed on"
            given
                seats: 2
                source: sown
                leader: p1
                order: p2, p1
                p1.points: 2
            when
                do game()
                p1 chooses 2
                p2 chooses 1
            expect
                score(p1): 200 + 4 + 10 + 20 + 3 + 2
    """
    (result,) = run_rulings(game(SUMMER + "\n" + "\n".join(line[8:] for line in rulings.splitlines())))
    assert result.passed, result.failures


def test_a_value_may_be_called_handed() -> None:
    rules = """
        value handed(p: Seat): int = 3 if p is p1 else 4
        phase game: stop game
        ruling own "the value of the rules goes before"
            given
                seats: 2
            expect: handed(p1): 3
    """
    (result,) = run_rulings(game(rules))
    assert result.passed


# ------------------------------------------------------------ what the checker says


def test_an_overlay_adds_facts_and_takes_them_away() -> None:
    from tests.concepts.play import MANIFEST, compile_sources

    base = {"ruleset.yaml": MANIFEST.format(low=2, high=4, more="")}
    overlay = """
variant bare on small
    drop year_ends.order
    hands on weeds_grow
    value weeds_grow: bool = weeds is true
"""
    program, found, _ = compile_sources({"small.rules": SPRING}, base, overlays={"bare.variant": overlay})
    assert program is not None, found
    names = [fact.name for fact in program.hands_on]
    assert "order" not in names and names[-1] == "weeds_grow"


def test_a_given_field_needs_no_flag_of_its_own() -> None:
    """`given` is a word only where it stands behind the type of a field."""
    assert not errors("field given: 0..9\nvalue twice: int = 2 * given\nphase game\n    set given to twice")


def test_the_facts_of_a_game_that_fails_are_in_no_save() -> None:
    data = rw.save(summer().new(given=FACTS))
    assert "hands_on" not in data and data["given"] == FACTS
    assert "given" not in rw.save(summer().new())
