"""`context-graph model use` and what it shows: the model that reads texts."""

import argparse
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_graph.cli._config_file import change_settings
from context_graph.cli._opening import settings_of
from context_graph.cli._output import show
from context_graph.cli.ops.embed import embedded

if TYPE_CHECKING:
    from context_graph.embed.own.description import Description
    from context_graph.settings import Settings

__all__ = ["add_options", "given_options", "show_reader", "use"]

TIERS = ("auto", "base", "minilm")
OPTIONS = {
    "pooling": (str, "mean, cls or last: which states stand for a text"),
    "query_prefix": (str, "what stands before a question"),
    "passage_prefix": (str, "what stands before a memory"),
    "max_tokens": (int, "tokens of a pass, at most 8192"),
    "width": (int, "the first so many numbers of a vector, for a model trained to be cut"),
    "runtime": (str, "onnx or torch"),
    "device": (str, "cpu or cuda"),
    "model": (str, "with a URL: the name of the model there"),
    "api": (str, "with a URL: openai or ollama"),
    "key_variable": (str, "with a URL: the environment variable that holds the key"),
    "batch": (int, "with a URL: texts of one request"),
    "timeout_s": (int, "with a URL: seconds without an answer"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `use`."""
    group = parser.add_argument_group("options of use; what is not given is read from the folder")
    for name, (kind, text) in OPTIONS.items():
        group.add_argument(f"--{name.replace('_', '-')}", type=kind, help=text)
    group.add_argument("--multilingual", action=argparse.BooleanOptionalAction, help="it reads other languages too")
    group.add_argument("--as", dest="given_name", help="the name to describe it under; by default that of the folder")
    group.add_argument("--later", action="store_true", help="leave the memories to a server or context-graph embed")


def given_options(parsed: argparse.Namespace) -> list[str]:
    """The options of `use` that were given."""
    names = [*OPTIONS, "multilingual", "given_name", "later"]
    return [f"--{name.replace('_', '-')}" for name in names if getattr(parsed, name) not in (None, False)]


def use(parsed: argparse.Namespace) -> int:
    """Choose the model that reads texts, check that it can, and embed all memories with it."""
    from context_graph.errors import InvalidInput
    from context_graph.settings import load_settings
    from context_graph.store import has_store

    settings, origins = load_settings({"home": parsed.home})
    for name in ("model", "model_folder", "tier"):
        if origins[name] == "environment":
            raise InvalidInput(
                f"CONTEXT_GRAPH_{name.upper()} is set to {str(getattr(settings, name))[:60]!r} and would beat the "
                "choice; unset it first",
                field=name,
            )
    chosen = {name: value for name in OPTIONS if (value := getattr(parsed, name)) is not None}
    if parsed.multilingual is not None:
        chosen["multilingual"] = parsed.multilingual
    lines: list[str] = []
    if parsed.name in TIERS:
        from context_graph.embed import Embedder

        if chosen or parsed.given_name:
            raise InvalidInput(f"{parsed.name} takes no options of a model of your own", field="name")
        Embedder(parsed.name)  # or says what is to be installed
        change_settings(settings.home, {"model": None, "model_folder": None, "tier": parsed.name})
        data: dict[str, Any] = {"model": parsed.name}
    else:
        from context_graph.embed.own.description import save

        name, description = _wanted(settings, parsed.name, parsed.given_name, chosen)
        description, data, lines = _tried(settings, name, description)
        if description.package is None:
            save(settings.home, name, description)
        tier = None if settings.tier == "base" else settings.tier if origins["tier"] == "file" else None
        change_settings(settings.home, {"model": name, "model_folder": None, "tier": tier})
        data = {"model": name, **data}
    parsed.tier = None  # the choice has one of its own
    lines.append(f"chosen     {data['model']}; restart servers that run, they read by the former model")
    if not parsed.later and has_store(settings.home):
        done, text = embedded(parsed)
        data |= {"embedded": done["embedded"], "left": done["left"], "seconds": done["seconds"]}
        lines.append(text)
    show(parsed, data, "\n".join(lines))
    return 0


def show_reader(parsed: argparse.Namespace) -> int:
    """Say which model reads texts, and what is described besides."""
    from context_graph.embed.minilm import model_file
    from context_graph.embed.own.description import names

    settings = settings_of(parsed)
    chosen = settings.model or (str(settings.model_folder) if settings.model_folder else settings.tier)
    auto = chosen == "auto"
    if auto:
        chosen = "base" if model_file() is None else "minilm"
    data: dict[str, Any] = {"reads": chosen, "described": names(settings.home)}
    says = f"{chosen}, the setting tier being auto" if auto else chosen
    lines = [f"reads      {says}", f"described  {', '.join(data['described']) or 'none'}"]
    if settings.model is not None:
        from context_graph.embed.own.description import described

        _, facts, told = _tried(settings, settings.model, described(settings.home, settings.model))
        data |= facts
        lines += told
    show(parsed, data, "\n".join(lines))
    return 0


def _wanted(
    settings: "Settings", text: str, given_name: str | None, chosen: Mapping[str, Any]
) -> tuple[str, "Description"]:
    """The name and the description that an argument means: a URL, a folder, or the name of one described before."""
    from context_graph.embed.multilingual import MULTILINGUAL
    from context_graph.embed.own.description import Description, checked_name, described, names, plain
    from context_graph.errors import InvalidInput

    if re.match(r"https?://", text, re.I):
        if not chosen.get("model"):
            raise InvalidInput(f"expected --model with the name of the model that {text[:60]} serves", field="model")
        description = Description(url=text, **chosen)
        return checked_name(given_name or plain(chosen["model"])), description
    path = Path(os.path.expanduser(text))
    if text == MULTILINGUAL and text not in names(settings.home):
        if chosen or given_name:
            raise InvalidInput(f"{text} takes no options of a model of your own", field="name")
        return text, described(settings.home, text)
    if path.is_dir():
        description = Description(folder=str(path.resolve()), **chosen)
        name = checked_name(given_name or plain(path.resolve().name))
        known = described(settings.home, name) if name in names(settings.home) else None
        if known is not None and known.folder != description.folder:
            raise InvalidInput(
                f"{name} is described already, as {known.folder or known.url}; give another name with --as",
                field="name",
            )
        return name, description
    if plain(text) != text or text not in names(settings.home):
        known_names = ", ".join([*TIERS, MULTILINGUAL, *names(settings.home)])
        raise InvalidInput(
            f"expected a folder, a URL, or one of {known_names}; got {text[:60]!r}, which is no folder", field="name"
        )
    return checked_name(given_name or text), replace(described(settings.home, text), **chosen)


def _tried(
    settings: "Settings", name: str, description: "Description"
) -> tuple["Description", dict[str, Any], list[str]]:
    """Load a model and let it read: the description with its digest, and facts for a program and for a person."""
    from context_graph.embed.own.endpoint import EndpointModel
    from context_graph.embed.own.folder_model import FolderModel
    from context_graph.embed.own.multilingual_model import MultilingualModel

    fits, notes = settings.home / "models", list[str]()
    if description.url is not None:
        service = EndpointModel(description, hosts=settings.hosts, fits=fits)
        service.load()
        assert service.fit is not None
        facts: dict[str, Any] = {"url": service.url.geturl(), "serves": description.model, "maker": service.name}
        lines = [f"service    {service.where}", "tokens     none: late interaction keeps its static form"]
        fit, multilingual = service.fit, service.multilingual
    else:
        model: FolderModel
        if description.package is not None:
            model = MultilingualModel(threads=settings.threads, fits=fits)
        else:
            model = FolderModel(description, threads=settings.threads, fits=fits)
            description = replace(description, digest=model.folder.digest)
        model.load()
        assert model.fit is not None
        folder = model.folder
        facts = {
            "folder": str(folder.path), "digest": folder.digest, "maker": model.name, "runtime": folder.runtime,
            "pooling": folder.pooling, "query_prefix": folder.query_prefix, "passage_prefix": folder.passage_prefix,
            "max_tokens": folder.max_tokens, "vocabulary": model.tokenizer.size,
        }  # fmt: skip
        lines = [
            f"folder     {folder.path}, digest {folder.digest[:12]}, by {folder.runtime}",
            f"reads      {folder.max_tokens} tokens, {folder.pooling} pooling, vocabulary of {model.tokenizer.size}",
            f"prefixes   question {folder.query_prefix!r}, memory {folder.passage_prefix!r}",
        ]
        fit, multilingual = model.fit, model.multilingual
        notes += model.notes
    separation = [round(x, 2) for x in fit.separation]
    facts |= {"width": len(fit.centre), "multilingual": multilingual, "separation": separation}
    lines.append(f"width      {len(fit.centre)}, {'many languages' if multilingual else 'English'}")
    apart, by_tokens = separation[1], separation[0]
    lines.append(f"separates  answers from other texts {apart} times as far as MiniLM, by tokens {by_tokens}")
    if fit.scale.cosine[0] == 0:
        notes.append("it hardly tells an answer from other texts: its scores say nothing of relevance")
    facts["notes"] = notes
    return description, facts, [*lines, *(f"note       {note}" for note in notes)]
