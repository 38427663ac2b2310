"""Lamplight by hand: a deck-builder with thirteen sorts of cards, for two to four players.

Cards are known by their sorts. A move is the sort of a card, or None for no more; what is taken out of the game by a
tinker is asked card by card, in the order of the sorts. Who has nothing to play or to show is asked, too: nobody
else can tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

PRICE = {
    "candle": 0, "lantern": 3, "chandelier": 6, "firefly": 2, "beacon": 5, "bonfire": 8, "errand": 4, "fair": 3,
    "stall": 4, "oil": 3, "tinker": 4, "moths": 4, "shutter": 2,
}  # fmt: skip
COPIES = {"candle": 32, "lantern": 12, "chandelier": 10, "firefly": 16}  # of all others there are eight
COINS = {"candle": 1, "lantern": 2, "chandelier": 3}
GLOW = {"firefly": 1, "beacon": 3, "bonfire": 6}
ORDER = list(PRICE)
ACTING = frozenset({"errand", "fair", "stall", "oil", "tinker", "moths", "shutter"})
HAND, LEFT_BY_MOTHS, TAKEN_BY_TINKER, GONE = 5, 3, 2, 3
PLAY, BUY, WARD, DISCARD, REMOVE = range(5)  # what is asked

Shuffle = Callable[[list[str]], list[str]]
Move = str | None


class Lamplight:
    """`asked` of `player`; `shuffle` gives cards in the order in which they will be drawn."""

    def __init__(self, shuffle: Shuffle, seats: int = 2) -> None:
        self.shuffle, self.seats = shuffle, seats
        self.market = Counter({sort: COPIES.get(sort, 8) for sort in PRICE})
        self.market["candle"] -= 6 * seats
        self.market["firefly"] -= 2 * seats
        self.decks: list[list[str]] = [[] for _ in range(seats)]
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.discards = [["candle"] * 6 + ["firefly"] * 2 for _ in range(seats)]
        self.staying: list[list[str]] = [[] for _ in range(seats)]
        self.turns = [0] * seats
        self.ended, self.moves = False, 0
        for seat in range(seats):
            self.draw(seat, HAND)
        self.begin_turn(0)

    def draw(self, seat: int, count: int) -> None:
        for _ in range(count):
            if not self.decks[seat]:
                self.decks[seat] = self.shuffle(self.discards[seat])[::-1]
                self.discards[seat] = []
            if self.decks[seat]:
                self.hands[seat].append(self.decks[seat].pop())

    def begin_turn(self, seat: int) -> None:
        self.owner, self.table = seat, list[str]()
        self.turns[seat] += 1
        self.plays, self.purchases, self.coins = 1, 1, 0
        for _ in self.staying[seat]:
            self.draw(seat, 1)
            self.coins += 1
        self.go_on_playing()

    def ask(self, seat: int, question: int) -> None:
        self.player, self.asked = seat, question

    def go_on_playing(self) -> None:
        if self.plays:
            return self.ask(self.owner, PLAY)
        self.lay_down()

    def lay_down(self) -> None:
        hand = self.hands[self.owner]
        self.coins += sum(COINS.get(card, 0) for card in hand)
        self.table += [card for card in hand if card in COINS]
        self.hands[self.owner] = [card for card in hand if card not in COINS]
        self.go_on_buying()

    def go_on_buying(self) -> None:
        if self.purchases and any(self.market[sort] and PRICE[sort] <= self.coins for sort in PRICE):
            return self.ask(self.owner, BUY)
        self.end_turn()

    def end_turn(self) -> None:
        seat = self.owner
        self.discards[seat] += self.staying[seat]
        self.staying[seat] = [card for card in self.table if card == "oil"]
        self.discards[seat] += [card for card in self.table if card != "oil"] + self.hands[seat]
        self.hands[seat] = []
        self.draw(seat, HAND)
        if not self.market["bonfire"] or sum(not self.market[sort] for sort in PRICE) >= GONE:
            self.ended = True
        else:
            self.begin_turn((seat + 1) % self.seats)

    def over(self) -> bool:
        return self.ended

    def legal_moves(self) -> list[Move]:
        hand: dict[str, None] = dict.fromkeys(self.hands[self.player])
        if self.asked == PLAY:
            return [card for card in hand if card in ACTING] + [None]
        if self.asked == BUY:
            return [sort for sort in PRICE if self.market[sort] and PRICE[sort] <= self.coins] + [None]
        if self.asked == WARD:
            return ["shutter", None] if "shutter" in hand else [None]
        if self.asked == DISCARD:
            return [*hand]
        left = self.hands[self.player] if self.removing else []
        return [card for card in left if ORDER.index(card) >= self.first] + [None]

    def play(self, move: Move) -> None:
        self.moves += 1
        if self.asked == BUY:
            if move is None:
                return self.end_turn()
            self.market[move] -= 1
            self.coins -= PRICE[move]
            self.purchases -= 1
            self.discards[self.owner].append(move)
            return self.go_on_buying()
        if self.asked == PLAY:
            return self.lay_down() if move is None else self.play_card(move)
        if self.asked == REMOVE:
            if move is not None:
                self.hands[self.owner].remove(move)
                self.removing, self.first = self.removing - 1, ORDER.index(move)
                return
            return self.go_on_playing()
        if self.asked == WARD:
            return self.visit_next() if move is not None else self.discard_down()
        assert move is not None, "who is bothered discards"
        self.hands[self.player].remove(move)
        self.discards[self.player].append(move)
        self.discard_down()

    def play_card(self, card: str) -> None:
        seat = self.owner
        self.hands[seat].remove(card)
        self.table.append(card)
        self.plays -= 1
        self.draw(seat, {"errand": 3, "fair": 1, "shutter": 1}.get(card, 0))
        self.coins += {"stall": 2, "moths": 2, "oil": 1, "shutter": 1}.get(card, 0)
        self.plays += 2 * (card == "fair")
        self.purchases += card == "stall"
        if card == "moths":
            self.visited = seat
            return self.visit_next()
        if card == "tinker":
            self.removing, self.first = TAKEN_BY_TINKER, 0
            return self.ask(seat, REMOVE)
        self.go_on_playing()

    def visit_next(self) -> None:
        self.visited = (self.visited + 1) % self.seats
        if self.visited == self.owner:
            return self.go_on_playing()
        self.ask(self.visited, WARD)

    def discard_down(self) -> None:
        if len(self.hands[self.visited]) > LEFT_BY_MOTHS:
            return self.ask(self.visited, DISCARD)
        self.visit_next()

    def glow(self, seat: int) -> int:
        owned = self.decks[seat] + self.hands[seat] + self.discards[seat] + self.staying[seat]
        return sum(GLOW.get(card, 0) for card in owned)

    def winners(self) -> list[int]:
        ranks = [(self.glow(seat), -self.turns[seat]) for seat in range(self.seats)]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    def returns(self) -> list[float]:
        """1 and -1; 0 for two who share."""
        winners = self.winners()
        return [0.0] * self.seats if len(winners) > 1 else [1.0 if s in winners else -1.0 for s in range(self.seats)]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = Lamplight(lambda cards: rng.sample(cards, len(cards)))
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
