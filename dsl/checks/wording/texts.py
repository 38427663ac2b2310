"""The texts of players against the rules: what lacks a text in a language, what belongs to nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl.base.span import NOWHERE, Span
from dsl.base.spelling import nearest
from dsl.checks.wording.addresses import complete_texts, known_addresses, needed_texts, wanted_texts
from dsl.checks.wording.placeholders import raw_placeholders
from dsl.diagnostics.diagnostic import Fix, Severity
from dsl.elaborate.context import Elaboration
from dsl.files.documents import Documents
from dsl.files.ruleset import FileTexts

SHOWN = 5  # addresses that a message lists


def check_locale(elab: Elaboration, documents: Documents, layers: Sequence[FileTexts]) -> tuple[str, ...]:
    """Report texts that are missing in a language, and texts that belong to nothing; gives the addresses for which a
    complete translation has a text. `layers`: the files of the ruleset, then those of each overlay."""
    known = known_addresses(elab, documents)
    for lang, key, written, help in dict.fromkeys(raw_placeholders(elab, documents, known)):
        span = documents.spans.get(lang, {}).get(key, NOWHERE)
        message = f"`{{{written}}}` in the text `{key}` names nothing that is in sight there"
        elab.model.warn("RW1112", span, message, help)
    texts = complete_texts(elab, documents)
    needed = needed_texts(elab, documents, texts)
    wanted = wanted_texts(elab, documents, texts, known)
    for number, (lang, table) in enumerate(texts.items()):
        lacking = {a: span for a, span in (wanted if number else needed).items() if a not in table}
        report_missing(elab, documents, layers, lang, lacking)
        report_unread(elab, documents, layers, lang, known, [a for a in lacking if a in needed])
    return tuple(wanted)


def report_missing(
    elab: Elaboration, documents: Documents, layers: Sequence[FileTexts], lang: str, lacking: Mapping[str, Span]
) -> None:
    """One warning for each layer that lacks texts in a language, at its file for them."""
    first = documents.spans.get(documents.languages()[0], {})
    by_layer: dict[int, list[str]] = {}
    for address, span in lacking.items():
        file = (span if span != NOWHERE else first.get(address, NOWHERE)).file
        by_layer.setdefault(layer_of(file, layers), []).append(address)
    for number, addresses in by_layer.items():
        layer = layers[number]
        source = layer.locale.get(lang)
        file = source.file if source else f"{folder_of(layer)}locale/{lang}.yaml"
        more = f" and {len(addresses) - SHOWN} more" if len(addresses) > SHOWN else ""
        message = f"no text in `{lang}` for {', '.join(f'`{a}`' for a in addresses[:SHOWN])}{more}"
        help = f"add them to {file}" if source else f"write them into a new file {file}{moved(layer)}"
        elab.model.warn("RW1111", Span(file, 0, 0), message, help)


def report_unread(
    elab: Elaboration,
    documents: Documents,
    layers: Sequence[FileTexts],
    lang: str,
    known: set[str],
    missing: Sequence[str],
) -> None:
    """A warning for each text whose address nothing asks for. Under overlays only their own texts are looked at: what
    they take out of the game leaves texts of the ruleset behind."""
    files = {source.file for layer in layers[1:] or layers for source in layer.locale.values()}
    for address in documents.locale.get(lang, {}):
        span = documents.keys[lang][address]
        if address in known or span.file not in files:
            continue
        near = nearest(address, missing)
        message = f"the text `{address}` belongs to nothing" + (f", and `{near}` has none" if near else "")
        guess = near or nearest(address, known)
        help = f"did you mean `{guess}`?" if guess else "remove it: nothing of the rules has this address"
        fix = Fix(span, rest) if guess and (rest := rest_of(guess, address, span)) else None
        elab.model.report(Severity.WARNING, "RW1113", span, message, help, fix=fix)


def rest_of(guess: str, address: str, key: Span) -> str:
    """The part of a guessed address that would stand for the key of this one; empty if they differ before the key."""
    before = address[: len(address) - (key.end - key.start)]
    return guess.removeprefix(before) if guess.startswith(before) else ""


def layer_of(file: str, layers: Sequence[FileTexts]) -> int:
    """The number of the last layer with this file; that of the ruleset for a file of none."""
    return next((n for n in reversed(range(len(layers))) if n and file in layers[n].all()), 0)


def folder_of(layer: FileTexts) -> str:
    """The folder of a layer, with `/` at its end; for an overlay of a single file the one to be made for it."""
    files = [layer.manifest] if layer.manifest else [*layer.patches, *layer.rules]
    folder, slash, _ = files[0].file.rpartition("/") if files else ("", "", "")
    return f"{folder}{slash}{layer.name}/" if is_single(layer) else f"{folder}{slash}"


def is_single(layer: FileTexts) -> bool:
    """True for an overlay of one file, beside which no other file is read."""
    return bool(layer.name and layer.patches) and f"/{layer.name}/" not in f"/{layer.patches[0].file}"


def moved(layer: FileTexts) -> str:
    return f", and move {layer.patches[0].file} into that folder" if is_single(layer) else ""
