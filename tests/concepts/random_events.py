"""Random texts of cards that wait for events: any number of them in play, replacements of replacements, changes that
are one, cards that leave in the middle.

`random_events` gives rules that both machines must play alike; some end with a fault of the rules. Nothing here knows
what a text does.
"""

from __future__ import annotations

from random import Random

HEAD = """\
enum Cause: dies, sold
enum Sort: bone, skin
piece life
piece scrap by Sort
kind Card
kind Seat
    zone table: Card ordered
    zone lives: life
zone grave: Card ordered
zone exile: Card
zone heap: scrap
zone ruin: scrap
field trail: 0..999983
procedure note(n: int)
    set trail to (trail * 7 + n) mod 999983
value owner(c: Card): Seat or none = only(p in seats where c in p.table)
value in_play(c: Card): bool = owner(c) is not none
value active(): Seat = p1 if trail mod 2 is 0 else p2
procedure ring(p: Seat, n: int)
    do note(n mod 10)
procedure fall(c: Card): move c to grave as dies
"""
EVENTS = {
    "gain": ("gain(p, n, what: life)", "n > {k}", "p is {who}"),
    "lose": ("lose(p, n, what: life)", "n > {k}", "p is {who}"),
    "thing": ("move(c: Card, a, b)", "c is not this", "cause is dies", "b is grave", "in_play(c)"),
    "scrap": ("move(x: scrap, a, b)", "amount > {k}", "x is bone", "b is ruin"),
    "ring": ("ring(p, n)", "n < {k}", "p is {who}"),
}
SENTENCES = {
    "gain": "gain {k} life by {who}",
    "lose": "lose {k} life by {who}",
    "thing": "do fall({card})",
    "scrap": "lose {k} scrap[bone] from heap to ruin",
    "ring": "do ring({who}, {k})",
}
PLACES = ("grave as dies", "exile", "p1.table", "p2.table", "grave as sold")
WORDS = ("before", "instead of", "after", "after")
STATES = ("", "while in_play", "while owner is not none", "while this in p1.table", "while trail mod 3 > 0")
ORDERERS = ("owner", "owner", "active", "owner if trail mod 3 is 0 else active")
CARDS = 4


class Text:
    def __init__(self, seed: int, ordered: bool = False) -> None:
        self.r = Random(seed)
        self.ordered = ordered
        self.events, self.word = list(EVENTS), ""
        if ordered:  # several wait for one event
            self.events, self.word = self.r.sample(self.events, 2), self.r.choice(WORDS)
        self.cards = [f"card_{n}" for n in range(1, CARDS + 1)]
        if ordered:
            self.cards += [f"card_{n}_2" for n in range(1, CARDS + 1) if self.r.random() < 0.3]

    def card(self) -> str:
        return self.r.choice(self.cards) if self.ordered else f"card_{self.r.randint(1, CARDS)}"

    def who(self, line: bool) -> str:
        return self.r.choice(("p1", "p2", "p", "next(p)") if line else ("p1", "p2"))

    def sentence(self, who: str) -> str:
        """A change, or a call."""
        r, k = self.r, self.r.randint(1, 3)
        return r.choice(
            (
                f"gain {k} life by {who}",
                f"lose {k} life by {who}",
                f"move {self.card()} to {r.choice(PLACES)}",
                f"move set(d in Card where in_play(d)) to {r.choice(('grave as dies', 'exile'))}",
                f"move {who}.table to grave as dies",
                f"lose {k} scrap[{r.choice(('bone', 'skin'))}] from heap to ruin",
                "lose all scrap from heap to ruin",
                f"do ring({who}, {k})",
                f"do fall({self.card()})",
                f"do note({k})",
            )
        )

    def event(self, who: str) -> str:
        """A change of the phase; where somebody orders cards, often what they wait for."""
        if self.ordered and self.r.random() < 0.6:
            return SENTENCES[self.events[0]].format(k=self.r.randint(1, 3), who=who, card=self.card())
        return self.sentence(who)

    def line(self, of_card: bool) -> list[str]:
        """A trigger with its `while`, if it has one."""
        r = self.r
        event, word = r.choice(self.events), r.choice(WORDS)
        if self.ordered and r.random() < 0.7:
            event, word = self.events[0], self.word
        pattern, *tests = EVENTS[event]
        named = event in ("gain", "lose", "ring")
        owned = of_card and r.random() < 0.5
        often = 0.15 if self.ordered else 0.4
        chosen = [t.format(k=r.randint(0, 3), who="owner" if of_card else "p2") for t in tests if r.random() < often]
        chosen = [t for t in chosen if of_card or "this" not in t] + (["owner is not none"] if owned else [])
        where = f" where {' and '.join(chosen)}" if chosen else ""
        once = " once per game" if r.random() < 0.15 else ""
        state = r.choice(STATES) if of_card else ""
        block = [f"do note({r.randint(1, 9)})"]
        for _ in range(r.randint(0, 2)):
            who = "owner" if owned and r.random() < 0.6 else self.who(named)
            block.append(f"gain {'2 * n' if named else 1} life by {who}" if r.random() < 0.3 else self.sentence(who))
        body = [f"{word} {pattern}{where}{once}", *(f"    {b}" for b in block)]
        return [state, *(f"    {b}" for b in body)] if state else body

    def rules(self) -> str:
        r, out = self.r, [HEAD]
        if self.ordered:
            out.append(f"triggers ordered by {r.choice(ORDERERS)}")
        out.append("rule own")
        for _ in range(r.randint(1, 2)):
            out += [f"    {row}" for row in self.line(False)]
        for n in range(1, CARDS + 1):
            out.append(f'card card_{n} "Card {n}": Card')
            out += ["    copies: 2"] if f"card_{n}_2" in self.cards else []
            for _ in range(r.randint(1, 3) if self.ordered else r.randint(0, 2)):
                out += [f"    {row}" for row in self.line(True)]
        out += ["phase game", "    gain 3 scrap[bone] to heap by p1", "    gain 2 scrap[skin] to heap by p1"]
        out += [f"    move {card} to {r.choice(('p1', 'p2'))}.table" for card in self.cards if r.random() < 0.8]
        for _ in range(r.randint(4, 8) if self.ordered else r.randint(2, 5)):
            if r.random() < 0.4:
                out += ["    together", *(f"        {self.event(self.who(False))}" for _ in range(r.randint(2, 3)))]
            else:
                out.append(f"    {self.event(self.who(False))}")
            out.append("    do note(0)")
        return "\n".join(out) + "\n"


def random_events(seed: int, ordered: bool = False) -> str:
    """`ordered`: a seat is asked for the order of cards at one event."""
    return Text(seed, ordered).rules()
