"""A small program built by hand: two seats, cards in a hidden deck, hands, apples, a secret number, dice.

It is what the compiler would make of a ruleset of a page, so the interpreter can be tested without text. `fair()`
gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.span import NOWHERE
from dsl.base.types import BOOL, IntType, ListType, MemberType, SetType, SparseType, Type

P1, P2, RED, BLUE, GREEN, GOLD = 1, 2, 3, 4, 5, 6
SEAT = MemberType("Seat", 1, 2)
CARD = MemberType("Card", 3, 6)
COINS = IntType(0, 40)
ANSWER = IntType(0, 10)
HAND = ListType(CARD, 4)

# the declared state, behind the header
BONUS = hdr.HEADER
COIN = BONUS + 1  # Seat.coins, 2 words
PLACE = COIN + 2  # places of the four cards
DECK = PLACE + 4
HANDS = DECK + 5
PILE = HANDS + 10
APPLES = PILE + 5  # Seat.apples, 2 words
BASKET = APPLES + 2
SECRET = BASKET + 1  # Seat.secret, 2 words
KNOWN = SECRET + 2  # one word a thing
END_LISTS = KNOWN + 7
ZONE_DECK, ZONE_HAND_1, ZONE_HAND_2, ZONE_PILE = 1, 2, 3, 4

# frame variables of `game`
TURN, ROUND, MOVE, COUNT, CARD_VAR, GIFTS, CURSOR, SHARE, SHARE_CURSOR, NUMBER, DIE, FRAME_WORDS = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    12,
    13,
    14,
    15,
)
SHARE_TYPE = SparseType((SEAT,), 2)


def const(value: Any) -> ir.Const:
    return ir.Const(value)


def frame(slot: int, type_: Type = ANSWER) -> ir.FrameVar:
    return ir.FrameVar(slot, type_)


def at_seat(base: int, seat: ir.Expr, size: int = 1) -> ir.Linear:
    """Address of a seat's cell in a field of seats."""
    return ir.Linear(base - size, ((seat, size),))


def cell(address: ir.Expr | int, type_: Type = COINS, symbol: str = "") -> ir.Cell:
    return ir.Cell(const(address) if isinstance(address, int) else address, type_, symbol)


def compare(op: str, left: ir.Expr, right: ir.Expr | int) -> ir.Compare:
    return ir.Compare(op, left, const(right) if isinstance(right, int) else right)


def plus(left: ir.Expr, right: ir.Expr | int) -> ir.Arith:
    return ir.Arith("+", left, const(right) if isinstance(right, int) else right)


def hand(seat: ir.Expr) -> ir.Cell:
    return ir.Cell(at_seat(HANDS, seat, 5), HAND)


def pool(address: ir.Expr | int, symbol: str) -> ir.Pool:
    return ir.Pool("count", const(address) if isinstance(address, int) else address, None, symbol)


def transfer(amount: ir.Expr, source: ir.Pool, target: ir.Pool, exact: bool = True) -> ir.Transfer:
    return ir.Transfer(amount, source, target, exact, None, None, "apple", None)


BASKET_POOL = pool(BASKET, "basket")
TURN_SEAT = frame(TURN, SEAT)


def guard(
    test: ir.Expr, text: str, cite: str, *parts: tuple[str, ir.Expr, Type], reason: str = "", key: str = ""
) -> ir.Guard:
    return ir.Guard(test, text, (cite,), NOWHERE, parts, key, reason)


def menu() -> ir.Site:
    """Take apples, play a card, or pass."""
    fits = compare("<=", ir.Temp(0), cell(BASKET))
    take = ir.Alternative(
        "take",
        (("n", 0, ir.Domain("range", const(1), const(3)), IntType(1, 3)),),
        (
            guard(
                fits,
                "n <= basket",
                "F-2",
                ("n", ir.Temp(0), COINS),
                ("basket", cell(BASKET), COINS),
                reason="too few apples",
            ),
        ),
        ((COUNT, ANSWER),),
    )
    rich = compare(">=", cell(at_seat(COIN, TURN_SEAT)), 1)
    play = ir.Alternative(
        "play",
        (("c", 0, ir.Domain("list", hand(TURN_SEAT)), CARD),),
        (guard(rich, "p.coins >= 1", "F-3", ("p.coins", cell(at_seat(COIN, TURN_SEAT)), COINS), key="play.require.1"),),
        ((CARD_VAR, CARD),),
    )
    stop = ir.Alternative("rest", (), (), ())
    return ir.Site(
        "turn.move", "one", TURN_SEAT, TURN_SEAT, SEAT, (take, play, stop),
        answer=(MOVE, ANSWER), cites=("F-1",), temps=2,
        text_values=(("left_over", ir.Arith("-", cell(BASKET), ir.Temp(0)), COINS),),
    )  # fmt: skip


