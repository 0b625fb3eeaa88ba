"""Where the values of a case are read in a memory: one source for each feature, for the outcome and for the id."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from context_graph.cases.features import (
    Boolean,
    Categorical,
    Date,
    Feature,
    Number,
    Ordinal,
    Set,
    check_names,
    feature_of,
    spelt,
)
from context_graph.cases.model import Model
from context_graph.dates import read_date
from context_graph.errors import InvalidInput
from context_graph.extraction import Fact
from context_graph.models import Node, to_iso
from context_graph.names import name_key
from context_graph.reading.metadata import texts
from context_graph.regex import regex

__all__ = ["SOURCES", "CaseMapping", "Reading", "Source", "Unread", "checked_reading"]

SOURCES = (
    "text, date, speaker, tags, tag:A|B, word:A|B, number:WORD (a number next to it), metadata:KEY or fact:RELATION"
)
"""What a source may be, in the words of an error."""

MAX_SOURCE = 500
"""Characters."""

_NUMBER = r"(?<![\w.,])[-+]?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.\d{1,15})?(?![.,]?\d)"
"""1,200 and 1.5, but no part of 1,5 or of a version."""

_ONE_NUMBER = regex(rf"\s*({_NUMBER})\s*(?:[^\W\d]+|%)?\s*")
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


class Unread(Exception):
    """Why a source gives no value for a memory: in words that a preview shows."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One value, and where it was read.

    Attributes
    ----------
    quote : str
        The part of the memory that says so; empty where a word or a tag is absent, which makes a feature false.
    """

    value: Any
    source: str
    quote: str


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a memory, such as number:minutes.

    Attributes
    ----------
    kind : str
        One of those in `SOURCES`.
    argument : str
        What stands behind the colon.
    """

    kind: str
    argument: str = ""

    @classmethod
    def parse(cls, text: Any, field: str) -> "Source":
        """The source that a text names; raises `InvalidInput` where it names none."""
        kind, _, argument = text.partition(":") if isinstance(text, str) else ("", "", "")
        kind, argument = kind.strip(), argument.strip()
        if kind not in _READERS or bool(argument) != (kind in _WITH_ARGUMENT) or len(argument) > MAX_SOURCE:
            raise InvalidInput(f"expected {SOURCES}; got {text!r:.60}", field=field)
        if kind in ("word", "tag") and not _choices(argument):
            raise InvalidInput(f"expected {kind}: and words with | between them, got {text!r:.60}", field=field)
        return cls(kind, argument)

    def __str__(self) -> str:
        return f"{self.kind}:{self.argument}" if self.argument else self.kind

    def read(self, node: Node, facts: Sequence[Fact], feature: Feature | None = None) -> Reading:
        """The value of a feature in a memory; raises `Unread` where there is none, or more than one.

        Parameters
        ----------
        facts : sequence of Fact
            What the memory states.
        feature : Feature, optional
            Whose type the value is to have; without one it stays as it was read.
        """
        values = dict(_READERS[self.kind](node, facts, self.argument))
        quote = ", ".join(dict.fromkeys(values.values()))
        if self.kind in ("word", "tag") and isinstance(feature, Boolean):
            return Reading(bool(values), str(self), quote)
        if not values:
            raise Unread(f"{self} is not in it")
        if isinstance(feature, Set):
            value: Any = [entry for one in values for entry in _thawed(one)]
        elif self.kind == "tags" and feature is None:
            value = list(values)
        elif len(values) > 1:
            several = ", ".join(str(one)[:40] for one in list(values)[:4])
            raise Unread(f"{self} is {len(values)} things: {several}")
        else:
            (value,) = (_plain(one) for one in values)
        if feature is not None:
            value = _converted(feature, value)
        return Reading(value, str(self), quote)


@dataclass(frozen=True, slots=True)
class CaseMapping:
    """How a memory becomes a case: from where each feature, the outcome and the id are read."""

    features: Mapping[str, Source]
    outcome: Source | None = None
    case_id: Source | None = None

    @classmethod
    def of(
        cls, model: Model, features: Mapping[str, str], outcome: str | None = None, case_id: str | None = None
    ) -> "CaseMapping":
        """The mapping that texts say, for a model; raises `InvalidInput` where it has no such feature or source."""
        check_names(features, "features")
        declared = model.cases.features
        for name in features:
            if declared and name not in declared:
                raise InvalidInput(
                    f"the model has no feature {name!r:.80}; features: {', '.join(list(declared)[:30])}",
                    field="features",
                )
        return cls(
            {name: Source.parse(text, "features") for name, text in features.items()},
            None if outcome is None else Source.parse(outcome, "outcome"),
            None if case_id is None else Source.parse(case_id, "case_id"),
        )

    @property
    def reads_facts(self) -> bool:
        """Whether what memories state is to be looked up."""
        return any(one.kind == "fact" for one in (*self.features.values(), self.outcome, self.case_id) if one)


