"""The cache gives back what was stored, and nothing that was cut, changed or put there by somebody else."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import dsl
import interpreter
from dsl import ir
from dsl.base import cache
from dsl.base.cache import digest_files, load_cached, store_cached
from dsl.base.types import IntType
from interpreter.backends.native import cache as modules

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def kept(folder: Path) -> Path:
    (file,) = folder.glob("*.bin")
    return file


class Bomb:
    """Unpickling this would leave a trace."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (Path.touch, (self.path,))


def test_what_is_stored_is_loaded(folder: Path) -> None:
    tree = ir.If(ir.Temp(0), ir.Const(1), ir.Cell(ir.Const(5), IntType(0, 9)))
    assert load_cached("a") is None
    assert store_cached("a", tree)
    assert load_cached("a") == tree
    assert load_cached("b") is None
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.suffix for file in folder.iterdir()] == [".bin"]  # nothing half written is left


@pytest.mark.parametrize("size", [0, 5, 20, 40, 60, -1])
def test_a_cut_file_is_not_read(folder: Path, size: int) -> None:
    store_cached("a", list(range(100)))
    data = kept(folder).read_bytes()
    kept(folder).write_bytes(data[:size])
    assert load_cached("a") is None
    assert store_cached("a", 1) and load_cached("a") == 1  # and it is rebuilt


def test_no_changed_byte_is_accepted(folder: Path) -> None:
    store_cached("a", {"rule": (1, 2, 3)})
    data = kept(folder).read_bytes()
    for i in range(len(data)):
        kept(folder).write_bytes(data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :])
        assert load_cached("a") is None, i


def test_a_foreign_file_is_not_unpickled(folder: Path, tmp_path: Path) -> None:
    store_cached("a", 1)
    trace = tmp_path / "trace"
    bomb = pickle.dumps(Bomb(trace))
    for data in (bomb, cache.MAGIC + cache.VERSION + bytes(32) + bomb):
        kept(folder).write_bytes(data)
        assert load_cached("a") is None
    assert not trace.exists()


def test_a_file_of_another_key_is_not_read(folder: Path) -> None:
    store_cached("a", 1)
    first = kept(folder)
    store_cached("b", 2)
    (second,) = set(folder.glob("*.bin")) - {first}
    second.replace(first)
    assert load_cached("a") is None


def test_a_sealed_file_of_classes_that_are_gone_is_rebuilt(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir, "Gone", ir.Const, raising=False)
    monkeypatch.setattr(pickle, "dumps", lambda value, protocol: b"\x80\x04\x8c\x06dsl.ir\x94\x8c\x04Gone\x94\x93\x94.")
    store_cached("a", 1)
    assert load_cached("a") is ir.Const
    monkeypatch.delattr(ir, "Gone")
    assert load_cached("a") is None


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_folder_that_others_can_write_is_refused(folder: Path) -> None:
    store_cached("a", 1)
    folder.chmod(0o777)
    assert load_cached("a") is None
    assert not store_cached("a", 2)
    folder.chmod(0o700)
    assert load_cached("a") == 1
    kept(folder).chmod(0o666)
    assert load_cached("a") is None


