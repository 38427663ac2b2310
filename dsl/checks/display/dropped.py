"""The rest of `display.yaml` when an overlay has taken members out."""

from __future__ import annotations

from collections.abc import Callable, Container

from dsl.files.yaml import YamlNode


def without_members(node: YamlNode, dropped: Container[tuple[str, str]]) -> YamlNode:
    """The hints without the signs and places of members of kinds and enums that are no longer there."""

    def kept(owner: str, found: YamlNode) -> YamlNode:
        if found.kind != "map":
            return found
        return YamlNode("map", found.span, {i: e for i, e in found.entries().items() if (owner, i) not in dropped})

    def part(found: YamlNode, key: str, made: Callable[[YamlNode], YamlNode]) -> YamlNode:
        inner = found.get(key)
        if inner is None:
            return found
        return YamlNode("map", found.span, found.entries() | {key: (found.entries()[key][0], made(inner))})

    def layer(found: YamlNode) -> YamlNode:
        named = found.get("kind")
        if named is None:
            return found
        owner = str(named.value)
        return part(part(found, "at", lambda at: kept(owner, at)), "regions", lambda them: regions(owner, them))

    def regions(owner: str, found: YamlNode) -> YamlNode:
        def region(listed: YamlNode) -> YamlNode:
            left = tuple(item for item in listed.items() if (owner, str(item.value)) not in dropped)
            return YamlNode("list", listed.span, left) if listed.kind == "list" else listed

        entries = {name: (span, region(listed)) for name, (span, listed) in found.entries().items()}
        return YamlNode("map", found.span, entries) if found.kind == "map" else found

    def layers(found: YamlNode) -> YamlNode:
        return YamlNode("list", found.span, tuple(map(layer, found.items()))) if found.kind == "list" else found

    def signs(found: YamlNode) -> YamlNode:
        entries = {name: (span, kept(name, inner)) for name, (span, inner) in found.entries().items()}
        return YamlNode("map", found.span, entries) if found.kind == "map" else found

    return part(part(node, "members", signs), "map", lambda chart: part(chart, "layers", layers))
