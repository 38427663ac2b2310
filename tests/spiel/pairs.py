"""Which ruleset is which game of OpenSpiel, and how the words of one translate into those of the other.

A `Pair` names both, and translates our answers and outcomes into the words that OpenSpiel's `action_to_string` uses.
It holds no rules; `lockstep` plays both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pyspiel

import interpreter as rw

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

Words = tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """`answer` takes the address of a question, the ids of an option and the seat, `drawn` the id of an outcome of
    chance; both give OpenSpiel's words for it, without the characters in `ignored`. The quick test plays `quick_games`,
    the long one `long_games`.

    `last`     OpenSpiel takes the forced answers at the end of a game by itself.
    `hidden`   Players know different things.
    `forgets`  OpenSpiel's words for a player leave out what the player has done or seen before.
    `reversed` OpenSpiel's players are our seats in the reverse order.
    `open`     What players know is not compared.
    `parts`    questions whose answers belong to the answer before: all of them are one action there.
    `told`     other words for OpenSpiel's actions than those of `action_to_string`.
    `cut`      OpenSpiel has ended the game by a rule that ours leaves out: nothing is compared any more."""

    ruleset: str
    theirs: str
    answer: Callable[[str, Words, int], str]
    drawn: Callable[[str], str] | None = None
    seats: int = 2
    options: Mapping[str, str] = field(default_factory=dict)
    rewards: str = "score"
    ignored: str = ""
    last: bool = False
    hidden: bool = False
    forgets: bool = False
    reversed: bool = False
    open: bool = False
    parts: frozenset[str] = frozenset()
    told: Callable[[Any, int], str] | None = None
    cut: Callable[[Any], bool] | None = None
    quick_games: int = 20
    long_games: int = 1000

    def seat(self, player: int) -> int:
        """Our seat of one of OpenSpiel's players."""
        return self.seats - player if self.reversed else player + 1

    def word(self, other: Any, player: int, action: int) -> str:
        """OpenSpiel's words for one of its actions."""
        if self.told is not None:
            return self.told(other, action)
        text: str = other.action_to_string(player, action)
        return text.translate(str.maketrans("", "", self.ignored))

    @property
    def name(self) -> str:
        """The ruleset, with the parameters of OpenSpiel's game if there are any."""
        return self.theirs.replace(self.theirs.split("(")[0], self.ruleset, 1)

    @property
    def ours(self) -> rw.Game:
        return ruleset(self.ruleset)

    def new(self) -> tuple[rw.State, Any]:
        """Both games at their start; ours asks everything, chance and forced answers too."""
        state = self.ours.new(self.seats, self.options, chance="ask", auto=False)
        return state, spiel_game(self.theirs).new_initial_state()


@cache
def ruleset(name: str) -> rw.Game:
    return rw.load(place_of(name))


def place_of(name: str) -> Path:
    """A ruleset that is shipped, or one of those beside this module, which are there for tests alone."""
    home = HERE if (HERE / "rulesets" / name.split("+")[0]).exists() else ROOT
    return home / "rulesets" / name


@cache
def spiel_game(name: str) -> Any:
    return pyspiel.load_game(name)


# ------------------------------------------------------------ the words of each game


def square_and_mark(address: str, ids: Words, seat: int) -> str:
    """Tic-tac-toe: `b3` of cross is `x(0,1)`, row and column from the top left."""
    (square,) = ids
    return f"{'xo'[seat - 1]}({3 - int(square[1])},{'abc'.index(square[0])})"


def mark_and_column(address: str, ids: Words, seat: int) -> str:
    """Connect Four: `x3` is the first player in the fourth column."""
    (column,) = ids
    return f"{'xo'[seat - 1]}{'abcdefgh'.index(column)}"


def step_of_a_pawn(address: str, ids: Words, seat: int) -> str:
    """Breakthrough: from where to where; black is at the top there too. OpenSpiel names the tenth row by the character
    after 9."""
    return "".join(ids).replace("10", ":")


def square_or_pass(address: str, ids: Words, seat: int) -> str:
    """Othello: squares have the same names, rows are counted from the top."""
    return ids[-1]


def cell(address: str, ids: Words, seat: int) -> str:
    """Hex: cells have the same names."""
    return ids[0]


def stones(address: str, ids: Words, seat: int) -> str:
    """Nim: heaps are counted from 1 in both."""
    heap, number = ids
    return f"pile:{heap.removeprefix('heap_')}, take:{number};"


