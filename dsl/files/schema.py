"""From the errors of a pydantic model to diagnostics at the place in the YAML file.

`check` takes a model, a node and a word for what is described, and gives the validated model or None with diagnostics.
Our own validators raise `refusal`, whose message is printed unchanged; the model has no files and lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, get_args

from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.yaml import YamlNode

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails, PydanticCustomError

    M = TypeVar("M", bound=BaseModel)

EXPECTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "`true` or `false`",
    "list_type": "a list such as `[a, b]`",
    "tuple_type": "a list such as `[a, b]`",
    "dict_type": "a block of `key: value` lines",
    "model_type": "a block of `key: value` lines",
    "model_attributes_type": "a block of `key: value` lines",
}


def refusal(code: str, message: str, help: str, at: tuple[Any, ...] = ()) -> PydanticCustomError:
    """The error that a validator raises; `at` is the path from the value to the part that is wrong."""
    from pydantic_core import PydanticCustomError

    context = {"message": message, "help": help, "at": at}
    return PydanticCustomError(code, "{message}", context)


def quote(value: Any) -> str:
    """A value in words for the reader of a message."""
    if isinstance(value, dict):
        return "a block of `key: value` lines"
    if isinstance(value, (list, tuple)):
        return "a list"
    if value is None:
        return "nothing"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def did_you_mean(word: str, known: list[str]) -> str:
    """A help line: the nearest of the known words, and the list of them when it is short."""
    guess = nearest(word, known)
    if guess:
        return f"did you mean `{guess}`?"
    if not known:
        return "there is none"
    shown = ", ".join(f"`{name}`" for name in known[:8])
    return f"one of {shown}" + (f" and {len(known) - 8} more" if len(known) > 8 else "")


def check(model: type[M], node: YamlNode, what: str, name: Span | None = None) -> tuple[M | None, list[Diagnostic]]:
    """Validate a map node; `what` names it in messages and `name` is where its own name stands."""
    from pydantic import ValidationError

    if node.kind != "map":
        message = f"{what} is {quote(node.plain())}, expected a block of `key: value` lines"
        return None, [Diagnostic("RW0312", Severity.ERROR, node.span, message, "write its keys below it, indented")]
    try:
        return model.model_validate(node.plain()), []
    except ValidationError as error:
        details = error.errors(include_url=False)
        misspelt = {
            nearest(str(d["loc"][-1]), _keys(model, d["loc"])) for d in details if d["type"] == "extra_forbidden"
        }
        return None, [
            _diagnostic(detail, node, what, name, _keys(model, detail["loc"]))
            for detail in details
            if not (detail["type"] == "missing" and detail["loc"][-1] in misspelt)
        ]


def _keys(model: Any, path: tuple[Any, ...]) -> list[str]:
    """The keys of the model, or of the model inside it that the path leads to."""
    for step in path[:-1]:
        field = model.model_fields.get(step) if isinstance(step, str) else None
        inner = _model_in(field.annotation) if field is not None else None
        model = inner or model
    return [field.alias or key for key, field in model.model_fields.items()]


def _model_in(annotation: Any) -> Any:
    if hasattr(annotation, "model_fields"):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part))), None)


def _diagnostic(detail: ErrorDetails, node: YamlNode, what: str, name: Span | None, known: list[str]) -> Diagnostic:
    path = tuple(detail["loc"])
    kind: str = detail["type"]
    context: dict[str, Any] = detail.get("ctx", {})
    label = f"`{path[0]}` of {what}" if path else what
    if kind == "missing":
        where = f"{what} has no `{path[-1]}`" if len(path) == 1 else f"`{path[0]}` of {what} has no `{path[-1]}`"
        span = _place(node, path[:-1], name) if len(path) > 1 else name or _first_key(node)
        return Diagnostic("RW0311", Severity.ERROR, span, where, f"add a line `{path[-1]}: ...`")
    if kind == "extra_forbidden":
        span = _place(node, (*path, "[key]"), name)
        message = f"{what if len(path) == 1 else label} has no `{path[-1]}`"
        return Diagnostic("RW0310", Severity.ERROR, span, message, did_you_mean(str(path[-1]), known))
    if kind.startswith("RW"):
        span = _place(node, path + tuple(context["at"]), name)
        return Diagnostic(kind, Severity.ERROR, span, f"{label}: {context['message']}", context["help"])
    span = _place(node, path, name)
    if kind in ("greater_than_equal", "less_than_equal"):
        bound = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        message = f"{label} is {quote(detail['input'])}, expected {bound}"
        return Diagnostic("RW0313", Severity.ERROR, span, message, "write a number within the bounds")
    expected = EXPECTED.get(kind, detail["msg"])
    message = f"{label}: read {quote(detail['input'])}, expected {expected}"
    return Diagnostic("RW0312", Severity.ERROR, span, message, f"write {expected} here")


def _first_key(node: YamlNode) -> Span:
    return next((span for span, _ in node.entries().values()), node.span)


def _place(node: YamlNode, path: tuple[Any, ...], name: Span | None) -> Span:
    """The span of what a path leads to; a last `[key]` means the key and not its value."""
    span = name or _first_key(node)
    for step in path:
        if step == "[key]":
            break
        if node.kind == "map" and str(step) in node.entries():
            span, node = node.entries()[str(step)]
        elif node.kind == "list" and isinstance(step, int) and step < len(node.items()):
            node = node.items()[step]
            span = node.span
        else:
            break
    else:
        # a block value is shown by its key: the whole block would be marked otherwise
        return node.span if path and node.kind != "map" else span
    return span
