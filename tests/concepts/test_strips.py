"""Icons and ways of a strip are plans (docs/manual/18-cards-and-strips.md): what no choice leads to its end is not
offered behind `/`, and is skipped elsewhere."""

from __future__ import annotations

import pytest

import interpreter as rw
from dsl import ir
from interpreter.session.log import narrate
from tests.concepts.play import answer_all, cell, errors, game, options, play_on_both, question, start

BASE = """
piece coin
kind Seat
    zone purse: coin
    field level: 0..9
kind Card
    strip row
value points_of(p: Seat): int = p.purse + p.level
value rich(q: Seat): bool = q.purse > 5
procedure ask_others(q: Seat)
    for every p in seats where p is not q
        choose number n in 0..1 by p
        gain n coin by p
icon dig
    choose q in seats where rich(q)
    for every c in Card where q.purse > 9: do ask_others(q)
icon rest: gain 1 coin by you
icon earn(n: 1..9): gain n coin by you
icon buy(n: 1..9)
    require you.purse >= n
    lose n coin by you
    set you.level to min(9, you.level + 1)
icon spend
    choose number n in 0..3
    lose n coin by you
icon seek: do look_for(you)
procedure look_for(p: Seat)
    choose q in seats where rich(q) by p
    gain 1 coin by q
icon roll
    random number n in 1..2
    gain n coin by you
"""


def play(strip: str, how: str = "", coins: int = 0, rules: str = "", **more: object) -> rw.State:
    """The game at the question of the first player, for whom the strip is resolved."""
    return start(
        BASE
        + rules
        + f"""
card tool "Tool": Card
    strip row: {strip}
phase game
    lose all coin by p1
    gain {coins} coin by p1
    do tool.row by p1 {how}
    choose k in 1..2 by p2
    set p2.level to k
""",
        **more,
    )


def ways(strip: str, coins: int = 0) -> list[str]:
    """The ways that are offered; none if the strip is passed without a question."""
    s = play(strip, coins=coins)
    return options(s) if question(s).startswith("p1") else []


def test_an_icon_that_only_a_try_decides_is_tried() -> None:
    assert ways("dig / rest / earn(2)") == ["rest", "earn"]
    assert ways("dig / rest", coins=6) == ["dig", "rest"]


def test_an_icon_that_only_a_try_decides_is_skipped_where_nothing_leads_to_its_end() -> None:
    s = play("dig + earn(2)")
    assert question(s).startswith("p2") and cell(s, "p1.purse") == 2


def test_a_way_is_offered_only_if_its_first_part_can_be_done() -> None:
    assert ways("buy(5) -> rest / rest / earn(2)") == ["rest", "earn"]
    assert ways("buy(5) -> rest / rest", coins=5) == ["buy", "rest"]
    assert ways("dig -> rest / rest / earn(2)") == ["rest", "earn"]


def test_all_parts_of_a_way_must_be_possible_in_their_order() -> None:
    assert ways("buy(1) + buy(1) / rest / earn(2)", coins=1) == ["rest", "earn"]
    assert ways("buy(1) + buy(1) / rest", coins=2) == ["buy", "rest"]
    assert ways("earn(2) + buy(3) / rest", coins=1) == ["earn", "rest"]  # the first part pays for the second
    assert ways("buy(3) + earn(2) / rest / earn(1)", coins=1) == ["rest", "earn"]


def test_a_choice_inside_a_way_leaves_open_what_comes_behind_it() -> None:
    s = play("spend + buy(2) / rest", coins=4)
    assert options(s) == ["spend", "rest"]
    answer_all(s, "spend")
    assert options(s) == ["0", "1", "2"]
    answer_all(s, "2")
    assert cell(s, "p1.purse") == 0 and cell(s, "p1.level") == 1


def test_a_choice_of_ways_inside_a_way() -> None:
    strip = "(buy(1) / buy(3)) + buy(2) / rest"
    assert ways(strip + " / earn(1)", coins=2) == ["rest", "earn"]
    s = play(strip, coins=4)
    assert options(s) == ["way_1", "rest"]
    answer_all(s, "way_1")  # buying for 3 would leave 1
    assert question(s).startswith("p2") and cell(s, "p1.purse") == 1 and cell(s, "p1.level") == 2


