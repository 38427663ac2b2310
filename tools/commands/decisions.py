"""One decision of a saved game: `explain`, why an answer is not offered, leaf by leaf with values and clauses (code 1
if it is not), and `trace`, the tree of rules with clauses that the answer ran.

`explain` takes the words of the answer as typed. For `trace` the game is replayed up to the decision, which is then
taken with the trace on.
"""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from dsl.files.phrases import phrase
from interpreter import IllegalAnswer, RulesetError, render_trace, trace
from interpreter.records.replay import find_option
from interpreter.session.log import narrate
from tools.base.console import stdout
from tools.base.errors import CommandEnd, UserError
from tools.base.loading import choose_language
from tools.base.replaying import state_before_decision
from tools.base.saves import has_other_digest, load_game_of_save, read_save, restore_game, warn_of_other_digest
from tools.table.reasons import why


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
    told = why(state, decision, " ".join(answer), lang)
    for line in told.lines:
        console.print(line)
    return 0 if told.offered else 1


def trace_command(file: Path, at: int | None, lang: str | None, rules: str | None = None) -> int:
    data = read_save(file)
    game = load_game_of_save(data, file, rules)
    lang = choose_language(game, lang)
    warn_of_other_digest(game, data, file)
    state, entry, number = state_before_decision(game, data, file, at)
    decision = state.decision
    assert decision is not None
    try:
        tree = trace(state, find_option(decision, entry))
    except (IllegalAnswer, RulesetError) as fault:
        raise CommandEnd(1, f"entry {number} of '{file}' cannot be taken again: {fault}") from None
    console = stdout()
    told = narrate(game, entry, entry.seat, lang)
    head = phrase(lang, "replay", "entry", n=number, all=len(data["log"]), text=told)
    console.print(Text(head, style="bold"))
    console.print(Text(render_trace(tree, lang)))
    cited = dict.fromkeys(clause for node in tree.walk() for clause in node.cites)
    for clause in cited:
        console.print(Text(f"  [{clause}] {game.texts.clause(lang, clause)}".rstrip(), style="dim"))
    return 0
