"""`dataclass` for what has slots: the same classes, sooner declared, made and pickled.

The one of the standard library compiles up to six functions a class one by one, sets each field of a frozen one by its
name, and asks for the fields again at every value that is pickled. Here only `__init__` is compiled, once for all
classes with as many fields of the same sorts, and fields of frozen ones are set and read through their slots. What has
no slots is left to the other one.
"""

from __future__ import annotations

import copyreg
import dataclasses
from dataclasses import MISSING
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from dsl.base.fields import Parts, nothing, parts_of

FLAT: dict[str, Any] = {}  # records that are laid flat into others, by the name of their type

if TYPE_CHECKING:  # for who checks types there is no difference
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen=False, slots=False):
        return (frozen_record if frozen else record) if slots else dataclasses.dataclass(frozen=frozen)


def frozen_record(cls: Any) -> Any:
    made, fields = bare(cls)
    methods = {"__init__": init(made, fields, True), "__repr__": show, "__setattr__": refuse, "__delattr__": refuse}
    methods |= {"__eq__": equal(made, fields), "__hash__": hashed(fields)}
    copyreg.pickle(made, reduced(made, fields))
    return given(made, methods, cls)


def record(cls: Any) -> Any:
    made, fields = bare(cls)
    methods = {"__init__": init(made, fields, False), "__repr__": show, "__eq__": equal(made, fields), "__hash__": None}
    return given(made, methods, cls)


def bare(cls: Any) -> tuple[Any, Any]:
    """The class with slots for its fields, and nothing else; and the fields."""
    cls.__doc__ = cls.__doc__ or cls.__name__  # else one is made up of the fields, which takes long
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    return made, dataclasses.fields(made)


def given(made: Any, methods: dict[str, Any], cls: Any) -> Any:
    """The class with these methods, but for those that are written in it."""
    for name, function in methods.items():
        if name not in cls.__dict__:
            setattr(made, name, function)
    return made


def init(cls: Any, fields: Any, frozen: bool) -> Any:
    """`__init__`: the template for as many fields of these sorts, with their names and defaults."""
    placed, late = [f for f in fields if not f.kw_only], [f for f in fields if f.kw_only]
    optional = [f for f in placed if optional_field(f)]
    if optional != placed[len(placed) - len(optional) :]:
        raise TypeError(f"a field of {cls.__qualname__} without a default follows one that has one")
    space: dict[str, Any] = {"MISSING": MISSING}
    names = {}
    for n, f in enumerate((*placed, *late)):
        names[f"a{n}"] = f.name
        space |= {f"set{n}": getattr(cls, f.name).__set__, f"fresh{n}": f.default_factory}
    code = template(len(placed), len(late), tuple(f.default_factory is not MISSING for f in (*placed, *late)), frozen)
    code = code.replace(
        co_varnames=("self", *names.values()), co_names=tuple(names.get(name, name) for name in code.co_names)
    )
    made = FunctionType(code, space, "__init__", tuple(f.default for f in optional))
    made.__kwdefaults__ = {f.name: f.default for f in late if optional_field(f)}
    made.__qualname__ = f"{cls.__qualname__}.__init__"  # it is named when arguments do not fit
    return made


def optional_field(f: Any) -> bool:
    return f.default is not MISSING or f.default_factory is not MISSING


@cache
def template(placed: int, late: int, fresh: tuple[bool, ...], frozen: bool) -> CodeType:
    """Of an `__init__` with fields that are given by place, then by name only; a `fresh` one is made if not given."""
    names = [f"a{n}" for n in range(placed + late)]
    head = ", ".join(["self", *names[:placed], *(["*", *names[placed:]] if late else [])])
    lines = [f"def __init__({head}):", " pass"]
    for n, name in enumerate(names):
        if fresh[n]:
            lines.append(f" if {name} is MISSING: {name} = fresh{n}()")
        lines.append(f" set{n}(self, {name})" if frozen else f" self.{name} = {name}")
    space: dict[str, Any] = {}
    exec("\n".join(lines), space)
    code: CodeType = space["__init__"].__code__
    return code


def equal(cls: Any, fields: Any) -> Any:
    parts = compared(fields)
    return lambda self, other: parts(self) == parts(other) if other.__class__ is cls else NotImplemented


def hashed(fields: Any) -> Any:
    parts = compared(fields)
    return lambda self: hash(parts(self))


def compared(fields: Any) -> Parts:
    return parts_of([f.name for f in fields if f.compare]) or nothing


def reduced(cls: Any, fields: Any) -> Any:
    """How a value is pickled and copied; found in the table of `copyreg` sooner than as a method."""
    fields = sorted(fields, key=lambda f: f.kw_only)
    names = [f.name for f in fields]
    last = FLAT.get(fields[-1].type) if fields else None
    if last is not None:
        names[-1:] = [f"{names[-1]}.{f.name}" for f in dataclasses.fields(last)]
    made = again(cls, fields, last) if last is not None or any(f.kw_only for f in fields) else cls
    parts = parts_of(names) or nothing
    return lambda self: (made, parts(self))


def lay_flat(cls: Any) -> Any:
    """For a record that many others end with: with them it is pickled as if its fields were theirs."""
    FLAT[cls.__name__] = cls
    return cls


def again(cls: Any, fields: Any, last: Any) -> Any:
    """What makes a value of its fields by place, where `cls` alone can not: some are given by name, or the last lies
    flat."""
    code = making(tuple(f.name if f.kw_only else "" for f in fields), len(dataclasses.fields(last)) if last else 0)
    made = FunctionType(code, {"cls": cls, "last": last})
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}._again"
    cls._again = staticmethod(made)  # a pickle names it
    return made


@cache
def making(names: tuple[str, ...], flat: int) -> CodeType:
    """Of a function of all fields by place; `names` are of those that are given by it, and so many lie `flat`."""
    given = [f"a{n}" for n in range(len(names))]
    taken = list(given)
    if flat:
        taken[-1:] = [f"b{n}" for n in range(flat)]
        given[-1] = f"last({', '.join(taken[-flat:])})"
    passed = [f"{name}={value}" if name else value for name, value in zip(names, given, strict=True)]
    space: dict[str, Any] = {}
    exec(f"def again({', '.join(taken)}): return cls({', '.join(passed)})", space)
    code: CodeType = space["again"].__code__
    return code


def show(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def refuse(self: Any, name: str, value: Any = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
