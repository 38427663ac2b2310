"""`play`: a game in the terminal, or without one a game of bots, narrated to the end.

Reads the arguments, begins or continues a game and passes it to a `Session` (people) or plays it to the end (bots
alone). Code 1 if the ruleset fails during play; the game so far is saved.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter import (
    Game,
    GameSetupError,
    PositionError,
    RulesetError,
    State,
    apply,
    begun_from,
    save,
    write_atomic,
)
from interpreter.rules.rules import NATIVE
from interpreter.session.setup import DRAW
from tools.base.console import stdout
from tools.base.errors import CommandEnd, UserError, parse_whole_number, unknown_message
from tools.base.handed import read_facts
from tools.base.home import NONE_FOUND, own_rulesets
from tools.base.loading import check_backend, choose_language, load_game, parse_options
from tools.base.saves import game_as_saved, load_game_of_save, name_for_command, read_save, restore_game
from tools.base.terminal import is_interactive
from tools.shows.messages import message
from tools.simulation.bots import make_player, usual_bot
from tools.table.rule_lines import record
from tools.terminal.narrate import Narrator, print_result


def play_command(
    ruleset: str | None,
    seats: int | None,
    human: str | None,
    seed: int | None,
    lang: str | None,
    load: Path | None,
    options: Sequence[str],
    preset: str | None,
    bot: str | None,
    replay_log: bool = False,
    as_saved: bool = False,
    backend: str = NATIVE,
    begin_from: Path | None = None,
    ruling: str | None = None,
) -> int:
    check_backend(backend)
    if bot is not None:
        make_player(bot, 0)
    if load is not None:
        if seats is not None or options or preset is not None or begin_from is not None or ruling is not None:
            raise UserError(
                "--load brings its own seats, options and facts: leave --seats, --option, --preset, --from and "
                "--ruling out."
            )
        data = read_save(load)
        game = game_as_saved(data, load) if as_saved else load_game_of_save(data, load, ruleset, backend)
        state = restore_game(game, data, load, replay_log)
    else:
        game = load_game(ruleset if ruleset is not None else only_ruleset(), backend)
        low, high = game.program.seats
        if seats is not None:
            parse_whole_number(str(seats), "--seats", low, high)
        chosen = parse_options(game, options, preset)
        seed = random.randrange(1_000_000) if seed is None else seed
        if ruling is not None and (seats is not None or options or preset is not None or begin_from is not None):
            raise UserError("a ruling says itself how it begins: leave --seats, --option, --preset and --from out.")
        given = read_facts(begin_from, game) if begin_from is not None else {}
        state = begin_game(game, seats, chosen, seed, given) if ruling is None else begin_at(game, ruling, seed)
    bot = bot or usual_bot(game)
    lang = choose_language(game, lang)
    people = parse_people(human, state.seats)
    if ruling is not None and human is None and state.decision is not None:
        people = frozenset({state.decision.seat})  # whoever is asked first
    if is_interactive() and people:
        from tools.terminal.autosave import is_autosave
        from tools.terminal.session import Session

        session = Session(state, people, lang, bot)
        session.given_rules = name_for_command(ruleset, state.game.program) if ruleset is not None else ""
        if load is not None:
            session.autosave.earlier = load if is_autosave(load) else None
        else:
            session.tell_of_left_games()
        return session.run()
    if human is not None and people:
        print("note: --human needs a terminal; bots play all seats.", file=sys.stderr)
    return narrate_bots(state, lang, bot)


def only_ruleset() -> str:
    found = own_rulesets()
    if len(found) == 1:
        return next(iter(found))
    if not found:
        raise UserError(NONE_FOUND)
    raise UserError(f"say which ruleset to play; found: {', '.join(found)}.")


def begin_game(
    game: Game, seats: int | None, options: dict[str, str], seed: int, given: dict[str, Any] | None = None
) -> State:
    try:
        return game.new(seats=seats, options=options, seed=seed, given=given)
    except GameSetupError as fault:
        raise UserError(f"the game cannot begin: {fault}.") from None
    except RulesetError as fault:
        raise CommandEnd(1, f"the game cannot begin because of a fault in the ruleset: {fault}") from None


def begin_at(game: Game, ruling: str, seed: int, chance: str = DRAW) -> State:
    """A game that begins from the position of a ruling, or from a named position."""
    known = [*game.program.rulings, *game.program.positions]
    if ruling not in known:
        raise UserError(unknown_message("ruling or position", ruling, known, game.program.id))
    try:
        return begun_from(game, ruling, seed, chance)
    except (PositionError, GameSetupError) as fault:
        raise CommandEnd(1, f"no game can begin from {ruling}: {fault}.") from None
    except RulesetError as fault:
        raise CommandEnd(1, f"no game can begin from {ruling} because of a fault in the ruleset: {fault}") from None


def parse_people(text: str | None, seats: int) -> frozenset[int]:
    """Seats of people, from a text such as `1,3`; seat 1 if there is no text."""
    if text is None:
        return frozenset({1})
    if text.strip() in ("", "0", "none"):
        return frozenset()
    return frozenset(parse_whole_number(part, "a seat of --human", 1, seats) for part in text.split(","))


def narrate_bots(state: State, lang: str, bot: str) -> int:
    """Let bots play to the end, printing every line as it happens."""
    console = stdout()
    title = state.game.texts.title(lang)
    console.print(message(lang, "seed", title=title, seats=state.seats, seed=state.seed))
    player = make_player(bot, state.seed)
    narrator = Narrator(console, lang)
    narrator.skip(state)
    narrator.report(state)
    while not state.over:
        record(state)
        try:
            apply(state, player.choose(state))
        except RulesetError as fault:
            file = Path(f"{state.game.program.id}-{state.seed}-failed.json")
            write_atomic(file, json.dumps(save(state), ensure_ascii=False))
            raise CommandEnd(
                1, f"the game stops because of a fault in its ruleset: {fault} The game so far is saved as {file}."
            ) from None
        narrator.report(state)
    print_result(console, state, lang)
    if state.game.program.hands_on:
        from tools.terminal.handing_on import keep_end
        from tools.terminal.session import free_file

        keep_end(console, state, free_file(Path(f"{state.game.program.id}-{state.seed}.json"), state), lang)
    return 0
