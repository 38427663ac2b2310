"""A faster `dataclass` for classes with slots: quicker to declare, to construct and to pickle.

The standard library compiles up to six functions for each class, sets each field of a frozen class by its name, and
looks the fields up for every value that is pickled. Here only `__init__` is compiled, once for all classes with the
same number and sorts of fields, and fields of frozen classes are set and read through their slots. Classes without
slots are left to the standard library.
"""

from __future__ import annotations

import copyreg
import dataclasses
from dataclasses import MISSING
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from dsl.base.fields import FieldGetter, field_getter, no_fields

FLATTENED: dict[str, Any] = {}  # records whose fields are pickled with those of their holder, by the name of their type

if TYPE_CHECKING:  # type checkers see the standard decorator
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen=False, slots=False):
        return (frozen_record if frozen else record) if slots else dataclasses.dataclass(frozen=frozen)


def frozen_record(cls: Any) -> Any:
    made, fields = slotted_class(cls)
    methods = {
        "__init__": make_init(made, fields, True),
        "__repr__": record_repr,
        "__setattr__": refuse_assignment,
        "__delattr__": refuse_assignment,
    }
    methods |= {"__eq__": make_eq(made, fields), "__hash__": make_hash(fields)}
    copyreg.pickle(made, make_reducer(made, fields))
    return add_methods(made, methods, cls)


def record(cls: Any) -> Any:
    made, fields = slotted_class(cls)
    methods = {
        "__init__": make_init(made, fields, False),
        "__repr__": record_repr,
        "__eq__": make_eq(made, fields),
        "__hash__": None,
    }
    return add_methods(made, methods, cls)


def slotted_class(cls: Any) -> tuple[Any, Any]:
    """The class with slots for its fields and no generated methods, and the fields."""
    cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclasses makes one from the fields, which is slow
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    return made, dataclasses.fields(made)


def add_methods(made: Any, methods: dict[str, Any], cls: Any) -> Any:
    """The class with these methods, except those that it defines itself."""
    for name, function in methods.items():
        if name not in cls.__dict__:
            setattr(made, name, function)
    return made


def make_init(cls: Any, fields: Any, frozen: bool) -> Any:
    """`__init__`: the code for this number and these sorts of fields, with their names and defaults."""
    placed, late = [f for f in fields if not f.kw_only], [f for f in fields if f.kw_only]
    optional = [f for f in placed if has_default(f)]
    if optional != placed[len(placed) - len(optional) :]:
        raise TypeError(f"a field of {cls.__qualname__} without a default follows one that has one")
    space: dict[str, Any] = {"MISSING": MISSING}
    names = {}
    for n, f in enumerate((*placed, *late)):
        names[f"a{n}"] = f.name
        space |= {f"set{n}": getattr(cls, f.name).__set__, f"fresh{n}": f.default_factory}
    code = init_code(len(placed), len(late), tuple(f.default_factory is not MISSING for f in (*placed, *late)), frozen)
    code = code.replace(
        co_varnames=("self", *names.values()), co_names=tuple(names.get(name, name) for name in code.co_names)
    )
    made = FunctionType(code, space, "__init__", tuple(f.default for f in optional))
    made.__kwdefaults__ = {f.name: f.default for f in late if has_default(f)}
    made.__qualname__ = f"{cls.__qualname__}.__init__"  # shown when arguments do not fit
    return made


def has_default(f: Any) -> bool:
    return f.default is not MISSING or f.default_factory is not MISSING


@cache
def init_code(placed: int, late: int, fresh: tuple[bool, ...], frozen: bool) -> CodeType:
    """The code of an `__init__` with `placed` fields by position and `late` ones by keyword; `fresh` says which of them
    have a default factory."""
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


def make_eq(cls: Any, fields: Any) -> Any:
    parts = compared_fields(fields)
    return lambda self, other: parts(self) == parts(other) if other.__class__ is cls else NotImplemented


def make_hash(fields: Any) -> Any:
    parts = compared_fields(fields)
    return lambda self: hash(parts(self))


def compared_fields(fields: Any) -> FieldGetter:
    return field_getter([f.name for f in fields if f.compare]) or no_fields


def make_reducer(cls: Any, fields: Any) -> Any:
    """The function that pickles and copies a value; `copyreg` finds it sooner than a method."""
    fields = sorted(fields, key=lambda f: f.kw_only)
    names = [f.name for f in fields]
    last = FLATTENED.get(fields[-1].type) if fields else None
    if last is not None:
        names[-1:] = [f"{names[-1]}.{f.name}" for f in dataclasses.fields(last)]
    made = make_rebuilder(cls, fields, last) if last is not None or any(f.kw_only for f in fields) else cls
    parts = field_getter(names) or no_fields
    return lambda self: (made, parts(self))


def flattened(cls: Any) -> Any:
    """Decorate a record that is the last field of many others: it is pickled as if its fields were theirs."""
    FLATTENED[cls.__name__] = cls
    return cls


def make_rebuilder(cls: Any, fields: Any, last: Any) -> Any:
    """The function that makes a value from its fields by position, where `cls` itself cannot: some are keyword-only, or
    the last is flattened."""
    code = rebuild_code(
        tuple(f.name if f.kw_only else "" for f in fields), len(dataclasses.fields(last)) if last else 0
    )
    made = FunctionType(code, {"cls": cls, "last": last})
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}._rebuild"
    cls._rebuild = staticmethod(made)  # a pickle names it
    return made


@cache
def rebuild_code(names: tuple[str, ...], flat: int) -> CodeType:
    """The code of a function that takes all fields by position; `names` has the names of keyword-only fields, `flat`
    is the number of fields of a flattened last one."""
    given = [f"a{n}" for n in range(len(names))]
    taken = list(given)
    if flat:
        taken[-1:] = [f"b{n}" for n in range(flat)]
        given[-1] = f"last({', '.join(taken[-flat:])})"
    passed = [f"{name}={value}" if name else value for name, value in zip(names, given, strict=True)]
    space: dict[str, Any] = {}
    exec(f"def rebuild({', '.join(taken)}): return cls({', '.join(passed)})", space)
    code: CodeType = space["rebuild"].__code__
    return code


def record_repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def refuse_assignment(self: Any, name: str, value: Any = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
