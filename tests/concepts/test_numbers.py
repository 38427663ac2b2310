"""One law of numbers (docs/manual/01-names-types-constants.md): they are whole, and a number that is kept, given or
moved is one of 32 bits; one beyond is a fault with its place, the same on every machine."""

from __future__ import annotations

import pytest

from tests.concepts.everywhere import HERE, USUAL, fault, played
from tests.concepts.play import cell, game

MOST = 2147483647
BASE = f"""
enum Colour: red, blue
piece coin
piece cube by Colour
zone heap: coin
zone bag: cube
kind Seat
    field total: -{MOST}..{MOST - 1}
    zone purse: coin
field big: -{MOST}..{MOST - 1}
field row: -{MOST}..{MOST - 1} by 1..3
value most: int = {MOST}
purse money(p: Seat)
    source p.purse
value grown(n: int): int = n * 2
value all_rows(): int = sum(k in 1..3: row[k])
value weight(c: Colour): int = most if c is red else big
procedure plain(n: int): set row[1] to min(n, 5)
procedure shown(n: int)
    let x = n + 0
    set row[2] to min(x, 6)
phase game
"""

# what the phase does, and what its fault says; the place is that of the number
BEYOND = {
    "set big to most + 1": "`big` must be in",
    "set big to 0 - most - 1": "`big` must be in",
    "set big to grown(most)": "`grown` is 4294967294",
    "set big to grown(0 - most)": "`grown` is -4294967294",
    "set row[2] to most * most": "must be in",
    "for every k in 1..3: set row[k] to most - 1\n    set big to all_rows()": "`all_rows` is 6442450938",
    "do plain(most + big + 1)": "`most + big + 1` is 2147483648",
    "do shown(most + big + 1)": "`most + big + 1` is 2147483648",
    "let x = most\n    set x to x * 3\n    set big to min(x, 5)": "`x * 3` is 6442450941",
    "let x = most * (big + 2)\n    set big to min(x, 5)": "is 4294967294",
    "gain most + big + 1 coin by p1": "`most + big + 1` is 2147483648",
    "gain 999999 coin by p1\n    gain 1 coin by p1": "would hold 1000000 coin",
    "gain 999999 coin by p1\n    gain 2 coin by p2\n    move all coin from p2.purse to p1.purse": "would hold 1000001",
    "gain 999999 coin by p1\n    gain 1 money by p1": "more than 999999 pieces",
    "random number n in 0..most * (big + 2)\n    set big to n": "`most * (big + 2)` is 4294967294",
    "set big to 1\n    random c in Colour by weight(c)\n    set big to 1 if c is red else 2": "are together 2147483648",
    "for every k in most + big + 1..5: set big to 1": "`most + big + 1` is 2147483648",
}


@pytest.mark.parametrize("line", BEYOND)
def test_a_number_beyond_32_bits_is_a_fault_with_its_place(line: str) -> None:
    found = fault(BASE + f"    {line}\n")
    assert BEYOND[line] in found
    place = int(found.split(":")[1])
    first = BASE.count("\n") + 1
    wanted = {"grown": 15, "all_r": 16}.get(BEYOND[line][1:6])
    assert place == wanted if wanted else place >= first, found


@pytest.mark.parametrize("target", [t for t in HERE if t != USUAL])
def test_all_back_ends_find_it(target: str) -> None:
    text = BASE + "    for every i in 1..40: gain max(1, p1.purse) coin by p1\n"
    assert "would hold" in fault(text, target=target)


def test_what_is_worked_out_on_the_way_is_exact() -> None:
    # (2^31 - 1)^2 is no number that can be kept, but half of a product, a difference and a test of it may be.
    state = played(
        BASE
        + """    set big to 3
    set row[1] to half_down(most + most - 2)
    set row[2] to most + big - most
    set row[3] to 1 if most * big > most else 0
"""
    )
    assert [cell(state, "row", k) for k in (1, 2, 3)] == [MOST - 1, 3, 1]


def test_the_ends_of_the_numbers_are_numbers() -> None:
    state = played(
        BASE
        + """    set big to most - 1
    set row[1] to 0 - most
    set row[2] to half_down(0 - most)
    set row[3] to half_up(0 - most)
    gain 999999 coin by p1
    set p1.total to big + row[1] + 1 + p1.purse
    random number n in 0 - most..most
    set p2.total to 1 if n <= most else 0
"""
    )
    assert [cell(state, "row", k) for k in (1, 2, 3)] == [-MOST, -1073741824, -1073741823]
    assert cell(state, "p1.total") == 999_999 and cell(state, "p2.total") == 1


def test_division_and_the_rest_below_zero() -> None:
    # half_down and `div` round down, half_up rounds up, `mod` has the sign of its right side: -7 = -4 * 2 + 1.
    state = played(
        BASE
        + """    set big to 0 - 7
    set row[1] to half_down(big)
    set row[2] to half_up(big)
    set row[3] to big mod 2
    set p1.total to big mod 7
"""
    )
    assert [cell(state, "row", k) for k in (1, 2, 3)] == [-4, -3, 1] and cell(state, "p1.total") == 0


CHAIN = "field z: 0..3\n" + "".join(f"value v{n}(): int = v{n + 1}() + v{n + 1}()\n" for n in range(40))


def test_values_that_call_each_other_for_ever_meet_the_limit() -> None:
    text = CHAIN + "value v40(): int = z\nphase game\n    set z to min(3, v0())\n"
    made = game(text).program
    costs = {f.name: f.cost for f in made.functions}
    assert costs["v0"] > 0 and costs["v30"] == 0
    assert "limit `steps`" in fault(text, manifest="limits: {steps: 20000}")


def test_a_range_that_is_certainly_empty_is_no_loop() -> None:
    state = played(
        BASE
        + """    for every m in 1..max(0, min(6, 2147483646 * 65536)): set big to big + 1
    for every m in 1..min(0, 2147483646 * 65536): set row[1] to 9
    for every m in 5..max(2, min(3, big)): set row[2] to 9
    set row[3] to sum(k in 4..min(3, big): k) + count(k in 1..min(0, big))
"""
    )
    assert [cell(state, "row", k) for k in (1, 2, 3)] == [0, 0, 0] and cell(state, "big") == 6
