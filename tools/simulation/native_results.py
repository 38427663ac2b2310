"""Figures of games as native code hands them out, as the outcomes and the usage that reports are made of."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.base.types import ListType, MemberType, SetType, bounds
from interpreter import Game, Result
from interpreter.backends.low.notes.book import (
    ACTOR,
    ACTORS,
    ANSWERED,
    COUNTED,
    DECIDED,
    ENDED,
    MOST_POINTS,
    SCORES,
    Book,
)
from interpreter.backends.native.notes import Row
from interpreter.core.question import RawOption
from interpreter.play.result import Actors, kind_of_actors, scores_of_deciders, scores_of_seats, tell_winners
from tools.simulation.answer_usage import AnswerUsage, known
from tools.simulation.card_usage import CardUsage, first_copies
from tools.simulation.playout import GameOutcome, GameSetup, tell_result

HALF = (1 << 32) - 1


class FiguresReader:
    """Reads rows of figures, and totals, of one ruleset."""

    def __init__(self, game: Game, book: Book) -> None:
        self.game, self.book, self.program = game, book, game.program
        score = self.program.result.get("score", -1)
        self.has_scores = score >= 0 and bool(self.program.functions[score].params)
        self.kind_of_actors = kind_of_actors(self.program)
        self.winners = self.program.result.get("winners", -1)
        self.ids: dict[tuple[int, ...], list[str]] = {}  # of winners, by the words that name them
        self.watched = [(name, bool(self.program.functions[n].params)) for name, n in self.program.watch]
        self.chosen = self._chosen()

    # ------------------------------------------------------------ one game

    def outcome(self, setup: GameSetup, row: Row) -> GameOutcome:
        """The outcome of games with these figures, the first of which has this setup, without their usage."""
        found = GameOutcome(setup, row[DECIDED], row[ANSWERED], row[COUNTED], unfinished=not row[ENDED])
        if row[ENDED]:
            actors, of_actors = self._actors(row) if row[ACTORS] else ({}, {})
            told = self._scores(row, setup.seats, actors, of_actors)
            tell_winners(told, self._winners(row), setup.seats, self.game.names, actors)
            tell_result(found, told, actors)
            if self.watched:
                found.trajectories = self._points(row, setup.seats)
        return found

    def _actors(self, row: Row) -> tuple[Actors, dict[str, int]]:
        """Those that decided and are no seats, with what each is worth."""
        actors: Actors = {}
        values: dict[str, int] = {}
        for n in range(row[ACTORS]):
            at = self.book.actors + n * ACTOR
            site, value, seat, score = row[at : at + ACTOR]
            type_ = self.program.sites[site].actor_type
            assert isinstance(type_, MemberType)
            id_ = self.game.names.text(value, type_)
            if id_ not in actors:
                actors[id_], values[id_] = (type_.domain, self.game.names.seat_number(seat)), score
        return actors, values

    def _scores(self, row: Row, seats: int, actors: Actors, of_actors: dict[str, int]) -> Result:
        if not self.has_scores:
            return Result()
        if self.kind_of_actors is None:
            of_seats = {seat: row[SCORES + seat - 1] for seat in range(1, seats + 1)}
            return Result(of_seats, scores_of_deciders(of_seats, actors))
        own = {actor: n for actor, n in of_actors.items() if actors[actor][0] == self.kind_of_actors}
        return Result(scores_of_seats(own, actors), own)

    def _winners(self, row: Row) -> list[str] | None:
        """The ids of those that the rules call winners; None if the rules do not say."""
        if self.winners < 0:
            return None
        key = tuple(row[self.book.actors - self.book.winners : self.book.actors])
        if key not in self.ids:
            self.ids[key] = self._ids(key)
        return self.ids[key]

    def _ids(self, words: Sequence[int]) -> list[str]:
        """The ids of winners."""
        type_ = self.program.functions[self.winners].result
        assert not isinstance(type_, ListType), "winners that are a list are not lowered"
        value = words[0] if words else 0
        if isinstance(type_, SetType):
            value = sum((word & HALF) << 32 * n for n, word in enumerate(words))
            value <<= 64 * (bounds(type_.elem)[0] >> 6)
        return self.game.names.items(value, type_)

    def _points(self, row: Row, seats: int) -> dict[str, tuple[float, ...]]:
        size, at = 2 * len(self.watched), self.book.points
        found = {}
        for k, (name, by_seat) in enumerate(self.watched):
            lows = row[at + 2 * k : at + size * MOST_POINTS : size]
            highs = row[at + 2 * k + 1 : at + size * MOST_POINTS : size]
            sums = [(low & HALF) + (high << 32) for low, high in zip(lows, highs, strict=True)]
            found[name] = tuple([float(n) / seats if by_seat else float(n) for n in sums])
        return found

    # ------------------------------------------------------------ all games

    def count(self, totals: Sequence[int], cards: CardUsage, answers: AnswerUsage) -> None:
        """Add what was counted to the usage of cards and answers."""
        book, every = self.book, self.game.cached(known)
        for number, at in enumerate(book.answers):
            if totals[at]:
                answers.asked.add(self.program.sites[number].address)
                for k in range(len(self.program.sites[number].alternatives)):
                    if totals[at + 1 + k] and (name := every.names.get((number, k))):
                        answers.taken[name] += totals[at + 1 + k]
        answers.offered |= answers.taken.keys()
        for at, label, card in self.chosen:
            if totals[at]:
                cards.chosen[label, card] += totals[at]
        at = book.places
        for symbol in book.symbols:
            for card in book.cards:
                if totals[at]:
                    cards.places[symbol, card] += totals[at]
                at += 1

    def _chosen(self) -> list[tuple[int, str, str]]:
        """The places of totals that count a card that an answer named: with the label of the answer, and the card."""
        firsts, found = first_copies(self.program), []
        for number, k, j, start, low, count in self.book.named:
            answers = self.game.answers[number]
            alternative = answers.site.alternatives[k]
            kind = "number" if answers.site.shape == "number" else "pick"
            label = answers.case(RawOption(kind, (k + 1,), k)) or answers.site.address
            type_ = alternative.binders[j][3]
            for n in range(count):
                id_ = self.game.names.text(low + n, type_)
                card = firsts.get(id_, id_)
                if card in self.program.cards:
                    found.append((start + n, label, card))
        return found
