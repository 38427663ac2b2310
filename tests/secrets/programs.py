"""Random small programs with secrets, made from a seed: every way to ask, to draw, to show, to store and to call.

`program(seed)` gives a `Text` of rules, with texts for players whose placeholders read the state. What is made is not
always legal: `tests.secrets.accepted` takes out what the checker refuses. It is not a test itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random

from tests.secrets import questions
from tests.secrets.expressions import SEATS, Expressions
from tests.secrets.head import DEAL, DECLARED

Lines = list[str]


@dataclass(frozen=True)
class Text:
    """Rules, and texts for players: the routine and the first name of a question -> its texts."""

    rules: str
    texts: dict[str, dict[str, str]] = field(default_factory=dict)

    def locale(self) -> str:
        rows = [
            f"{at}: {{{', '.join(f'{k}: {chr(34)}{v}{chr(34)}' for k, v in t.items())}}}"
            for at, t in self.texts.items()
        ]
        return "\n".join(rows) + "\n"


def program(seed: int) -> Text:
    maker = Maker(Random(f"secrets {seed}"))
    return maker.text()


class Maker:
    def __init__(self, r: Random) -> None:
        self.r = r
        self.e = Expressions(r)
        self.texts: dict[str, dict[str, str]] = {}
        self.outside: Lines = []  # declarations of routines and rules
        self.routine = "game"
        self.procedures = 0
        self.acting = ""  # the seat that acts, where a routine or a plan has one
        self.acts = False  # whether a question without `by` asks it
        self.simple = False  # inside a block where nobody is asked

    # ------------------------------------------------------------ the whole

    def text(self) -> Text:
        body = self.block(self.r.randint(3, 7), 2)
        deal = DEAL + "".join(f"    {line}\n" for line in self.more_deal())
        if self.r.random() < 0.35:
            self.rule()
        rules = DECLARED + "".join(f"{line}\n" for line in self.outside) + "phase game\n" + deal
        return Text(rules + "".join(f"    {line}\n" for line in body), self.texts)

    def more_deal(self) -> Lines:
        found = []
        if self.r.random() < 0.5:
            found += ["random number h in 0..3 seen by nobody", "set hush to h"]
        if self.r.random() < 0.5:
            found += ["random c in box", "move c to vault as dealt"]
        if self.r.random() < 0.5:
            found += ["for every c in box: move c to deck", "shuffle deck"]
        if self.r.random() < 0.5:
            found += ["for every p in seats", "    random number b in 0..3 seen by seats - {p}", "    set p.back to b"]
        if self.r.random() < 0.3:
            found += ["set boss to p2", "set asker to p2"]
        if self.r.random() < 0.3:
            found += ["set guard to p2"]
        return found

    def block(self, size: int, depth: int) -> Lines:
        """So many sentences; names that they make end with the block."""
        known = list(self.e.names)
        found: Lines = []
        for _ in range(size):
            found += self.step(depth) if depth > 0 and self.r.random() < 0.5 else self.sentence(depth)
        self.e.names = known
        return found

    def step(self, depth: int) -> Lines:
        """Some sentences in a step of their own, which alone is left where there is nothing to choose."""
        name, routine = self.e.fresh("step_"), self.routine
        self.routine = f"{routine}.{name}"
        body = self.inner(depth, self.r.randint(1, 2))
        self.routine = routine
        return [f"step {name}", *body]

    def inner(self, depth: int, size: int = 0) -> Lines:
        return [f"    {line}" for line in self.block(size or self.r.randint(1, 2), depth - 1)]

    def sentence(self, depth: int) -> Lines:
        makers: list[tuple[int, Callable[[int], Lines]]] = [
            (5, self.let), (4, self.store), (4, self.move), (3, self.gain), (3, self.show), (2, self.turn_boss),
            (3, self.draw), (2, self.roll), (1, self.shuffle),
        ]  # fmt: skip
        if not self.simple:
            asking = (7, questions.choose_card), (3, questions.choose_number), (3, questions.choose_some)
            more = (2, questions.choose_amounts), (3, questions.choose_case), (2, questions.choose_seat)
            makers += [(weight, partial(make, self)) for weight, make in (*asking, *more)]
        if self.acts and not self.simple:
            makers += [(3, self.demand)]
        if depth > 0:
            makers += [(5, self.condition), (4, self.loop)]
            if not self.simple:
                makers += [(3, self.call), (2, self.plan), (2, self.offer), (2, self.at_once), (1, self.open_to)]
                makers += [(2, self.result)]
        weights, functions = zip(*makers, strict=True)
        return self.r.choices(functions, weights)[0](depth)

    # ------------------------------------------------------------ names, cells, pieces

    def let(self, depth: int) -> Lines:
        type_, make = self.r.choice(
            [("cards", self.e.cards), ("cards", self.e.cards), ("number", self.e.number), ("truth", self.e.truth),
             ("seats", self.e.seats), ("seat", self.e.seat)]
        )  # fmt: skip
        value, name = (
            make(),
            self.e.fresh({"cards": "s", "number": "n", "truth": "t", "seats": "w", "seat": "v"}[type_]),
        )
        self.e.names.append((name, type_))
        return [f"let {name} = {value}"]

    def store(self, depth: int) -> Lines:
        e, s = self.e, self.e.seat()
        return [
            self.r.choice(
                [
                    lambda: f"set {s}.secret to {e.number(s)}", lambda: f"set {s}.back to {e.number()}",
                    lambda: f"set {s}.open_ to {e.number()}", lambda: f"set hush to {e.number()}",
                    lambda: f"set tally to {e.number()}", lambda: f"set flag to {e.truth()}",
                    lambda: f"set marks to {e.cards()}",
                ]
            )()
        ]  # fmt: skip

    def turn_boss(self, depth: int) -> Lines:
        q, where = self.e.fresh("q"), self.r.choice(("boss", "asker", "guard"))
        if self.r.random() < 0.5:
            return [f"set {where} to {self.e.seat()}"]
        return [f"set {where} to first({q} in {self.e.seats()} with {self.e.key()} {self.e.number_of(q)})"]

    def place(self) -> str:
        s = self.e.seat()
        return self.r.choice(
            (f"{s}.hand", f"{s}.brow", f"{s}.table_", "pile", "pile", "box", "vault", "deck", "deck at bottom")
        )

    def move(self, depth: int) -> Lines:
        local = self.e.of("card")
        if local and self.r.random() < 0.7:
            return [f"move {self.r.choice(local)} to {self.place()} as played"]
        c = self.e.fresh("c")
        if self.r.random() < 0.3:
            return [f"if size(deck) > 0: move front(deck) to {self.place()}"]
        return [f"for every {c} in {self.e.cards()}: move {c} to {self.place()} as played"]

    def gain(self, depth: int) -> Lines:
        s = self.e.seat()
        what = self.r.choice(("coin", "coin", "gem", "bead[pale]", "bead[dark]"))
        if what.startswith("bead"):
            return [f"move {self.e.number(s)} {what} from bag to {s}.pouch"]
        return [f"{self.r.choice(('gain', 'gain', 'lose'))} {self.e.number(s)} {what} by {s}"]

    def show(self, depth: int) -> Lines:
        local = self.e.of("card")
        what = self.r.choice(local) if local and self.r.random() < 0.5 else self.e.cards()
        return [f"show {what} to {self.r.choice((*SEATS, 'seats', self.e.seat()))}"]

    # ------------------------------------------------------------ chance

    def draw(self, depth: int) -> Lines:
        e = self.e
        kind = self.r.random()
        if kind < 0.2:
            name, among, type_ = e.fresh("q"), e.seats(), "seat"
        elif kind < 0.3:
            name, among, type_ = e.fresh("h"), "bag", ""
        else:
            name, among, type_ = e.fresh("c"), self.r.choice((e.zone(), e.cards(), "box")), "card"
        line = f"random {name} in {among}{self.told()} if any"
        if type_:
            e.names.append((name, type_))
        follow = [f"move {name} to {self.place()}"] if type_ == "card" and self.r.random() < 0.7 else []
        return [line, *follow]

    def roll(self, depth: int) -> Lines:
        name, high = self.e.fresh("n"), f"min(3, {self.e.number()})" if self.r.random() < 0.4 else "3"
        self.e.names.append((name, "number"))
        return [f"random number {name} in 0..{high}{self.told()}"]

    def told(self) -> str:
        return self.r.choice(("", "", f" seen by {self.e.seat()}", " seen by nobody", f" seen by {{{self.e.seat()}}}"))

    def shuffle(self, depth: int) -> Lines:
        return ["shuffle deck"]

    # ------------------------------------------------------------ control

    def condition(self, depth: int) -> Lines:
        test = self.e.truth()
        if self.r.random() < 0.25:
            test = f"openly(heard_truth({test}))"
        lines = [f"if {test}", *self.inner(depth)]
        return lines + (["else", *self.inner(depth)] if self.r.random() < 0.3 else [])

    def loop(self, depth: int) -> Lines:
        e, known = self.e, list(self.e.names)
        q, c = e.fresh("q"), e.fresh("c")
        way = self.r.random()
        if way < 0.5:
            order = self.r.choice(
                (e.seats(), f"ranked({q} in seats with {e.key()} {e.number_of(q)})",
                 f"seats where {e.number_of(q)} > {self.r.randint(0, 2)}")
            )  # fmt: skip
            head = f"for every {q} in {order}"
            e.names.append((q, "seat"))
        elif way < 0.85:
            head = f"for every {c} in {e.cards()}" + (f" where {e.about(c)}" if self.r.random() < 0.4 else "")
            e.names.append((c, "card"))
        else:
            head = f"repeat while tally < {e.number()}"
        kept = self.acting, self.acts
        if way < 0.5:
            self.acting, self.acts = q, False
        body = self.inner(depth)
        (self.acting, self.acts), e.names = kept, known
        return [head, *body, *(["    set tally to tally + 1"] if way >= 0.85 else [])]

    def at_once(self, depth: int) -> Lines:
        e, known = self.e, list(self.e.names)
        q, n = e.fresh("q"), e.fresh("n")
        e.names.append((q, "seat"))
        seen = self.r.choice(("", f" seen by {q}"))
        where = f" where {e.number_of(q)} > 0" if self.r.random() < 0.3 else ""
        if self.r.random() < 0.5:
            lines = [f"choose number {n} in 0..min(2, {e.number(q, 0)}) + 1 by {q}{seen}"]
            questions.telling(self, n)
            lines += [f"set {q}.{self.r.choice(('secret', 'open_'))} to {n}"]
        else:
            lines = [
                f"choose {n} in {e.cards(q)} by {q}{seen}{questions.or_not(self)}",
                f"move {n} to {self.place()} as played",
            ]
            questions.telling(self, n)
        e.names = known
        return [f"for every {q} in seats{where} at once", *[f"    {x}" for x in lines]]

    def open_to(self, depth: int) -> Lines:
        e, known = self.e, list(self.e.names)
        q, c = e.fresh("q"), e.fresh("c")
        e.names.append((q, "seat"))
        where = f" where {e.number_of(q)} > 0" if self.r.random() < 0.4 else ""
        line = f"choose {c} in {e.cards(q)} by {q} or decline" if self.r.random() < 0.3 else self.offered(q)
        e.names = known
        return [f"open to {q} in seats{where} at most 1 per {q}: {line}"]

    # ------------------------------------------------------------ routines

    def routine_of(self, word: str, name: str, params: list[tuple[str, str, str]], depth: int, tail: str = "") -> None:
        """Declare a routine with these parameters (name, type, kind of name)."""
        kept = self.e.names, self.routine, self.acting, self.acts
        self.e.names = [(n, kind) for n, _, kind in params]
        self.routine = name
        self.acting, self.acts = params[0][0], word == "action"
        body = self.inner(depth + 1, self.r.randint(1, 3))
        if word == "action":
            body = self.demands(params) + body
        self.outside += [f"{word} {name}({', '.join(f'{n}: {t}' for n, t, _ in params)}){tail}", *body]
        self.e.names, self.routine, self.acting, self.acts = kept

    def parameters(self, letter: str = "") -> tuple[list[tuple[str, str, str]], str]:
        """Parameters after a first seat, and arguments for them."""
        e = self.e
        type_, kind, value = self.r.choice(
            [("set of Card", "cards", e.cards), ("0..99", "number", e.number), ("bool", "truth", e.truth),
             ("Seat", "seat", e.seat)]
        )  # fmt: skip
        return [(e.fresh("v"), "Seat", "seat"), (e.fresh("a"), type_, kind)], f"{e.seat()}, {value()}"

    def call(self, depth: int) -> Lines:
        self.procedures += 1
        name = f"do_{self.procedures}"
        params, args = self.parameters()
        self.routine_of("procedure", name, params, depth - 1)
        return [f"do {name}({args})"]

    def result(self, depth: int) -> Lines:
        """A routine that gives a value, and the name of its result."""
        self.procedures += 1
        e, name = self.e, f"find_{self.procedures}"
        p, kept = e.fresh("v"), list(e.names)
        type_, kind, make = self.r.choice(
            [("Seat", "seat", e.seat), ("int", "number", e.number), ("bool", "truth", e.truth)]
        )
        e.names = [(p, "seat")]
        lines = [f"procedure {name}({p}: Seat) giving {type_}"]
        if self.r.random() < 0.4:
            lines += [f"    if {e.truth()}: give {make()}"]
        self.outside += [*lines, f"    give {make()}"]
        e.names = kept
        out, args = e.fresh({"seat": "v", "number": "n", "truth": "t"}[kind]), e.seat()
        e.names.append((out, kind))
        return [f"let {out} = do {name}({args})"]

    def demands(self, params: list[tuple[str, str, str]]) -> Lines:
        who = params[0][0]
        return [f'    require {self.e.truth(who)} because "it cannot be"'] if self.r.random() < 0.6 else []

    def demand(self, depth: int) -> Lines:
        """A demand of an action or a plan: of what its actor sees, or of anything."""
        return [f'require {self.e.truth(self.acting if self.r.random() < 0.7 else "")} because "it cannot be"']

    def plan(self, depth: int) -> Lines:
        who = self.e.seat()
        kept = self.acting, self.acts
        self.acting, self.acts = who, True
        body = self.inner(depth, self.r.randint(1, 3))
        self.acting, self.acts = kept
        return [f"plan by {who}", *([f"    require {self.e.truth(who)}"] if self.r.random() < 0.2 else []), *body]

    def offer(self, depth: int) -> Lines:
        return [self.offered(self.e.seat())]

    def offered(self, who: str) -> str:
        """The offer of a menu of its own."""
        self.procedures += 1
        e, menu = self.e, f"menu_{self.procedures}"
        for n in range(self.r.randint(1, 2)):
            p, c = e.fresh("v"), e.fresh("c")
            params = [(p, "Seat", "seat"), (c, "Card", "card")] if self.r.random() < 0.6 else [(p, "Seat", "seat")]
            kept = e.names
            e.names = [(name, kind) for name, _, kind in params]
            where = f" where {c} in {e.cards(p, 0)}" if len(params) > 1 else ""
            e.names = kept
            self.routine_of("action", f"act_{self.procedures}_{n}", params, 0, f" of {menu}{where}")
        return f"offer {menu} by {who} or decline"

    def rule(self) -> None:
        """A check, a trigger, or an action at any moment."""
        e, r = self.e, self.r
        e.names, self.routine = [], "upkeep"
        q, a, b = e.fresh("q"), e.fresh("a"), e.fresh("b")
        self.simple = True
        kind = r.random()
        if kind < 0.4:
            e.names = [(q, "seat")]
            test = r.choice((e.truth(), f"{e.number_of(q)} > 1"))
            test = f"openly(heard_truth({test}))" if r.random() < 0.3 else test
            head = f"always for every {q} in seats where {test} and tally < 3"
            body = [*self.block(1, 0), "set tally to tally + 1"]
        elif kind < 0.8:
            e.names = [(q, "card")]
            word = r.choice(("after", "before"))
            head = f"{word} move({q}: Card, {a}, {b}) where {e.truth()}"
            body = [
                r.choice((f"gain 1 coin by {e.seat()}", f"set {e.seat()}.secret to {e.number()}", "set flag to true"))
            ]
        else:
            e.names = [(q, "seat")]
            self.outside += [
                f"action shout({q}: Seat) at any moment where {e.truth(q)} once per game",
                "    gain 1 coin by p1",
            ]
            self.simple = False
            return
        self.simple = False
        self.outside += ["rule upkeep", f"    {head}", *[f"        {line}" for line in body]]
