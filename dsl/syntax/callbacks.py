"""The callback of each rule of the grammar, by the name that the rule has in `rules.lark`.

The parser attaches this table with the states of the grammar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from dsl.syntax import build_blocks as blocks
from dsl.syntax import build_expressions as expressions
from dsl.syntax import build_lines as lines
from dsl.syntax.build_expressions import Build, Parts

Callback: TypeAlias = Callable[[Build, Parts], Any]

CALLBACKS: dict[str, Callback] = {
    "none": expressions.none,
    "one": expressions.one,
    "more": expressions.more,
    "more_after_comma": expressions.more_after_comma,
    "name": expressions.name,
    "num": expressions.num,
    "text": expressions.text,
    "any_of": expressions.any_of,
    "paren": expressions.paren,
    "attr": expressions.attr,
    "index": expressions.index,
    "call": expressions.call,
    "call_empty": expressions.call_empty,
    "arg": expressions.arg,
    "arg_typed": expressions.arg_typed,
    "set_empty": expressions.set_empty,
    "set_of": expressions.set_of,
    "fold": expressions.fold,
    "possible": expressions.possible,
    "unary": expressions.unary,
    "binary": expressions.binary,
    "compare": expressions.compare,
    "emptiness": expressions.emptiness,
    "range": expressions.range_of,
    "bool_or": expressions.bool_or,
    "bool_and": expressions.bool_and,
    "cond": expressions.cond,
    "type_of": expressions.type_of,
    "round_table": expressions.round_table,
    "strip_op": expressions.strip_op,
    "amount": expressions.amount,
    "clause": expressions.clause,
    "clause_list": expressions.clause_list,
    "flag": expressions.flag,
    "clause_keys": expressions.clause_keys,
    "clause_with_by": expressions.clause_with_by,
    "clause_cost": expressions.clause_cost,
    "key": expressions.key,
    "binder": expressions.binder,
    "types": expressions.types,
    "file_empty": blocks.file_empty,
    "file": blocks.file,
    "no_block": blocks.no_block,
    "block": blocks.block,
    "inline": blocks.inline,
    "broken": lines.broken,
    "sentence": lines.sentence,
    "bare": lines.bare,
    "give": lines.give,
    "effect": lines.effect,
    "if_line": lines.if_line,
    "else_line": lines.else_line,
    "else_if": lines.else_if,
    "loop": lines.loop,
    "choose_one": lines.choose_one,
    "choose": lines.choose,
    "choose_amounts": lines.choose_amounts,
    "let": lines.let,
    "let_typed": lines.let_typed,
    "let_or_leave": lines.let_or_leave,
    "let_typed_or_leave": lines.let_typed_or_leave,
    "leave": lines.leave,
    "let_do": lines.let_do,
    "result": lines.result,
    "strip": lines.strip,
    "strip_of_kind": lines.strip_of_kind,
    "row": lines.row,
    "answer": lines.answer,
    "answers": lines.answers,
    "typed": lines.typed,
    "typed_colon": lines.typed_colon,
    "typed_value": lines.typed_value,
    "typed_bare_value": lines.typed_bare_value,
}
