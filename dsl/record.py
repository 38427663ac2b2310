"""`dataclass` for what is frozen and has slots: the same classes, sooner declared, made and pickled.

The one of the standard library compiles six functions a class one by one, sets each field by its name, and asks for the
fields again at every value that is pickled. Here one is compiled, and fields are set and read through their slots.
What is not frozen with slots is left to the other one.
"""

from __future__ import annotations

import dataclasses
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
    head = ", ".join(["self", *(parameter(f) for f in in_order(fields))])
    exec("\n".join([f"def __init__({head}):", " pass", *lines]), space)
    space["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"  # it is named when arguments do not fit
    return space["__init__"]


def in_order(fields: Any) -> list[Any]:
    """The fields as `__init__` takes them: those that people give by name only come last, where `pickle` gives them."""
    return [f for f in fields if not f.kw_only] + [f for f in fields if f.kw_only]


def parameter(f: Any) -> str:
    optional = f.default is not MISSING or f.default_factory is not MISSING
    return f"{f.name}=default_{f.name}" if optional else str(f.name)


def whole(cls: Any, fields: Any) -> dict[str, Any]:
    """What takes all fields together."""
    compared = parts_of([f.name for f in fields if f.compare]) or nothing
    parts = parts_of([f.name for f in in_order(fields)]) or nothing

    def equal(self: Any, other: Any) -> Any:
        return compared(self) == compared(other) if other.__class__ is cls else NotImplemented

    def hashed(self: Any) -> int:
        return hash(compared(self))

    def reduced(self: Any) -> tuple[Any, ...]:
        return cls, parts(self)

    return {"__eq__": equal, "__hash__": hashed, "__reduce__": reduced}


def show(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def refuse(self: Any, name: str, value: Any = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
