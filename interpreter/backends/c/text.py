"""The text of a module in C: its state in one structure, a function for each of its functions, and what the host calls.

Takes a module in low form that verifies. Everything that changes lies in the structure, so that one library serves any
number of instances. C leaves open in which order operands are worked out; where a call stands among others that it
could change, they are stored one after the other. Every address is tested against the length of the memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.backends.c.body import CBody
from interpreter.backends.low.form import nodes as low

CALL, NEW, OLD, MEMORY, GLOBAL = "call_", "new_state", "old_state", "memory_of", "global_of"
"""The interface of a library: `call_f` for each exported function `f`; a state is made and given back; the
addresses of its memory and of a global by its number."""

GLOBALS = "global_names"  # a text with the names of all globals, by their numbers

HEAD = """\
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {{
    jmp_buf out;
    int64_t g[{globals}];
    int32_t memory[{words}];
}} State;

static _Noreturn void give_up(State *m, int64_t reason) {{
    if (reason) m->g[{reason}] = reason;
    longjmp(m->out, 1);
}}
static inline int64_t at(State *m, int64_t address, uint64_t offset, uint64_t words) {{
    uint64_t place = ((uint64_t)address & 0x3FFFFFFF) + offset;
    if (__builtin_expect(place + words > {words}, 0)) give_up(m, 0);
    return (int64_t)place;
}}
static inline int64_t load(State *m, int64_t address, uint64_t offset) {{
    return m->memory[at(m, address, offset, 1)];
}}
static inline int64_t load_long(State *m, int64_t address, uint64_t offset) {{
    int64_t found;
    memcpy(&found, m->memory + at(m, address, offset, 2), 8);
    return found;
}}
static inline void store(State *m, int64_t address, uint64_t offset, int64_t value) {{
    m->memory[at(m, address, offset, 1)] = (int32_t)value;
}}
static inline void store_long(State *m, int64_t address, uint64_t offset, int64_t value) {{
    memcpy(m->memory + at(m, address, offset, 2), &value, 8);
}}
static inline void copy(State *m, int64_t target, int64_t source, int64_t count) {{
    uint64_t n = (uint64_t)count & 0x3FFFFFFF;
    int64_t to = at(m, target, 0, n), from = at(m, source, 0, n);
    memmove(m->memory + to, m->memory + from, n * 4);
}}
static inline void clear(State *m, int64_t target, int64_t count) {{
    uint64_t n = (uint64_t)count & 0x3FFFFFFF;
    memset(m->memory + at(m, target, 0, n), 0, n * 4);
}}
static inline int64_t cut_off(State *m, int64_t a, int64_t b) {{
    if (!b || (b == -1 && a == INT64_MIN)) give_up(m, 0);
    return a / b;
}}
static inline int64_t divide(State *m, uint64_t a, uint64_t b) {{ if (!b) give_up(m, 0); return (int64_t)(a / b); }}
static inline int64_t rest(State *m, uint64_t a, uint64_t b) {{ if (!b) give_up(m, 0); return (int64_t)(a % b); }}
static inline int64_t lowest(uint64_t a) {{ return a ? __builtin_ctzll(a) : 64; }}
static inline int64_t portion(int64_t fraction, int64_t count) {{
    return (int64_t)((double)fraction * 0x1p-53 * (double)count);
}}
"""

TAIL = """
const char {GLOBALS}[] = "{names}";
void *{NEW}(void) {{
    State *m = calloc(1, sizeof(State));
    if (!m) return 0;
{data}
    return m;
}}
void {OLD}(void *m) {{ free(m); }}
int32_t *{MEMORY}(State *m) {{ return m->memory; }}
int64_t *{GLOBAL}(State *m, int64_t number) {{ return m->g + number; }}
"""

ROW = 24  # words of data on a line


def text_of(module: low.Module) -> str:
    """The module in C. Names of exported functions are words."""
    numbers = {name: n for n, name in enumerate(module.globals)}
    functions = {f.name: f"f{n}" for n, f in enumerate(module.functions)}
    parts = [HEAD.format(globals=len(module.globals), words=module.words, reason=numbers[low.REASON])]
    parts += [f"{head(f, functions)};" for f in module.functions]
    parts += [f"{head(f, functions)} {{\n{CBody(f, functions, numbers).text()}}}" for f in module.functions]
    parts += [entry(f, functions[f.name]) for f in module.functions if f.exported]
    parts += [table(n, words) for n, (_, words) in enumerate(module.data)]
    data = "\n".join(f"    memcpy(m->memory + {at}, d{n}, sizeof d{n});" for n, (at, _) in enumerate(module.data))
    names = " ".join(module.globals)
    parts.append(TAIL.format(names=names, data=data, GLOBALS=GLOBALS, NEW=NEW, OLD=OLD, MEMORY=MEMORY, GLOBAL=GLOBAL))
    return "\n".join(parts)


def head(f: low.Function, functions: dict[str, str]) -> str:
    params = "".join(f", int64_t v{n}" for n in range(len(f.params)))
    return f"static int64_t {functions[f.name]}(State *m{params})"


def entry(f: low.Function, name: str) -> str:
    """The function that the host calls: 1 if the low function gave up, else 0 with its result in `found`."""
    assert re.fullmatch(r"\w+", f.name), f"`{f.name}` is no name that a library can show"
    params = "".join(f", int64_t v{n}" for n in range(len(f.params)))
    args = "".join(f", v{n}" for n in range(len(f.params)))
    body = f"if (_setjmp(m->out)) return 1; *found = {name}(m{args}); return 0;"
    return f"int32_t {CALL}{f.name}(State *m, int64_t *found{params}) {{ {body} }}"


def table(number: int, words: tuple[int, ...]) -> str:
    """Words that stand in memory at the start."""
    return f"static const int32_t d{number}[] = {{\n{''.join(rows(words))}}};"


def rows(words: tuple[int, ...]) -> Iterator[str]:
    for start in range(0, len(words), ROW):
        signed = ((w & 0xFFFFFFFF) - ((w & 0x80000000) << 1) for w in words[start : start + ROW])
        yield "".join(f"{w}," if w != -(1 << 31) else "INT32_MIN," for w in signed) + "\n"
