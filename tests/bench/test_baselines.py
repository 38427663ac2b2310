"""The baselines play the right games: in lock step with OpenSpiel where it is installed, and by what is known of each
game without it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from tests.bench import (
    breakthrough,
    connect_four,
    goofspiel,
    hex,
    kuhn_poker,
    lamplight,
    leduc_poker,
    liars_dice,
    love_letter,
    nim,
    othello,
    tic_tac_toe,
)

GAMES = 200  # in lock step, of each game


def same(game: Any, move: Any) -> int:
    return int(move)


def breakthrough_action(game: breakthrough.Breakthrough, move: tuple[int, int]) -> int:
    cell, to = move
    direction = to % breakthrough.SIZE - cell % breakthrough.SIZE + 1 + 3 * game.player
    return (cell * 6 + direction) * 2 + (game.board[to] != breakthrough.EMPTY)


def othello_action(game: othello.Othello, cell: int) -> int:
    row, column = divmod(cell, othello.WIDTH)
    return 64 if cell == othello.PASS else (row - 1) * 8 + column - 1


def nim_action(game: nim.Nim, move: tuple[int, int]) -> int:
    pile, taken = move
    return pile + (taken - 1) * len(nim.PILES)


# name -> how many chance outcomes; the game after them; the action of a move
IN_TURNS: dict[str, tuple[int, Callable[[list[int]], Any], Callable[[Any, Any], int]]] = {
    "tic_tac_toe": (0, lambda _: tic_tac_toe.TicTacToe(), same),
    "connect_four": (0, lambda _: connect_four.ConnectFour(), same),
    "breakthrough": (0, lambda _: breakthrough.Breakthrough(), breakthrough_action),
    "othello": (0, lambda _: othello.Othello(), othello_action),
    "hex": (0, lambda _: hex.Hex(), same),
    "nim": (0, lambda _: nim.Nim(), nim_action),
    "kuhn_poker": (2, kuhn_poker.KuhnPoker, same),
    "leduc_poker": (3, leduc_poker.LeducPoker, same),
    "liars_dice": (2, lambda dice: liars_dice.LiarsDice([die + 1 for die in dice]), same),
}


def chance_of(name: str, number: int, rng: random.Random) -> list[int]:
    if name == "liars_dice":
        return [rng.randrange(6) for _ in range(number)]
    return rng.sample(range(6 if name == "leduc_poker" else 3), number)


@pytest.mark.parametrize("name", IN_TURNS)
def test_baseline_in_lock_step_with_open_spiel(name: str) -> None:
    spiel = pytest.importorskip("pyspiel", reason="the extra `spiel` is not installed")
    number, start, action = IN_TURNS[name]
    rng, rules = random.Random(7), spiel.load_game(name)
    for _ in range(GAMES):
        chance = chance_of(name, number, rng)
        ours, theirs, coming = start(chance), rules.new_initial_state(), iter(chance)
        take_chance(theirs, coming)
        while not ours.over():
            assert theirs.current_player() == ours.player
            moves = {action(ours, move): move for move in ours.legal_moves()}
            assert sorted(moves) == theirs.legal_actions()
            chosen = rng.choice(list(moves))
            ours.play(moves[chosen])
            theirs.apply_action(chosen)
            take_chance(theirs, coming)
        assert theirs.is_terminal()
        assert ours.returns() == theirs.returns()


def take_chance(theirs: Any, coming: Iterator[int]) -> None:
    while theirs.is_chance_node():
        theirs.apply_action(next(coming))


def test_goofspiel_in_lock_step_with_open_spiel() -> None:
    """OpenSpiel plays the last card of each hand by itself."""
    spiel = pytest.importorskip("pyspiel", reason="the extra `spiel` is not installed")
    rng, rules = random.Random(7), spiel.load_game("goofspiel")
    for _ in range(GAMES):
        prizes = rng.sample(range(1, 14), 13)
        ours, theirs = goofspiel.Goofspiel(prizes), rules.new_initial_state()
        for prize in prizes[:12]:
            theirs.apply_action(prize - 1)
            for seat in (0, 1):
                assert [card - 1 for card in ours.legal_moves(seat)] == theirs.legal_actions(seat)
            bids = [rng.choice(ours.legal_moves(seat)) for seat in (0, 1)]
            ours.play(bids)
            theirs.apply_actions([bid - 1 for bid in bids])
        assert theirs.is_terminal()
        ours.play([ours.legal_moves(seat)[0] for seat in (0, 1)])
        assert ours.over() and ours.returns() == theirs.returns()


# ------------------------------------------------------------ without it


@pytest.mark.parametrize(
    "start, counts",
    [
        (tic_tac_toe.TicTacToe, [9, 72, 504, 3024]),  # nobody can have won after four marks
        (connect_four.ConnectFour, [7, 49, 343, 2401]),  # no column can be full after four discs
        (othello.Othello, [4, 12, 56, 244, 1396]),  # as published for this game
        (hex.Hex, [121, 121 * 120]),
        (breakthrough.Breakthrough, [22, 22 * 22]),  # eight straight and fourteen diagonal, and no pawns meet
    ],
)
def test_sequences_of_moves(start: Callable[[], Any], counts: list[int]) -> None:
    def leaves(played: list[Any], depth: int) -> int:
        game = start()
        for move in played:
            game.play(move)
        moves = list(game.legal_moves())
        return len(moves) if depth == 1 else sum(leaves([*played, move], depth - 1) for move in moves)

    assert [leaves([], depth + 1) for depth in range(len(counts))] == counts


def test_connect_four_sees_a_row_in_each_direction_and_not_across_columns() -> None:
    def winner(columns: list[int]) -> int:
        game = connect_four.ConnectFour()
        for column in columns:
            game.play(column)
        return game.winner

    assert winner([0, 1, 0, 1, 0, 1, 0]) == 0  # up
    assert winner([0, 0, 1, 1, 2, 2, 3]) == 0  # along the bottom row
    assert winner([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]) == 0  # a diagonal that rises to the right
    assert winner([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3]) == 0  # and one that falls
    # seat 0 has the three topmost cells of column 0 and the lowest of column 1: no row
    assert winner([1, 0, 2, 0, 4, 0, 0, 5, 0, 5, 0]) == -1


def test_misere_nim_is_lost_by_the_last_to_take() -> None:
    game = nim.Nim()
    for move in [(3, 7), (2, 5), (1, 3), (0, 1)]:
        game.play(move)
    assert game.over() and game.returns() == [1.0, -1.0]


def test_poker_pays_what_was_put_in() -> None:
    kuhn = kuhn_poker.KuhnPoker([0, 2])
    for move in (kuhn_poker.PASS, kuhn_poker.BET, kuhn_poker.BET):
        kuhn.play(move)
    assert kuhn.over() and kuhn.returns() == [-2, 2]
    leduc = leduc_poker.LeducPoker([0, 4, 1])  # the public card pairs the low card of seat 0
    for move in (leduc_poker.RAISE, leduc_poker.CALL, leduc_poker.CALL, leduc_poker.RAISE, leduc_poker.RAISE):
        leduc.play(move)
    assert leduc.legal_moves() == [leduc_poker.CALL, leduc_poker.FOLD]
    leduc.play(leduc_poker.CALL)
    assert leduc.over() and leduc.returns() == [11, -11]  # 1 as ante, 2 in the first round, 8 in the second


@pytest.mark.parametrize(
    "dice, bid, returns",
    [
        ([3, 6], 6 + 2, [1.0, -1.0]),  # two threes: the six counts
        ([3, 5], 6 + 2, [-1.0, 1.0]),
        ([3, 6], 6 + 5, [-1.0, 1.0]),  # two sixes: the three does not count
    ],
)
def test_sixes_count_as_every_face(dice: list[int], bid: int, returns: list[float]) -> None:
    game = liars_dice.LiarsDice(dice)
    game.play(bid)
    game.play(liars_dice.LIAR)
    assert game.over() and game.returns() == returns


def letters(first: list[int], second: list[int], deck: list[int]) -> love_letter.LoveLetter:
    """A game for two in which seat 0 is to play one of its two cards; the deck is drawn from its end."""
    game = love_letter.LoveLetter(random.Random(1))
    game.hands, game.deck, game.removed = [first, second], deck, love_letter.PRIEST
    game.discarded = [0, 0]
    return game


def test_a_right_guess_and_a_lower_card_lose_the_round() -> None:
    game = letters([love_letter.GUARD, love_letter.BARON], [love_letter.KING], [love_letter.GUARD] * 3)
    game.play(love_letter.GUARD)
    assert game.legal_moves() == [1]
    game.play(1)
    assert game.legal_moves() == [2, 3, 4, 5, 6, 7, 8]
    game.play(love_letter.KING)
    assert game.tokens == [1, 0]
    game = letters([love_letter.BARON, love_letter.PRIEST], [love_letter.KING], [love_letter.GUARD] * 3)
    game.play(love_letter.BARON)
    game.play(1)
    assert game.tokens == [0, 1] and game.player == game.starter == 1


def test_protection_leaves_nobody_to_choose() -> None:
    game = letters(
        [love_letter.HANDMAID, love_letter.BARON], [love_letter.KING], [love_letter.PRINCE, love_letter.GUARD]
    )
    game.play(love_letter.HANDMAID)
    assert game.player == 1 and game.hands[1] == [love_letter.KING, love_letter.GUARD]
    game.play(love_letter.GUARD)  # without effect
    assert game.player == 0 and game.moves == 2 and not any(game.out)


def test_the_countess_goes_and_the_princess_is_lost() -> None:
    game = letters([love_letter.COUNTESS, love_letter.PRINCE], [love_letter.GUARD], [love_letter.GUARD] * 3)
    assert game.legal_moves() == [love_letter.COUNTESS]
    game = letters([love_letter.PRINCE, love_letter.PRINCESS], [love_letter.GUARD], [love_letter.GUARD] * 3)
    game.play(love_letter.PRINCE)
    assert sorted(game.legal_moves()) == [0, 1]
    game.play(0)
    assert game.tokens == [0, 1]


def test_the_last_card_is_the_one_that_was_set_aside_and_discards_break_ties() -> None:
    game = letters([love_letter.PRINCE, love_letter.PRIEST], [love_letter.HANDMAID], [])
    game.play(love_letter.PRINCE)
    game.play(1)  # seat 1 draws the priest that was set aside: both hold one, with discards of 5 and 4
    assert game.tokens == [1, 0]


@pytest.mark.parametrize(
    "module",
    [
        breakthrough,
        connect_four,
        goofspiel,
        hex,
        kuhn_poker,
        lamplight,
        leduc_poker,
        liars_dice,
        love_letter,
        nim,
        othello,
        tic_tac_toe,
    ],
)
def test_playouts_are_repeatable_and_zero_sum(module: ModuleType) -> None:
    for seed in range(20):
        decisions, returns = module.playout(random.Random(seed))
        assert (decisions, returns) == module.playout(random.Random(seed))
        assert decisions > 0 and len(returns) == 2 and sum(returns) == 0
