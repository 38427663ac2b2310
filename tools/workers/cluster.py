"""Work over the machines of a Ray cluster: items in shards, and what these give in the order of the items.

A shard is a list of items that one task works on. Results do not depend on shards, on the number of workers or on
their order; a shard whose worker is lost is worked on again. Needs the extra `ray`.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, TypeVar

from interpreter.backends.native.cache import interpreter_digest
from tools.base.errors import UserError
from tools.workers.handlers import kept_handlers

Argument = TypeVar("Argument")
Item = TypeVar("Item")
Result = TypeVar("Result")

RAY = "ray"  # the name of what makes a cluster
RETRIES = 20  # of a shard whose worker is lost
AHEAD = 3  # shards for each processor that are handed out at a time
LARGEST = 1000  # items of a shard
SECONDS = 2.0  # that a shard takes, about
CONNECTING = 5.0  # seconds that a cluster may take to answer
HERE = "a cluster on this machine"


class OtherVersion(Exception):
    """A machine of the cluster has another version of the interpreter."""


class Cluster:
    """A cluster that is connected; `processors`: how many it has."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray
        self.processors = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def results(
        self, begin: Callable[[Argument], Callable[[Sequence[Item]], Result]], argument: Argument, items: Sequence[Item]
    ) -> Generator[Result, None, None]:
        """The result for each shard, in order, of the work that `begin(argument)` gives; `begin` is a function of a
        module. Shards that nobody waits for any more are given up. UserError where a machine has another version of
        this program, or loses the same shard again and again."""
        task = self.ray.remote(max_retries=RETRIES, num_cpus=1)(work_on)
        sent, run, version = self.ray.put((begin, argument)), uuid.uuid4().hex, interpreter_digest()
        waiting: deque[tuple[int, Any]] = deque()
        at, size = 0, 1
        try:
            while waiting or at < len(items):
                while at < len(items) and len(waiting) < AHEAD * self.processors:
                    shard = items[at : at + size]
                    waiting.append((len(shard), task.remote(sent, run, version, shard)))
                    at += size
                number, shard_task = waiting.popleft()
                found, seconds = self.taken(shard_task)
                size = shard_size(len(items) - at, self.processors, seconds / number)
                yield found
        finally:
            for _, shard_task in waiting:
                self.ray.cancel(shard_task)

    def taken(self, shard: Any) -> tuple[Any, float]:
        """The result of a shard and the seconds that it took, when it is there."""
        try:
            found: tuple[Any, float] = self.ray.get(shard)
            return found
        except self.ray.exceptions.RayTaskError as fault:
            if isinstance(fault.cause, OtherVersion):
                raise UserError(
                    "a machine of the cluster has another version of rulewright: install this one on all of them."
                ) from None
            raise
        except self.ray.exceptions.WorkerCrashedError:
            raise UserError(f"the workers of the cluster were lost {RETRIES + 1} times in the same games.") from None


@contextlib.contextmanager
def connected(jobs: int | None) -> Iterator[Cluster]:
    """Meanwhile, the cluster of `RAY_ADDRESS`, or one on this machine with so many processors. UserError where Ray is
    missing or the cluster cannot be reached."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise UserError("a cluster needs the extra 'ray': pip install 'rulewright[ray]'.") from None
    if address := os.environ.get("RAY_ADDRESS"):
        require_listener(address)
    how: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    how |= {"address": address} if address else {"address": "local", "num_cpus": jobs, "include_dashboard": False}
    try:
        with kept_handlers():
            ray.init(**how)
    except (ConnectionError, ValueError, RuntimeError) as fault:
        raise UserError(f"there is no Ray cluster at '{address or HERE}': {fault}") from None
    try:
        yield Cluster(ray)
    finally:
        with kept_handlers():
            ray.shutdown()


def require_listener(address: str) -> None:
    """UserError if nobody listens at `HOST:PORT`, which Ray would find out after minutes; other words are its own."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), CONNECTING).close()
    except (OSError, OverflowError) as fault:
        raise UserError(f"there is no Ray cluster at RAY_ADDRESS '{address}': {fault}.") from None


def shard_size(left: int, processors: int, seconds: float) -> int:
    """The number of items that are worked on at a time, if one takes so many seconds and so many are left: not so many
    that the last ones keep all waiting."""
    return max(1, min(LARGEST, left // (2 * processors), int(SECONDS / max(seconds, 1e-6))))


_begun: tuple[str, Callable[[Any], Any]] | None = None  # the run for which this process is prepared, and its work


def work_on(
    sent: tuple[Callable[[Any], Callable[[Any], Any]], Any], run: str, version: str, shard: Sequence[Any]
) -> tuple[Any, float]:
    """The result of the work for a shard, and the seconds that it took; runs in a process of the cluster. Raises
    OtherVersion."""
    global _begun
    if interpreter_digest() != version:
        raise OtherVersion
    begin, argument = sent
    if _begun is None or _begun[0] != run:
        _begun = run, begin(argument)
    started = time.perf_counter()
    return _begun[1](shard), time.perf_counter() - started
