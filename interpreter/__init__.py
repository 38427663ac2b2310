"""Play a compiled ruleset: the public face of the interpreter, everything that a bot, a tool or a server needs."""

from interpreter.answer import answer
from interpreter.aside import moments
from interpreter.decision import Decision, Option
from interpreter.errors import IllegalAnswer, RulesetError
from interpreter.explain import Reason, explain
from interpreter.game import Game, GameSetupError, RulesetInvalid, apply, legal, load
from interpreter.log import LogEntry, log_for
from interpreter.migrate import Migrated, migrate
from interpreter.outcomes import ChanceEvent, Outcome
from interpreter.replay import ReplayError, replay
from interpreter.save import SaveError, restore, save, write_atomic
from interpreter.state import State, copy
from interpreter.trace import TraceNode, render_trace, trace
from interpreter.undo import reveals
from interpreter.view import view

__all__ = [
    "ChanceEvent", "Decision", "Game", "GameSetupError", "IllegalAnswer", "LogEntry", "Migrated", "Option", "Outcome",
    "Reason", "ReplayError", "RulesetError", "RulesetInvalid", "SaveError", "State", "TraceNode", "answer", "apply",
    "copy", "explain", "legal", "load", "log_for", "migrate", "moments", "render_trace", "replay", "restore", "reveals",
    "save", "trace", "view", "write_atomic",
]  # fmt: skip
