"""What a user says of a model of their own: where it is, what it must be, how it is to be read."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from context_graph.embed.multilingual import MULTILINGUAL
from context_graph.errors import InvalidInput
from context_graph.regex import regex

__all__ = [
    "APIS",
    "DEVICES",
    "POOLINGS",
    "RUNTIMES",
    "Description",
    "checked_name",
    "described",
    "names",
    "plain",
    "save",
]

POOLINGS = ("mean", "cls", "last")
RUNTIMES = ("onnx", "torch")
DEVICES = ("cpu", "cuda")
APIS = ("openai", "ollama")
MAX_TOKENS = 8_192
_NAME = regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_CHOICES = {"package": (MULTILINGUAL,), "pooling": POOLINGS, "runtime": RUNTIMES, "device": DEVICES, "api": APIS}
_NUMBERS = {"max_tokens": (8, MAX_TOKENS), "width": (8, 65_536), "batch": (1, 512), "timeout_s": (1, 600)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A model of the user's own; what is None is read from the files of its folder.

    Attributes
    ----------
    folder : str, optional
        A sentence-transformers folder; else `url` or `package` is given.
    package : "multilingual", optional
        The model of an extra of this package; all else is known of it.
    digest : str, optional
        SHA-256 of its weights and tokenizer: other files in that place are not this model.
    runtime, device, pooling : str, optional
        See `RUNTIMES`, `DEVICES`, `POOLINGS`.
    query_prefix, passage_prefix : str, optional
        What stands before a question, and before a memory.
    max_tokens : int, optional
        Of a chunk, 8 to 8,192, with the special tokens and the prefix.
    width : int, optional
        Of a vector the first so many numbers, for a model that was trained to be cut (Matryoshka); a service is asked
        for that many.
    multilingual : bool, optional
        It reads other languages than English; by default a vocabulary of 64,000 and more does.
    url, model, api : str, optional
        A service that embeds texts, the name of the model there, and its protocol, see `APIS`.
    key_variable : str, optional
        The environment variable that holds the key of the service; the key itself is never written down.
    batch : int
        Texts of one request.
    timeout_s : int
        Seconds that one request may take.
    """

    folder: str | None = None
    package: str | None = None
    digest: str | None = None
    runtime: str | None = None
    device: str = "cpu"
    pooling: str | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    max_tokens: int | None = None
    width: int | None = None
    multilingual: bool | None = None
    url: str | None = None
    model: str | None = None
    api: str = "openai"
    key_variable: str | None = None
    batch: int = 32
    timeout_s: int = 30

    def __post_init__(self) -> None:
        if [self.folder, self.url, self.package].count(None) != 2:
            raise InvalidInput("expected the folder of a model or the URL of a service, one of them", field="model")
        if self.url is not None and not self.model:
            raise InvalidInput(f"expected the name of the model that {self.url} serves, got none", field="model")
        for field, known in _CHOICES.items():
            if (value := getattr(self, field)) is not None and value not in known:
                raise InvalidInput(f"expected {field} to be one of {', '.join(known)}, got {value!r}", field=field)
        for field, (least, most) in _NUMBERS.items():
            value = getattr(self, field)
            if value is not None and (type(value) is not int or not least <= value <= most):
                raise InvalidInput(
                    f"expected {field} to be a number from {least} to {most}, got {value!r}", field=field
                )

    @property
    def reading(self) -> str:
        """All that changes a vector besides the files, as one text."""
        fields = (self.pooling, self.query_prefix, self.passage_prefix, self.max_tokens, self.width, self.multilingual)
        return "" if fields == (None,) * len(fields) else json.dumps(fields, ensure_ascii=False)


_DEFAULT = Description(folder="")


def checked_name(text: str) -> str:
    """A name as descriptions may have it, or InvalidInput.

    Raises
    ------
    InvalidInput
        It is no name of a model.
    """
    if not _NAME.fullmatch(text):
        raise InvalidInput(
            f"expected the name of a model: letters, digits, dot, dash and underscore, got {text[:60]!r}", field="model"
        )
    return text


def plain(text: str) -> str:
    """A text as the name of a model: what may not stand in one becomes a dash."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:64]


def names(home: Path) -> list[str]:
    """The models that are described in a home."""
    return sorted(file.stem for file in (home / "models").glob("*.json") if _NAME.fullmatch(file.stem))


def described(home: Path, name: str) -> Description:
    """What is written down of a model, in `<home>/models/NAME.json`; of the package's "multilingual" nothing need be.

    Raises
    ------
    InvalidInput
        There is none of that name, or the file is not one.
    """
    file = home / "models" / f"{checked_name(name)}.json"
    try:
        value = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        if name == MULTILINGUAL:
            return Description(package=MULTILINGUAL)
        known = ", ".join(names(home)) or "none"
        raise InvalidInput(
            f"no model is called {name!r}; described: {known}; context-graph model use FOLDER describes one",
            field="model",
        ) from None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read: {error}; correct it or remove it", field="model") from error
    return _checked(file, value)


def save(home: Path, name: str, description: Description) -> Path:
    """Write a description down; returns its file."""
    file = home / "models" / f"{checked_name(name)}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    fields_set = {
        field: value
        for field, value in asdict(description).items()
        if value is not None and value != getattr(_DEFAULT, field)
    }
    part = file.with_suffix(".json.part")
    part.write_text(json.dumps(fields_set, indent=1, ensure_ascii=False) + "\n", "utf-8")
    os.replace(part, file)
    return file


def _checked(file: Path, value: Any) -> Description:
    known = {one.name for one in fields(Description)}
    if not isinstance(value, Mapping) or (unknown := set(value) - known):
        what = "an object" if not isinstance(value, Mapping) else f"no {', '.join(sorted(unknown))}"
        raise InvalidInput(f"expected {file} to hold {what}; known: {', '.join(sorted(known))}", field="model")
    for field, told in value.items():
        wanted = (bool,) if field == "multilingual" else (int,) if field in _NUMBERS else (str,)
        if type(told) not in wanted:
            raise InvalidInput(f"expected {field} in {file} to be {wanted[0].__name__}, got {told!r:.60}", field=field)
    return Description(**value)
