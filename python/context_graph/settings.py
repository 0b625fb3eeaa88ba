"""What a user may change, and where each value came from: flag, environment, file or default."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from context_graph.errors import InvalidInput
from context_graph.suggestions import nearest

__all__ = ["Settings", "calm_blas", "home_of", "load_settings", "without_telemetry"]

PREFIX = "CONTEXT_GRAPH_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings; each has an environment variable `CONTEXT_GRAPH_<NAME>` and, but for `home`, a key in
    `<home>/config.toml`."""

    home: Path = Path(os.path.expanduser("~/.context-graph"))  # unlike Path.expanduser, never fails at import
    """Where the memory lives."""

    tier: str = "auto"
    """Embedding tier: auto, base or minilm."""

    model_folder: Path | None = None
    """A sentence-transformers folder of the user's own, in place of the package's model."""

    model: str | None = None
    """A model that `context-graph model use` has described, by name, or multilingual; it beats `model_folder`."""

    model_hosts: str = ""
    """Hosts besides this machine that texts may be sent to by a model behind a URL, separated by commas."""

    reranker: Path | None = None
    """A folder with a cross-encoder that puts the first 50 results in order."""

    space_models: dict[str, Path] = field(default_factory=dict)
    """Folders with another model for one space each, E1, E5, E7 or E12; as text, "E7=/models/code,E5=/models/why"."""

    backend: str | None = None
    """Kernel backend: scalar, avx2, avx512, cuda, or reference (slow); the fastest usable when not set."""

    threads: int = 2
    """Threads of a model pass, at most one a core; they change the time, not the vectors."""

    tools: str = "core"
    """Tools that are listed: core, all, or names separated by commas. Every tool can be called all the same."""

    project: Path | None = None
    """The folder whose documents the kg_ tools read, and the only one; the working directory by default."""

    undo_retention_days: int = 30
    """How long a removal can be undone."""

    top_k: int = 10
    """Results of a search when the caller names no number, 1 to 100."""

    abstain_below: float = 0.3
    """inject_context returns nothing where a question is less likely than this to be about anything in the memory."""

    reflex: bool = True
    """Answer a repeated question from the reflex cache while nothing has changed."""

    trajectories: bool = True
    """Keep which tools were called one after the other, how long each took and whether it failed; nothing they said."""

    agent_runs: int = 500
    """How many runs of agents and workflows that ended are kept; those of the last hour are in any case."""

    sampling: bool = False
    """Let the client's own language model be asked, by MCP sampling: to sum up what an agent found, and in a dream that
    writes what the rules do not read."""

    sampling_seconds: float = 30.0
    """How long an answer of that model is waited for."""

    extractor_url: str | None = None
    """A service with a language model that may propose what the rules do not read; none by default."""

    extractor_model: str | None = None
    """The name of the model there."""

    extractor_api: str = "openai"
    """Its protocol: openai (chat completions) or ollama."""

    extractor_key_variable: str | None = None
    """The environment variable with its key, where it wants one."""

    extractor_seconds: float = 60.0
    """How long one answer of it is waited for."""

    media_bytes: int = 10_000_000
    """The largest file that store_memory takes, decoded."""

    media_pixels: int = 40_000_000
    """The largest picture, or frame of a film; its header is read before anything is decoded."""

    media_seconds: int = 120
    """How much of a sound or film is listened to."""

    keep_media: bool = True
    """Keep the file itself in the store; without, its text, measures and descriptors."""

    allow_permanent_deletion: bool = False
    """Let agents delete for good over MCP, with reason user_requested. The command line always can."""

    sync_hosts: str = ""
    """Hosts besides this machine that `context-graph sync` may speak to, separated by commas."""

    sync_max_deletions: float = 0.2
    """The share of the memories that a peer may forget or delete within a day; ten may go in any case."""

    redact: str = "secrets,pii"
    """What is replaced by [REDACTED:KIND] before it is embedded or stored: secrets, pii, kinds such as EMAIL, or none.

    Separated by commas; one with a minus is left as it is, "secrets,pii,-PHONE".
    """

    redact_pii: bool = True
    """false: personal data stays, whatever `redact` says."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not one.default and not (value is None and one.default is None):
                object.__setattr__(self, one.name, _read(one.name, value, "argument"))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names in `model_hosts`."""
        return tuple(name for part in self.model_hosts.split(",") if (name := part.strip()))

    @property
    def peer_hosts(self) -> tuple[str, ...]:
        """The names in `sync_hosts`."""
        return tuple(name for part in self.sync_hosts.split(",") if (name := part.strip()))

    @property
    def redacted(self) -> frozenset[str]:
        """The kinds of sensitive text that are replaced."""
        return _redacted(self.redact, self.redact_pii)


