"""Chance in a function that plays a whole game: the generator is a Python variable, each draw stands in the text."""

from __future__ import annotations

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType, bounds
from interpreter.backends.python.emit.moving.moves import mix
from interpreter.backends.python.playout.game import BAIL, Drawn, GameFn, Unplayable
from interpreter.backends.python.playout.pool_index import indexed_counts, kind_list
from interpreter.backends.python.playout.variables import zones_in
from interpreter.backends.python.regions.chance import can_be_hidden, members_text
from interpreter.backends.python.runtime.moves import LIST, zone_shape
from interpreter.core.rng import INCREMENT, MASK_64, MULTIPLIER
from interpreter.core.words import SCALARS, members

WHOLE = 1 << 32


def save_generator(fn: GameFn) -> None:
    fn.line(f"S[{hdr.RNG}] = g & 0x3FFFFF; S[{hdr.RNG + 1}] = g >> 22 & 0x3FFFFF; S[{hdr.RNG + 2}] = g >> 44")


def write_draw(fn: GameFn, i: ir.Chance) -> None:
    """A draw that surely happens; where there is nothing it fails."""
    if i.op == "shuffle":
        write_shuffle(fn, i)
        return
    write_source(fn, i)
    draw_one(fn, i)


def write_source(fn: GameFn, i: ir.Chance) -> str:
    """Put what is drawn from into `d`; gives the condition that there is something to draw."""
    if i.weights is not None:
        raise Unplayable
    fn.drawn = drawn = Drawn()
    if i.op == "member" and isinstance(i.type, MemberType):
        drawn.most = i.type.high - i.type.low + 1
    if i.op == "number" and i.b is not None:
        fn.line(f"d = range({fn(i.a)}, {fn(i.b)} + 1)")
    elif i.op == "member":
        if isinstance(i.a, ir.Const):
            found = members(i.a.value)
            drawn.size, drawn.lowest = len(found), found[0] if found else 0
            if found != tuple(range(drawn.lowest, drawn.lowest + drawn.size)) or can_be_hidden(fn.ctx.program, i.type):
                drawn.lowest = -1
                fn.line(f"d = {fn.ctx.literal(found)}")
        else:
            fn.line(f"d = {members_text(fn, i.a)}")
    elif (counts := indexed_counts(fn, i)) is not None:
        kind_list(fn, counts)
        fn.line(f"n = {counts.total}")
        return "n"
    else:
        text = fn(i.a)
        fn.line(f"d = {text[len('tuple(') : -1] if text.startswith('tuple(S[') else text}")
        fn.line("n = sum(d)")
        return "n"
    return "d" if drawn.size == 0 or drawn.lowest < 0 else "True"


def draw_one(fn: GameFn, i: ir.Chance) -> None:
    drawn = fn.drawn
    if i.op == "member" and can_be_hidden(fn.ctx.program, i.type):
        mix(fn, i.a)
    v = fn.fresh("f")
    if i.op == "piece":
        low = bounds(i.type)[0] if i.type is not None else 0
        fn.line(f"x = {draw_below(fn, 'n')}")
        counts = indexed_counts(fn, i)
        if counts is not None:  # the usual case of one piece of each kind
            fn.line(f"if len({counts.name}) == n: {v} = {counts.name}[x]")
            fn.line("else:")
            fn.line.depth += 1
        fn.line(f"for {v}, k in enumerate({'d' if counts is None else counts.words}, {low}):")
        fn.line(" x -= k")
        fn.line(" if x < 0: break")
        if counts is not None:
            fn.line.depth -= 1
            fn.present |= {(v, counts.const)}
    elif drawn.size:
        text = draw_below(fn, drawn.size)
        fn.line(f"{v} = d[{text}]" if drawn.lowest < 0 else f"{v} = ({text}) + {drawn.lowest}")
    else:
        fn.line("n = len(d)")
        fn.line(f"{v} = d[{draw_below(fn, 'n')}]")
    if i.type is not None and type(i.type) in SCALARS:
        fn.storage.set_variable(i.slot, i.type, v)
    elif i.type is not None:
        fn.line(BAIL)
    fn.zones[fn.variable(i.slot)] = zones_in(i.a)


def draw_below(fn: GameFn, n: str | int) -> str:
    """The text of a number below n, which is drawn in the lines before."""
    if n == 1:
        fn.line(f"g = g * {MULTIPLIER} + {INCREMENT} & {MASK_64}")
        return "0"
    fn.line("x = g >> 27")
    fn.line("x = ((x >> 18 ^ x) & 0xFFFFFFFF) * 0x100000001 >> (g >> 59) & 0xFFFFFFFF")
    fn.line(f"g = g * {MULTIPLIER} + {INCREMENT} & {MASK_64}")
    if isinstance(n, str):
        least = str(WHOLE - 1 - fn.drawn.most) if fn.drawn.most else f"{WHOLE - 1} - {n}"
        fn.line(f"if x > {least}: g, x = accepted(g, x, {n})")
        return f"x % {n} if {n} & {n} - 1 else x * {n} >> 32"
    if not WHOLE % n:
        return f"x >> {32 - n.bit_length() + 1}"
    fn.line(f"if x >= {WHOLE - WHOLE % n}: g, x = accepted(g, x, {n})")
    return f"x % {n}"


def write_shuffle(fn: GameFn, i: ir.Chance) -> None:
    zone = i.a.value if isinstance(i.a, ir.Const) else 0
    program = fn.ctx.program
    kind, base, _, _ = zone_shape(program, zone)
    audience = program.zones[zone].audience
    plain = audience in ("all", "nobody") and not program.zones[zone].top
    if not zone or kind != LIST or (program.known_base and not plain):
        save_generator(fn)
        fn.line(f"if not shuffle(S, {fn(i.a)}): raise unplayed")
        fn.line(f"g = S[{hdr.RNG}] | S[{hdr.RNG + 1}] << 22 | S[{hdr.RNG + 2}] << 44")
        return
    fn.line(f"d = S[{base + 1}:{base + 1} + S[{base}]]")
    fn.line("g = shuffled(g, d)")
    fn.line(f"S[{base + 1}:{base + 1} + len(d)] = d")
    if program.known_base:
        seers = f"(2 << S[{hdr.SEATS}]) - 2" if audience == "all" else "0"
        fn.line("if len(d) > 1:")
        fn.line(f" for k in d: S[k + {program.known_base}] = {seers}")
