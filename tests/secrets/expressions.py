"""Random expressions over the state that `tests.secrets.head` declares, hidden and open alike.

An `Expressions` knows the names in scope with their types; `who` is the seat that is asked, or nothing: what it sees is
then preferred, so that a fair share of the programs is accepted. It is not a test itself.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

SEATS = ("p1", "p2")
FAIR = 0.7  # how often a choice reads only what the one who is asked sees


class Expressions:
    def __init__(self, r: Random) -> None:
        self.r = r
        self.names: list[tuple[str, str]] = []  # in scope, with `seat`, `card`, `cards`, `number`, `truth`, `seats`
        self.count = 0

    # ------------------------------------------------------------ names

    def fresh(self, letter: str) -> str:
        """A name that nothing else has."""
        self.count += 1
        return f"{letter}{self.count}"

    def of(self, type_: str) -> list[str]:
        return [name for name, t in self.names if t == type_]

    def pick(self, *makers: Callable[[], str]) -> str:
        return self.r.choice(makers)()

    # ------------------------------------------------------------ values

    def seat(self) -> str:
        local = self.of("seat")
        if local and self.r.random() < 0.6:
            return self.r.choice(local)
        return self.r.choice((*SEATS, *SEATS, "boss", "asker"))

    def seats(self, depth: int = 1) -> str:
        """A set of seats."""
        local = self.of("seats")
        if local and self.r.random() < 0.4:
            return self.r.choice(local)
        q = self.fresh("q")
        return self.pick(
            lambda: "seats",
            lambda: f"tied({q} in seats with highest {self.number_of(q)})",
            lambda: f"set({q} in seats where {self.number_of(q)} > {self.r.randint(0, 2)})",
            lambda: f"seats - {{{self.seat()}}}",
        )

    def zone(self, who: str = "") -> str:
        """A zone of cards; with `who` most often one that this seat sees."""
        if who and self.r.random() < FAIR:
            other = "p1" if who == "p2" else "p2"
            return self.r.choice((f"{who}.hand", f"{who}.hand", f"{who}.table_", f"{other}.brow", "pile", "marks"))
        s = self.seat()
        return self.r.choice((f"{s}.hand", f"{s}.hand", f"{s}.brow", f"{s}.table_", "box", "vault", "pile", "marks"))

    def cards(self, who: str = "", depth: int = 1) -> str:
        """A set of cards."""
        local = self.of("cards")
        if local and self.r.random() < 0.45:
            return self.r.choice(local)
        if depth <= 0 or self.r.random() < 0.5:
            return self.zone(who)
        c = self.fresh("c")
        return self.pick(
            lambda: f"tied({c} in {self.zone(who)} with {self.key()} rank({c}))",
            lambda: f"set({c} in {self.zone(who)} where {self.about(c, who)})",
            lambda: f"set({c} in Card where {self.about(c, who)})",
            lambda: f"{self.zone(who)} - {self.zone(who)}",
            lambda: f"best({self.seat()})",
        )

    def key(self) -> str:
        return self.r.choice(("highest", "lowest"))

    def about(self, c: str, who: str = "") -> str:
        """A condition on a card."""
        return self.pick(
            lambda: f"rank({c}) > {self.r.randint(1, 2)}",
            lambda: f"{c} in {self.zone(who)}",
            lambda: f"rank({c}) <= {self.number(who, 0)}",
            lambda: f"low({c})",
            lambda: f"fits({who or self.seat()}, {c})",
        )

    def number_of(self, q: str) -> str:
        """A number that belongs to a seat."""
        return self.r.choice((f"{q}.secret", f"{q}.back", f"{q}.open_", f"size({q}.hand)", f"worth({q})", f"{q}.safe"))

    def number(self, who: str = "", depth: int = 1) -> str:
        local = self.of("number")
        if local and self.r.random() < 0.4:
            return self.r.choice(local)
        if who and self.r.random() < FAIR:
            other = "p1" if who == "p2" else "p2"
            own = (f"{who}.secret", f"{who}.open_", f"size({other}.hand)", f"{other}.back", f"{who}.safe", "tally")
            return self.r.choice((*own, str(self.r.randint(0, 3))))
        s, c, q = self.seat(), self.fresh("c"), self.fresh("q")
        atoms = (
            lambda: self.number_of(s),
            lambda: f"{s}.secret",
            lambda: "hush",
            lambda: "tally",
            lambda: f"size({self.zone()})",
            lambda: str(self.r.randint(0, 3)),
        )
        if depth <= 0:
            return self.pick(*atoms)
        return self.pick(
            *atoms,
            lambda: f"count({c} in {self.cards(who, 0)} where {self.about(c, who)})",
            lambda: f"sum({c} in {self.cards(who, 0)}: rank({c}))",
            lambda: f"max({q} in seats: {self.number_of(q)})",
            lambda: f"min({self.number(who, 0)}, {self.number(who, 0)})",
            lambda: f"({self.number(who, 0)} if {self.truth(who, 0)} else {self.number(who, 0)})",
        )

    def truth(self, who: str = "", depth: int = 1) -> str:
        local = self.of("truth")
        if local and self.r.random() < 0.4:
            return self.r.choice(local)
        card = self.of("card")
        c, q = self.fresh("c"), self.fresh("q")
        atoms = [
            lambda: f"{self.number(who, 0)} {self.r.choice(('>', '>=', '<'))} {self.r.randint(0, 2)}",
            lambda: "flag",
            lambda: f"no {self.zone(who)}",
            lambda: f"{self.seat()} is boss",
            lambda: f"possible(spend({who or self.seat()}, {self.r.randint(1, 3)}))",
            lambda: f"possible(lay({who or self.seat()}, card_{self.r.randint(1, 8)}))",
        ]
        if card:
            atoms.append(lambda: self.about(self.r.choice(card), who))
        if depth <= 0:
            return self.pick(*atoms)
        return self.pick(
            *atoms,
            lambda: f"any({c} in {self.cards(who, 0)} where {self.about(c, who)})",
            lambda: f"every({q} in seats: {self.number_of(q)} < 3)",
            lambda: f"not {self.truth(who, 0)}",
            lambda: f"{self.truth(who, 0)} and {self.truth(who, 0)}",
        )
