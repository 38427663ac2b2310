"""Whole mechanisms of heavy games in a few lines each, played through: auctions, attrition, rows, contests, ships,
reactions."""

from __future__ import annotations

import interpreter as rw
from tests.concepts.play import answer_all, cell, options, question, start

BASE = """
enum Cause: paid, lost, chaos, action_cost, goods_cost
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
"""


def test_an_auction_with_a_ceiling_and_a_composed_force() -> None:
    # 9, 11, 12: round robin with cases, a set local, and a plan whose demand filters three choices.
    s = start(
        BASE
        + """
kind Seat
    zone units: unit
    zone bonus: Card
    field won: 0..9
enum Unit: foot, horse
piece unit by Unit
table strength by Unit
    foot: 1
    horse: 2
kind Card: 4
zone used: Card
value force(p: Seat): int = sum(u in Unit: strength[u] * p.units[u]) + size(p.bonus)
procedure settle()
    let high = 0
    let bidders = set(p in seats where force(p) > 0)
    round robin p in seats where p in bidders while size(bidders) > 1 or high is 0 and size(bidders) > 0
        choose one by p
            case bid(b: high + 1..force(p)): set high to b
            case drop: set bidders to bidders - {p}
    if no bidders: do note(9)
    else: do send(first(p in bidders), high)
procedure send(w: Seat, due: int)
    plan by w
        choose amounts n for u in Unit each 0..w.units[u] total n at least 1
        choose some bs in w.bonus
        require sum(u in Unit: n[u] * strength[u]) + size(bs) >= due
        for every u in Unit: lose n[u] unit[u] by w
        move bs to used
    set w.won to due
phase game
    gain 2 unit[foot] by p1
    gain 1 unit[horse] by p1
    move card_1 to p1.bonus
    gain 1 unit[foot] by p2
    move card_2 to p2.bonus
    do settle()
""",
        seats=(3, 3),
    )
    assert options(s) == ["bid 1", "bid 2", "bid 3", "bid 4", "bid 5", "drop"]
    answer_all(s, "bid 1")
    assert question(s).startswith("p2") and options(s) == ["bid 2", "drop"]
    answer_all(s, "bid 2", "bid 4")
    # p2 can only drop; p1 must give 4 of 2 + 2 + 1: what cannot be completed is not offered (a horse and a card are 3)
    assert question(s) == "p1: send.n" and options(s) == ["foot 1", "foot 2"]
    answer_all(s, "foot 1, horse 1")
    assert cell(s, "p1.won") == 4 and cell(s, "used") == ["card_1"]
    assert [cell(s, "p1.units", u) for u in ("foot", "horse")] == [1, 0]


def test_attrition_in_a_fixed_order_with_equals_at_once() -> None:
    # 7 and 12 (CIV-3): tiers, a loop over sets of equals, `together`.
    s = start(
        BASE
        + """
kind Seat
    zone stock: man
piece man by Seat each 9 from pool
zone pool: man
zone field_: man
value crowded(cap: int): bool = total(field_) > cap
procedure attrition(cap: int)
    let order = tiers(p in seats where field_[p] > 0 with lowest field_[p])
    repeat while crowded(cap)
        for every g in order while crowded(cap)
            together
                for every p in g: lose 1 man[p] from field_ to p.stock as lost
phase game
    move 4 man[p1] from pool to field_
    move 2 man[p2] from pool to field_
    move 2 man[p3] from pool to field_
    do attrition(3)
""",
        seats=(3, 3),
    )
    # 2 2 4 of eight: the small lose one each (6), the large one (5), the small one each (3)
    assert [cell(s, "field_", f"p{i}") for i in (1, 2, 3)] == [3, 0, 0]


def test_a_transfer_with_spill_over() -> None:
    # 12 (CIV-8): a live loop with keys while something is left; a local that is assigned from itself.
    s = start(
        BASE
        + """
kind Seat
    zone stock: man
piece man
procedure hand_over(v: Seat, w: Seat, n: int)
    let left = n
    for every q in live seats - {v} where q.stock > 0 while left > 0 with highest q is w, highest q.stock
        let k = min(left, q.stock)
        lose k man by q
        set left to left - k
        do note(k)
    do note(left)
phase game
    gain 2 man by p2
    gain 4 man by p3
    gain 3 man by p4
    do hand_over(p1, p2, 8)
""",
        seats=(4, 4),
    )
    assert cell(s, "trail") == 2420 and [cell(s, f"p{i}.stock") for i in (2, 3, 4)] == [0, 0, 1]


