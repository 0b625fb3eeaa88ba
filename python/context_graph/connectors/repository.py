"""Which project a folder belongs to, read from the files of git without running git."""

import re
from dataclasses import dataclass
from pathlib import Path

from context_graph.regex import regex

__all__ = ["Project", "project_of"]

MAX_CONFIG_BYTES = 1_000_000
REMOTE = regex(r'^\[remote "(?P<name>[^"\n]*)"\]\n(?:[ \t]*(?!url\b)[^\[\n]*\n)*?[ \t]*url[ \t]*=(?P<url>[^\n]*)', re.M)
CREDENTIALS = regex(r"(?<=://)[^/@\s]*@")


@dataclass(frozen=True, slots=True)
class Project:
    """What the memories of a folder say of where they belong.

    Attributes
    ----------
    name : str
        Of the root of the checkout, else of the folder itself.
    root : Path
        The root of the checkout, else the folder itself.
    repository : str
        The address of the remote called origin, or of the first one, without credentials; else the root of the
        checkout; empty outside a checkout.
    """

    name: str
    root: Path
    repository: str = ""


def project_of(folder: Path) -> Project:
    """The project of a folder, or of a file's folder."""
    folder = folder.resolve()
    for root in (folder, *folder.parents):
        git = root / ".git"
        if git.is_dir() or git.is_file():
            return Project(root.name, root, _remote(_common(git)) or root.as_posix())
    return Project(folder.name, folder)


def _common(git: Path) -> Path:
    """Where the config of a checkout lies; a work tree has a file that says where."""
    try:
        if git.is_file():
            text = git.read_text("utf-8", errors="replace")
            git = (git.parent / text.partition("gitdir:")[2].strip()).resolve()
            common = git / "commondir"
            if common.is_file():
                return (git / common.read_text("utf-8", errors="replace").strip()).resolve()
    except OSError:
        pass
    return git


def _remote(git: Path) -> str:
    """The address of the remote called origin, else of the first one; empty where there is none."""
    file = git / "config"
    try:
        if file.stat().st_size > MAX_CONFIG_BYTES:
            return ""
        text = file.read_text("utf-8", errors="replace")
    except OSError:
        return ""
    urls = {match["name"]: match["url"].strip() for match in REMOTE.finditer(text)}
    url = urls.get("origin") or next(iter(urls.values()), "")
    return CREDENTIALS.sub("", url).removesuffix("/").removesuffix(".git")[:300]