def gifts() -> ir.Site:
    """Any two or fewer cards of the pile, but not red and blue together."""
    member = ir.Alternative("", (("c", 0, ir.Domain("list", cell(PILE, HAND)), CARD),), (), ())
    both = ir.Subset(ir.MakeSet((const(RED), const(BLUE))), ir.Temp(1))
    return ir.Site(
        "turn.gifts", "some", TURN_SEAT, TURN_SEAT, SEAT, (member,), bounds=(ir.Bound("at most", const(2)),),
        such_that=(guard(ir.Not(both), "not {red, blue} in cs", "F-4", reason="red and blue do not mix"),),
        if_any=True, answer=(GIFTS, SetType(CARD)), cursor=CURSOR, whole_slot=1, temps=2, cites=("F-4",),
    )  # fmt: skip


def share() -> ir.Site:
    """Two apples of the basket, spread over the seats."""
    slot = ir.Alternative("", (("s", 0, ir.Domain("set", const(1 << P1 | 1 << P2)), SEAT),), (), ())
    return ir.Site(
        "turn.share", "amounts", TURN_SEAT, TURN_SEAT, SEAT, (slot,), each=(const(0), const(2)),
        bounds=(ir.Bound("exactly", const(2), const(1)),), decline=True,
        answer=(SHARE, SHARE_TYPE), cursor=SHARE_CURSOR, temps=2,
    )  # fmt: skip


def secret() -> ir.Site:
    """A number that only its seat sees."""
    number = ir.Alternative(
        "", (("n", 0, ir.Domain("range", const(0), const(4)), IntType(0, 4)),), (), ((NUMBER, ANSWER),)
    )
    return ir.Site(
        "turn.secret", "number", TURN_SEAT, TURN_SEAT, SEAT, (number,), answer=(NUMBER, ANSWER), temps=2,
        audience=ir.MakeSet((TURN_SEAT,)),
    )  # fmt: skip


class Code:
    """Instructions with labels."""

    def __init__(self) -> None:
        self.rows: list[Any] = [ir.End()]
        self.labels: dict[str, int] = {}

    def label(self, name: str) -> None:
        self.labels[name] = len(self.rows)

    def add(self, *rows: Any) -> None:
        self.rows.extend(rows)

    def done(self) -> tuple[ir.Instr, ...]:
        """The rows with label names replaced by numbers; a row is an instruction or (class, arguments with labels)."""
        found = []
        for row in self.rows:
            if isinstance(row, tuple):
                kind, *args = row
                row = kind(*(self.labels[a] if isinstance(a, str) and a in self.labels else a for a in args))
            found.append(row)
        return tuple(found)


def deal() -> tuple[ir.Stmt, ...]:
    top = ir.ListOp("front", (cell(DECK, HAND),))
    moves = [ir.MoveThing(top, const(zone), "top", None) for zone in (ZONE_HAND_1, ZONE_HAND_2)]
    seats: list[ir.Stmt] = [transfer(const(2), BASKET_POOL, pool(APPLES + s, "Seat.apples")) for s in (0, 1)]
    return (*moves, *seats, ir.Store(const(COIN), COINS, const(1), "Seat.coins"))


