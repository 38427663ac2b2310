"""Non-interference (docs/manual/16-knowledge.md): what a seat cannot know changes nothing that it is shown.

Random small programs that the checker accepts are played twice, with other secrets (`tests.secrets.twins` says what
that means). The same is tried with parts of the checker switched off: then leaks of each sort must be found.
"""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import ReplayError
from interpreter.visibility import audiences
from tests.secrets.accepted import PLAIN, accepted, compiled, is_refused
from tests.secrets.hunt import Finding, hunt, leak_of
from tests.secrets.programs import Text, program
from tests.secrets.shrink import shrunk
from tests.secrets.twins import Counts

SEEDS = range(50, 65)
SOAK = range(1000, 3100)


def first_leak(seeds: range, counts: Counts) -> tuple[int, Finding | None]:
    """How many programs were accepted, up to the first that leaks."""
    taken = 0
    for seed in seeds:
        is_accepted, found = hunt(seed, counts)
        taken += is_accepted
        if found is not None:
            return taken, found
    return taken, None


def check_seeds(seeds: range, least: int) -> None:
    counts = Counts()
    taken, found = first_leak(seeds, counts)
    assert found is None, shrunk(found)
    assert taken >= least and counts.different > taken and counts.questions > 3 * taken, (taken, counts)


def test_secrets_change_nothing_for_those_who_do_not_see_them() -> None:
    check_seeds(SEEDS, 13)


@pytest.mark.soak
def test_secrets_change_nothing_in_many_programs() -> None:
    check_seeds(SOAK, 2000)


# ------------------------------------------------------------ what is looked for is found

HEAD = """\
enum Cause: dealt, played
kind Card: 20
zone box: Card seen by nobody
zone pile: Card
zone vault: Card seen by keeper
kind Seat
    zone hand: Card seen by owner
    zone brow: Card seen by others
    field secret: 0..5 seen by owner
field marks: set of Card
field seen_number: 0..99
value keeper(p: Seat): bool = p is p2
value others(p: Seat, q: Seat): bool = p is not q
value low(c: Card): bool = c in {card_1, card_2, card_3}
phase game
    for every c in Card: move c to box
    random c in box
    move c to vault as dealt
    random c in box
    move c to vault as dealt
    for every p in seats, i in 1..2
        random c in box
        move c to p.hand as dealt
    for every p in seats, i in 1..2
        random c in box
        move c to p.brow as dealt
    for every p in seats
        random number w in 0..3 seen by p
        set p.secret to w
"""
OFFERED = {
    "a name": "    let s = p2.hand\n    choose c in s by p1\n    move c to pile as played\n",
    "a number": "    let n = p2.secret\n    choose number k in 0..n by p1\n    set p1.secret to k\n",
    "a field": "    set marks to p2.hand\n    choose c in marks by p1\n    move c to pile as played\n",
    "an argument": "    do steal(p1, p2.hand)\nprocedure steal(p: Seat, s: set of Card)\n    choose c in s by p\n"
    "    move c to pile as played\n",
    "a result": "    let n = do count_of(p2)\n    choose number k in 0..n by p1\n    set p1.secret to k\n"
    "procedure count_of(p: Seat) giving int\n    give p.secret\n",
    "a hand": "    choose c in p2.hand by p1\n    move c to pile as played\n",
}
NOT_ASKED = {
    "a name": "    let mine = p2.hand\n    choose c in mine where low(c) by p2 if any\n    move c to pile as played\n",
    "a hand": "    choose c in p2.hand where low(c) by p2 if any\n    move c to pile as played\n",
    "a secret answer": "    choose some cs in p2.hand at most 1 by p2 seen by p2\n"
    "    choose some bs in Card where bs in cs by p2 seen by p2\n    choose number n in 0..1 by p1\n"
    "    set p1.secret to n\n",
}
UNSEEN = {
    "one parameter": "    choose c in vault by p1\n    move c to pile as played\n",
    "two parameters": "    choose c in p1.brow by p1\n    move c to pile as played\n",
}
TOLD = {
    "set": "    set seen_number to p1.secret\n",
    "a fold": "    set seen_number to max(p in seats: p.secret)\n",
    "first": "    if first(p in seats with highest p.secret) is p1: set seen_number to 1\n",
    "an order": "    for every p in ranked(p in seats with highest p.secret)\n"
    "        choose number n in 0..1 by p\n        set seen_number to n\n",
    "a draw": "    random winner in tied(p in seats with highest p.secret)\n"
    "    if winner is p1: set seen_number to 1\n",
    "a condition": "    if p1.secret > 1: set seen_number to 1\n",
    "a copy": "    set marks to p2.hand\n",
    "a draw that may fail": "    random c in set(c in p2.hand where low(c)) seen by p2 if any\n    move c to box\n",
    "a draw that may fail, and no more": "    random c in set(c in p2.hand where low(c)) seen by nobody if any\n",
    "who is told": "    for every p in ranked(p in seats with highest p.secret)\n        random c in box seen by p\n",
    "how many are moved": "    for every c in set(c in p2.hand where low(c)): move c to box as played\n",
    "how many are moved openly": "    for every c in set(c in p2.hand where low(c)): move c to pile as played\n",
    "a draw in a hidden range": "    random number n in 0..p1.secret seen by p2\n    set p2.secret to n\n",
    "how many are moved, with a trigger": "    for every c in set(c in p2.hand where low(c)): move c to box as played\n"
    "procedure note()\n    set seen_number to 2\nrule watch\n"
    "    before move(c: Card, a, b) where seen_number > 0: do note()\n",
}


