"""Facts between two games, as files: what the save of a game that is over holds, or a file of facts alone.

A file of facts says from which game they are, and holds them as plain data, to be read and edited by people. What it
says is not trusted: the facts are tested when a game begins with them.
"""

from __future__ import annotations

from typing import Any

from dsl import program as hdr
from interpreter.records.save import FORMAT, UNSEALED, SaveError, has_seal

FACTS = "rulewright facts"
FACTS_VERSION = 1


def facts_file(ruleset: str, rules: str, facts: dict[str, Any]) -> dict[str, Any]:
    """The JSON data of a file of facts, as `hand_over` gives them; `rules`: the id `ruleset` with its overlays."""
    head = {"format": FACTS, "format_version": FACTS_VERSION, "ruleset": ruleset, "rules": rules}
    return {**head, "facts": facts}


def facts_in(data: Any) -> tuple[str, dict[str, Any]]:
    """The id of the ruleset from whose game these are, and the facts, of a save or a file of facts. Raises
    SaveError."""
    form = data.get("format") if isinstance(data, dict) else None
    if form not in (FORMAT, FACTS) or not isinstance(data.get("ruleset"), str):
        raise SaveError("this is neither a save of a game nor a file of facts")
    if form == FACTS:
        if data.get("format_version") != FACTS_VERSION:
            raise SaveError(f"facts of format {data.get('format_version')!r}, but this program reads {FACTS_VERSION}")
        facts = data.get("facts")
    else:
        if data.get("format_version") != UNSEALED and not has_seal(data):
            raise SaveError("the save does not fit its own seal: the file was altered or damaged")
        if not _is_over(data):
            raise SaveError(f"this game of `{data['ruleset']}` is not over; what it hands on is known at its end")
        if "hands_on" not in data:
            raise SaveError(f"this game of `{data['ruleset']}` hands nothing on, by the rules that it was saved under")
        facts = data["hands_on"]
    if not isinstance(facts, dict):
        raise SaveError("there are no valid facts in it (an object with a value for each name expected)")
    return data["ruleset"], facts


def _is_over(data: dict[str, Any]) -> bool:
    words = data.get("words")
    return isinstance(words, list) and len(words) > hdr.OVER and words[hdr.OVER] == 1
