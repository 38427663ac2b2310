"""Random answers: drawn without a list, and yet exactly as likely as if one of the list were taken.

The probabilities are counted: the dice go through all that they can show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from dsl.program import SITE, Program
from interpreter import Game, RulesetError
from interpreter.choices.draw import SELDOM_ODDS
from interpreter.core.question import RawOption
from interpreter.core.words import Words
from interpreter.machine.machine import Machine
from tests.concepts.play import game
from tests.conformance.tables import load

BACK_ENDS = ("reference", "wasm")

Chances = dict[RawOption | None, Fraction]


class Unthrown(Exception):
    """A die with so many sides is to be thrown."""


class Dice:
    """Shows what was prepared. A random number is not known before it is multiplied by the number of sides."""

    def __init__(self, shown: tuple[int, ...]) -> None:
        self.shown = iter(shown)

    def __call__(self) -> Any:
        return self

    def __mul__(self, sides: int) -> int:
        for number in self.shown:
            return number
        raise Unthrown(sides)


def count(draw: Callable[[Any], RawOption | None]) -> Chances:
    """The exact probability of each result, by trying all that the dice can show."""
    found: Chances = {}
    left: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while left:
        shown, chance = left.pop()
        try:
            option = draw(Dice(shown))
        except Unthrown as wanted:
            (sides,) = wanted.args
            faces = range(sides) if sides != SELDOM_ODDS else (0, 1)  # of so many sides only the first one counts
            for n in faces:
                left.append(
                    ((*shown, n), chance * (Fraction(1, sides) if n < len(faces) - 1 else 1 - Fraction(n, sides)))
                )
        else:
            found[option] = found.get(option, Fraction(0)) + chance
    return found


def by_draw(m: Machine, words: list[int]) -> Chances:
    return count(lambda dice: m.draw_option(words, dice))


def by_playout(m: Machine, words: list[int]) -> Chances:
    """The first answer of random games from here."""

    def first(dice: Any) -> RawOption | None:
        seen: list[RawOption] = []

        def look(option: RawOption) -> bool:
            seen.append(option)
            return True

        m.playout(words[:], dice, 9, look)
        return seen[0]

    return count(first)


def even(options: list[RawOption]) -> Chances:
    return {option: Fraction(1, len(options)) for option in options}


def questions(m: Machine, words: list[int], most: int) -> Iterator[list[int]]:
    """The different stores of the first questions from here on, breadth first."""
    left = [words]
    for words in left:
        yield words
        for option in m.options(words):
            after = words[:]
            m.take(after, option)
            if after[SITE] and after not in left and len(left) < most:
                left.append(after)


def begun(program: Program, backend: str = "python", seed: int = 1) -> tuple[Machine, list[int]]:
    playing = Game(program, backend)
    words = playing.engine.new(seed=seed)
    playing.machine.run(words)
    return playing.machine, words


SHOP = """
enum Good: apple, cake
table cost_of by Good
    apple: 1
    cake: 5
piece coin
kind Seat
    zone purse: coin
    field days: 0..99
action buy(p: Seat, g: Good) of shopping
    pay cost_of[g] coin
    set p.days to p.days + 1
action rest(p: Seat) of shopping
    require p.days < 2
    set p.days to p.days + 1
action run(p: Seat, n: 1..2) of shopping
    let before = p.days
    set p.days to 4
    repeat while p.days > 1
        choose number k in 2..min(n + 1, p.days) by p
        set p.days to p.days - k
    require p.days is before
"""
DECLINED = """
kind Seat
    field days: 0..99
phase game
    plan by p1
        repeat while p1.days < 2
            choose number k in 1..2 by p1
            set p1.days to p1.days + k
        require p1.days is 2
    plan by p1
        choose number k in 0..1 by p1 or decline
        set p1.days to 1 if k is 0 else 3
        repeat while p1.days < 4
            choose number j in 2..3 by p1
            set p1.days to p1.days + j
        require p1.days is 4
    choose some gs in {p1, p2} by p1 or decline
    plan by p1
        choose number i in 0..2 by p1 or decline
        set p1.days to 1 if i is 1 else 3
        repeat while p1.days < 4
            choose number j in 2..3 by p1
            set p1.days to p1.days + j
        require p1.days is 4
"""
KEYS = """
kind Seat
    field days: 0..99
