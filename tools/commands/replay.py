"""Commands on a saved game. `replay`: narrate it from its log, optionally up to an entry, and compare it with what was
saved. `explain`: why an answer is not offered in it, leaf by leaf with values and clauses. `trace`: the tree of rules
with clauses that an answer ran.

Each takes the file of a save or of a failed simulation; the latter ends with the decision that failed. Code 1 if the
log does not lead to the saved state, or to the saved failure, or if the answer to explain is not offered.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.text import Text

from dsl.files.phrases import FALLBACK, phrase, phrases_of
from interpreter import (
    Game,
    GameSetupError,
    IllegalAnswer,
    ReplayError,
    RulesetError,
    SaveError,
    State,
    apply,
    render_trace,
    replay,
    trace,
)
from interpreter.records.replay import find_option
from interpreter.session.log import narrate
from tools.base.console import stdout
from tools.base.errors import CommandEnd, UserError
from tools.base.loading import choose_language, parse_options
from tools.base.replaying import replay_states, state_before_decision
from tools.base.saves import has_other_digest, load_game_of_save, read_save, restore_game, warn_of_other_digest
from tools.table.reasons import why
from tools.table.rule_lines import record
from tools.terminal.narrate import Narrator, print_result


def replay_command(file: Path, to: int | None, verify: bool, lang: str | None, rules: str | None = None) -> int:
    data = read_save(file)
    game = load_game_of_save(data, file, rules)
    lang = choose_language(game, lang)
    warn_of_other_digest(game, data, file)
    console, say = stdout(), phrases_of(lang, "replay")
    if "log" not in data:
        return repeat_failed_start(game, data, file, lang)
    entries = len(data["log"])
    if to is not None and not 0 <= to <= entries:
        raise UserError(f"--to should be a number from 0 to {entries}, the entries of this log, but {to} was given.")
    narrator = Narrator(console, lang)
    state: State | None = None
    for state in replay_states(game, data, file, to):
        narrator.report(state)
        record(state)
    assert state is not None
    if state.over:
        print_result(console, state, lang)
    elif state.decision is not None:
        asked = say("seat_asked", seat=state.decision.seat, prompt=state.decision.prompt(lang))
        console.print(f"\n{say('entry', n=len(state.log), all=entries, text=asked)}")
    if verify:
        verify_log(game, data, to, file)
        verified = say("verified", n=len(state.log))
        whole = to is None and not has_other_digest(game, data)
        console.print(say("same", verified=verified, digest=state.digest()) if whole else verified)
    if "failure" in data and (to is None or to == entries):
        return repeat_failure(state, data["failure"], file, lang)
    return 0


def verify_log(game: Game, data: dict[str, Any], to: int | None, file: Path) -> None:
    try:
        replay(game, data, to, verify=True)
    except (SaveError, ReplayError) as fault:
        raise CommandEnd(1, f"'{file}' does not agree with its log: {fault}") from None


def repeat_failure(state: State, failure: Any, file: Path, lang: str = FALLBACK) -> int:
    """Take the decision that failed in a simulation once more; code 1 if it does not fail."""
    state.checked = True
    tried: Any = failure.get("ids", []) if isinstance(failure, dict) else None
    code: Any = failure.get("code", []) if isinstance(failure, dict) else None
    if not is_list_of(str, tried) or not is_list_of(int, code):
        raise UserError(f"'{file}' is damaged as a saved game: it has no valid `failure`.")
    say, message = phrases_of(lang, "replay"), failure.get("message", "")
    told = say("failed", what=" ".join(tried), message=message) if tried else say("failed_on", message=message)
    print(f"\n{told}")
    try:
        if state.chance is not None and tried and (outcome := state.chance.outcome(tried[0])) is not None:
            apply(state, outcome)
        elif code:
            apply(state, tuple(code))
    except (RulesetError, IllegalAnswer) as fault:
        print(say("again", message=fault))
        return 0
    print(say("no_longer"))
    return 1


def repeat_failed_start(game: Game, data: dict[str, Any], file: Path, lang: str) -> int:
    """Start a game that failed before its first question once more; code 1 if it does not fail."""
    chosen, seats, seed = data.get("options", {}), data.get("seats"), data.get("seed", 0)
    given = data.get("given", {})
    if not isinstance(chosen, dict) or not isinstance(given, dict) or type(seats) is not int or type(seed) is not int:
        raise UserError(f"'{file}' is damaged as a saved game: it has no log, and no valid seats, options and seed.")
    options = parse_options(game, [f"{k}={v}" for k, v in chosen.items()])
    try:
        game.new(seats=seats, options=options, seed=seed, checked=True, given=given)
    except GameSetupError as fault:
        raise UserError(f"'{file}' is damaged as a saved game: {fault}.") from None
    except RulesetError as fault:
        print(phrase(lang, "replay", "failed_start", message=fault))
        return 0
    print(phrase(lang, "replay", "no_longer"))
    return 1


def is_list_of(type_: type, found: Any) -> bool:
    return isinstance(found, list) and all(type(item) is type_ for item in found)


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
