"""The control stack in the store: frames, their end lists, timed records and the scopes of `perform ... with ...
without`.

A frame at base b is [return address, caller's base, procedure, variables]; the procedure word is inverted once its
end list is done, since the frame then no longer counts as running. An end list item is [tag, procedure, arguments]:
the tag is the base of the frame for whose end it waits, 0 for that of the open `together`, and the negative of a base
once that is over and the frame there works it off; where seats order what waits, its last words are its order. A timed
record is [line, frame, number of values, values]: a line number plus 1 for `until end of`, the negative of that for
`perform with`, and 0 for the mark where a scope begins, whose third word keeps the waived causes of the scope around
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import INT, Type, pack, width
from dsl.program import (
    CHECKING,
    DEFERRED,
    DEFERRED_LINK,
    FP,
    FRAME_LINK,
    ORDER,
    PLAN,
    PLAN_FRAME,
    TIMED,
    TIMED_LINK,
    TOGETHER,
    TOGETHER_FRAME,
    WAIVE,
)
from interpreter.core import stack
from interpreter.core.run import Run
from interpreter.core.words import SCALARS, Temps, Words, load, put

# ------------------------------------------------------------ calls


def push(m: Run, number: int, args: Sequence[Any], back: int) -> int:
    """Push a frame for a suspending procedure; gives the address of its first instruction."""
    words = m.words
    proc = m.program.procs[number]
    base = len(words)
    limits = m.program.limits
    if base + FRAME_LINK + proc.frame_words - m.program.state_words > limits.stack:
        full = f"the stack is full ({limits.stack} words) where `{proc.name}` is called"
        raise m.fault(f"{full}; is there an endless recursion?")
    depth = sum(1 for _ in stack.bases(words))
    if depth >= limits.frames:
        deep = f"{depth} routines are running inside each other where `{proc.name}` is called"
        raise m.fault(f"{deep}; is there an endless recursion?")
    words.extend((back, words[FP], number))
    for (_, type_), value in zip(proc.params, args, strict=True):
        if type(type_) in SCALARS:
            words.append(value)
        else:
            words.extend(pack(value, type_))
    words.extend([0] * (base + FRAME_LINK + proc.frame_words - len(words)))
    words[FP] = base
    return proc.entry


def pop(m: Run) -> int:
    """Drop the running frame; gives its return address."""
    words = m.words
    base = words[FP]
    back = words[base]
    words[FP] = words[base + 1]
    del words[base:]
    if words[PLAN] and words[PLAN_FRAME] == base:
        m.end_plan()
    return back


def stop(m: Run, base: int) -> int:
    """Drop the frames inside the frame at `base` and leave its body; gives the address of its epilogue."""
    words = m.words
    proc = m.program.procs[words[base + 2]]
    del words[base + FRAME_LINK + proc.frame_words :]
    words[FP] = base
    left_together = bool(words[TOGETHER] and words[TOGETHER_FRAME] >= base)
    if left_together:
        words[TOGETHER] = words[TOGETHER_FRAME] = 0
    if words[CHECKING]:
        words[CHECKING] = int(any(m.program.procs[words[b + 2]].word == "checks" for b in stack.bases(words)))
    replace_items(m, [item for item in end_list_items(m) if stays(item[0], base, left_together)])
    remaining, waived = [], None
    for record in timed_records(m):
        line, frame = record[0], record[1]
        if frame < base or (frame == base and line > 0):
            remaining.append(record)
        elif line == 0 and waived is None:
            waived = record[2]
    replace_records(m, remaining)
    if waived is not None:
        words[WAIVE] = waived
    if words[PLAN] and words[PLAN_FRAME] >= base:
        m.end_plan()
    return proc.epilogue


def stays(tag: int, base: int, left_together: bool) -> bool:
    """True for an item of an end list, by its tag, that is left where the frame at `base` is ended from inside."""
    if tag < 0:
        return -tag < base
    return tag <= base and (tag > 0 or not left_together)


# ------------------------------------------------------------ end lists


def end_list_items(m: Run) -> list[Words]:
    """All items of end lists, oldest first."""
    size = DEFERRED_LINK + m.program.deferred_args
    base = m.program.deferred_base
    return [m.words[base + i * size : base + (i + 1) * size] for i in range(m.words[DEFERRED])]


def replace_items(m: Run, remaining: list[Words]) -> None:
    _replace(m.words, m.program.deferred_base, DEFERRED, DEFERRED_LINK + m.program.deferred_args, remaining)


def pack_values(types: Sequence[Type], values: Sequence[Any]) -> list[int]:
    """The words of these values, one value after the other."""
    return [word for t, value in zip(types, values, strict=True) for word in pack(value, t)]


def unpack_values(types: Sequence[Type], words: Sequence[int]) -> list[Any]:
    """The values of these types that `words` holds one after the other."""
    values, at = [], 0
    for t in types:
        values.append(load(words, at, t))
        at += width(t)
    return values


def defer(m: Run, s: ir.Defer, given: list[Any], order: Sequence[int]) -> None:
    base = stack.innermost(m.words, s.procs)
    program = m.program
    args = pack_values([t for _, t in program.procs[s.proc].params], given)
    if not base and s.procs:
        raise m.fault(f"`at end of` needs a running {_procs_text(m, s.procs)}, but none is running", s.span)
    if m.words[DEFERRED] >= program.limits.deferred:
        raise m.fault(f"the end lists are full ({program.limits.deferred} items, limit `deferred`)", s.span)
    size = DEFERRED_LINK + program.deferred_args
    at = program.deferred_base + m.words[DEFERRED] * size
    assert len(args) <= program.deferred_args and at + size <= program.state_words, "no room laid out for end lists"
    put(m.words, at, at + 2 + len(args), (base, s.proc, *args))
    put(m.words, at + size - len(order), at + size, order)
    m.words[DEFERRED] += 1


def claim(m: Run) -> None:
    """Make all that waits for the end of a `together` belong to the running frame from now on: events of its own that
    are one have a list of their own."""
    size = DEFERRED_LINK + m.program.deferred_args
    for i in range(m.words[DEFERRED]):
        at = m.program.deferred_base + i * size
        if not m.words[at]:
            m.words[at] = -m.words[FP]


def pending(m: Run, thing: int, what: str) -> int:
    """The order (`what`: its seat or its rank) of the first item that the running frame has claimed in the name of
    `thing`; 0 if there is none."""
    for item in end_list_items(m):
        if item[0] == -m.words[FP] and item[-len(ORDER)] == thing:
            return item[ORDER.index(what) - len(ORDER)]
    return 0


def next_item(m: Run, tag: int, thing: int | None = None) -> tuple[int, list[Any]] | None:
    """Take the first item with a tag from the end lists, of those in the name of `thing` if one is given: procedure and
    arguments."""
    if not m.words[DEFERRED]:
        return None
    all_items = end_list_items(m)
    for i, item in enumerate(all_items):
        if item[0] == tag and (thing is None or item[-len(ORDER)] == thing):
            replace_items(m, all_items[:i] + all_items[i + 1 :])
            return item[1], unpack_values([t for _, t in m.program.procs[item[1]].params], item[DEFERRED_LINK:])
    return None


def close(m: Run) -> None:
    """Close the running frame once its end list is done: its timed records end, and it no longer counts as running."""
    words = m.words
    base = words[FP]
    if words[TIMED]:
        replace_records(m, [r for r in timed_records(m) if not (r[1] == base and r[0] > 0)])
    if words[base + 2] >= 0:
        words[base + 2] = ~words[base + 2]


# ------------------------------------------------------------ timed records and scopes


def timed_records(m: Run) -> list[Words]:
    """All timed records and scope marks, oldest first."""
    size = TIMED_LINK + m.program.timed_args
    base = m.program.timed_base
    return [m.words[base + i * size : base + (i + 1) * size] for i in range(m.words[TIMED])]


def replace_records(m: Run, remaining: list[Words]) -> None:
    _replace(m.words, m.program.timed_base, TIMED, TIMED_LINK + m.program.timed_args, remaining)


def _replace(words: Words, base: int, counter: int, size: int, rows: list[Words]) -> None:
    """Write back the rows that stay, and zeros after them."""
    flat = [w for row in rows for w in row]
    gone = words[counter] - len(rows)
    put(words, base, base + words[counter] * size, flat + [0] * (gone * size))
    words[counter] = len(rows)


def _add_record(m: Run, line: int, frame: int, third: int, values: Sequence[int]) -> None:
    program = m.program
    if m.words[TIMED] >= program.limits.timed:
        raise m.fault(f"too many timed lines and scopes are alive ({program.limits.timed}, limit `timed`)")
    size = TIMED_LINK + program.timed_args
    at = program.timed_base + m.words[TIMED] * size
    assert len(values) <= program.timed_args and at + size <= program.state_words, "no room laid out for timed lines"
    put(m.words, at, at + TIMED_LINK + len(values), (line, frame, third, *values))
    m.words[TIMED] += 1


def timed(m: Run, s: ir.Timed, given: list[Any]) -> None:
    base = stack.innermost(m.words, s.procs)
    values = pack_values(s.types or (INT,) * len(given), given)
    if not base:
        raise m.fault(f"`until end of` needs a running {_procs_text(m, s.procs)}, but none is running", s.span)
    _add_record(m, s.line + 1, base, len(values), values)


def open_scope(m: Run, waive: int, mods: Sequence[tuple[int, list[int]]]) -> None:
    words = m.words
    _add_record(m, 0, words[FP], words[WAIVE], ())
    words[WAIVE] = waive
    for line, values in mods:
        _add_record(m, -(line + 1), words[FP], len(values), values)


def close_scope(m: Run) -> None:
    all_records = timed_records(m)
    mark = max(i for i, r in enumerate(all_records) if r[0] == 0)
    m.words[WAIVE] = all_records[mark][2]
    replace_records(m, all_records[:mark] + [r for r in all_records[mark + 1 :] if r[0] > 0])


def _active_values(m: Run, line: int) -> Iterator[Words]:
    """The values of the live records of a line, the latest first. What `perform with` added holds in its own scope
    only."""
    own_scope = True
    for record in reversed(timed_records(m)):
        if record[0] == 0:
            own_scope = False
        elif record[0] == line + 1 or (own_scope and record[0] == -(line + 1)):
            yield record[TIMED_LINK : TIMED_LINK + record[2]]


def timed_active(m: Run, e: ir.TimedActive, t: Temps) -> int:
    if not m.words[TIMED]:
        return 0
    return 1 if any(True for _ in _active_values(m, e.line)) else 0


def timed_fold(m: Run, e: ir.TimedFold, t: Temps) -> Any:
    """`+`: the sum; `or`: whether one holds; `to`: the value of the latest; `min`, `max`: the least or greatest, with
    that of `base`; `list`: all, the oldest first."""
    best = {"min": min, "max": max}.get(e.op)
    total = m.value(e.base, t) if best is not None and e.base is not None else 0
    found: tuple[Any, ...] = ()
    if m.words[TIMED]:
        for values in _active_values(m, e.line):
            bound = unpack_values(e.types or (INT,) * len(values), values)
            t[e.slot : e.slot + len(bound)] = bound
            if e.where is not None and not m.value(e.where, t):
                continue
            value = m.value(e.body, t)
            if e.op == "to":
                return value
            if e.op == "or" and value:
                return 1
            if e.op == "list":
                found = (value, *found)
            elif best is not None:
                total = best(total, value)
            else:
                total += value
    if e.op == "list":
        return found
    return total if e.base is None or best is not None else m.value(e.base, t)


def _procs_text(m: Run, procs: Sequence[int]) -> str:
    return " or ".join(f"`{m.program.procs[p].name}`" for p in procs) or "routine"