value grade(k: 1..9): int = 2 if k > 3 else 1
phase game
    choose n in 1..5 with highest grade(n) by p1 or decline
    plan by p1
        choose k in 1..6 with highest grade(k) by p1
        set p1.days to k
        repeat while p1.days < 9
            choose number j in 6..7 by p1
            set p1.days to p1.days + j
        require p1.days is 9
    choose m in 1..6 such that m > 3 or m is 1 by p1
"""
LONG = """
enum Good: apple, cake, pear
kind Seat
    field days: 0..99
phase game
    plan by p1
        choose some hs in Good by p1 or decline
        set p1.days to size(hs)
        repeat while p1.days < 4
            choose number j in 2..3 by p1
            set p1.days to p1.days + j
        require p1.days is 4
    choose amounts n for g in Good each 0..2 total n exactly 3 by p1
"""
RULES = {
    "offer": SHOP + "phase game\n    gain 2 coin by p1\n    repeat while true: offer shopping by p1 or decline\n",
    "decline": DECLINED,
    "keys": KEYS,
    "long": LONG,
}


@pytest.mark.parametrize("backend", BACK_ENDS)
@pytest.mark.parametrize("rules", RULES)
def test_each_option_is_equally_likely(rules: str, backend: str) -> None:
    m, words = begun(game(RULES[rules]).program, backend)
    sizes: list[tuple[int, int]] = []  # candidates, options
    for asked in questions(m, words, 16):
        options = m.options(asked)
        before = asked[:]
        assert by_draw(m, asked) == by_playout(m, asked) == even(options)
        assert asked == before
        sizes.append((m.candidates, len(options)))
    assert any(drawn > left for drawn, left in sizes)  # some could not be completed
    assert any(left > 2 for _, left in sizes)


MONEY = """
purse money(p: Seat)
    source p.ones worth 1 to bank
    source p.twos worth 2 to bank
    default with lowest p.ones
piece one
piece two
zone bank: one
zone till: two
kind Seat
    field days: 0..99
    zone ones: one
    zone twos: two
"""


@pytest.mark.parametrize("backend", BACK_ENDS)
def test_what_is_paid_by_default_is_not_drawn(backend: str) -> None:
    rules = MONEY.replace("to bank\n    default", "to till\n    default")
    rules += "phase game\n    gain 4 one by p1\n    gain 2 two by p1\n    pay 4 money by p1\n"
    m, words = begun(game(rules).program, backend)
    (usual,) = m.options(words)
    assert len(m.all_options(words)) > 1
    assert by_draw(m, words) == by_playout(m, words) == {usual: 1}
    assert m.candidates == 1


@pytest.mark.parametrize("backend", BACK_ENDS)
@pytest.mark.parametrize("seldom", [(), ("game.c", "game.d")])
def test_what_is_asked_with_nothing_to_choose_is_declined(seldom: tuple[str, ...], backend: str) -> None:
    rules = """
kind Card
    const age: 1..2
card a "A": Card
    age: 1
kind Seat
    field days: 0..99
    zone hand: Card seen by owner
phase game
    choose c in p1.hand by p1 or decline
    choose d in p1.hand by p1 if any
"""
    m, words = begun(replace(game(rules).program, seldom=seldom), backend)
    for asked in questions(m, words, 9):
        assert m.options(asked)[0].kind == "decline" and by_draw(m, asked) == by_playout(m, asked) == {
            m.options(asked)[0]: 1
        }


@pytest.mark.parametrize("backend", BACK_ENDS)
@pytest.mark.parametrize("seldom", [("rest",), ("buy",), ("buy", "rest")])
def test_seldom_actions_are_taken_once_in_a_while(seldom: tuple[str, ...], backend: str) -> None:
    program = replace(game(RULES["offer"]).program, seldom=seldom)
    m, words = begun(program, backend)
    for asked in questions(m, words, 8):
        options = m.options(asked)
        rare = [
            o for o in options if o.kind == "pick" and program.sites[asked[SITE] - 1].alternatives[o.alt].name in seldom
        ]
        wanted = {}
        for option in options:
            if option in rare and len(rare) < len(options):
                wanted[option] = Fraction(1, len(options) * SELDOM_ODDS)
            elif option in rare:
                wanted[option] = Fraction(1, len(options))
            else:
                left = Fraction(len(rare), len(options)) * Fraction(SELDOM_ODDS - 1, SELDOM_ODDS)
                wanted[option] = Fraction(1, len(options)) + left / (len(options) - len(rare))
        assert by_draw(m, asked) == by_playout(m, asked) == wanted


@pytest.mark.parametrize("backend", BACK_ENDS)
@pytest.mark.parametrize("rules", RULES)
def test_a_question_that_is_called_seldom_is_seldom_declined_and_its_answer_seldom_ended(
    rules: str, backend: str
) -> None:
    program = game(RULES[rules]).program
    program = replace(program, seldom=tuple(site.address for site in program.sites))
    m, words = begun(program, backend)
    ended = 0
    for asked in questions(m, words, 16):
        options = m.options(asked)
        rare = [o for o in options if o.kind in ("decline", "ready")]
        left = [o for o in options if o not in rare]
        wanted = even(options)
        if rare and left:
            once = Fraction(len(rare), len(options) * SELDOM_ODDS)
            wanted = dict.fromkeys(rare, once / len(rare)) | dict.fromkeys(left, (1 - once) / len(left))
            ended += 1
        assert by_draw(m, asked) == by_playout(m, asked) == wanted
    assert ended or rules == "keys"


UNDECIDED = """
kind Seat
    field days: 0..99
