"""Overlays as files: each is a layer of texts over those of the base.

`apply_overlays` takes the trees of the base and the layers, orders their blocks, reports conflicts, and gives the
patched trees with the layers in their order; `patch_steps` goes patch by patch. The readers of YAML merge the documents
of a layer with those of the base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.files.ruleset import FileTexts
from dsl.files.yaml import YamlNode, read_yaml
from dsl.overlay.blocks import ErrataChoice, OverlayBlock, all_bases, read_blocks
from dsl.overlay.conflicts import ChangedPlace, changed_places, report_conflicts
from dsl.overlay.patches import Surroundings, apply_patch
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx

Parse = Callable[[list[Source]], list[sx.File]]


def apply_overlays(
    files: list[sx.File], texts: FileTexts, base: str, chosen: ErrataChoice, parse: Parse, m: Model
) -> tuple[list[sx.File], list[FileTexts]]:
    """(trees with all overlays applied, the layers that count in their order); of layers in conflict none counts.
    `files`: the trees of `texts`."""
    layers = texts.overlays
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
    found = changed_places(blocks, files, data_files([texts]))
    if len(counted) > 1:
        for number, layer in ranked:
            found += changed_texts(layer, blocks[number].name if number < len(blocks) else layer.name)
    if report_conflicts(found, blocks, m):
        return files, []
    patched = apply_blocks(files, blocks, replace(texts, overlays=counted), m)
    for layer in counted:
        patched = patched + parse([*layer.rules, *layer.bots])
    return patched, counted


@dataclass(frozen=True, slots=True)
class PatchStep:
    """A line of a block that is about to be applied to the files as the block sees them: `seen`. `patched`: the files
    with all lines up to this one."""

    block: OverlayBlock
    line: sx.Line
    seen: list[sx.File]
    around: Surroundings
    patched: list[sx.File]


def patch_steps(
    files: list[sx.File], blocks: Sequence[OverlayBlock], texts: FileTexts, m: Model
) -> Iterator[PatchStep]:
    """The lines of all blocks, one after the other. Each block sees the files as they are with the overlays that it is
    based on, so what strangers put in before it moves none of its addresses and changes none of its digests. `texts`:
    the base with the layers that count."""
    stands_on = all_bases(blocks)
    originals = {digest: text for layer in texts.overlays for digest, text in layer.originals.items()}
    patched = files
    for number, block in enumerate(blocks):
        near = [b for b in blocks[:number] if b.name in stands_on[block.name]]
        strangers = [b for b in blocks[:number] if b not in near]
        known = {b.file for b in (*near, block)}
        data = data_files([texts, *(layer for layer in texts.overlays if known & {s.file for s in layer.patches})])
        around = Surroundings(originals, data, tuple(b.decl.span for b in strangers))
        seen = apply_blocks(files, near, texts, quiet(m)) if strangers else patched
        for line in block.decl.block:
            before = seen
            patched = apply_patch(patched, line, m, around, seen if strangers else None)
            seen = apply_patch(seen, line, quiet(m), around) if strangers else patched
            yield PatchStep(block, line, before, around, patched)


def apply_blocks(files: list[sx.File], blocks: Sequence[OverlayBlock], texts: FileTexts, m: Model) -> list[sx.File]:
    """The files with the patches of all blocks."""
    patched = files
    for step in patch_steps(files, blocks, texts, m):
        patched = step.patched
    return patched


def quiet(m: Model) -> Model:
    """A model that takes messages which are given elsewhere."""
    other = Model()
    other.sources = m.sources
    return other


def data_files(layers: Sequence[FileTexts]) -> dict[str, tuple[Source, ...]]:
    """Name of a data file -> its texts, that of the base first."""
    found: dict[str, tuple[Source, ...]] = {}
    for layer in layers:
        for name, source in layer.data.items():
            found[name] = (*found.get(name, ()), source)
    return found


# ---------------------------------------------------------------- YAML


def changed_texts(layer: FileTexts, by: str) -> Iterator[ChangedPlace]:
    """The keys that a layer sets in the manifest, texts, records, clauses and hints."""
    documents = {f"locale/{lang}.yaml": source for lang, source in layer.locale.items()} | layer.data
    single = (layer.manifest, layer.clauses, layer.display)
    documents |= {s.file.rpartition("/")[2]: s for s in single if s is not None}
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
