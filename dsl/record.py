"""`dataclass` for what is frozen and has slots: the same classes, sooner declared, made and pickled.

The one of the standard library compiles six functions a class one by one, sets each field by its name, and asks for the
fields again at every value that is pickled. Here all functions of a class are compiled at once and fields are set
through their slots. What is not frozen with slots is left to the other one.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for who checks types there is no difference
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen=False, slots=False):
        return record if frozen and slots else dataclasses.dataclass(frozen=frozen, slots=slots)


def record(cls: Any) -> Any:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else one is made up of the fields, which takes long
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    space: dict[str, Any] = {"cls": made, "MISSING": MISSING, "again": again}
    for f in fields:
        space |= {f"set_{f.name}": getattr(made, f.name).__set__, f"default_{f.name}": f.default}
        space |= {f"fresh_{f.name}": f.default_factory}
    exec(source(fields), space)
    own = {name: space[name] for name in ("__init__", "__eq__", "__hash__", "__reduce__")}
    for name, function in own.items():
        function.__qualname__ = f"{made.__qualname__}.{name}"
    for name, function in (own | {"__repr__": show, "__setattr__": refuse, "__delattr__": refuse}).items():
        if name not in cls.__dict__:
            setattr(made, name, function)
    return made


def source(fields: tuple[Any, ...]) -> str:
    """The text of the functions of a class."""
    late = [parameter(f) for f in fields if f.kw_only]
    given = [*(parameter(f) for f in fields if not f.kw_only), *(["*", *late] if late else [])]
    lines = [f"def __init__({', '.join(['self', *given])}):", " pass"]
    for f in fields:
        if f.default_factory is not MISSING:
            lines.append(f" if {f.name} is MISSING: {f.name} = fresh_{f.name}()")
        lines.append(f" set_{f.name}(self, {f.name})")
    compared = [f for f in fields if f.compare]
    lines += ["def __eq__(self, other):", " if other.__class__ is not cls: return NotImplemented"]
    lines += [f" return {values('self', compared)} == {values('other', compared)}"]
    lines += ["def __hash__(self):", f" return hash({values('self', compared)})"]
    named = "".join(f"{f.name!r}: self.{f.name}, " for f in fields)
    way = f"again, (cls, {{{named}}})" if late else f"cls, {values('self', fields)}"
    return "\n".join([*lines, "def __reduce__(self):", f" return {way}", ""])


def parameter(f: Any) -> str:
    if f.default_factory is not MISSING:
        return f"{f.name}=MISSING"
    return f.name if f.default is MISSING else f"{f.name}=default_{f.name}"


def values(owner: str, fields: Any) -> str:
    return "(" + "".join(f"{owner}.{f.name}, " for f in fields) + ")"


def again(cls: Any, named: dict[str, Any]) -> Any:
    """What `pickle` and `copy` call where fields are given by name only."""
    return cls(**named)


def show(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def refuse(self: Any, name: str, value: Any = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
