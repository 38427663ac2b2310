"""Play a compiled ruleset: the public face of the interpreter, everything that a bot, a tool or a server needs."""

from dsl.base.writing import write_atomic
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.explaining.reason import Reason
from interpreter.play.answer import answer
from interpreter.play.apply import apply
from interpreter.play.explain import explain
from interpreter.play.hand_over import HandOverError, hand_over
from interpreter.play.result import Result, result
from interpreter.play.trace import TraceNode, render_trace, trace
from interpreter.play.undo import reveals
from interpreter.play.view import view
from interpreter.records.beginning import begun_from, position
from interpreter.records.migrate import Migrated, migrate
from interpreter.records.position_checks import PositionError
from interpreter.records.replay import ReplayError, replay
from interpreter.records.save import SaveError, restore, save
from interpreter.session.chance import ChanceEvent, Outcome
from interpreter.session.decision import Decision, Option
from interpreter.session.driver import Driver
from interpreter.session.entry import LogEntry
from interpreter.session.game import Game, RulesetInvalid, RulingsLeftOut, legal, load
from interpreter.session.interrupts import moments
from interpreter.session.log import log_for
from interpreter.session.setup import GameSetupError
from interpreter.session.state import State, copy

__all__ = [
    "ChanceEvent", "Decision", "Driver", "Game", "GameSetupError", "HandOverError", "IllegalAnswer", "LogEntry",
    "Migrated", "Option", "Outcome", "PositionError", "Reason", "ReplayError", "Result", "RulesetError",
    "RulesetInvalid", "RulingsLeftOut", "SaveError", "State", "TraceNode", "answer", "apply", "begun_from", "copy",
    "explain", "hand_over", "legal", "load", "log_for", "migrate", "moments", "position", "render_trace", "replay",
    "restore", "result", "reveals", "save", "trace", "view", "write_atomic",
]  # fmt: skip