action wander(p: Seat, n: 1..2) of walks
    repeat while p.days < 40
        choose number k in 1..3 by p
        set p.days to p.days + k
    require n is 1 and p.days is 99
action rest(p: Seat) of walks
    set p.days to 1
phase game: offer walks by p1
"""


@pytest.mark.parametrize("backend", BACK_ENDS)
def test_what_the_tries_do_not_decide_is_not_drawn(backend: str) -> None:
    m, words = begun(game(UNDECIDED, manifest="limits: {tries: 20}").program, backend)
    (rest,) = m.options(words)
    assert len(m.undecided) == 2
    assert by_draw(m, words) == by_playout(m, words) == {rest: 1}
    only = UNDECIDED.replace("action rest(p: Seat) of walks\n    set p.days to 1\n", "")
    with pytest.raises(RulesetError, match="not decided within 20 tries"):
        begun(game(only, manifest="limits: {tries: 20}").program, backend)
    playing = Game(game(only, manifest="limits: {tries: 20}").program, backend)
    with pytest.raises(RulesetError, match="not decided within 20 tries"):
        playing.engine.playout(playing.engine.new(), Random(1))


def stretch(ruleset: str, backend: str, seats: int, seed: int, answers: int) -> tuple[list[RawOption], list[int]]:
    """The first answers of a random game, and the store at the question that follows."""
    engine = load(f"rulesets/{ruleset}", backend).engine
    words, taken = engine.new(seats, seed=seed), list[RawOption]()

    def look(option: RawOption) -> bool:
        taken.append(option)
        return len(taken) > answers

    engine.machine.playout(words, Random(seed).random, answers + 1, look)
    return taken, list(words)


@pytest.mark.parametrize("ruleset, seats, seed", [("through_the_ages", 2, 3), ("dominant_species", 3, 1)])
def test_both_back_ends_draw_the_same_games(ruleset: str, seats: int, seed: int) -> None:
    one, other = (stretch(ruleset, backend, seats, seed, 60) for backend in BACK_ENDS)
    assert one == other and len(one[0]) == 61


def test_draws_of_a_heavy_game_are_as_even_as_chance_allows() -> None:
    """Questions of Through the Ages where some candidates cannot be completed: 60 draws for each option."""
    engine = load("rulesets/through_the_ages", "reference").engine
    m, played, seen = engine.machine, engine.new(2, seed=3), 0
    asked: list[Words] = []

    def look(option: RawOption) -> bool:
        asked.append(played[:])
        return len(asked) == 80

    m.playout(played, Random(3).random, 80, look)
    for answers, words in enumerate(asked[20:], 20):
        options = m.options(words)
        rare = m.seldom.get(words[SITE] - 1, ())
        dice = Random(answers).random
        m.draw_option(words, dice)
        if not len(options) < m.candidates or not 3 <= len(options) <= 8 or any(o.alt in rare for o in options):
            continue
        found = Counter(m.draw_option(words, dice) for _ in range(60 * len(options)))
        assert set(found) == set(options)
        surprise = sum((n - 60) ** 2 / 60 for n in found.values())  # chi square, at most seven degrees of freedom
        assert surprise < 30  # once in 10,000 times
        seen += 1
        if seen == 5:
            return
    assert seen >= 5