def pass_or_bet(address: str, ids: Words, seat: int) -> str:
    """Kuhn poker: OpenSpiel has one word for check and fold, and one for bet and call."""
    (word,) = ids
    return {"check": "Pass", "fold": "Pass", "bet": "Bet", "call": "Bet"}[word]


def wager(address: str, ids: Words, seat: int) -> str:
    """Leduc poker: a check is a call of nothing."""
    (word,) = ids
    return {"check": "Call", "call": "Call", "fold": "Fold", "raise": "Raise"}[word]


def bid(address: str, ids: Words, seat: int) -> str:
    """Goofspiel: a card as its number."""
    (rank,) = ids
    return f"[P{seat - 1}]Bid: {RANKS.index(rank) + 1}"


def claim(address: str, ids: Words, seat: int) -> str:
    """Liar's dice: how many dice of which face, or that it is not so."""
    return f"{ids[1]}-{FACES.index(ids[2]) + 1}" if ids[0] == "bid" else "Liar"


def roll(face: str) -> str:
    return f"Roll {FACES.index(face) + 1}"


def kuhn_card(card: str) -> str:
    return f"Deal:{KUHN_DECK.index(card)}"


def leduc_card(card: str) -> str:
    return f"Chance outcome:{LEDUC_DECK.index(card)}"


def prize(rank: str) -> str:
    return f"Deal {RANKS.index(rank) + 1}"


RANKS = "ace two three four five six seven eight nine ten jack queen king".split()
FACES = "ones twos threes fours fives sixes".split()
KUHN_DECK = ["jack", "queen", "king"]
LEDUC_DECK = [f"{rank}_of_{suit}" for rank in KUHN_DECK for suit in ("hearts", "spades")]


def goofspiel(parameters: str = "", chance: bool = True, **how: Any) -> Pair:
    """Goofspiel in one of its forms."""
    theirs = f"goofspiel({parameters})" if parameters else "goofspiel"
    known: dict[str, Any] = {"rewards": "wins", "last": True, "forgets": True}
    return Pair("goofspiel", theirs, bid, prize if chance else None, **(known | how))


FOUR, RISING, FALLING = {"cards": "4"}, {"cards": "5", "prizes": "ascending"}, {"cards": "6", "prizes": "descending"}
HEAPS = {"first_heap": "2", "second_heap": "4", "third_heap": "9", "fourth_heap": "0"}

PAIRS = [
    Pair("tic_tac_toe", "tic_tac_toe", square_and_mark, quick_games=50, long_games=3000),
    Pair("connect_four", "connect_four", mark_and_column),
    Pair("breakthrough", "breakthrough", step_of_a_pawn, ignored="*", quick_games=5, long_games=250),
    Pair("connect_four+eight_by_seven", "connect_four(rows=7,columns=8)", mark_and_column, long_games=300),
    Pair(
        "breakthrough+ten_by_ten",
        "breakthrough(rows=10,columns=10)",
        step_of_a_pawn,
        ignored="*",
        quick_games=2,
        long_games=50,
    ),
    Pair("hex+board_13", "hex(board_size=13)", cell, quick_games=1, long_games=20),
    Pair("othello", "othello", square_or_pass, quick_games=6, long_games=250),
    Pair("hex", "hex", cell, quick_games=2, long_games=80),
    Pair("nim", "nim", stones, quick_games=50, long_games=2000),
    Pair("nim", "nim(is_misere=false)", stones, options={"misere": "false"}),
    Pair("nim", "nim(pile_sizes=2;4;9)", stones, options=HEAPS),
    Pair("kuhn_poker", "kuhn_poker", pass_or_bet, kuhn_card, hidden=True, quick_games=100, long_games=3000),
    Pair("leduc_poker", "leduc_poker", wager, leduc_card, hidden=True, quick_games=50, long_games=2000),
    goofspiel(quick_games=10, long_games=500),
    goofspiel("returns_type=total_points", rewards="score", quick_games=10, long_games=300),
    goofspiel("num_cards=4", options=FOUR, long_games=2000),
    goofspiel("num_cards=5,points_order=ascending", False, options=RISING),
    goofspiel("num_cards=6,points_order=descending", False, options=FALLING),
    goofspiel("num_cards=4,players=3", options=FOUR, seats=3),
    Pair("liars_dice", "liars_dice", claim, roll, hidden=True, quick_games=50, long_games=2000),
    Pair("liars_dice", "liars_dice(numdice=2)", claim, roll, options={"dice": "2"}, hidden=True, forgets=True),
]
