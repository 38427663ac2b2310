"""The cache of generated code.

The code of a program is written and compiled once for each mode and Python version; the cache keeps it under the digest
of the ruleset and of this generator. Programs without a digest (made in tests) are written each time.
"""

from __future__ import annotations

import hashlib
import marshal
import pickle
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import dsl
from dsl.base.cache import load_cached, store_cached
from dsl.program import Program
from interpreter.backends.python.runtime.module import Module
from interpreter.backends.python.runtime.namespace import loader, saver, scope

PLAIN, CHECKED, VALUES = "plain", "checked", "values"
"""Modes of the code of a program: the whole of it, the same for runs that test invariants and places, and the values
that bots judge by."""

MAKERS: dict[str, Callable[[Any], Any]] = {"load": loader, "save": saver}
GENERATOR = Path(dsl.__file__).resolve().parents[1] / "interpreter"


@cache
def generator_digest() -> bytes:
    """Digest of the source of the interpreter: other generators never read this one's code."""
    digest = hashlib.sha256()
    for path in sorted(GENERATOR.rglob("*.py")):
        digest.update(path.relative_to(GENERATOR).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def key_of(program: Program, mode: str) -> str:
    """The key of a program's code in the cache."""
    python = f"{sys.implementation.cache_tag} {sys.hexversion:x}"
    return f"python {program.digest} {mode} {python} {generator_digest().hex()}"


Made = tuple[CodeType, Any, Module]
"""The compiled code of a program, the objects that it refers to, and a module without text: the functions that there
are."""


def names_of(m: Any, mode: str) -> tuple[dict[str, Any], Module]:
    """The names that the code of a program defines for a machine, and its module without text."""
    return names_in(m, find_code(m.program, mode) or write_code(m.program, mode))


def cached_names_of(m: Any, mode: str) -> tuple[dict[str, Any], Module] | None:
    """The same where the code does not have to be written."""
    found = find_code(m.program, mode)
    return names_in(m, found) if found is not None else None


def names_in(m: Any, made: Made) -> tuple[dict[str, Any], Module]:
    code, objects, module = made
    names = scope(m, m.scratch)
    names["K"] = objects
    for name, how, t in module.needs:
        names[name] = MAKERS[how](t)
    exec(code, names)  # noqa: S102 - made of numbers and our own names
    return names, module


class Objects:
    """The objects that code refers to by number: unpickled when the first of them is read, which is rare."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.made: list[Any] | None = None

    def __getitem__(self, number: int) -> Any:
        if self.made is None:
            self.made = pickle.loads(self.data)  # noqa: S301 - from the private cache
        return self.made[number]


def find_code(program: Program, mode: str) -> Made | None:
    """The code of a program in the cache."""
    found = load_cached(key_of(program, mode)) if is_digested(program) else None
    if not isinstance(found, tuple):
        return None
    code, objects, module = found
    return marshal.loads(code), Objects(objects), module


def write_code(program: Program, mode: str) -> Made:
    """The code of a program, written now and kept in the cache."""
    from interpreter.backends.python.compile.module import write, write_values  # the generator: only writing needs it

    module = write_values(program) if mode == VALUES else write(program, mode == CHECKED)
    compiled = compile(module.source, f"<rules of {program.id}>", "exec")
    objects, kept = module.objects, Module("", [], *(getattr(module, name) for name in list(Module.__slots__)[2:]))
    if is_digested(program):
        store_cached(key_of(program, mode), (marshal.dumps(compiled), pickle.dumps(objects), kept))
    return compiled, objects, kept


def is_digested(program: Program) -> bool:
    return len(program.digest) == 64