@pytest.mark.skipif(os.name != "posix", reason="links and owners")
def test_links_and_folders_of_others_are_refused(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_cached("a", 1)
    away = kept(folder).replace(tmp_path / "away")
    (folder / cache._file_name("a")).symlink_to(away)
    assert load_cached("a") is None
    link = tmp_path / "link"
    link.symlink_to(folder)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(link))
    assert not store_cached("a", 1)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(folder))
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert not store_cached("a", 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes in folders")
def test_what_is_no_file_is_not_waited_for_and_not_replaced(folder: Path) -> None:
    store_cached("a", 1)
    kept(folder).unlink()
    place = folder / cache._file_name("a")
    os.mkfifo(place)
    assert load_cached("a") is None
    assert store_cached("a", 2) and load_cached("a") == 2  # a pipe gives way, as nobody else can have put it there
    place.unlink()
    place.mkdir()
    assert load_cached("a") is None and not store_cached("a", 3)
    assert [file.name for file in folder.iterdir()] == [place.name], "nothing half written is left"


WRITER = """
import sys
from dsl.base.cache import store_cached
print("begun", flush=True)
for n in range(10**9):
    store_cached("shared", [n] * 200_000)
"""
READER = """
from dsl.base.cache import load_cached
seen = [load_cached("shared") for _ in range(60)]
assert all(one is None or len(one) == 200_000 and len(set(one)) == 1 for one in seen), "a half of two values"
print(sum(one is not None for one in seen))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_two_that_write_one_entry_and_are_killed_leave_it_whole(folder: Path) -> None:
    store_cached("shared", [7] * 200_000)
    start = {"cwd": ROOT, "stdout": subprocess.PIPE, "text": True}
    writers = [subprocess.Popen([sys.executable, "-c", WRITER], **start) for _ in range(2)]  # type: ignore[call-overload]
    try:
        for writer in writers:
            writer.stdout.readline()
        done = subprocess.run([sys.executable, "-c", READER], cwd=ROOT, capture_output=True, text=True)
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    assert (done.stdout, done.returncode) == ("60\n", 0), done.stderr
    value = load_cached("shared")
    assert value is not None and len(value) == 200_000 and len(set(value)) == 1
    left = [file for file in folder.iterdir() if file.suffix != ".bin"]
    for file in left:
        os.utime(file, (0, 0))
    store_cached("other", 1)
    assert not any(file.exists() for file in left)


def test_a_folder_that_can_not_be_made_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file" / "cache"))
    assert not store_cached("a", 1)
    assert load_cached("a") is None


def test_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert store_cached("a", 1) and kept(tmp_path / "xdg" / "rulewright").is_file()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert store_cached("a", 1) and kept(tmp_path / "home" / ".cache" / "rulewright").is_file()


def test_the_digest_is_of_names_contents_order_and_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_text("12")
    b.write_text("3")
    seen = {digest_files([a, b], tmp_path), digest_files([b, a], tmp_path), digest_files([a], tmp_path)}
    a.write_text("1")
    b.write_text("23")
    seen.add(digest_files([a, b], tmp_path))
    a.rename(tmp_path / "c")
    seen.add(digest_files([tmp_path / "c", b], tmp_path))
    monkeypatch.setattr(cache, "compiler_digest", lambda: b"another compiler")
    seen.add(digest_files([tmp_path / "c", b], tmp_path))
    assert len(seen) == 6


def test_the_digests_see_all_of_compiler_and_generator() -> None:
    """Wherever their own files are: else a stale program would be used after a change elsewhere."""
    assert cache.COMPILER == Path(dsl.__file__).parent
    assert modules.INTERPRETER == Path(interpreter.__file__).resolve().parent


def test_every_node_of_the_program_is_known_as_one() -> None:
    assert ir.is_node(ir.Const(1)) and ir.is_node(ir.End()) and ir.is_node(ir.Purse.__new__(ir.Purse))
    assert not any(ir.is_node(value) for value in (1, "one", (ir.Const(1),), IntType(0, 1), ir.Const))


def test_loading_needs_no_reader_of_text(folder: Path) -> None:
    row = ir.If(ir.Temp(0), ir.Linear(3, ((ir.Temp(1), 4),)), ir.Cell(ir.Const(5), IntType(0, 9)))
    store_cached("a", [(i, ir.And((row, ir.Const(i)))) for i in range(5000)])
    assert len(load_cached("a") or ()) == 5000
    script = (
        "import sys; from dsl.base.cache import load_cached; assert len(load_cached('a')) == 5000; "
        "print([name for name in ('pydantic', 'ruamel.yaml', 'lark') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ---------------------------------------------------------------- its size


MEGABYTE = b"x" * 2**20


def fill(folder: Path, number: int) -> list[Path]:
    """Entries of a megabyte each, used one after the other, the first one longest ago."""
    files = []
    for n in range(number):
        before = set(folder.iterdir()) if folder.exists() else set()
        assert store_cached(f"entry {n}", MEGABYTE)
        (file,) = set(folder.iterdir()) - before
        os.utime(file, (10_000 + n, 10_000 + n))
        files.append(file)
    return files


def test_the_cache_holds_no_more_than_the_variable_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = fill(folder, 6)
    monkeypatch.setenv("RULEWRIGHT_CACHE_MB", "4")
    store_cached("last", MEGABYTE)
    left = sorted(folder.iterdir())
    assert len(left) == 3 and set(files) & set(left) == set(files[-2:])
    assert load_cached("last") == MEGABYTE and load_cached("entry 5") == MEGABYTE and load_cached("entry 0") is None


def test_what_is_used_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = fill(folder, 4)
    assert load_cached("entry 0") == MEGABYTE
    monkeypatch.setenv("RULEWRIGHT_CACHE_MB", "4")
    store_cached("last", MEGABYTE)
    assert files[0].exists() and not files[1].exists()


def test_the_time_of_use_is_noted_once_an_hour(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(folder, 1)
    noted = []
    utime = os.utime
    monkeypatch.setattr(os, "utime", lambda *args: (noted.append(args), utime(*args))[1])
    for _ in range(5):
        load_cached("entry 0")
    assert len(noted) == 1


@pytest.mark.parametrize("value", ["", "many", "-1", "9" * 5000, "\u0663"])
def test_a_variable_that_is_no_number_counts_as_none(folder: Path, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE_MB", value)
    fill(folder, 2)
    assert len(list(folder.iterdir())) == 2


def test_even_a_cache_without_room_holds_what_was_stored_last(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE_MB", "0")
    store_cached("a", 1)
    store_cached("b", 2)
    assert load_cached("a") is None and load_cached("b") == 2


def test_what_was_left_half_written_goes(folder: Path) -> None:
    store_cached("a", 1)
    old, young, other = folder / ".new-aa", folder / ".new-bb", folder / "notes.txt"
    for file in (old, young, other):
        file.write_text("half")
    for file in (old, other):
        os.utime(file, (0, 0))
    store_cached("b", 2)
    assert not old.exists() and young.exists() and other.exists()
