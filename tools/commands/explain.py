"""`explain`: why an answer is not offered in a saved game, leaf by leaf with values and clauses; code 1 if it is not.

Takes the words of the answer as typed.
"""

from __future__ import annotations

from pathlib import Path

from dsl.files.phrases import phrase
from tools.base.console import stdout
from tools.base.errors import UserError
from tools.base.loading import choose_language
from tools.base.replaying import state_before_decision
from tools.base.saves import has_other_digest, load_game_of_save, read_save, restore_game, warn_of_other_digest
from tools.terminal.reasons import print_why


def explain_command(file: Path, answer: list[str], at: int | None, lang: str | None, rules: str | None = None) -> int:
    data = read_save(file)
    game = load_game_of_save(data, file, rules)
    lang = choose_language(game, lang)
    warn_of_other_digest(game, data, file)
    if at is None and "words" in data:
        state = restore_game(game, data, file, replay_log=has_other_digest(game, data))
    else:
        state, _, _ = state_before_decision(game, data, file, at)
    decision = state.decision
    if decision is None:
        raise UserError(f"the game in '{file}' is over, so no answer can be explained; choose a decision with --at.")
    console = stdout()
    console.print(phrase(lang, "replay", "seat_asked", seat=decision.seat, prompt=decision.prompt(lang)))
    return 0 if print_why(console, state, decision, " ".join(answer), lang) else 1
