"""The questions of a random program: all shapes of `choose`, with conditions, bounds, who sees the answer, and texts.

Functions over a `tests.secrets.programs.Maker`. It is not a test itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.secrets.programs import Lines, Maker


def asked(m: Maker) -> str:
    """The seat that is asked."""
    return m.acting if m.acting and m.r.random() < 0.5 else m.e.seat()


def by(m: Maker, who: str) -> str:
    by = "" if who == m.acting and m.acts and m.r.random() < 0.5 else f" by {who}"
    seen = m.r.random()
    return by + (f" seen by {who}" if seen < 0.25 else f" seen by {m.e.seat()}" if seen < 0.35 else "")


def or_not(m: Maker) -> str:
    return m.r.choice((" if any", " if any", " if any", " or decline", " or decline", ""))


def telling(m: Maker, name: str, extra: tuple[str, ...] = ()) -> None:
    """Perhaps texts for a question with this first name."""
    if m.r.random() < 0.5:
        return
    made = (m.e.number(), m.e.truth(depth=0), m.e.cards(depth=0))
    if m.r.random() < 0.2:
        made = (*made, f"openly(heard_number({made[0]}))")
    values = [*extra, *(value for value in made if "{" not in value)]
    inside = {k: f"{k} {{{m.r.choice(values)}}}" for k in ("ask", "pick", "done") if values and m.r.random() < 0.7}
    if "openly" in (inside.get("ask", "") + inside.get("pick", "")):
        inside = {"done": "done {openly(heard_number(tally))}"}
    m.texts.setdefault(f"{m.routine}.{name}", inside)


def choose_card(m: Maker, depth: int) -> Lines:
    e, who = m.e, asked(m)
    name = e.fresh("c")
    where = f" where {e.about(name, who)}" if m.r.random() < 0.4 else ""
    keys = f" with {e.key()} rank({name})" if m.r.random() < 0.1 else ""
    line = f"choose {name} in {e.cards(who)}{where}{keys}{by(m, who)}{or_not(m)}"
    telling(m, name, (name,))
    e.names.append((name, "card"))
    return [line, *([f"move {name} to {m.place()} as played"] if m.r.random() < 0.6 else [])]


def choose_seat(m: Maker, depth: int) -> Lines:
    e, who = m.e, asked(m)
    name = e.fresh("q")
    line = f"choose {name} in {e.seats()} where {name} is not {who}{by(m, who)}{or_not(m)}"
    telling(m, name)
    e.names.append((name, "seat"))
    return [line]


def choose_number(m: Maker, depth: int) -> Lines:
    e, who = m.e, asked(m)
    name = e.fresh("n")
    low = m.r.choice(("0", "0", f"min(1, {e.number(who, 0)})"))
    line = f"choose number {name} in {low}..min(3, {e.number(who)}) + 1{by(m, who)}"
    telling(m, name)
    e.names.append((name, "number"))
    return [line]


def choose_some(m: Maker, depth: int) -> Lines:
    e, who = m.e, asked(m)
    name, c = e.fresh("s"), e.fresh("c")
    bound = m.r.choice(("exactly 1", "at most 2", f"at most {e.number(who, 0)}", "at least 1"))
    such = ""
    if m.r.random() < 0.3:
        such = f" such that sum({c} in {name}: rank({c})) <= {e.number(who, 0)} + 3"
    line = f"choose some {name} in {e.cards(who)} {bound}{such}{by(m, who)}{or_not(m)}"
    telling(m, name)
    e.names.append((name, "cards"))
    follow = [f"for every {c} in {name}: move {c} to {m.place()}"] if m.r.random() < 0.6 else []
    return [line, *follow]


def choose_amounts(m: Maker, depth: int) -> Lines:
    e, who = m.e, asked(m)
    name, h = e.fresh("k"), e.fresh("h")
    held = f"0..{who}.pouch[{h}]"
    each = m.r.choice((held, held, f"0..min(2, {e.number(who, 0)})", "0..1"))
    line = f"choose amounts {name} for {h} in Hue each {each} total {name} at most 2{by(m, who)}"
    telling(m, name)
    follow = (
        f"move {name}[{h}] bead[{h}] from {who}.pouch to bag" if each == held else f"gain {name}[{h}] coin by {who}"
    )
    return [line, f"for every {h} in Hue: {follow}"]


def choose_case(m: Maker, depth: int) -> Lines:
    e, who = m.e, asked(m)
    c = e.fresh("c")
    known = list(e.names)
    e.names.append((c, "card"))
    first = m.move(0)
    where = f" where {e.about(c, who)}" if m.r.random() < 0.5 else ""
    e.names = known
    guard = f" where {e.truth(who)}" if m.r.random() < 0.5 else ""
    telling(m, "one")
    lines = [
        f"choose one{by(m, who)}",
        f"    case put({c}: {e.cards(who)}){where}",
        *[f"        {x}" for x in first],
    ]
    lines += [f"    case wait{guard}", *[f"    {x}" for x in m.inner(1, 1)], "    case pass_: gain 1 coin by p1"]
    return lines