SECRET_KINDS = frozenset(
    "API_KEY AWS_KEY DATABASE_URL GITHUB_TOKEN GITLAB_TOKEN GOOGLE_API_KEY GOOGLE_OAUTH HUGGINGFACE_TOKEN JWT "
    "NPM_TOKEN PASSWORD PRIVATE_KEY PYPI_TOKEN SECRET SEED_PHRASE SENDGRID_KEY SLACK_TOKEN SLACK_WEBHOOK "
    "STRIPE_WEBHOOK TOKEN WEBHOOK".split()
)
PERSONAL_KINDS = frozenset("CREDIT_CARD EMAIL IBAN IP_ADDRESS PHONE SSN".split())
_GROUPS = {"secrets": SECRET_KINDS, "pii": PERSONAL_KINDS, "all": SECRET_KINDS | PERSONAL_KINDS, "none": frozenset()}

CHOICES = {
    "tier": ("auto", "base", "minilm"),
    "backend": ("reference", "scalar", "avx2", "avx512", "cuda"),
    "extractor_api": ("openai", "ollama"),
}

BOUNDS = {"top_k": (1, 100), "abstain_below": (0, 1), "sync_max_deletions": (0, 1)}
"""By number that has bounds, the least and the most: of a probability or a share, a larger one is none."""


def calm_blas() -> None:
    """Keep NumPy's BLAS to one thread in a process of ours; call it before NumPy is imported.

    Its products here are small, and its idle threads spin: on two cores they doubled the CPU time of a search and
    took the second core from the kernels, which have threads of their own.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def without_telemetry() -> None:
    """Keep ONNX Runtime from reporting to its maker; call it before it is imported, whoever imports it.

    From 1.32 on it leaves a device id in the user's cache folder and looks for a server with its first session, which
    its own `disable_telemetry_events` does not prevent.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def load_settings(
    flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] | None = None
) -> tuple[Settings, dict[str, str]]:
    """Settle every setting; flag beats environment beats file beats default.

    Returns
    -------
    Settings, dict
        The second names the origin of each: "flag", "environment", "file" or "default".
    """
    flags = {name: value for name, value in (flags or {}).items() if value is not None}
    environment = os.environ if environment is None else environment
    by_environment = {
        one.name: environment[PREFIX + one.name.upper()]
        for one in fields(Settings)
        if environment.get(PREFIX + one.name.upper())
    }
    by_file = _file(home_of(flags.get("home"), environment) / "config.toml")
    values, origins = {}, {}
    for one in fields(Settings):
        for origin, source in (("flag", flags), ("environment", by_environment), ("file", by_file)):
            if one.name in source:
                values[one.name] = _read(one.name, source[one.name], origin)
                origins[one.name] = origin
                break
        else:
            origins[one.name] = "default"
    return Settings(**values), origins


def home_of(flag: str | Path | None = None, environment: Mapping[str, str] | None = None) -> Path:
    """Where the memory lives: as the flag says, or the environment, or the default."""
    environment = os.environ if environment is None else environment
    home = Path(os.path.expanduser(flag or environment.get(f"{PREFIX}HOME") or Settings().home))
    if str(home).startswith("~"):  # left as it was: the user is not known
        raise InvalidInput(f"the home directory of {home.parts[0]} is not known; set CONTEXT_GRAPH_HOME", field="home")
    return home


