"""Makes the .mcpb bundle, which a host such as Claude Desktop installs by a double click.

python docs/deploy/bundle.py context-graph.mcpb                  # the package comes from the package index
python docs/deploy/bundle.py context-graph.mcpb --wheel FILE     # the package is in the bundle
"""

import argparse
import zipfile
from pathlib import Path

FOLDER = Path(__file__).parent / "mcpb"
FILES = ("manifest.json", "pyproject.toml", "server.py")
LICENSE = Path(__file__).parents[2] / "LICENSE"
UNIX = 3  # of ZipInfo.create_system, whatever machine the bundle is made on
MODE = 0o644


def bundle(out: Path, wheel: Path | None = None) -> None:
    """Write the bundle: the same bytes for the same files.

    Parameters
    ----------
    wheel : Path, optional
        A wheel of the package for the machine and Python of the user; without, uv fetches the version that
        pyproject.toml names.
    """
    contents = {name: (FOLDER / name).read_bytes() for name in FILES}
    contents["LICENSE"] = LICENSE.read_bytes()
    if wheel is not None:
        contents[wheel.name] = wheel.read_bytes()
        source = f'\n[tool.uv.sources]\nultimate-context-graph = {{ path = "{wheel.name}" }}\n'
        contents["pyproject.toml"] += source.encode()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr, entry.compress_type = UNIX, MODE << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Makes the .mcpb bundle of Context Graph.")
    parser.add_argument("out", type=Path, help="the file to write, such as context-graph.mcpb")
    parser.add_argument("--wheel", type=Path, help="a wheel of the package, to go into the bundle")
    options = parser.parse_args()
    bundle(options.out, options.wheel)
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")
