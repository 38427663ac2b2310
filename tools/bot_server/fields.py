"""The fields of messages: what each must be, checked before anything is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.wire.lines import WireError

INT, TEXT, FLAG, OBJECT, LIST, SEAT = "a whole number", "a text", "true or false", "an object", "a list", "a seat"
MOST_BITS = 256  # of a number, as the seed of a save
_TYPES: dict[str, tuple[type, ...]] = {
    INT: (int,), TEXT: (str,), FLAG: (bool,), OBJECT: (dict,), LIST: (list,), SEAT: (int, type(None)),
}  # fmt: skip
COMMON = ("do", "id")


@dataclass(frozen=True)
class Fields:
    """The fields that a message must have, and those that it may have."""

    needed: Mapping[str, str]
    allowed: Mapping[str, str]

    def check(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a message but `do` and `id`; raises WireError for one too many, too few or of another type."""
        found = {name: value for name, value in message.items() if name not in COMMON}
        for name in self.needed:
            if name not in found:
                raise WireError("bad_field", f"`{name}` is missing")
        for name, value in found.items():
            wanted = self.needed.get(name) or self.allowed.get(name)
            if wanted is None:
                raise WireError("bad_field", "there is a field that this message does not have")
            if type(value) not in _TYPES[wanted] or (type(value) is int and value.bit_length() > MOST_BITS):
                raise WireError("bad_field", f"`{name}` should be {wanted}")
        return found


def fields(needed: Mapping[str, str] = {}, **allowed: str) -> Fields:  # noqa: B006  (it is never changed)
    return Fields(needed, allowed)


ANSWER = {"number": INT, "ids": LIST, "action": INT, "paying": FLAG}
HELLO = fields(version=INT, token=TEXT, texts=FLAG, actions=FLAG, lang=TEXT)
OF_DRIVER: dict[str, Fields] = {
    "hello": HELLO,
    "rulesets": fields(),
    "rules": fields({"ruleset": TEXT}),
    "new": fields({"ruleset": TEXT}, seats=INT, options=OBJECT, seed=INT, chance=TEXT, given=OBJECT),
    "question": fields({"game": INT}, seat=INT),
    "answer": Fields({"game": INT}, {"seat": INT, **ANSWER}),
    "draw": fields({"game": INT}),
    "view": fields({"game": INT}, seat=SEAT),
    "log": fields({"game": INT}, seat=SEAT, since=INT),
    "result": fields({"game": INT}),
    "copy": fields({"game": INT}),
    "save": fields({"game": INT}),
    "load": fields({"save": OBJECT}),
    "drop": fields({"game": INT}),
    "invite": fields({"game": INT, "seat": INT}),
}
OF_SEAT: dict[str, Fields] = {
    "hello": HELLO,
    "question": fields(),
    "wait": fields(seconds=INT),
    "answer": Fields({}, ANSWER),
    "view": fields(),
    "log": fields(since=INT),
    "result": fields(),
}