def test_a_row_with_a_grammar_repaired_by_the_fewest_discards() -> None:
    # 7, 9 and 11 (BM-1): insert and removal on lists inside `such that`, `with lowest size`.
    s = start(
        BASE
        + """
kind Seat
    zone hand: Part
    zone row: Part ordered
kind Part from "data/part.yaml"
    const left: Colour
    const right: Colour
enum Colour: red, blue
zone out: Part
value proper(r: list of Part): bool = every(i in 1..size(r) - 1: r[i].right is r[i + 1].left)
action promote(p: Seat, m: Part) of deeds
    require m in p.hand
    choose number i in 0..size(p.row)
    choose some gone in set(c in p.row) with lowest size(gone)
        such that proper(insert(p.row - gone, m, min(i, size(p.row) - size(gone))))
    for every c in gone: move c to out as lost
    move m to p.row at min(i, size(p.row)) + 1 as paid
phase game
    for every c in {rr, rb, bb}: move c to p1.row at bottom
    move br to p1.hand
    offer deeds by p1
    do note(size(p1.row))
""",
        {
            "data/part.yaml": "Part:\n  rr: {left: red, right: red}\n  rb: {left: red, right: blue}\n"
            "  bb: {left: blue, right: blue}\n  br: {left: blue, right: red}\n"
        },  # fmt: skip
    )
    assert options(s) == ["0", "1", "2", "3"]
    # rr rb [br] bb does not fit; without bb it does, and without rr it stands behind bb
    t = answer_all(rw.copy(s), "2")
    assert question(t) == "p1: promote.gone" and options(t) == ["rr", "bb"]
    answer_all(t, "bb")
    assert t.over and cell(t, "p1.row") == ["rr", "rb", "br"]
    answer_all(s, "3")
    assert s.over and cell(s, "p1.row") == ["rr", "rb", "bb", "br"] and cell(s, "trail") == 4


def test_a_contest_that_gives_its_winner() -> None:
    # 10 (BM-6): named steps, an early `give`, a question in the middle.
    s = start(
        BASE
        + """
kind Seat
    field x: bool
kind Beast: 2 per Seat
    field size: 0..9
    field fed: bool
procedure contest(e: Beast, d: Beast) giving Beast
    step same_owner
        if e.owner is d.owner
            choose w in {e, d} by e.owner
            give w
    step hunger
        let full = set(x in {e, d} where x.fed)
        if size(full) is 1: give first(x in full)
    step size
        if e.size > d.size: give e
    step defender: give d
procedure fight(e: Beast, d: Beast)
    let w = do contest(e, d)
    set w.size to w.size + 3
phase game
    set beast_p1_1.size to 2
    do fight(beast_p1_1, beast_p2_1)
    set beast_p2_1.fed to true
    do fight(beast_p1_1, beast_p2_1)
    do fight(beast_p1_1, beast_p2_2)
    do fight(beast_p2_1, beast_p2_2)
""",
        seats=(2, 2),
    )
    assert question(s) == "p2: contest.same_owner.w" and options(s) == ["beast_p2_1", "beast_p2_2"]
    answer_all(s, "beast_p2_2")
    assert [cell(s, f"beast_{b}.size") for b in ("p1_1", "p2_1", "p2_2")] == [8, 3, 3]


def test_forced_minimal_growth_against_a_defeat() -> None:
    # 11 and 13 (BM-10): `possible` in a trigger's `where`, keys on a choice, a perform, and the event once more.
    s = start(
        BASE
        + """
kind Seat
    field x: bool
kind Beast: 1 per Seat decided by owner
    field size: 1..6
    field dead: bool
    zone fat: coin
procedure beaten(x: Beast, w: Beast)
    set x.dead to true
    do note(5)
action outgrow(x: Beast, w: Beast, n: 1..6)
    pay n - x.size coin
    set x.size to n
    require x.size > w.size
rule last_stand
    instead of beaten(x, w) where any(n in x.size + 1..6 where possible(outgrow(x, w, n)))
        choose n in x.size + 1..6 where possible(outgrow(x, w, n)) with lowest n by x
        perform outgrow(x, w, n)
        do note(n)
        if x.size > w.size: do beaten(w, x)
        else: do beaten(x, w)
phase game
    for every b in Beast: set b.size to 2
    set beast_p2.size to 3
    gain 3 coin by beast_p1
    gain 2 coin by beast_p2
    do beaten(beast_p1, beast_p2)
""",
        seats=(2, 2),
    )
    # p1 grows to 4, so p2 would be beaten and grows to 5, so p1 would be and cannot pay for 6 (it has one left)
    assert cell(s, "trail") == 455
    assert cell(s, "beast_p1.dead") is True and cell(s, "beast_p2.dead") is False


def test_a_ship_that_must_come_to_rest() -> None:
    # 11 (CIV-2): a crossing after which the ship could not come to rest any more is not offered.
    s = start(
        BASE
        + """
kind Seat
    field x: bool
kind Place from "data/place.yaml"
    const next: set of Place
    const sea: bool
field at_: Place or none
field rested: bool
field steps: 0..9
action sail(p: Seat) of moves
    repeat while not rested
        choose one
            case cross(c: near) where steps < 3
                set at_ to c
                set steps to steps + 1
            case rest where ashore: set rested to true
value near: set of Place = set(c in Place where at_ is not none and c in at_.next)
value ashore: bool = at_ is not none and not at_.sea
phase game
    set at_ to port
    offer moves by p1
    do note(steps)
""",
        {
            "data/place.yaml": "Place:\n  port: {next: [bay], sea: false}\n  bay: {next: [port, deep], sea: true}\n"
            "  deep: {next: [bay, isle, far], sea: true}\n  isle: {next: [deep], sea: false}\n"
            "  far: {next: [deep], sea: true}\n"
        },  # fmt: skip
    )
    assert options(s) == ["cross bay", "rest"]
    answer_all(s, "cross bay")
    assert options(s) == ["cross port", "cross deep"]
    answer_all(s, "cross deep")
    # two of three steps are used: only the isle is left, and there only rest; both are taken without asking
    assert s.over and cell(s, "at_") == "isle" and cell(s, "trail") == 3
