"""Nothing that is written is ignored: each part that the grammar accepts changes the program, or is refused.

A small ruleset has a declaration with each word of the language. To each of them every clause, type, value, parameter
list and line below it is added in turn, fitting or not. What comes out must be a message, or another program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from random import Random

import pytest

from dsl.driver.load import compile_sources
from dsl.syntax.vocabulary import CLAUSES, TABLE

BASE = """\
enum Fruit: apple, pear
ranked enum Rank: low, high
enum Cause: spent
option hard: bool = true
option size: 3..5 = 4
table price: int by Fruit
    apple: 3
    pear: 4
kind Tree: 3
    const tall: bool
    field age: 0..9
    zone basket: coin
kind Bush: 2
    field old: 0..9
kind Plant: Tree, Bush
    field wet: bool
kind Card
    const cost: 0..9
    strip icons
    effect(p: Seat)
kind Hand: 1 per Seat
    zone cards: Card ordered seen by owner
piece coin each 9 from bank
zone bank: coin
zone deck: Card ordered
field n: 0..9
field m: 0..9 by Fruit
value worth(f: Fruit): int = price[f]
value some: int = n
purse money(p: Seat)
    source bank
invariant fine: n >= 0
phase game
    do work()
    stop game
procedure work()
    set n to 1
action buy(p: Seat) of shop
    set n to 2
icon star
    gain 1 coin to bank
rule once
    after work(): set n to 3
modify worth(f) by 1
grant forbidden(f)
deny allowed(f)
before work(): set n to 2
after work(): set n to 4
instead of more(): set n to 5
value allowed(f: Fruit): bool = true
value forbidden(f: Fruit): bool = false
procedure more()
    set n to 1
card axe "Axe": Card
    cost: 3
    strip icons: star
    effect: set n to 2
card pen "Pen": Card
    cost: 2
    strip icons: star
    effect: set n to 1
position start "start"
    n: 3
ruling R1 "one"
    given start
    expect
        n: 3
"""
ARGUMENTS = ("n", "3", "Fruit", "deck", "apple", "nobody", '"t"', "Seat", "owner", "n > 2")
LINES = (
    "x: 3", "const extra: 0..9", "field extra: 0..9", "zone extra: coin", "strip extra: star", "strip extra",
    "value extra: int = 3", "set n to 5", "effect: set n to 5", "source bank", "default ask", "change from bank",
    "modify worth(f) by 1", "grant forbidden(f)", "after work(): set n to 7", "for every q in seats: set n to 4",
    "if n > 2: set n to 4", "given start", "when", "expect", "card foo: Card", "position foo", "apple", "let q = 3",
    "while n > 2", "step foo: set n to 5", "case pass", "replace work.x",
)  # fmt: skip
ENDINGS = (" = 3", " = low", " = true", ": Fruit", ": 0..9", ": apple, pear", ": bool", ": 3", ": set n to 5")
PARAMETERS = ("(x: Seat)", "(q: Fruit)", "()")
AT_THE_TOP = (
    "const size_x = 3", "const foo: set of Nowhere", "const size: 3", "const low", "strip icons", "strip icons: star",
    "source bank", "change from bank", "default ask", "effect: set n to 3", "drop work", "alter work from 1 to 2",
    "errata foo on test", "variant foo on test", "let x = 3", "case foo", "given start", "when", "set n to 3",
    "rule foo\n    const q: 3", "invariant two: n >= 0 = 3", "invariant two: n >= 0, n > 3",
)  # fmt: skip
PLACES = re.compile(r"Span\([^()]*\)|line=\d+")
SAMPLE = 250


@dataclass(frozen=True)
class Addition:
    head: str
    part: str
    text: str

    @property
    def says_nothing_and_may(self) -> bool:
        """`value f()` is `value f`; strips and layers may be declared that nobody uses; a purse of one source asks
        nothing."""
        word = next(w for w in TABLE if re.match(rf" *{w}\b", self.head)) if self.head else ""
        declares = self.part == "strip extra" or self.part.startswith(("decided by ", "in layers "))
        return self.part == "()" or declares or word == "purse" and self.part == "default ask"


def outcome(text: str) -> tuple[str | None, set[tuple[str, str]]]:
    """The program without places in the text, and what was told."""
    program, found, _ = compile_sources({"x.rules": text}, {"data/x.yaml": "Tree:\n  a: {}\n"})
    if program is None:
        return None, {(d.code, d.message) for d in found}
    values = {f.name: getattr(program, f.name) for f in fields(program) if f.name not in ("sources", "digest", "notes")}
    plain = {name: dict(v) if name in ("positions", "rulings") else v for name, v in values.items()}
    return PLACES.sub("", repr(plain)), {(d.code, d.message) for d in found}


def additions() -> Iterator[Addition]:
    lines = BASE.splitlines()
    for number, head in enumerate(lines):
        word = next((w for w in sorted(TABLE, key=len, reverse=True) if re.match(rf" *{w}\b(?! *:)", head)), None)
        if word is None or TABLE[word].kind not in ("typed", "decl", "section"):
            continue

        def put(new: str, number: int = number) -> str:
            return "\n".join([*lines[:number], new, *lines[number + 1 :], ""])

        clauses = [f"{c} {a}".rstrip() for c, k in CLAUSES.items() for a in (ARGUMENTS if k != "FLAG" else ("",))]
        yield from (Addition(head, c, put(f"{head} {c}")) for c in clauses)
        yield from (Addition(head, e, put(head + e)) for e in ENDINGS)
        if name := re.match(rf"( *{word} \w+)(.*)", head):
            yield from (Addition(head, p, put(name[1] + p + name[2])) for p in PARAMETERS)
        indent = " " * (len(head) - len(head.lstrip()) + 4)
        end = next((n for n in range(number + 1, len(lines)) if not lines[n].startswith(indent)), len(lines))
        yield from (Addition(head, p, "\n".join([*lines[:end], indent + p, *lines[end:], ""])) for p in LINES)
    yield from (Addition("", line, f"{BASE}{line}\n") for line in AT_THE_TOP)


@cache
def base() -> tuple[str | None, set[tuple[str, str]]]:
    return outcome(BASE)


def ignored(added: Addition) -> bool:
    program, told = outcome(added.text)
    return program == base()[0] and not told - base()[1] and not added.says_nothing_and_may


def test_the_ruleset_is_clean_and_its_program_is_compared() -> None:
    program, told = base()
    assert program is not None and told == set()
    assert outcome(BASE + "# a remark\n") == base()
    assert outcome(BASE.replace("set n to 1", "set n to 2"))[0] != program


def test_a_sample_of_additions_is_used_or_refused() -> None:
    every = list(additions())
    sample = [*Random(7).sample(every, SAMPLE), *every[-len(AT_THE_TOP) :]]
    assert [(a.head, a.part) for a in sample if ignored(a)] == []


@pytest.mark.soak
def test_every_addition_is_used_or_refused() -> None:
    assert [(a.head, a.part) for a in additions() if ignored(a)] == []
