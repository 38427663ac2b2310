"""`dataclass` for what is frozen and has slots: the same classes, sooner declared, made and pickled.

The one of the standard library compiles six functions a class one by one, sets each field by its name, and asks for the
fields again at every value that is pickled. Here one is compiled, and fields are set and read through their slots.
What is not frozen with slots is left to the other one.
"""

from __future__ import annotations

import dataclasses
from copyreg import __newobj__  # type: ignore[attr-defined]
from dataclasses import MISSING
from typing import TYPE_CHECKING, Any

from dsl.below import nothing, parts_of

if TYPE_CHECKING:  # for who checks types there is no difference
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen=False, slots=False):
        return record if frozen and slots else dataclasses.dataclass(frozen=frozen, slots=slots)


def record(cls: Any) -> Any:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else one is made up of the fields, which takes long
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    methods = {"__init__": init(made, fields), "__repr__": show, "__setattr__": refuse, "__delattr__": refuse}
    for name, function in (methods | whole(made, fields)).items():
        if name not in cls.__dict__:
            setattr(made, name, function)
    return made


def init(cls: Any, fields: Any) -> Any:
    """`__init__`, compiled of a text."""
    space: dict[str, Any] = {"MISSING": MISSING}
    lines = []
    for f in fields:
        space |= {f"set_{f.name}": getattr(cls, f.name).__set__, f"default_{f.name}": f.default}
        if f.default_factory is not MISSING:
            space |= {f"default_{f.name}": MISSING, f"fresh_{f.name}": f.default_factory}
            lines.append(f" if {f.name} is MISSING: {f.name} = fresh_{f.name}()")
        lines.append(f" set_{f.name}(self, {f.name})")
    late = [parameter(f) for f in fields if f.kw_only]
    given = [parameter(f) for f in fields if not f.kw_only]
    head = ", ".join(["self", *given, *(["*", *late] if late else [])])
    exec("\n".join([f"def __init__({head}):", " pass", *lines]), space)
    space["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"  # it is named when arguments do not fit
    return space["__init__"]


def refill(cls: Any, fields: Any) -> Any:
    """`__setstate__`, for `pickle` and `copy` where fields are given by name only: all of them in their order."""
    setters = [getattr(cls, f.name).__set__ for f in fields]

    def filled(self: Any, parts: tuple[Any, ...]) -> None:
        for put, part in zip(setters, parts, strict=True):
            put(self, part)

    return filled


def parameter(f: Any) -> str:
    optional = f.default is not MISSING or f.default_factory is not MISSING
    return f"{f.name}=default_{f.name}" if optional else str(f.name)


def whole(cls: Any, fields: Any) -> dict[str, Any]:
    """What takes all fields together."""
    compared = parts_of([f.name for f in fields if f.compare]) or nothing
    parts = parts_of([f.name for f in fields]) or nothing
    named = any(f.kw_only for f in fields)

    def equal(self: Any, other: Any) -> Any:
        return compared(self) == compared(other) if other.__class__ is cls else NotImplemented

    def hashed(self: Any) -> int:
        return hash(compared(self))

    def reduced(self: Any) -> tuple[Any, ...]:
        return (__newobj__, (cls,), parts(self)) if named else (cls, parts(self))

    methods = {"__eq__": equal, "__hash__": hashed, "__reduce__": reduced}
    return methods | ({"__setstate__": refill(cls, fields)} if named else {})


def show(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def refuse(self: Any, name: str, value: Any = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