def leak(body: str, seeds: int = 6) -> str:
    """What a twin of this program shows to somebody; empty if nothing. Its notes do not count."""
    rules, _, more = body.partition("procedure")
    text = Text(HEAD.replace("phase game", (f"procedure{more}" if more else "") + "phase game") + rules, PLAIN)
    made, found, _ = compiled(text)
    assert made is not None, [d.message for d in found if is_refused(d, ())]
    return next((str(x.what) for n in range(seeds) if (x := leak_of(made, n, Counts()))), "")


def is_accepted(body: str) -> bool:
    rules, _, more = body.partition("procedure")
    text = Text(HEAD.replace("phase game", (f"procedure{more}" if more else "") + "phase game") + rules, PLAIN)
    made, found, _ = compiled(text)
    return made is not None and not any(is_refused(d) for d in found)


def offers_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.checks.program.check_choices", lambda *_: None)


def asks_as_little_as_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.driver.assemble.finish_questions", lambda _, sites: sites)


@pytest.mark.parametrize("body", OFFERED.values(), ids=OFFERED)
def test_hidden_things_that_are_offered_are_seen(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_accepted(body)
    offers_anything(monkeypatch)
    assert leak(body)


@pytest.mark.parametrize("body", NOT_ASKED.values(), ids=NOT_ASKED)
def test_a_question_that_is_not_put_is_seen(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_accepted(body) and not leak(body)
    asks_as_little_as_it_can(monkeypatch)
    assert leak(body)


def test_whether_there_is_anything_to_choose_from_is_not_seen_where_nothing_may_be_chosen() -> None:
    body = "    choose some cs in set(c in p2.hand where low(c)) at most seen_number by p2 if any\n"
    body += "    for every c in cs: move c to pile as played\n"
    assert is_accepted(body) and not leak(body)


@pytest.mark.parametrize("body", UNSEEN.values(), ids=UNSEEN)
def test_what_a_condition_hides_from_the_one_who_is_asked_is_seen(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not leak(body), "the game ends with a fault, which tells nothing"
    asks_as_little_as_it_can(monkeypatch)
    assert "options" in leak(body)


@pytest.mark.parametrize("body", TOLD.values(), ids=TOLD)
def test_what_is_told_is_noted_and_seen(body: str) -> None:
    assert not is_accepted(body) and leak(body)


@pytest.mark.parametrize("switch", [offers_anything, pytest.param(asks_as_little_as_it_can, marks=pytest.mark.soak)])
def test_a_mutant_of_the_checker_is_found_by_random_programs(switch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    switch(monkeypatch)
    assert first_leak(range(60), Counts())[1] is not None


def names_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.visibility.audiences.knowers", lambda *_: ())


def leaves_onlookers_out(monkeypatch: pytest.MonkeyPatch) -> None:
    knows = audiences.knows
    monkeypatch.setattr("interpreter.visibility.audiences.knows", lambda rules, words, thing, seat: (
        knows(rules, words, thing, seat) if seat is not None else audiences.sees_zone(
            rules, words, audiences.place_of(rules, words, thing), None)))  # fmt: skip


def tells_the_text_of_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = ReplayError.__init__
    monkeypatch.setattr(ReplayError, "__init__", lambda self, message, entry, told="": begun(self, message, entry))


def says_each_member(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.session.log.PARTS", ())


MENDED = {
    names_everything: "the name of card_",
    leaves_onlookers_out: "not what all see",
    tells_the_text_of_errors: "in why a table has stopped",
    says_each_member: "how long a secret answer is",
}


@pytest.mark.parametrize(("switch", "what"), MENDED.items(), ids=[switch.__name__ for switch in MENDED])
def test_what_is_told_by_the_log_and_by_errors_is_found_by_random_programs(
    switch: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch(monkeypatch)
    found = first_leak(range(60), Counts())[1]
    assert found is not None and what in str(found.leak.what)


# ------------------------------------------------------------ the programs, and how they are made smaller

SHAPES = (
    ".hand by", "seen by owner", "seen by nobody", "seen by keeper", "seen by others", "let s", "let n", "let t",
    "procedure do_", "giving", "    give ", "set marks to", "choose c", "choose some", "choose number",
    "choose amounts", "choose one", "case put", " where ", "such that", "random c", "random number", "random q",
    "ranked(", "first(",
    "tied(", "show ", "plan by", "at once", "open to", "always for every", "after move", "before move", "at any moment",
    "offer menu_", "action act_", "require", "openly(heard_truth", "or decline", "if any", "at most", "exactly 1",
    "shuffle", "repeat while", "step", "gain ", "lose ",
)  # fmt: skip
PLACEHOLDERS = ("ask", "pick", "done", "openly(heard_number")


def test_the_programs_have_every_shape_that_can_leak() -> None:
    made = [program(seed) for seed in range(150)]
    rules = "\n".join(text.rules for text in made)
    assert [shape for shape in SHAPES if shape not in rules] == []
    texts = "\n".join(text.locale() for text in made)
    assert [word for word in PLACEHOLDERS if word not in texts] == []
    assert program(7) == program(7) != program(8)


DEALT = """\
kind Card: 6
piece coin
zone box: Card seen by nobody
zone pile: Card
kind Seat
    zone hand: Card seen by owner
    field open_: 0..9
phase game
    for every c in Card: move c to box
    for every i in 1..2
        random c in box
        move c to p2.hand
    set p2.open_ to 2
    let s = p2.hand
    choose c in s by p1
    move c to pile
"""


def test_a_program_that_leaks_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    offers_anything(monkeypatch)
    taken = accepted(Text(DEALT, PLAIN))
    assert taken is not None
    text, made = taken
    found = leak_of(made, 1, Counts())
    assert found is not None
    small = shrunk(Finding(1, text, found)).text.rules.splitlines()
    assert "    choose c in s by p1" in small and "        random c in box" in small
    assert not [row for row in small if "coin" in row or "open_" in row or "pile" in row]
