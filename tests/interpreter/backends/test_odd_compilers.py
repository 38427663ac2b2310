"""Compilers that are missing, broken or silent, folders without room, kept modules that do not load, and rules with odd
names and numbers: native code plays as the reference does, or says why it does not."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from dsl.base.cache import load_cached, store_cached
from dsl.driver.load import compile_ruleset, compile_sources
from dsl.program import Program
from interpreter.backends.c import host as c_host
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form import nodes as low
from interpreter.backends.native import cache
from interpreter.backends.native.making import Making
from interpreter.backends.native.targets import TARGETS, C, target_called
from interpreter.backends.wasm import host as wasm_host
from interpreter.backends.wasm.binary import encode
from interpreter.core.errors import RulesetError
from interpreter.rules.rules import REFERENCE
from interpreter.session.game import Game
from interpreter.session.playouts import Engine
from tests.native import native_games, needs_compiler, needs_wasmtime
from tests.printed import printed

NIM = Path(__file__).resolve().parents[3] / "rulesets" / "nim"
needs_shell = pytest.mark.skipif(os.name != "posix", reason="the compilers of this test are shell scripts")
TO_OUT = 'while [ $# -gt 0 ]; do if [ "$1" = -o ]; then %s "$2"; fi; shift; done'
SCRIPTS = {
    "garbage": ("no script at all\n\0\1", "does not start: "),
    "writes what is no library": ("#!/bin/sh\n" + TO_OUT % "echo junk >", "made no library: it does not load: "),
    "writes a folder": ("#!/bin/sh\n" + TO_OUT % "mkdir", "made no library: it ended with code 0"),
    "says what is no text": (
        "#!/bin/sh\nprintf '\\377\\033[2J' | tee /dev/stderr\nexit 3\n", "made no library: \ufffd\\u001b[2J"
    ),
    "says nothing": ("#!/bin/sh\nexit 3\n", "made no library: it ended with code 3"),
    "does not end": ("#!/bin/sh\nexec sleep 60\n", "had not ended after 1 s"),
    "asks": ("#!/bin/sh\nread answer\nexit 4\n", "made no library: it ended with code 4"),
    "leaves out the entry points": (
        "#!/bin/sh\necho 'int x;' > $0.c\n" + TO_OUT % "cc -shared -fPIC $0.c -o", "it does not load: "
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for each test, and a compiler that is in no hurry to make quick code."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(c_host, "FLAGS", ("-O0", *c_host.FLAGS[1:]))


def nim() -> Program:
    program = compile_ruleset(NIM)[0]
    assert program is not None
    return program


def played(engine: Engine) -> Any:
    """Some games, or the fault that they end with."""
    try:
        return engine.playouts(engine.new(), 12, 1, keep=True)
    except RulesetError as fault:
        return str(fault)


def plays_as_the_reference(program: Program, target: str) -> str:
    """Play some games and compare them; gives the notice."""
    game = Game(program, target)
    assert played(game.engine) == played(Game(program, REFERENCE).engine)
    return native_games(game).notice


# ---------------------------------------------------------------- compilers


@needs_shell
@needs_compiler
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_broken_compiler_is_named_and_the_reference_plays(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, said = SCRIPTS[name]
    broken = tmp_path / "broken"
    broken.write_text(text)
    broken.chmod(0o755)
    monkeypatch.setattr(c_host, "ASKED", 1)
    monkeypatch.setattr(c_host, "COMPILING", 10)
    monkeypatch.setenv("CC", str(broken))
    notice = plays_as_the_reference(nim(), C)
    assert notice.startswith("this ruleset is not played in C: ") and said in notice and "\x1b" not in notice
    with contextlib.suppress(Unsupported):
        assert cache.in_cache(nim(), cache.PLAIN, target_called(C)) is None, "nothing of it is kept"


@pytest.mark.parametrize("command", ["cc '", '"', "   ", "/", ".", "no-such-compiler -O3"])
def test_a_command_that_is_none_counts_as_no_compiler(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", command)
    assert plays_as_the_reference(nim(), C) == c_host.MISSING


@needs_compiler
def test_where_no_file_can_be_written_the_reference_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    assert "no file can be written for the compiler: No such file" in plays_as_the_reference(nim(), C)


@needs_compiler
def test_a_cache_that_cannot_be_written_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file" / "cache"))
    assert plays_as_the_reference(nim(), C) == ""


@needs_compiler
def test_compilers_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one compiler made is not taken for that of another, in one process either."""
    first = c_host.build()
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho another 1.0\n")
    other.chmod(0o755)
    monkeypatch.setenv("CC", str(other))
    assert c_host.build() != first and "another 1.0" in c_host.build()


# ---------------------------------------------------------------- modules that do not load


JUNK = b"\x7fELF what another sort of machine has made"


def spoil(program: Program, target: str) -> str:
    """Put what does not load in the place of the kept module; gives its key."""
    found = target_called(target)
    key = cache._key(f"native {cache.PLAIN} {found.build()}", program)
    kept = load_cached(key)
    assert kept is not None and store_cached(key, (JUNK, kept[1]))
    return key


def skip_without(target: str) -> None:
    if not target_called(target).available():
        pytest.skip(target_called(target).missing)


