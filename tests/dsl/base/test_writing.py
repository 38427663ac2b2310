"""Files are written wholly or not at all, with the usual permissions, and what killed processes leave is removed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl.base import writing
from dsl.base.writing import OLD, part_name, write_atomic

POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions are others there")


@pytest.fixture
def mask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if this process had written nothing yet."""
    monkeypatch.setattr(writing, "_swept", set())


def test_a_file_is_written_wholly_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_atomic(file, "one")
    with pytest.raises(UnicodeEncodeError):
        write_atomic(file, "\ud800")
    assert file.read_text() == "one" and list(tmp_path.iterdir()) == [file]


@POSIX
def test_a_new_file_has_the_permissions_of_the_mask(tmp_path: Path, mask: None) -> None:
    write_atomic(tmp_path / "new", "text")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


@POSIX
def test_a_file_never_appears_with_other_permissions_than_it_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are set before the file takes its place, so that a kill in between cannot leave others."""
    file = tmp_path / "shared"
    file.write_text("old")
    file.chmod(0o664)
    seen = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (seen.append(os.stat(a).st_mode & 0o777), replace(a, b)))
    write_atomic(file, "new")
    assert seen == [0o664] and file.read_text() == "new" and file.stat().st_mode & 0o777 == 0o664


@pytest.mark.parametrize("call", ["open", "fsync", "replace"])
def test_a_full_disk_names_the_file_and_leaves_nothing(
    tmp_path: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = tmp_path / "game.json"
    file.write_text("before")
    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="No space left") as fault:
        write_atomic(file, "after")
    assert fault.value.filename == str(file)
    assert file.read_text() == "before" and list(tmp_path.iterdir()) == [file]


def ended() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left_by(process: int, folder: Path, age: float) -> Path:
    own = part_name(folder / "game.json")
    path = folder / own.replace(f".{os.getpid()}-", f".{process}-")
    path.write_text("half")
    os.utime(path, (path.stat().st_mtime - age,) * 2)
    return path


@POSIX
def test_what_killed_processes_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    gone, young = left_by(ended(), tmp_path, OLD + 60), left_by(ended(), tmp_path, 5)
    running = left_by(os.getpid(), tmp_path, OLD + 60)
    other = tmp_path / ".notes.part"
    other.write_text("not ours")
    os.utime(other, (0, 0))
    write_atomic(tmp_path / "new", "text")
    assert sorted(tmp_path.iterdir()) == sorted([young, running, other, tmp_path / "new"])
    assert not gone.exists()


@POSIX
def test_a_half_written_folder_is_removed_with_all_in_it(tmp_path: Path) -> None:
    """A website is written as a whole folder."""
    name = part_name(tmp_path / "site").replace(f".{os.getpid()}-", f".{ended()}-")
    (tmp_path / name / "en").mkdir(parents=True)
    (tmp_path / name / "en" / "index.html").write_text("half")
    os.utime(tmp_path / name, (0, 0))
    write_atomic(tmp_path / "new", "text")
    assert list(tmp_path.iterdir()) == [tmp_path / "new"]


def test_the_folder_is_looked_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda folder: (looked.append(folder), scan(folder))[1])
    for number in range(5):
        write_atomic(tmp_path / f"{number}", "text")
    assert len(looked) == 1
