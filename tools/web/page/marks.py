"""Which things of a picture belong to which answers: what can be clicked.

Takes a decision; gives the keys that pictures name things by (`Kind.id`) with the numbers of the options.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.base.types import MemberType
from interpreter import Option
from tools.display.values import Presenter
from tools.picture.model.signs import thing_key
from tools.table.info import only_content


def marks_of(presenter: Presenter, options: Sequence[Option]) -> dict[str, list[int]]:
    """Key of a thing -> the numbers of the options that name it, or the place where it lies alone."""
    found: dict[str, list[int]] = {}
    for number, option in enumerate(options):
        for key in keys_of(presenter, option):
            found.setdefault(key, []).append(number)
    return found


def keys_of(presenter: Presenter, option: Option) -> list[str]:
    """The things that an option names, and what lies alone in them; members of enums only where it names no thing."""
    named = [(v.value, v.type) for _, v in option.decision.answers.values(option.raw) if isinstance(v.type, MemberType)]
    things = [(value, type_) for value, type_ in named if value and not is_enum(presenter, type_)]
    found = [key for value, type_ in things for key in with_content(presenter, value, type_)]
    found = found or [thing_key(presenter, value, type_) for value, type_ in named if value]
    return list(dict.fromkeys(found))


def with_content(presenter: Presenter, thing: int, type_: MemberType) -> Iterator[str]:
    yield thing_key(presenter, thing, type_)
    for held in only_content(presenter, thing):
        kind = presenter.program.thing_kinds[held]
        yield thing_key(presenter, held, MemberType(kind, held, held))


def is_enum(presenter: Presenter, type_: MemberType) -> bool:
    return presenter.program.domains[type_.domain].sort == "enum"
