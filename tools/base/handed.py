"""Facts that another game has handed on, as the command line reads it: a file, for the game that begins from it.

`facts_command` shows what is in such a file, or writes it as a file of facts that may be edited and begun from.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from interpreter import Game, GameSetupError, SaveError
from interpreter.records.handed import facts_file, facts_in
from interpreter.session.setup import seats_for
from tools.base.errors import UserError, shorten, write_named
from tools.base.saves import read_save


def read_facts(file: Path, game: Game) -> dict[str, Any]:
    """The facts in the save of a game that is over, or in a file of facts, with which this game may begin."""
    try:
        giver, facts = facts_in(read_save(file))
    except SaveError as fault:
        raise UserError(f"no game can begin from '{file}': {fault}.") from None
    known = dict.fromkeys(name.partition("+")[0] for name, _ in game.program.follows)
    if giver not in known:
        program = game.program.id
        before = " and ".join(f"'{name}'" for name in known) or "no other"
        raise UserError(f"'{file}' is of a game of '{shorten(giver)}', and '{program}' follows {before}.")
    check_facts(game, facts, f"'{file}'")
    return facts


def check_facts(game: Game, facts: dict[str, Any], source: str) -> int:
    """The number of seats for which these facts are, as far as they say."""
    try:
        return seats_for(game, facts)
    except GameSetupError as fault:
        end = "" if str(fault).endswith("?") else "."
        raise UserError(f"'{game.program.id}' cannot begin from {source}: {fault}{end}") from None


def facts_command(file: Path, out: Path | None) -> int:
    data = read_save(file)
    try:
        ruleset, facts = facts_in(data)
    except SaveError as fault:
        raise UserError(f"'{file}' hands nothing on: {fault}.") from None
    found = facts_file(ruleset, data.get("rules", ruleset), facts)
    text = json.dumps(found, ensure_ascii=False, indent=2) + "\n"
    if out is None:
        print(text, end="")
        return 0
    write_named(out, text)
    print(f"{len(facts)} facts are in {out}")
    return 0
