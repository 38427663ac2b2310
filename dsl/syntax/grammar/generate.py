"""The tables of the grammar, made with Lark: `python -m dsl.syntax.grammar.generate` writes them to `tables.json`.

Takes `rules.lark`, gives `ParserTables`; states are numbered in the order in which they are reached, so that the same
grammar always gives the same file.
"""

from __future__ import annotations

import json
from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from dsl.syntax import grammar
from dsl.syntax.grammar import ParserTables

STARTS = ("file", "answers", "expression")
SAME = "same"  # alias of a unit rule, whose value is that of its only part


def build(debug: bool = False) -> Lark:
    """Lark's parser of the grammar."""
    text = grammar.GRAMMAR.read_text(encoding="utf-8")
    return Lark(
        text, parser="lalr", lexer="basic", start=list(STARTS), keep_all_tokens=True, maybe_placeholders=False,
        debug=debug,
    )  # fmt: skip


def make() -> ParserTables:
    """The tables that Lark computes, as numbers and names."""
    lark = build()
    confs: dict[str, Any] = {start: lark.parse_interactive(start=start).parser_state.parse_conf for start in STARTS}
    states: Any = confs[STARTS[0]].states
    rules: dict[Any, int] = {}
    reached = [conf.start_state for conf in confs.values()]
    order = {state: n for n, state in enumerate(reached)}
    rows = []
    for state in reached:  # grows during the loop
        row: dict[str, int] = {}
        for name, (action, arg) in sorted(states[state].items()):
            if action is Shift:
                if arg not in order:
                    order[arg] = len(reached)
                    reached.append(arg)
                row[str(name)] = order[arg]
            else:
                row[str(name)] = -1 - rules.setdefault(arg, len(rules))
        rows.append(row)
    starts = {name: (order[conf.start_state], order[conf.end_state]) for name, conf in confs.items()}
    return ParserTables(tuple(rule_of(rule) for rule in rules), tuple(rows), starts)


def rule_of(rule: Any) -> tuple[str, str, int]:
    """A rule as in `Tables.rules`. A rule with one part and without a name of its own (`?sum: product`) has the value
    of that part. Raises ValueError for one without a name that has more parts."""
    size = len(rule.expansion)
    kept = rule.options.expand1 and rule.alias is None or rule.alias == SAME
    if kept and size != 1:
        raise ValueError(f"a rule of `{rule.origin.name}` with {size} parts has no name")
    return "" if kept else str(rule.alias or rule.origin.name), str(rule.origin.name), size


def text_of(tables: ParserTables) -> str:
    """The text of the file, one state or rule a line."""

    def listed(items: Any) -> str:
        return ",\n".join(json.dumps(item, separators=(",", ":")) for item in items)

    starts = json.dumps(tables.starts)
    rules, rows = listed(tables.rules), listed(tables.rows)
    return f'{{"grammar": "{grammar.digest()}",\n"starts": {starts},\n"rules": [\n{rules}],\n"rows": [\n{rows}]}}\n'


if __name__ == "__main__":
    grammar.TABLES_FILE.write_text(text_of(make()), encoding="utf-8")
