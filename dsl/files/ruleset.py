"""The files of a ruleset: how they are found, read and sorted by purpose.

Reads nothing outside the ruleset's own two folders and the named overlays. Faults of files are diagnostics.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from types import MappingProxyType

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.base.visible import visible_line
from dsl.diagnostics.diagnostic import Diagnostic, Severity

RULING = ".ruling"
RULES = (".rules", ".cards", ".errata", ".variant", RULING)
PICTURES, PICTURE = "pictures", ".svg"  # the folder of drawings, and how their names end
NOTHING_OPEN: Mapping[Path, str] = MappingProxyType({})
ORIGINALS = ".was"  # suffix of the file next to a file of patches: the texts that the patches were written for


@dataclass(slots=True)
class FileTexts:
    """The texts of the files of a ruleset, or of an overlay, by the names shown to people."""

    name: str = ""  # of an overlay: that of its file or folder
    rules: list[Source] = field(default_factory=list)
    bots: list[Source] = field(default_factory=list)
    patches: list[Source] = field(default_factory=list)  # of an overlay: its files of errata and variants
    overlays: list[FileTexts] = field(default_factory=list)
    data: dict[str, Source] = field(default_factory=dict)
    manifest: Source | None = None
    clauses: Source | None = None
    locale: dict[str, Source] = field(default_factory=dict)  # by the name of the file: the tag of its language
    unread: list[str] = field(default_factory=list)  # other files in the folder of the languages
    display: Source | None = None
    pictures: dict[str, Source] = field(default_factory=dict)  # `pictures/*.svg`
    known: frozenset[str] = frozenset()  # names of the overlays that come with the ruleset
    originals: dict[str, str] = field(default_factory=dict)  # of an overlay: digest -> the text that it was written for

    def all(self) -> dict[str, Source]:
        """Every file by its name, causes first: messages are read in this order, and a mistake is felt further down."""
        rules = [s for s in self.rules if not s.file.endswith(RULING)]
        found = [*([self.manifest] if self.manifest else []), *self.data.values(), *rules, *self.patches, *self.bots]
        found += [*(s for s in self.rules if s.file.endswith(RULING)), *self.locale.values()]
        found += [s for s in (self.clauses, self.display) if s]
        found += self.pictures.values()
        return {s.file: s for s in found} | {f: s for layer in self.overlays for f, s in layer.all().items()}

    def rulings(self) -> list[Source]:
        """The files of `rules` that hold positions and rulings only."""
        return sorted((s for s in self.rules if s.file.endswith(RULING)), key=lambda s: s.file)

    def add(self, relative: str, source: Source) -> None:
        """Add a file by the purpose of its name, which is `relative` to the folder of the ruleset or overlay."""
        folder, _, name = relative.rpartition("/")
        stem, _, suffix = name.rpartition(".")
        if relative == "ruleset.yaml":
            self.manifest = source
        elif relative == "clauses.yaml":
            self.clauses = source
        elif relative == "display.yaml":
            self.display = source
        elif folder == "locale" and suffix == "yaml":
            self.locale[stem] = source
        elif relative.startswith("locale/"):
            self.unread.append(source.file)
        elif suffix == PICTURE[1:]:
            self.pictures[relative] = source
        elif suffix == "yaml":
            self.data[relative] = source
        elif relative == "bots.rules":
            self.bots.append(source)
        elif suffix in ("errata", "variant"):
            self.patches.append(source)
        elif suffix == ORIGINALS[1:]:
            self.originals |= read_originals(source.text)
        else:
            self.rules.append(source)


def ruleset_files(path: Path) -> list[Path]:
    """All files of a ruleset, in a fixed order; nothing outside its two folders."""
    cards = path.parent.parent / "cards" / path.name
    return [
        *(file for file in files_in(path) if "variants" not in file.relative_to(path).parts),
        *(file for file in files_in(cards) if "errata" not in file.relative_to(cards).parts),
    ]


def overlay_files(overlay: Path) -> list[Path]:
    """The files of an overlay: the file itself and that with its originals, or the files of its folder."""
    if overlay.is_dir():
        return files_in(overlay)
    if overlay.exists() and not overlay.is_file():  # a device or a pipe has no end
        raise OSError(errno.EINVAL, "it is not a regular file", str(overlay))
    return [file for file in (overlay, overlay.with_suffix(ORIGINALS)) if file is overlay or file.is_file()]


def variants_of(path: Path) -> list[Path]:
    """The variants that come with a ruleset, each a folder or a file."""
    return overlays_in(path / "variants", ".variant")


def errata_of(path: Path) -> list[Path]:
    """The errata that come with a ruleset, each a folder or a file, whatever their dates."""
    return overlays_in(path.parent.parent / "cards" / path.name / "errata", ".errata")


def known_overlays(path: Path) -> frozenset[str]:
    """The names of the overlays that come with a ruleset."""
    return frozenset(p.stem for p in (*variants_of(path), *errata_of(path)))


def overlays_in(folder: Path, suffix: str) -> list[Path]:
    found = (p for p in folder.glob("*") if not p.is_symlink())
    return sorted(p for p in found if p.is_dir() or p.suffix == suffix and p.is_file())


def files_in(root: Path) -> list[Path]:
    found = sorted(root.rglob("*")) if root.is_dir() else []
    return [f for f in found if f.is_file() and not f.is_symlink() and is_read(f.relative_to(root))]


def is_read(file: Path) -> bool:
    """True for a file of a ruleset that is looked at: of those in the folder of the languages all, to tell which are of
    no use, except what editors and systems leave behind."""
    if file.suffix in (*RULES, ".yaml", ORIGINALS) or file.suffix == PICTURE and file.parts[0] == PICTURES:
        return True
    return "locale" in file.parts[:-1] and not file.name.startswith(".") and not file.name.endswith("~")


def shown_name(file: Path, path: Path) -> str:
    base = path.parent.parent
    return file.relative_to(base).as_posix() if file.is_relative_to(base) else file.as_posix()


def read_files(
    path: Path, overlays: Sequence[Path], opened: Mapping[Path, str] = NOTHING_OPEN
) -> tuple[FileTexts, list[Diagnostic]]:
    """The texts of a ruleset's folder and of overlays, which are files or folders. `opened` has the texts of files that
    are open in an editor."""
    texts = FileTexts(known=known_overlays(path))
    diagnostics: list[Diagnostic] = []
    for file in ruleset_files(path):
        read_file(texts, file, path, path, diagnostics, opened)
    for overlay in overlays:
        layer = FileTexts(overlay.stem)
        for file in overlay_files(overlay):
            read_file(layer, file, overlay if overlay.is_dir() else overlay.parent, path, diagnostics, opened)
        texts.overlays.append(layer)
        if not layer.all() and not layer.unread and not diagnostics:
            shown = visible_line(shown_name(overlay, path))
            message = f"`{shown}` holds no file of an overlay, so nothing would apply"
            help = f"write `{overlay.stem}.variant` in it, with `variant {overlay.stem} on {path.name}`"
            diagnostics.append(Diagnostic("RW1001", Severity.ERROR, Span(shown, 0, 0), message, help))
    return texts, diagnostics


def read_file(
    texts: FileTexts,
    file: Path,
    root: Path,
    path: Path,
    diagnostics: list[Diagnostic],
    opened: Mapping[Path, str] = NOTHING_OPEN,
) -> None:
    shown = shown_name(file, path)
    if (name := visible_line(shown)) != shown:
        message = f"the name of the file `{name}` has characters in it that cannot be shown"
        diagnostics.append(Diagnostic("RW0132", Severity.ERROR, Span(name, 0, 0), message, "give it another name"))
        return
    relative = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
    if file.suffix != ".yaml" and relative.startswith("locale/"):
        texts.unread.append(shown)
        return
    try:
        text = opened[file] if file in opened else file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{shown} is not UTF-8 text (byte {error.start})"
        diagnostics.append(Diagnostic("RW0131", Severity.ERROR, Span(shown, 0, 0), message, "save it as UTF-8"))
        return
    texts.add(relative, Source(shown, text.replace("\r\n", "\n")))


def read_originals(text: str) -> dict[str, str]:
    """Digest -> text, from a file of parts that begin with `== DIGEST ADDRESS`."""
    parts = re.split(r"^== (\w+) .*\n", text, flags=re.MULTILINE)
    return {digest: part.strip("\n") for digest, part in zip(parts[1::2], parts[2::2], strict=True)}


def write_originals(parts: Iterable[tuple[str, str, str]]) -> str:
    """The text of such a file, from parts (digest, address, text)."""
    return "\n".join(f"== {digest} {address}\n{text}\n" for digest, address, text in parts)
