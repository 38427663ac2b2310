"""The drawings that `display.yaml` names, against those that lie in `pictures/`: each is there, and each is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.files.schema import did_you_mean
from dsl.files.yaml import YamlNode


def drawings_shown(node: YamlNode, drawings: Mapping[str, Source]) -> Iterator[Diagnostic]:
    """Errors about drawings that are not there, warnings about those that nothing shows."""
    named = list(drawings_named(node))
    for one in named:
        if one.value not in drawings:
            message = f"there is no drawing `{one.value}` in the ruleset"
            yield Diagnostic("RW0361", Severity.ERROR, one.span, message, did_you_mean(str(one.value), list(drawings)))
    for name in sorted({*drawings} - {str(one.value) for one in named}):
        message = f"nothing shows `{name}`"
        help = "name it as an `icon:` of a member or as the `image:` of the map, or remove it"
        yield Diagnostic("RW0361", Severity.WARNING, Span(drawings[name].file, 0, 0), message, help)


def drawings_named(node: YamlNode) -> Iterator[YamlNode]:
    """The places where a drawing is named: icons that are files, and the image of the map."""
    members = node.get("members")
    for _, signs in members.entries().values() if members is not None else ():
        for _, sign in signs.entries().values():
            if (icon := sign.get("icon")) is not None and str(icon.value).endswith(".svg"):
                yield icon
    chart = node.get("map")
    if chart is not None and (image := chart.get("image")) is not None:
        yield image