def test_what_comes_behind_chance_in_a_way_is_skipped_where_it_cannot_be_done() -> None:
    # 11: the promise holds up to the commit point.
    s = play("roll + buy(9) / rest")
    assert options(s) == ["roll", "rest"]
    answer_all(s, "roll")
    assert question(s).startswith("p2") and cell(s, "p1.level") == 0 and cell(s, "p1.purse") in (1, 2)


def test_a_way_behind_an_arrow_comes_at_the_end() -> None:
    s = play("(spend / buy(1)) -> buy(2) / rest", coins=3)
    assert options(s) == ["way_1", "rest"]
    answer_all(s, "way_1")
    assert options(s) == ["spend", "buy"]
    answer_all(s, "spend", "2")  # nothing demands that `buy(2)` can be done later
    assert question(s).startswith("p2") and cell(s, "p1.purse") == 1


@pytest.mark.parametrize("answer, coins", [("rest", 1), ("earn", 3), ("decline", 0)])
def test_a_choice_of_ways_is_declined_in_one_question(answer: str, coins: int) -> None:
    s = play("rest / earn(3) / buy(1)", "or decline")
    assert options(s) == ["rest", "earn", "decline"]
    answer_all(s, answer)
    assert question(s).startswith("p2") and cell(s, "p1.purse") == coins


@pytest.mark.parametrize("by_icon", [False, True])
def test_a_save_in_an_open_plan_of_a_way_that_may_be_declined_comes_back(by_icon: bool) -> None:
    """A strip that may be declined is made once, whether a phase or another strip asks for it."""
    rules = """
card lamp "Lamp": Card
    strip row: rest / spend
icon light: do lamp.row by you or decline
"""
    if by_icon:
        s = play("light + earn(1)", rules=rules)
    else:
        s = start(BASE + rules + "phase game\n    do lamp.row by p1 or decline\n    choose k in 1..2 by p2\n")
    program = s.game.program
    ends = [pc + 1 for pc, i in enumerate(program.code) if isinstance(i, ir.Leave)]
    assert sorted(p.entry for p in program.procs if p.suspends) == [1, *ends[:-1]]
    answer_all(s, "spend")
    assert question(s) == "p1: spend.n" and s.plan is not None
    assert rw.restore(s.game, rw.save(s)).words == s.words


def test_a_strip_without_a_choice_is_declined_as_a_whole() -> None:
    s = play("rest + earn(3)", "or decline")
    assert options(s) == ["resolve", "decline"]
    answer_all(s, "resolve")
    assert cell(s, "p1.purse") == 4


@pytest.mark.parametrize(
    "strip, coins, offered",
    [
        ("buy(1)", 0, False),
        ("buy(1)", 1, True),
        ("seek", 5, False),  # the choice stands in a procedure
        ("seek", 6, True),
        ("seek + dig", 5, False),
        ("seek + rest", 5, True),
        ("seek -> rest", 5, False),
        ("rest -> seek", 5, True),
        ("(buy(1) + buy(1) / seek) + dig", 1, False),  # the first way takes two coins
        ("(buy(1) + buy(1) / seek) + dig", 2, True),
        ("(buy(1) / seek) + dig", 1, True),
    ],
)
def test_a_strip_of_which_nothing_can_be_done_is_not_offered(strip: str, coins: int, offered: bool) -> None:
    s = play(strip, "or decline", coins=coins)
    assert (question(s), options(s)) == (
        ("p1: game.row", ["resolve", "decline"]) if offered else ("p2: game.k", ["1", "2"])
    )


def test_each_card_is_offered_by_its_own_strip() -> None:
    cards = {
        "axe": "buy(1)",
        "bow": "seek",
        "cup": "rest + seek",
        "die": "buy(5) -> rest",
        "elk": "rest / seek",
        "fan": "rest",
    }
    rules = "".join(f'card {name} "Card": Card\n    strip row: {strip}\n' for name, strip in cards.items())
    rules += "phase game\n    choose c in Card by p1\n    do c.row by p1 or decline\n    choose k in 1..2 by p2\n"
    asked = {name: options(answer_all(start(BASE + rules), name)) for name in cards}
    assert {name for name, offers in asked.items() if "resolve" in offers} == {"cup", "fan"}
    assert asked["elk"] == ["rest", "decline"]


def test_nothing_is_asked_where_no_way_is_open() -> None:
    assert question(play("buy(1) / dig", "or decline")).startswith("p2")


