"""The seed of a game as the state of its generator: what `interpreter.core.rng.seed` does, for numbers of 0 and more.

The decimal digits of the number are one block of BLAKE2b (RFC 7693), whose first 64 bits are taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ZERO, add, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, signed
from interpreter.backends.low.generators.store import put_state, stepped
from interpreter.core.rng import INCREMENT

SEED_GAME = "seed_game"  # function: the state of the store's generator for the seed of a game, of at most 24 digits

ROUNDS = 12
FIRST = (
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
)  # fmt: skip
HEAD = FIRST[0] ^ 0x01010000 ^ 8  # for a digest of 8 bytes without a key
ORDERS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)  # of the words of the block, in each round
WORDS = 16  # long numbers of the block
TEXT = 3  # of them, in which the digits stand
MIXED = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip
TURNS = (32, 24, 16, 63)


def write(lo: Lowering) -> None:
    block = lo.memory.room(2 * WORDS)
    places = [2 * n for round_ in range(ROUNDS) for n in ORDERS[round_ % len(ORDERS)]]
    table = lo.memory.words([block + at for at in places])
    with lo.function(SEED_GAME, ("seed",)) as w:
        _write_digits(lo, block)
        for n in range(8):
            w.set(f"v{n}", Num(signed(HEAD if n == 0 else FIRST[n])))
            w.set(f"v{n + 8}", Num(signed(FIRST[n])))
        w.set("v12", Op("^", Local("v12"), Local("length")))
        w.set("v14", Num(signed(~FIRST[6])))

        def one(n: Expr) -> None:
            row = w.let(add(scale(n, WORDS), table))
            for k, parts in enumerate(MIXED):
                words = [low.LoadLong(low.Load(row, 2 * k + half)) for half in range(2)]
                _mix(lo, [f"v{part}" for part in parts], words)

        w.upto(ZERO, Num(ROUNDS), one)
        digest = Op("^", Num(signed(HEAD)), Op("^", Local("v0"), Local("v8")))
        put_state(lo, w.let(stepped(Op("+", digest, Num(signed(INCREMENT))))))
        w.give(ZERO)


def _write_digits(lo: Lowering, block: int) -> None:
    """Write the digits into the block, the first one lowest, and their number into `length`."""
    w = lo.w
    names = [f"text{n}" for n in range(TEXT)]
    for name in ("length", *names):
        w.set(name, ZERO)

    def digit(label: str) -> None:
        for n in range(TEXT - 1, 0, -1):
            w.set(names[n], Op("|", Op("<<", Local(names[n]), Num(8)), Op(">>u", Local(names[n - 1]), Num(56))))
        rest = w.let(Op("/u", Local("seed"), Num(10)))
        last = Op("-", Local("seed"), scale(rest, 10))
        w.set(names[0], Op("|", Op("<<", Local(names[0]), Num(8)), add(last, ord("0"))))
        w.set("seed", rest)
        w.set("length", add(Local("length"), 1))
        w.leave_if(low.Not(Local("seed")), label)

    w.loop(digit)
    for n, name in enumerate(names):
        w.emit(low.StoreLong(Num(block), 2 * n, Local(name)))


def _mix(lo: Lowering, names: list[str], words: Sequence[Expr]) -> None:
    """The function G of BLAKE2b on four of its numbers and two words of the block."""
    w = lo.w
    a, b, c, d = names
    for half, word in enumerate(words):
        w.set(a, Op("+", Op("+", Local(a), Local(b)), word))
        w.set(d, _turned(lo, Op("^", Local(d), Local(a)), TURNS[2 * half]))
        w.set(c, Op("+", Local(c), Local(d)))
        w.set(b, _turned(lo, Op("^", Local(b), Local(c)), TURNS[2 * half + 1]))


def _turned(lo: Lowering, value: Expr, by: int) -> Expr:
    value = lo.w.let(value)
    return Op("|", Op(">>u", value, Num(by)), Op("<<", value, Num(64 - by)))
