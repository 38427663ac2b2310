"""The extension as one file: it has all that the editor asks for, and installs what the folder holds."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from tools.lsp.vsix import FOLDER, archive

VSX = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
KINDS = "{http://schemas.openxmlformats.org/package/2006/content-types}"


def built(tmp_path: Path) -> zipfile.ZipFile:
    """The archive of a copy of the folder, with a library as npm lays it there."""
    copy = tmp_path / "extension"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("node_modules"))
    library = copy / "node_modules" / "vscode-languageclient"
    library.mkdir(parents=True)
    (library / "node.js").write_text("// ours\n", encoding="utf-8")
    (library / "LICENSE").write_text("MIT\n", encoding="utf-8")
    (copy / "node_modules" / ".bin").mkdir()
    (copy / "node_modules" / ".bin" / "semver").write_text("", encoding="utf-8")
    archive(copy, tmp_path / "dist" / "rulewright.vsix")
    return zipfile.ZipFile(tmp_path / "dist" / "rulewright.vsix")


def test_the_manifest_names_the_extension_of_the_folder(tmp_path: Path) -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    found = ElementTree.fromstring(built(tmp_path).read("extension.vsixmanifest"))
    identity = found.find(f"{VSX}Metadata/{VSX}Identity")
    assert identity is not None
    assert [identity.get(key) for key in ("Id", "Version", "Publisher")] == [
        package[key] for key in ("name", "version", "publisher")
    ]
    assets = [asset.get("Path") for asset in found.iter(f"{VSX}Asset")]
    assert assets == ["extension/package.json", "extension/README.md"]
    assert set(assets) <= set(built(tmp_path / "again").namelist())


def test_every_file_is_there_and_has_a_kind(tmp_path: Path) -> None:
    zipped = built(tmp_path)
    names = {name for name in zipped.namelist() if name.startswith("extension/")}
    package = json.loads(zipped.read("extension/package.json"))
    grammar = package["contributes"]["grammars"][0]["path"].removeprefix("./")
    assert {f"extension/{part}" for part in ("client.js", "language-configuration.json", grammar)} <= names
    assert "extension/node_modules/vscode-languageclient/node.js" in names
    assert not [name for name in names if "/.bin/" in name]
    kinds = ElementTree.fromstring(zipped.read("[Content_Types].xml"))
    endings = {kind.get("Extension") for kind in kinds.iter(f"{KINDS}Default")}
    whole = {kind.get("PartName") for kind in kinds.iter(f"{KINDS}Override")}
    assert not [n for n in names if f".{n.rpartition('.')[2]}" not in endings and f"/{n}" not in whole]


def test_the_same_files_give_the_same_archive(tmp_path: Path) -> None:
    built(tmp_path / "one"), built(tmp_path / "two")
    one, two = (tmp_path / name / "dist" / "rulewright.vsix" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
