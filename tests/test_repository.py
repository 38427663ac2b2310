"""What holds for the repository as a whole: who imports whom, the rooms, and that the engine knows no game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ("dsl", "interpreter", "tools")
GAME_WORDS = re.compile(r"dominan|animal|tundra|glaciat|wanderlust|mesofauna|megafauna|leonardo|archaeolog", re.I)

FEWEST, MOST = 3, 13
LONGEST = 420  # lines of a file
DEEPEST = 2  # classes of ours above one another

# Folders that hold rooms, with at most a few files of their own: faces, entry points, what stands above their rooms.
HALLS = {
    "dsl": "the product, `program`, stands between its rooms",
    "dsl/elaborate": "the context that its rooms share, and the order in which all is made",
    "interpreter": "the public face",
    "interpreter/backends": "one folder for each target, and what they share",
    "interpreter/backends/low": "the rooms of the low form",
    "tools": "the entry points",
    "tools/picture": "the rooms of a picture: what it shows, and how it looks",
    "tools/site": "the command and what it writes",
    "tools/web": "the command, and the start of the server",
}
SMALL = {"dsl/syntax/grammar": "the grammar, its tables, and what makes them"}

# Where rooms are tested that have no folder of tests by their own name: through what they are for, not file by file.
# What holds for a folder holds for those below it.
TESTED_BY = {
    "dsl/symbols": "tests/concepts",
    "dsl/checks/display": "tests/dsl/checks",
    "dsl/overlay": "tests/concepts",
    "dsl/format": "tests/tools/commands",
    "dsl/syntax/grammar": "tests/dsl/syntax",
    "dsl/elaborate": "tests/concepts",
    "interpreter/visibility": "tests/conformance",
    "interpreter/backends": "tests/interpreter/backends",
    "tools/adapters": "tests/spiel",
    "tools/picture": "tests/tools/picture",
    "tools/site": "tests/tools/site",
    "tools/web": "tests/tools/web",
}


TOP = {"dsl", "interpreter", "rulesets", "cards", "tests", "tools", "docs", ".ci", ".github"}


def test_nothing_else_lies_at_the_top() -> None:
    command = ["git", "ls-tree", "-d", "--name-only", "HEAD"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        pytest.skip("not a checkout")
    assert set(run.stdout.split()) == TOP


def test_imports_go_one_way() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_engine_knows_no_game() -> None:
    found = []
    for folder in ENGINE:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in {".py", ".lark", ".yaml", ".md"}:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if GAME_WORDS.search(line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found, "\n".join(found)


# ---------------------------------------------------------------- rooms


@cache
def folders() -> dict[str, list[Path]]:
    """Every folder of the engine that holds Python, with its files."""
    found: dict[str, list[Path]] = {}
    for top in ENGINE:
        for path in sorted((ROOT / top).rglob("*.py")):
            found.setdefault(path.parent.relative_to(ROOT).as_posix(), []).append(path)
    return found


def rooms() -> list[str]:
    return [name for name in folders() if name not in HALLS]


@pytest.mark.parametrize("name", folders())
def test_a_folder_says_in_a_sentence_what_it_is(name: str) -> None:
    face = ROOT / name / "__init__.py"
    assert face.is_file(), f"{name} has no __init__.py"
    sentence = (ast.get_docstring(ast.parse(face.read_text(encoding="utf-8"))) or "").split("\n\n")[0]
    assert sentence.endswith(".") and len(sentence) > 12, f"{name} does not say what it is"


@pytest.mark.parametrize("name", rooms())
def test_a_room_is_neither_a_cupboard_nor_a_hall(name: str) -> None:
    files = [path for path in folders()[name] if path.name != "__init__.py"]
    assert len(files) <= MOST, f"{name} has {len(files)} files"
    assert len(files) >= FEWEST or name in SMALL, f"{name} has {len(files)} files"


def test_the_exceptions_are_there() -> None:
    assert {*HALLS, *SMALL, *TESTED_BY} <= folders().keys()


@pytest.mark.parametrize("name", rooms())
def test_a_room_has_its_tests(name: str) -> None:
    above = [name, *(parent.as_posix() for parent in Path(name).parents)]
    named = next((TESTED_BY[folder] for folder in above if folder in TESTED_BY), "")
    places = [place for place in (f"tests/{name}", named) if place and list((ROOT / place).glob("test_*.py"))]
    assert places, f"{name} has no tests in tests/{name}"


@pytest.mark.parametrize("name", folders())
def test_files_are_short(name: str) -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in folders()[name]}
    assert not {file: length for file, length in lengths.items() if length > LONGEST}


def classes() -> Iterator[tuple[str, ast.Module, ast.ClassDef]]:
    """Every class of the engine, with its module by name and as a tree."""
    for paths in folders().values():
        for path in paths:
            parts = path.relative_to(ROOT).with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    yield module, tree, node


def imported(tree: ast.Module) -> dict[str, str]:
    """Local name -> full name, of what a module imports."""
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


# Modules whose classes are the words of a tree: each is read with its module's name, `sx.If`, `ir.If`, `low.If`.
TREES = {
    "dsl.ir.declarations",
    "dsl.ir.expressions",
    "dsl.ir.instructions",
    "dsl.ir.statements",
    "dsl.syntax.nodes",
    "interpreter.backends.analysis.structure",
    "interpreter.backends.low.form.nodes",
}
# Classes that are called like a word of a tree, since both names are those of the field.
LIKE_A_WORD = {
    "Local": "a local of rules, of low code",
    "Reason": "that of a refusal, that for which low code gives up",
    "Result": "that of a game, the last line of a value",
    "Run": "what handlers are given, the instruction",
    "Scope": "that of names, the instruction",
    "Table": "that people sit at, of constants",
}


def test_a_class_has_a_name_of_its_own() -> None:
    tops = [(module, node.name) for module, tree, node in classes() if node in tree.body]
    named: dict[str, list[str]] = {}
    for module, name in tops:
        if module not in TREES:
            named.setdefault(name, []).append(module)
    assert {name: modules for name, modules in named.items() if len(modules) > 1} == {}
    words = {name for module, name in tops if module in TREES}
    assert words & named.keys() == LIKE_A_WORD.keys()


def test_a_module_says_what_it_is_and_asks_no_question() -> None:
    asks = re.compile(r"(What|Where|Whether|How|Who|Which|Why|When)\b")
    files = [file for files in folders().values() for file in files]
    heads = {str(f.relative_to(ROOT)): ast.get_docstring(ast.parse(f.read_text(encoding="utf-8"))) or "" for f in files}
    assert [name for name, text in heads.items() if asks.match(text)] == []


# Rooms in which functions and classes say what they are or what holds, too, rather than ask. More are to follow.
STATING = (
    "dsl",
    "dsl/base",
    "dsl/checks",
    "dsl/checks/display",
    "dsl/checks/wording",
    "dsl/diagnostics",
    "dsl/driver",
    "dsl/editing",
    "dsl/files",
    "dsl/format",
    "dsl/ir",
    "dsl/knowledge",
    "dsl/overlay",
    "dsl/reference",
    "dsl/shows",
    "dsl/syntax",
    "dsl/syntax/grammar",
    "interpreter/backends/analysis",
    "interpreter/backends/c",
    "interpreter/backends/low/base",
    "interpreter/backends/low/form",
    "interpreter/backends/low/games",
    "interpreter/backends/low/rules",
    "interpreter/backends/low/scopes",
    "interpreter/backends/low/slots",
    "interpreter/backends/low/spans",
    "interpreter/backends/low/values",
    "interpreter/backends/low/whole",
    "interpreter/backends/native",
    "interpreter/backends/printed",
    "interpreter/backends/wasm",
    "interpreter/choices",
    "interpreter/core",
    "interpreter/explaining",
    "interpreter/machine",
    "interpreter/play",
    "interpreter/records",
    "interpreter/rules",
    "interpreter/search",
    "interpreter/semantics",
    "interpreter/session",
    "interpreter/visibility",
    "tools",
    "tools/adapters",
    "tools/base",
    "tools/bench",
    "tools/bot_server",
    "tools/display",
    "tools/drawing",
    "tools/lsp",
    "tools/mutation",
    "tools/picture/differ",
    "tools/picture/model",
    "tools/picture/render",
    "tools/picture/sheets",
    "tools/shows",
    "tools/site/content",
    "tools/table",
    "tools/terminal",
    "tools/wire",
    "tools/workers",
)


@pytest.mark.parametrize("room", STATING)
def test_what_stands_in_a_room_says_what_holds_and_asks_no_question(room: str) -> None:
    asks = re.compile(r"(What|Where|Whether|How|Who|Which|Why|When)\b")
    asking = []
    for path in folders()[room]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and asks.match(ast.get_docstring(node) or ""):
                asking.append(f"{path.name}:{node.lineno} {node.name}")
    assert asking == []


def test_no_class_is_split_over_files_by_inheritance() -> None:
    bases: dict[str, list[str]] = {}
    for module, tree, node in classes():
        known = imported(tree)
        named = [ast.unparse(base).partition("[")[0] for base in node.bases]
        heads = [(name.partition(".")[0], name.partition(".")[2]) for name in named]
        bases[f"{module}.{node.name}"] = [
            ".".join(filter(None, (known.get(head, f"{module}.{head}"), rest))) for head, rest in heads
        ]

    def depth(name: str) -> int:
        return 1 + max((depth(base) for base in bases[name] if base in bases), default=0)

    assert max(map(depth, bases)) == DEEPEST, {name: depth(name) for name in bases if depth(name) > DEEPEST}


def test_no_method_waits_for_a_relative_to_fill_it_in() -> None:
    waiting = [
        f"{module}:{node.lineno}"
        for module, _, owner in classes()
        for node in ast.walk(owner)
        if isinstance(node, ast.Raise) and "NotImplementedError" in ast.dump(node)
    ]
    assert not waiting


def test_digits_are_those_that_make_a_number() -> None:
    """`"\u00b2".isdigit()` is true, and `int` cannot read it; what `isdecimal` takes it can."""
    code = [path for folder in ("dsl", "interpreter", "tools") for path in (ROOT / folder).rglob("*.py")]
    assert [str(path) for path in code if ".isdigit()" in path.read_text(encoding="utf-8")] == []
