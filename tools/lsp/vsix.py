"""The extension for VS Code as one file that installs by itself: `python -m tools.lsp.vsix FILE` (`make vsix`).

A `.vsix` is a zip archive: the files of the extension below `extension/`, a manifest of their kinds, and one that names
the extension. The libraries of the client are fetched by npm into a copy of `tools/vscode`.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from dsl.base.writing import write_atomic
from tools.lsp.textmate import PATH

FOLDER = PATH.parents[1]
NPM = ("npm", "install", "--omit=dev", "--no-audit", "--no-fund", "--no-package-lock", "--silent")
TYPES = {"json": "application/json", "js": "application/javascript", "md": "text/markdown"}
OTHER = "application/octet-stream"
EPOCH = (1980, 1, 1, 0, 0, 0)  # so that equal files give an equal archive


def manifest(package: dict[str, Any]) -> str:
    """The manifest of the archive, from `package.json`."""
    tags = ",".join(language["id"] for language in package["contributes"]["languages"])
    identity = " ".join(
        f"{key}={quoteattr(value)}"
        for key, value in (
            ("Language", "en-US"),
            ("Id", package["name"]),
            ("Version", package["version"]),
            ("Publisher", package["publisher"]),
        )
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity {identity}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Tags>{escape(tags)}</Tags>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(package["engines"]["vscode"])}/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def content_types(names: list[str]) -> str:
    """The type of each file, by its ending; names without an ending are listed one by one."""
    endings = sorted({name.rpartition(".")[2] for name in names if "." in name.rpartition("/")[2]})
    known = {"vsixmanifest": "text/xml"} | {ending: TYPES.get(ending, OTHER) for ending in endings}
    rows = [f'<Default Extension={quoteattr("." + e)} ContentType="{t}"/>' for e, t in sorted(known.items())]
    bare = [name for name in names if "." not in name.rpartition("/")[2]]
    rows += [f'<Override PartName={quoteattr("/" + name)} ContentType="{OTHER}"/>' for name in bare]
    space = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{space}">{"".join(rows)}</Types>\n'


def archive(folder: Path, file: Path) -> None:
    """Write the extension in a folder, with its libraries, as a `.vsix`."""
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    files = sorted(path for path in folder.rglob("*") if path.is_file() and ".bin" not in path.parts)
    names = {f"extension/{path.relative_to(folder).as_posix()}": path for path in files}
    file.parent.mkdir(parents=True, exist_ok=True)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as zipped:
        put(zipped, "[Content_Types].xml", content_types([*names]).encode())
        put(zipped, "extension.vsixmanifest", manifest(package).encode())
        for name, path in names.items():
            put(zipped, name, path.read_bytes())
    write_atomic(file, data.getvalue())


def put(zipped: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    zipped.writestr(entry, data)


def build(file: Path) -> int:
    """Build the extension with the libraries that npm finds; the exit code."""
    if shutil.which(NPM[0]) is None:
        print("error: npm is needed to fetch the libraries of the extension: install Node.js.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "extension"
        shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("node_modules"))
        done = subprocess.run(NPM, cwd=copy)
        if done.returncode:
            print("error: npm could not fetch the libraries of the extension.", file=sys.stderr)
            return 1
        archive(copy, file)
    print(f"made {file}\nin VS Code: Extensions, `...`, Install from VSIX; or: code --install-extension {file}")
    return 0


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1])))