@pytest.mark.parametrize("target", TARGETS)
def test_a_kept_module_that_does_not_load_is_made_again(target: str) -> None:
    skip_without(target)
    assert plays_as_the_reference(nim(), target) == ""
    key = spoil(nim(), target)
    assert plays_as_the_reference(nim(), target) == ""
    mended = load_cached(key)
    assert mended is not None and mended[0] != JUNK
    spoil(nim(), target)
    assert cache.running(nim(), cache.PLAIN, target_called(target))[0].memory
    assert load_cached(key)[0] != JUNK  # type: ignore[index]


@pytest.mark.parametrize("target", TARGETS)
def test_a_module_that_never_loads_is_said_once(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_without(target)
    made: list[Any] = []

    def junk(program: Program, sort: str, target: Any, **_: Any) -> Any:
        made.append(found := cache.compiled(program, sort, target))
        return JUNK, found[1]

    monkeypatch.setattr("interpreter.backends.native.making.compiled", junk)
    making = Making(nim(), target_called(target), False, eager=True)
    assert [making.instance() for _ in range(4)] == [None] * 4 and len(made) == 2
    assert "it does not load: " in making.notice


@needs_wasmtime
def test_a_module_beyond_the_limits_of_the_package_is_left_to_the_reference() -> None:
    sets: list[low.Stmt] = [low.Set(f"v{i}", low.Num(i)) for i in range(50_001)]
    body = (*sets, low.Return(low.Num(0)))
    module = low.Module((low.Function("go", (), body, True),), (low.REASON,), 64, ())
    with pytest.raises(Unsupported, match="the module is too large: .*locals"):
        wasm_host.compiled(encode(module))


def test_a_module_beyond_the_limits_of_python_is_left_to_the_reference() -> None:
    deep: low.Body = (low.Return(low.Num(0)),)
    wide: low.Expr = low.Load(low.Num(0))
    for _ in range(300):
        deep, wide = (low.If(low.Load(low.Num(0)), deep), *deep[-1:]), low.Op("+", wide, low.Load(low.Num(0)))
    for body, said in (deep, "too many levels"), ((low.Return(wide),), "too many nested"):
        module = low.Module((low.Function("go", (), body, True),), (low.REASON,), 64, ())
        with pytest.raises(Unsupported, match=f"the module is too large for Python: {said}"):
            printed(module)


# ---------------------------------------------------------------- names and numbers


WORDS = (
    "auto break char const continue double extern float goto long register short signed sizeof static struct switch "
    "typedef unsigned void volatile main memory m g v0 f0 d0 t1 l1 State give_up call_start new_state printf "
    "global_names lambda def yield_ async nonlocal None_ self exec eval print globals __import__ __builtins__ "
    "__class__ memory_of i32 i64 local func export reason sp count"
).split()
LONG = "x" * 20_000
GAME = "phase game\n    choose k in 1..2 by p1\n"
ODD = {
    "words of C and Python": "".join(f"field {w}: 0..9\n" for w in WORDS)
    + GAME + "".join(f"    set {w} to {w} + k\n" for w in WORDS),
    "names of 20,000 letters": f"enum E{LONG}: a{LONG}, b{LONG}\nfield {LONG}: 0..9\n"
    f"value v{LONG}(k{LONG}: int): int = k{LONG} + 1\nphase game\n"
    f"    choose k{LONG} in 1..2 by p1\n    choose e{LONG} in E{LONG} by p1\n"
    f"    if e{LONG} is b{LONG}\n        set {LONG} to v{LONG}(k{LONG})\n",
    "the largest numbers": "field n: 0..2147483647\nfield l: -2147483647..9\nvalue f(k: int): int = 2147483647 - k\n"
    + GAME + "    set n to 2147483647 * (k - 1)\n    set l to k - 2147483647\n    set n to f(f(n)) mod 2147483647\n",
    "numbers beyond": "field n: 0..2147483647\n"
    + GAME + "    set n to 2147483647\n    set n to (n * n * k) mod 7 + n * (k - 2)\n",
    "expressions in one another": GAME + "    set n to (" + "(" * 80 + "k" + " + 1)" * 80 + ") mod 10\nfield n: 0..9\n",
    "loops in one another": "field n: 0..9\n"
    + GAME + "    set n to " + "".join(f"sum(a{i} in {{1}}: " for i in range(22)) + "n + k" + ")" * 22 + " mod 10\n",
    "an enum of 20,000 words": "enum E: " + ", ".join(f"e{i}" for i in range(20_000)) + "\nfield n: E\n" + GAME
    + "    if k is 2\n        set n to e19999\n",
    "a table of 300 rows": "table t by 0..899\n" + "".join(f"    {3 * i}..{3 * i + 2}: {i * i}\n" for i in range(300))
    + "field n: 0..899 = 700\nphase game\n    for every i in 1..9\n        choose some k in 1..5 by p1 such that"
    + " t[size(k) * 7 + 6] < 90\n        set n to (t[n] + size(k)) mod 900\n",
}  # fmt: skip
LEFT = {("loops in one another", "printed"): "loops that are nested more deeply than in Python"}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ODD)
def test_odd_names_and_numbers_play_as_by_the_reference(name: str, target: str) -> None:
    skip_without(target)
    program, found, _ = compile_sources({"x.rules": ODD[name]}, seats=(2, 2))
    assert program is not None, found
    notice, left = plays_as_the_reference(program, target), LEFT.get((name, target), "")
    assert left in notice and bool(left) == bool(notice), name
