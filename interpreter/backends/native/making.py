"""The module of a program, made behind the game: until it is there, the reference plays.

A module that is in the cache is there at once. Else it is made in a thread, once the reference has worked for a while:
who only asks a first question, as after each change of a rule, does not pay for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from dsl.program import Program
from interpreter.backends.low.base.kinds import Unloadable, Unsupported
from interpreter.backends.native.cache import CHECKED, PLAIN, Compiled, Made, compiled, in_cache, loaded
from interpreter.backends.native.targets import Instance, Target

PATIENCE = 0.1  # seconds of the processor in which the reference plays, before a module is made
T = TypeVar("T")
STACK = 1 << 28  # bytes, for the walk over trees


class Making:
    """One module of a program for drivers. `notice`: why there is none, once that is known."""

    def __init__(self, program: Program, target: Target, checked: bool, eager: bool = False) -> None:
        """`eager`: make it when it is first asked for."""
        self.program, self.target, self.sort = program, target, CHECKED if checked else PLAIN
        self.eager, self.left = eager, PATIENCE
        self.notice = "" if target.available() else target.missing
        self._asked = self._anew = False  # `_anew`: what the cache had does not load here
        self._made: Compiled | None = None
        self._thread: threading.Thread | None = None

    def instance(self) -> tuple[Instance, Made] | None:
        """An instance of its own for who asks, if the module is there by now."""
        if self._made is None and not self.notice and not self._asked:
            self._asked = True
            self._look()
            if self._made is None and self.eager and not self.notice:
                self._make()
        if self._made is None:
            return None
        try:
            return loaded(self._made, self.target)
        except Unsupported as reason:
            self._made = None
            if isinstance(reason, Unloadable) and not self._anew:
                self._anew = True
                self._make()
                return self.instance()
            self._refuse(reason)
            return None

    def _look(self) -> None:
        """Take the module that is in the cache."""
        try:
            self._made = in_cache(self.program, self.sort, self.target)
        except Unsupported as reason:
            self._refuse(reason)

    def spend(self, work: Callable[[], T]) -> T:
        """Let the reference do some work, and give what it gives; when it has worked for long enough, begin to make the
        module."""
        begun = time.process_time()
        try:
            return work()
        finally:
            self.left -= time.process_time() - begun
            if self.left < 0:
                self.begin()

    def begin(self) -> None:
        """Begin to make the module in a thread, unless that has been done."""
        if self._thread is not None or self._made is not None or self.notice:
            return
        before = threading.stack_size(STACK)
        try:
            self._thread = threading.Thread(target=self._make, name=f"native {self.program.id}", daemon=True)
            self._thread.start()
        finally:
            threading.stack_size(before)

    def wait(self) -> None:
        """Wait until the module is there, or it is known that there will be none."""
        if self.instance() is None and not self.notice:
            if self._thread is None:
                self._make()
            else:
                self._thread.join()

    def _refuse(self, reason: Unsupported) -> None:
        self.notice = f"this ruleset is not played in {self.target.title}: {reason}"

    def _make(self) -> None:
        try:
            self._made = compiled(self.program, self.sort, self.target, anew=self._anew)
        except Unsupported as reason:
            self._refuse(reason)
        except Exception as fault:  # of ours: it is raised as well, so that it is seen
            self.notice = f"{self.target.title} could not be made: {type(fault).__name__}: {fault}"
            raise
