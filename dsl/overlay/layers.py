"""Overlays as files: each is a layer of texts over those of the base.

`apply_overlays` takes the trees of the base and the layers, orders their blocks, reports conflicts, and gives the
patched trees with the layers in their order. The readers of YAML merge the documents of a layer with those of the base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dsl.base.span import Source, Span
from dsl.files.ruleset import Texts
from dsl.files.yaml import YamlNode, read_yaml
from dsl.overlay.blocks import ChangedPlace, ErrataChoice, changed_places, read_blocks, report_conflicts
from dsl.overlay.patches import apply_patch
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx

Parse = Callable[[list[Source]], list[sx.File]]


def apply_overlays(
    files: list[sx.File], layers: list[Texts], base: str, chosen: ErrataChoice, parse: Parse, m: Model
) -> tuple[list[sx.File], list[Texts]]:
    """(trees with all overlays applied, the layers that count in their order)."""
    trees = [parse(layer.patches) for layer in layers]
    blocks = read_blocks([tree for patch in trees for tree in patch], base, chosen, m)
    places = {block.file: number for number, block in reversed(list(enumerate(blocks)))}
    ranked = []
    for layer in layers:
        own = [places[s.file] for s in layer.patches if s.file in places]
        if own or not layer.patches:
            ranked.append((min(own, default=len(blocks)), layer))
    ranked.sort(key=lambda pair: pair[0])
    counted = [layer for _, layer in ranked]
    found = changed_places(blocks, files)
    if len(counted) > 1:
        for number, layer in ranked:
            found += changed_texts(layer, blocks[number].name if number < len(blocks) else layer.name)
    if report_conflicts(found, blocks, m):
        return files, counted
    kept = {digest: text for layer in layers for digest, text in layer.originals.items()}
    for block in blocks:
        for line in block.decl.block:
            files = apply_patch(files, line, m, kept)
    for layer in counted:
        files = files + parse(layer.rules)
    return files, counted


# ---------------------------------------------------------------- YAML


def changed_texts(layer: Texts, by: str) -> Iterator[ChangedPlace]:
    """The keys that a layer sets in texts, records, clauses and hints."""
    documents = {f"locale/{lang}.yaml": source for lang, source in layer.locale.items()} | layer.data
    documents |= {s.file.rpartition("/")[2]: s for s in (layer.clauses, layer.display) if s is not None}
    for name, source in documents.items():
        node, _ = read_yaml(source)
        for path, span in leaves(node) if node is not None else ():
            yield ChangedPlace(by, f"`{path}` of {name}", f"{name}:{path}", span)


def leaves(node: YamlNode, prefix: str = "") -> Iterator[tuple[str, Span]]:
    for key, (span, value) in node.entries().items():
        if value.kind == "map":
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, span