def _file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    import tomllib

    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} is not valid TOML: {error}; correct it or remove it") from error
    names = {one.name for one in fields(Settings)} - {"home"}
    if "home" in values:
        raise InvalidInput(
            f"{path} sets home, and lies in it: take that line out, and set it by --home or {PREFIX}HOME", field="home"
        )
    for name in values:
        if name not in names:
            near = nearest(name, names)
            advice = f"did you mean {near}?" if near else f"known: {', '.join(sorted(names))}"
            raise InvalidInput(f"{path} has an unknown setting {name!r}; {advice}")
    return values


@cache
def _redacted(kinds: str, personal: bool) -> frozenset[str]:
    return _kinds(kinds) - (frozenset() if personal else PERSONAL_KINDS)


def _kinds(text: str) -> frozenset[str]:
    """The kinds that a list of names asks for."""
    kinds: frozenset[str] = frozenset()
    for name in filter(None, (part.strip() for part in text.split(","))):
        bare = name.removeprefix("-")
        named = _GROUPS[bare.lower()] if bare.lower() in _GROUPS else _GROUPS["all"] & {bare.upper()}
        if not named and bare.lower() != "none":
            known = ", ".join((*_GROUPS, *sorted(_GROUPS["all"])))
            raise ValueError(f"expected names separated by commas, each one of {known}")
        kinds = kinds - named if bare != name else kinds | named
    return kinds


def _folders(value: Any) -> dict[str, Path]:
    """A table of folders, or the same as text."""
    if isinstance(value, str):
        parts = [part.partition("=") for part in value.split(",") if part.strip()]
        if any(not sign or not name.strip() or not path.strip() for name, sign, path in parts):
            raise ValueError('expected "SPACE=FOLDER,SPACE=FOLDER"')
        value = {name.strip(): path.strip() for name, _, path in parts}
    if not isinstance(value, Mapping) or not all(isinstance(path, str | Path) for path in value.values()):
        raise ValueError("expected a table of folders by space")
    return {str(name).upper(): Path(os.path.expanduser(path)) for name, path in value.items()}


def _number(kind: type, value: Any, bounds: tuple[int, int] | None = None) -> int | float:
    """A number of at least 0, or within bounds; or the same as text."""
    least, most = bounds or (0, math.inf)
    try:
        number: int | float = kind(value)
        sound = not isinstance(value, bool) and least <= number <= most and number < math.inf and number == float(value)
    except (TypeError, ValueError, OverflowError):
        sound = False
    if not sound:
        extent = f"from {least} to {most}" if bounds else "of at least 0"
        raise ValueError(f"expected a {'whole ' if kind is int else ''}number {extent}")
    return number


def _read(name: str, value: Any, origin: str) -> Any:
    """A value in the type of its setting."""
    kind = Settings.__annotations__[name]
    try:
        if kind in (Path, Path | None):
            if not isinstance(value, str | Path):
                raise ValueError("expected a path")
            return Path(os.path.expanduser(value))
        if kind == dict[str, Path]:
            return _folders(value)
        if name == "redact":
            value = ",".join(value) if isinstance(value, list) else str(value)
            _kinds(value)
        if kind is bool:
            text = str(value).lower()
            if text not in ("1", "0", "true", "false", "yes", "no", "on", "off"):
                raise ValueError("expected true or false")
            return text in ("1", "true", "yes", "on")
        if kind in (int, float):
            return _number(kind, value, BOUNDS.get(name))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"setting {name} ({origin}): {error}, got {str(value)[:60]!r}", field=name) from error
    if name in CHOICES and value not in CHOICES[name]:
        raise InvalidInput(
            f"setting {name} ({origin}) must be one of {', '.join(CHOICES[name])}, got {str(value)[:60]!r}", field=name
        )
    return str(value)
