"""Love Letter with sixteen cards: draw one, play one, and hold the highest card when the deck is empty; rounds are won
until somebody has enough tokens."""

from __future__ import annotations

from random import Random

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
CARDS = [GUARD] * 5 + [PRIEST, BARON, HANDMAID, PRINCE] * 2 + [KING, COUNTESS, PRINCESS]
GUESSES = list(range(PRIEST, PRINCESS + 1))
GOAL = {2: 7, 3: 5, 4: 4}
CARD, TARGET, GUESS = range(3)  # what is asked


class LoveLetter:
    def __init__(self, rng: Random, seats: int = 2) -> None:
        self.rng = rng
        self.seats = seats
        self.tokens = [0] * seats
        self.starter = 0
        self.ended = False
        self.moves = 0
        self.deal()

    def deal(self) -> None:
        deck = self.rng.sample(CARDS, len(CARDS))
        self.removed = deck.pop()
        if self.seats == 2:
            del deck[-3:]
        self.hands = [[deck.pop()] for _ in range(self.seats)]
        self.deck = deck
        self.discarded = [0] * self.seats  # the sum of each seat's discards
        self.out = [False] * self.seats
        self.protected = [False] * self.seats
        self.player = self.starter
        self.begin_turn()

    def begin_turn(self) -> None:
        self.protected[self.player] = False
        self.draw(self.player)
        self.asked = CARD

    def draw(self, player: int) -> None:
        self.hands[player].append(self.deck.pop() if self.deck else self.removed)

    def over(self) -> bool:
        return self.ended

    def legal_moves(self) -> list[int]:
        if self.asked == GUESS:
            return GUESSES
        if self.asked == TARGET:
            return self.targets
        hand = self.hands[self.player]
        return [COUNTESS] if COUNTESS in hand and (PRINCE in hand or KING in hand) else hand

    def play(self, move: int) -> None:
        self.moves += 1
        if self.asked == CARD:
            self.play_card(move)
        elif self.asked == TARGET:
            self.aim(move)
        else:
            if move in self.hands[self.target]:
                self.knock_out(self.target)
            self.end_turn()

    def play_card(self, card: int) -> None:
        player = self.player
        self.card = card
        self.hands[player].remove(card)
        self.discarded[player] += card
        if card == HANDMAID:
            self.protected[player] = True
        elif card == PRINCESS:
            self.knock_out(player)
        elif card != COUNTESS:
            self.targets = self.open_seats()
            if card == PRINCE:
                self.targets.append(player)
            if self.targets:
                self.asked = TARGET
                return
        self.end_turn()

    def open_seats(self) -> list[int]:
        """The other seats that can be chosen."""
        return [s for s in range(self.seats) if s != self.player and not self.out[s] and not self.protected[s]]

    def aim(self, target: int) -> None:
        player, hands = self.player, self.hands
        if self.card == GUARD:
            self.target = target
            self.asked = GUESS
            return
        if self.card == BARON:
            mine, theirs = hands[player][0], hands[target][0]
            if mine != theirs:
                self.knock_out(target if mine > theirs else player)
        elif self.card == PRINCE:
            card = hands[target].pop()
            self.discarded[target] += card
            if card == PRINCESS:
                self.out[target] = True
            else:
                self.draw(target)
        elif self.card == KING:
            hands[player], hands[target] = hands[target], hands[player]
        self.end_turn()

    def knock_out(self, player: int) -> None:
        self.out[player] = True
        self.discarded[player] += sum(self.hands[player])
        self.hands[player].clear()

    def end_turn(self) -> None:
        if not self.deck or self.out.count(False) == 1:
            self.award()
            return
        self.player = (self.player + 1) % self.seats
        while self.out[self.player]:
            self.player = (self.player + 1) % self.seats
        self.begin_turn()

    def award(self) -> None:
        """The highest card wins the round, then the highest sum of discards; the first winner begins the next one."""
        order = [(self.starter + turn) % self.seats for turn in range(self.seats)]
        result = {seat: (self.hands[seat][0], self.discarded[seat]) for seat in order if not self.out[seat]}
        best = max(result.values())
        victors = [seat for seat in result if result[seat] == best]
        for seat in victors:
            self.tokens[seat] += 1
        self.starter = victors[0]
        if max(self.tokens) >= GOAL[self.seats]:
            self.ended = True
        else:
            self.deal()

    def returns(self) -> list[float]:
        """A win is shared by those who reach the goal in the same round."""
        winners = [seat for seat in range(self.seats) if self.tokens[seat] >= GOAL[self.seats]]
        if len(winners) == self.seats:
            return [0.0] * self.seats
        lost = -len(winners) / (self.seats - len(winners))
        return [1.0 if seat in winners else lost for seat in range(self.seats)]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = LoveLetter(rng)
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