def game_code(plan: bool = False) -> tuple[tuple[ir.Instr, ...], dict[str, int]]:
    c = Code()
    c.label("game")
    c.add(ir.Run(tuple(ir.MoveThing(const(t), const(ZONE_DECK), "bottom", None) for t in (RED, BLUE, GREEN, GOLD))))
    c.add(ir.Chance("shuffle", const(ZONE_DECK), None, -1, None, "setup.shuffle"), ir.Run(deal()))
    c.label("round")
    c.add((ir.Branch, compare("<", frame(ROUND), 2), "end"), ir.Run((ir.SetFrame(TURN, SEAT, const(P1)),)))
    c.label("turn")
    c.add((ir.CallI, 1, (TURN_SEAT,)))
    c.add((ir.Branch, compare("==", frame(TURN, SEAT), P1), "next"))
    c.add(ir.Run((ir.SetFrame(TURN, SEAT, const(P2)),)), (ir.Jump, "turn"))
    c.label("next")
    c.add(ir.Run((ir.SetFrame(ROUND, ANSWER, plus(frame(ROUND), 1)),)), (ir.Jump, "round"))
    c.label("end")
    c.add(ir.EndList(), ir.Leave())

    c.label("turn_proc")
    if plan:
        c.add(ir.OpenPlan(TURN_SEAT))
    c.add((ir.Ask, 0, "gifts"))
    c.add((ir.Branch, compare("==", frame(MOVE), 1), "not_take"))
    c.add(
        ir.Run((transfer(frame(COUNT), BASKET_POOL, pool(at_seat(APPLES, TURN_SEAT), "Seat.apples")),)),
        (ir.Jump, "gifts"),
    )
    c.label("not_take")
    c.add((ir.Branch, compare("==", frame(MOVE), 2), "gifts"))
    c.add(ir.Run((ir.MoveThing(frame(CARD_VAR, CARD), const(ZONE_PILE), "top", None),)))
    c.label("gifts")
    c.add(ir.Run((ir.SetFrame(CURSOR, ANSWER, const(0)),)), (ir.Ask, 1, "share"))
    gift = ir.MoveThing(ir.Temp(0), ir.Arith("+", TURN_SEAT, const(ZONE_HAND_1 - 1)), "top", None)
    c.add(ir.Run((ir.For(0, ir.Domain("set", frame(GIFTS, SetType(CARD))), (gift,)),)))
    c.label("share")
    c.add((ir.Ask, 2, "secret"))
    given = [
        transfer(
            ir.MapItem(frame(SHARE, SHARE_TYPE), const(i), True),
            BASKET_POOL,
            pool(APPLES + i, "Seat.apples"),
            exact=False,
        )
        for i in (0, 1)
    ]
    c.add(ir.Run(tuple(given)))
    c.label("secret")
    c.add((ir.Ask, 3, "roll"))
    c.add(ir.Run((ir.Store(at_seat(SECRET, TURN_SEAT), COINS, frame(NUMBER), "Seat.secret"),)))
    c.label("roll")
    c.add(ir.Chance("number", const(1), const(6), DIE, ANSWER, "turn.roll"))
    coins = at_seat(COIN, TURN_SEAT)
    c.add(
        ir.Run((ir.Note("turn.pay_day", ("F-5",)), ir.Store(coins, COINS, plus(cell(coins), frame(DIE)), "Seat.coins")))
    )
    c.label("turn_end")
    c.add(ir.EndList(), ir.Leave())
    return c.done(), c.labels


def layout() -> tuple[ir.LayoutEntry, ...]:
    return (
        ir.LayoutEntry("bonus", BONUS, (), BOOL, "option"),
        ir.LayoutEntry("Seat.coins", COIN, (SEAT,), COINS, "field"),
        ir.LayoutEntry("place", PLACE, (CARD,), IntType(0, 4), "place"),
        ir.LayoutEntry("deck", DECK, (), HAND, "zone", "nobody"),
        ir.LayoutEntry("Seat.hand", HANDS, (SEAT,), HAND, "zone", "owner"),
        ir.LayoutEntry("pile", PILE, (), HAND, "zone"),
        ir.LayoutEntry("Seat.apples", APPLES, (SEAT,), COINS, "pieces", piece="apple"),
        ir.LayoutEntry("basket", BASKET, (), COINS, "pieces", piece="apple"),
        ir.LayoutEntry("Seat.secret", SECRET, (SEAT,), COINS, "field", "owner"),
    )


