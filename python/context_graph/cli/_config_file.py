"""Changes of `config.toml` that leave all else in it as it was written."""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from context_graph.errors import InvalidInput
from context_graph.regex import regex

__all__ = ["change_settings"]

_TABLE = regex(r"\s*\[")


def change_settings(home: Path, changes: Mapping[str, str | None]) -> Path:
    """Set settings of a home, or take them away where the value is None; returns the file.

    Raises
    ------
    InvalidInput
        The file is written in a way that this does not read, such as a value over several lines.
    """
    file = home / "config.toml"
    before = file.read_text("utf-8-sig") if file.is_file() else ""
    lines = before.splitlines()
    first_table = next((i for i, line in enumerate(lines) if _TABLE.match(line)), len(lines))
    own = re.compile(rf"\s*(?:{'|'.join(map(re.escape, changes))})\s*=")
    head = [line for line in lines[:first_table] if not own.match(line)]
    head += [f"{name} = {json.dumps(value)}" for name, value in changes.items() if value is not None]
    after = "\n".join([*head, *lines[first_table:]]) + "\n"
    try:
        wanted = {**tomllib.loads(before), **changes}
        sound = tomllib.loads(after) == {name: value for name, value in wanted.items() if value is not None}
    except tomllib.TOMLDecodeError:
        sound = False
    if not sound:
        settings = ", ".join(f"{name} = {json.dumps(value)}" for name, value in changes.items() if value is not None)
        raise InvalidInput(f"{file} cannot be changed by a program; write in it by hand: {settings or 'nothing'}")
    home.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".toml.part")
    part.write_text(after, "utf-8")
    os.replace(part, file)
    return file
