"""Figures of games as native code hands them out, as the outcomes and the usage that reports are made of."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.base.types import ListType, MemberType, SetType, bounds
from interpreter import Game
from interpreter.backends.low.notes.book import (
    ACTOR,
    ACTORS,
    ANSWERED,
    DECIDED,
    ENDED,
    MOST_POINTS,
    SCORES,
    Book,
)
from interpreter.backends.native.walks import Row
from interpreter.core.question import Option
from interpreter.play.result import Actors
from tools.simulation.answer_usage import AnswerUsage, known
from tools.simulation.card_usage import CardUsage, first_copies
from tools.simulation.playout import Outcome, Setup

HALF = (1 << 32) - 1


class Reader:
    """Reads rows of figures, and totals, of one ruleset."""

    def __init__(self, game: Game, book: Book) -> None:
        self.game, self.book, self.program = game, book, game.program
        score = self.program.result.get("score", -1)
        params = self.program.functions[score].params if score >= 0 else ()
        self.score_type = params[0][1] if params else None
        by_actor = isinstance(self.score_type, MemberType) and self.score_type.domain != self.program.seat_kind
        self.actor_domain = self.score_type.domain if isinstance(self.score_type, MemberType) and by_actor else None
        self.winners = self.program.result.get("winners", -1)
        self.ids: dict[tuple[int, ...], list[str]] = {}  # of winners, by the words that name them
        self.watched = [(name, bool(self.program.functions[n].params)) for name, n in self.program.watch]
        self.chosen = self._chosen()

    # ------------------------------------------------------------ one game

    def outcome(self, setup: Setup, row: Row) -> Outcome:
        """The outcome of a game, without its usage."""
        found = Outcome(setup, row[DECIDED], row[ANSWERED], unfinished=not row[ENDED])
        if row[ENDED]:
            actors = self._results(found, row) if row[ACTORS] else self._plain(found, row)
            self._winners(found, row, actors)
            if self.watched:
                found.trajectories = self._points(row, setup.seats)
        return found

    def _plain(self, found: Outcome, row: Row) -> Actors:
        """The scores of a game in which only seats decide."""
        if self.score_type is not None and self.actor_domain is None:
            found.seat_scores = {seat: row[SCORES + seat - 1] for seat in range(1, found.setup.seats + 1)}
        return {}

    def _results(self, found: Outcome, row: Row) -> Actors:
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
        if self.actor_domain is None:
            self._plain(found, row)
            scores = found.seat_scores
            found.actor_scores = {actor: scores[seat] for actor, (_, seat) in actors.items() if seat in scores}
        else:
            for actor, (domain, seat) in actors.items():
                if domain == self.actor_domain:
                    found.actor_scores[actor] = values[actor]
                    found.seat_scores[seat] = max(values[actor], found.seat_scores.get(seat, values[actor]))
        return actors

    def _winners(self, found: Outcome, row: Row, actors: Actors) -> None:
        scores = found.seat_scores
        if self.winners < 0:
            found.has_winners = found.setup.seats > 1 and bool(scores)
            best = max(scores.values(), default=0)
            won = [seat for seat, n in scores.items() if n == best and found.has_winners]
        else:
            key = tuple(row[self.book.actors - self.book.winners : self.book.actors])
            if key not in self.ids:
                self.ids[key] = self._ids(key)
            names = self.game.names
            seats = {names.seat_id(seat): seat for seat in range(1, found.setup.seats + 1)}
            named = [seats.get(id_) or actors.get(id_, ("", 0))[1] for id_ in self.ids[key]]
            won = [seat for seat in dict.fromkeys(named) if seat]
        found.seat_wins = {seat: 1 / len(won) for seat in won}
        found.actor_wins = {actor: found.seat_wins.get(seat, 0.0) for actor, (_, seat) in actors.items()}

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
            label = answers.case(Option(kind, (k + 1,), k)) or answers.site.address
            type_ = alternative.binders[j][3]
            for n in range(count):
                id_ = self.game.names.text(low + n, type_)
                card = firsts.get(id_, id_)
                if card in self.program.cards:
                    found.append((start + n, label, card))
        return found