def test_a_demand_of_an_icon_behind_chance_is_refused() -> None:
    rules = (
        BASE
        + """
icon gamble
    random number n in 1..6
    require n > 2
card tool "Tool": Card
    strip row: gamble / rest
phase game: do tool.row by p1
"""
    )
    assert [d.code for d in errors(rules)] == ["RW1202"]


def test_both_back_ends_play_strips_alike() -> None:
    rules = (
        BASE
        + """
card tool "Tool": Card
    strip row: spend + buy(2) / (rest / buy(1)) -> buy(1) / dig / roll + buy(2)
card lamp "Lamp": Card
    strip row: dig + spend -> earn(1)
card pick "Pick": Card
    strip row: seek -> rest
phase game
    for every i in 1..6
        for every p in seats
            for every c in Card: do c.row by p or decline
            do tool.row by p
"""
    )
    program = game(rules).program
    assert sum(len(play_on_both(program, seed)) for seed in range(8)) > 200


WORDS = """\
rest: {pick: Rest}
earn: {pick: "Earn {n}", done: "{actor} earns {n}"}
buy: Buy
Card: {row: Row}
"""


def test_ways_are_worded_by_their_icons_with_the_arguments_that_stand_in_the_strip() -> None:
    s = play("earn(2) -> buy(1) + rest / earn(3) / rest", data={"locale/en.yaml": WORDS})
    assert s.decision is not None
    assert s.decision.prompt("en") == "Tool: which icon?"
    assert [o.text("en") for o in s.decision.options] == ["Earn 2 → Buy + Rest", "Earn 3", "Rest"]
    assert options(s) == ["earn", "earn_2", "rest"]
    assert s.game.texts.find("en", "Card.tool.text") == "Row: Earn 2 → Buy + Rest / Earn 3 / Rest"
    answer_all(s, "earn_2")
    assert narrate(s.game, s.log[-1], None) == "p1 earns 3"


def test_the_question_is_in_the_shorter_tag_of_a_language_without_phrases_of_its_own() -> None:
    s = play("earn(2) / rest", data={"locale/en.yaml": WORDS, "locale/fr-CA.yaml": WORDS})
    assert s.decision is not None
    assert s.decision.prompt("fr-CA") == "Tool : quelle icône ?"


def test_an_icon_without_a_text_is_worded_by_its_id_and_a_written_text_counts() -> None:
    own = WORDS.replace("buy: Buy\n", "") + 'tool.row.one: {ask: "What now?", rest.pick: Do nothing}\n'
    s = play("buy(1) / (rest / earn(2)) -> buy(3) / rest", data={"locale/en.yaml": own}, coins=1)
    assert s.decision is not None
    assert s.decision.prompt("en") == "What now?"
    assert [o.text("en") for o in s.decision.options] == ["buy 1", "(Rest / Earn 2) → buy 3", "Do nothing"]


def test_a_text_says_a_strip_of_a_card_that_it_names() -> None:
    own = WORDS + 'game.c: {ask: "Which card?", pick: "{c}: {c|row} / {c | row }"}\n'
    rules = BASE + (
        'card tool "Tool": Card\n    strip row: earn(2) + rest\ncard lamp "Lamp": Card\n    strip row: buy(1)\n'
        "phase game\n    choose c in Card by p1\n    do c.row by p1\n"
    )
    s = start(rules, {"locale/en.yaml": own})
    assert s.decision is not None
    assert [o.text("en") for o in s.decision.options] == ["Tool: Earn 2 + Rest / Earn 2 + Rest", "Lamp: Buy / Buy"]


def test_the_one_who_acts_in_an_icon_is_of_the_kind_for_which_the_strip_is_resolved() -> None:
    rules = """
kind Seat
kind Clan: 2 decided by chief
    field chief: Seat
    field level: 0..9
kind Card
    strip row
icon climb: set you.level to min(9, you.level + 2)
icon slip: set you.level to max(0, you.level - 1)
card tool "Tool": Card
    strip row: climb + (slip / climb) -> slip
phase game
    for every c in Clan
        set c.chief to p1
        do tool.row by c
    choose k in 1..2 by p1
"""
    program = game(rules).program
    acting = {p.name: p.params[-1][1] for p in program.procs if p.word == "icon"}
    assert {str(t) for t in acting.values()} == {"Clan"} and len(acting) == 2
