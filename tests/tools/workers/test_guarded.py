"""Work in a process of its own: what one item does to its process, the others do not feel."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from tools.workers.guarded import Lost, guarded


def begin(factor: int) -> Callable[[int | str], int]:
    """Multiplies numbers; words are deeds against its own process."""

    def work(item: int | str) -> int:
        if item == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if item == "ended":
            os._exit(7)
        if item == "exits":
            raise SystemExit(3)
        if item == "fails":
            raise ZeroDivisionError("a trial")
        assert isinstance(item, int)
        return factor * item

    return work


def test_results_come_in_order() -> None:
    assert list(guarded(begin, 10, [3, 1, 2])) == [30, 10, 20] and list(guarded(begin, 10, [])) == []


def test_only_the_item_that_ends_its_process_is_lost() -> None:
    found = list(guarded(begin, 10, ["killed", 1, "ended", "exits", 2, "fails", 3, "killed"]))
    lost = [f.why for f in found if isinstance(f, Lost)]
    assert [f for f in found if not isinstance(f, Lost)] == [10, 20, 30]
    assert [isinstance(f, Lost) for f in found] == [True, False, True, True, False, True, False, True]
    assert lost[0].startswith("its process was killed (SIGKILL)") and lost[1] == "its process ended with code 7"
    assert lost[2] == "its process ended with code 3"
    assert lost[3].startswith("internal error (ZeroDivisionError at test_guarded.py:")


def test_what_is_given_up_leaves_no_process() -> None:
    import multiprocessing

    work = guarded(begin, 10, [1, 2])
    assert next(work) == 10 and multiprocessing.active_children()
    work.close()
    assert not multiprocessing.active_children()