def checked_reading(name: str, feature: Feature | None, reading: Reading) -> Any:
    """The value as a case keeps it; raises `Unread` where it is none of the type."""
    fitting = feature or feature_of(reading.value)
    if fitting is None:
        raise Unread(f"{reading.source} is {spelt(reading.value)[:60]}, which is no value of a feature")
    try:
        return fitting.checked(name, reading.value)
    except InvalidInput as error:
        raise Unread(f"{reading.source}: {error}") from error


# Readers: of a memory, what it states and the argument, each value with the words that say it.

_Values = list[tuple[Any, str]]


def _text(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    return [(node.content, node.content[:60])]


def _date(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    moment = to_iso(node.occurred_at)
    return [(moment, moment)]


def _speaker(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    return [(node.speaker, node.speaker)] if node.speaker else []


def _tags(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    return [(tag, tag) for tag in texts(node.metadata, "tags")]


def _tag(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    tags = {tag.casefold(): tag for tag in texts(node.metadata, "tags")}
    return [(one, tags[one.casefold()]) for one in _choices(argument) if one.casefold() in tags]


def _metadata(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    value: Any = node.metadata
    if argument in value:  # a key may have dots of its own
        value = value[argument]
    else:
        for key in argument.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
    return [] if value is None else [(_Frozen(value) if isinstance(value, list | dict) else value, spelt(value)[:60])]


def _fact(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    key = name_key(argument)
    return [(fact.value, f"{fact.subject} {fact.relation} {fact.value}") for fact in facts if _is_of(fact, key)]


def _is_of(fact: Fact, key: str) -> bool:
    return key in (name_key(fact.relation), name_key(f"{fact.subject} {fact.relation}"))


def _word(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    matches = [(one, re.search(_whole(re.escape(one)), node.content, re.I)) for one in _choices(argument)]
    return [(one, match[0]) for one, match in matches if match]


def _number(node: Node, facts: Sequence[Fact], argument: str) -> _Values:
    stem = re.escape(argument.removesuffix("s") or argument)
    word = _whole(f"{stem}s?")
    forms = (rf"(?P<number>{_NUMBER})(?:\s|-)*{word}", rf"{word}(?:\s|[:=]|\b(?:is|was|of)\b)*(?P<number>{_NUMBER})")
    matches = [match for form in forms for match in re.finditer(form, node.content, re.I)]
    return [(_value_of(match["number"]), match[0]) for match in matches]


_READERS: dict[str, Callable[[Node, Sequence[Fact], str], _Values]] = {
    "text": _text, "date": _date, "speaker": _speaker, "tags": _tags, "tag": _tag, "word": _word, "number": _number,
    "metadata": _metadata, "fact": _fact,
}  # fmt: skip
_WITH_ARGUMENT = {"tag", "word", "number", "metadata", "fact"}


class _Frozen:
    """A list or an object of the metadata; as a key it is itself alone."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __str__(self) -> str:
        return spelt(self.value)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, _Frozen) else value


def _thawed(value: Any) -> list[Any]:
    """The elements of a set that a value is."""
    value = _plain(value)
    return list(value) if isinstance(value, list) else [value]


def _choices(argument: str) -> list[str]:
    return list(dict.fromkeys(one.strip() for one in argument.split("|") if one.strip()))


def _whole(form: str) -> str:
    """A form that is no part of a longer word; at an end that is no letter, such as $, anything may stand."""
    return rf"(?:(?<!\w)|(?<=\d)){form}(?!\w)" if re.match(r"\w", form) else rf"{form}"


def _value_of(number: str) -> int | float:
    plain = number.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def _converted(feature: Feature, value: Any) -> Any:
    """A value in the form that the type of a feature wants, where it says that without doubt; else as it is."""
    if not isinstance(value, str):
        return value
    key = value.strip().casefold()
    match feature:
        case Number():
            match = _ONE_NUMBER.fullmatch(value)
            return _value_of(match[1]) if match else value
        case Boolean():
            return _TRUTH.get(key, value)
        case Date():
            try:
                return to_iso(read_date(value))
            except InvalidInput:
                return value
        case Ordinal():
            return next((word for word in feature.order if word.casefold() == key), value)
        case Categorical():
            return next((one for one in feature.values or () if str(one).casefold() == key), value)
    return value