def zones() -> tuple[ir.ZoneInstance, ...]:
    return (
        ir.ZoneInstance("box", "box", 0, SetType(CARD), 0, 0),
        ir.ZoneInstance("deck", "list", DECK, HAND, 4, 0, "nobody"),
        ir.ZoneInstance("Seat.hand", "list", HANDS, HAND, 4, P1, "owner"),
        ir.ZoneInstance("Seat.hand", "list", HANDS + 5, HAND, 4, P2, "owner"),
        ir.ZoneInstance("pile", "list", PILE, HAND, 4, 0),
    )


TEXTS = {
    "en": {
        "turn.move.ask": "{actor}, your move",
        "turn.move.take": "Take {n} {n|apple|apples}, leaving {left_over}",
        "turn.move.take.done": "{actor} takes {n} {n|apple|apples}",
        "turn.move.play": "Play {c}",
        "turn.secret.done": "{actor} notes {n}",
        "turn.roll.done": "The die shows {answer}",
        "Card.red": "the red card",
        "p1": "Anna",
        "p2": "Ben",
    },
    "ja": {"turn.move.take": "りんごを{n}個取る", "Card.red": "赤いカード", "p1": "アンナ"},
}


def fair(
    positions: Sequence[ir.Position] = (),
    rulings: Sequence[ir.Ruling] = (),
    digest: str = "0123456789abcdef",
    plan: bool = False,
) -> hdr.Program:
    """The program. Two rounds, two seats. With `plan` a turn is a plan up to its die."""
    limits = hdr.Limits(deferred=2, timed=2)
    timed_base = END_LISTS + 2 * hdr.DEFERRED_LINK
    state_words = timed_base + 2 * hdr.TIMED_LINK
    code, labels = game_code(plan)
    turn_params = (("p", SEAT),)
    turn = (labels["turn_proc"], labels["turn_end"])
    procs = (
        ir.Proc("game", "procedure", (), 4, True, (), labels["game"], labels["end"], FRAME_WORDS),
        ir.Proc("turn", "phase", turn_params, 4, True, (), *turn, FRAME_WORDS, ("F-1",)),
        ir.Proc(
            "pay_out", "procedure", turn_params, 2, False,
            (ir.Store(at_seat(COIN, ir.Temp(0)), COINS, plus(cell(at_seat(COIN, ir.Temp(0))), 5), "Seat.coins"),),
        ),
    )  # fmt: skip
    score = ir.Function(
        "score", turn_params, 1, COINS, plus(cell(at_seat(COIN, ir.Temp(0))), cell(at_seat(APPLES, ir.Temp(0))))
    )
    domains = {
        "Seat": ir.DomainInfo("Seat", "kind", (P1, P2), ("p1", "p2"), {"first": P1}),
        "Card": ir.DomainInfo(
            "Card", "kind", (RED, BLUE, GREEN, GOLD), ("red", "blue", "green", "gold"), {"crimson": RED}
        ),
    }
    return hdr.Program(
        id="fair", version="1.0", digest=digest, title={"en": "Fair"}, seats=(2, 2), limits=limits, domains=domains,
        thing_ids=("none", "p1", "p2", "red", "blue", "green", "gold"),
        thing_kinds=("", "Seat", "Seat", "Card", "Card", "Card", "Card"),
        tables=(), layout=layout(), state_words=state_words,
        placed=(0, 0, 0, PLACE, PLACE + 1, PLACE + 2, PLACE + 3), zones=zones(), init=((BASKET, 20),),
        deferred_base=END_LISTS, deferred_args=0, timed_base=timed_base, timed_args=0,
        functions=(score,), procs=procs, code=code, sites=(menu(), gifts(), share(), secret()),
        purses=(), invariants=(),
        options=(ir.OptionInfo("bonus", "bool", 0, BONUS),), entry=0, known_base=KNOWN,
        function_names={"score": 0}, proc_names={p.name: i for i, p in enumerate(procs)},
        clauses={"F-2": {"title": "Apples come from the basket"}}, texts=TEXTS,
        positions={p.name: p for p in positions}, rulings={r.name: r for r in rulings},
    )  # fmt: skip
