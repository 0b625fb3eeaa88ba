"""generate_search_plan: the searches that a goal asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import Field, PrivateAttr

from context_graph.models import Caller
from context_graph.regex import regex
from context_graph.safety.quoting import inline
from context_graph.tools.base import ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import tool
from context_graph.tools.retrying import RetriedContext, retried_context

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["generate_search_plan"]

QueryType = Literal["semantic", "causal", "code", "temporal", "hierarchical"]
MAX_TRIED_HITS = 10
SURE_RECALL = 0.8
"""Expected recall of the first query from which the others may be spared."""

MAX_NAMED = 3
MAX_PART_WORDS = 5
"""Of an entry of a list; what is longer is no list of things to look for."""

_LIST = regex(r"\b(?:all|every|each|list|which|overview|compare|both|how many)\b", re.I)
_WHY = regex(r"\b(?:why|how come|cause[sd]?|reasons?|because|led to|root cause)\b", re.I)
_FRAME = regex(
    r"^(?:please\s+)?(?:(?:i|we) (?:want|need|would like) to\s+)?(?:find out|find|search for|look up|look for|learn"
    r"|understand|know|figure out|recall|list|get|explain|compare|show me)"
    r"\s+(?:(?:all|everything|more|out)\s+)?(?:about\s+)?",
    re.I,
)
_TASK = regex(
    r"^(?:please\s+)?(?:help (?:me|us)\s+(?:to\s+)?)?(?:prepare|plan|write|draft|fix|build|implement|review|design"
    r"|refactor|decide|begin|start|answer|organi[sz]e|introduce|make|create|update|change|test)\s+(?=\w)",
    re.I,
)
_EVERYTHING = regex(r"\b(?:everything|anything|all)\s+(?:(?:that\s+)?(?:i|we|you)\s+know\s+)?(?:about|of|on)\s+", re.I)
_ARTICLE = regex(r"^(?:and\s+)?(?:(?:the|an?|its?|their|his|her|our|my)\s+)?", re.I)
_OF = regex(r"^(.+?)\s+(?:of|for)\s+(.+)$", re.I)
_AND_ASKED = regex(r"[?;]\s+(?=\w)|,?\s+and\s+(?=(?:what|who|whose|when|where|why|how|which)\b)", re.I)
_ASKING = regex(
    r"^(?:(?:in|at|on|to|for|with|from) )?(?:what|which|who|whom|whose|where|when|how(?: many| much| often| long)?)\b"
    r"(?:\s+(?:is|are|was|were|do|does|did)\b)?\s*",
    re.I,
)
_WHY_LEAD = regex(
    r"^(?:why|how come|for what reason)\s+(?:(?:did|does|do|is|are|was|were|has|have|had)\s+)?|^the (?:cause|reason)s?"
    r" (?:of|for|why)\s+",
    re.I,
)


class GenerateSearchPlanInput(ToolInput):
    goal: str = Field(min_length=10, max_length=500)
    """What you want to find or achieve."""

    query_types: list[QueryType] = Field(default=["semantic", "causal", "code"])
    """Perspectives to generate."""

    max_queries: int = Field(3, ge=1, le=7)
    """Most queries to return."""


class PlannedQuery(WireModel):
    query: str
    """For search_graph or inject_context."""

    type: QueryType
    rationale: str
    """What this search is for."""

    expected_recall: float
    """Calibrated probability that its best result matters, from a look into the store."""


class GenerateSearchPlanOutput(ToolOutput):
    queries: list[PlannedQuery]
    execution_strategy: Literal["parallel", "sequential", "cascade"]
    """All at once; in this order, as the later need names from the earlier; or in this order until one suffices."""

    token_estimate: int
    """Of all that these searches return, each memory once."""

    retried_context: RetriedContext | None = None
    _parts_left_out: tuple[str, ...] = PrivateAttr(())

    def notes(self) -> list[str]:
        if self._parts_left_out:
            return [f"No room for {', '.join(self._parts_left_out)}; a higher max_queries has it."]
        return [] if self.queries else ["No query of these types fits the goal; name its things, or add semantic."]


@tool(family="navigation", title="Generate search plan", tier=2, read_only=True)
def generate_search_plan(memory: "Memory", args: GenerateSearchPlanInput, caller: Caller) -> GenerateSearchPlanOutput:
    """Turn a goal into a few complementary searches, by its names, dates and kind, each tried on your store, and say in
    which order to run them. Use for a goal of several parts, or after a plain search found too little.
    """
    from context_graph.embed.wordpiece import token_count
    from context_graph.recall.question import Question
    from context_graph.recall.recall import recall

    goal = _Goal.of(args.goal)
    planned: list[PlannedQuery] = []
    returned: dict[str, int] = {}
    for kind, query, reason in _unlike(goal.queries(args.query_types)):
        if len(planned) == args.max_queries:
            break
        hits = recall(memory, Question(query, top_k=MAX_TRIED_HITS, record=False), caller=caller).hits
        likely = round(max((hit.relevance for hit in hits), default=0.0), 4)
        unknown = _unknown(memory, query)
        told = f"{reason} No memory holds {', '.join(unknown)}; ask in other words too." if unknown else reason
        planned.append(PlannedQuery(query=query, type=kind, rationale=told, expected_recall=likely))
        returned |= {hit.node.id: token_count(hit.node.content) for hit in hits if hit.node.id not in returned}
    output = GenerateSearchPlanOutput(
        queries=planned, execution_strategy=_strategy(goal, planned), token_estimate=sum(returned.values()),
        retried_context=retried_context(memory, caller),
    )  # fmt: skip
    if "semantic" in args.query_types:
        asked = {query.query for query in planned}
        output._parts_left_out = tuple(inline(part) for part in goal.parts if part not in asked)
    return output


@dataclass(frozen=True, slots=True)
class _Goal:
    """What the form of a goal says."""

    text: str
    topic: str
    """Without "find out" and the like."""

    subject: str
    """What it is about, without the words that ask, those of a task and the list of its parts."""

    names: tuple[str, ...]
    proper: tuple[str, ...]
    """Names of persons, places and products among these: they have no kinds."""

    code: tuple[str, ...]
    parts: tuple[str, ...]
    """The searches for its parts, where it has several."""

    why: bool
    many: bool
    dated: bool

    @classmethod
    def of(cls, text: str) -> "_Goal":
        from context_graph.graph.entities import mentions
        from context_graph.reading.intent import parse

        text = " ".join(text.split())
        topic = _FRAME.sub("", text)
        if everything := _EVERYTHING.match(topic):
            topic = topic[everything.end() :]
        topic = topic.strip(" .?!") or text
        why = bool(_WHY.search(text))
        found = mentions(text)
        named = [mention.text for mention in found if mention.kind in ("name", "acronym", "quoted")]
        names = tuple(dict.fromkeys(part for name in named for part in name.split(" and ")))
        proper = [mention.text for mention in found if mention.kind == "name"]
        code = tuple(mention.text for mention in found if mention.kind in ("identifier", "path"))
        asked = parse(text)
        subject, parts = _divided(topic, names, why=why)
        several = asked.several or bool(_LIST.search(text)) or bool(parts)
        return cls(
            text, topic, subject, names, tuple(part for name in proper for part in name.split(" and ")), code, parts,
            why, several, asked.dated,
        )  # fmt: skip

    @property
    def task(self) -> bool:
        """It says what to do: no cause and no time of that is remembered."""
        return bool(_TASK.match(self.topic))

    @property
    def names_alone(self) -> bool:
        """It names things, or has parts, and says nothing of them that happens or is done."""
        from context_graph.embed.stems import STOP_WORDS, words

        if self.parts or _EVERYTHING.search(self.text):
            return True
        rest = self.subject
        for name in self.names:
            rest = rest.replace(name, " ")
        return all(word in STOP_WORDS for word in words(rest))

    @property
    def asks(self) -> bool:
        """It is a question, and not one for a cause: none is looked for then."""
        return not self.why and bool(_ASKING.match(self.topic))

    def queries(self, wanted: list[QueryType]) -> Iterator[tuple[QueryType, str, str]]:
        """Type, words and reason of each search; the first of each type first, then the rest."""
        kinds = sorted(dict.fromkeys(wanted), key=lambda kind: kind != "causal") if self.why else dict.fromkeys(wanted)
        if "semantic" in kinds:
            for part in self.parts:
                yield "semantic", part, "A part of the goal by itself, as memories may not hold all of them at once."
        ways = [list(getattr(self, f"_{kind}")()) for kind in kinds]
        for turn in range(max(map(len, ways), default=0)):
            for kind, found in zip(kinds, ways, strict=True):
                if turn < len(found):
                    yield kind, *found[turn]

    def _semantic(self) -> Iterator[tuple[str, str]]:
        plain = self.text if self.text.endswith("?") else self.topic
        yield (self.subject if self.why else plain), "The goal as it stands: words, meaning and fields."
        if len(self.names) > 1 or self.many:
            for name in self.names[:MAX_NAMED]:
                yield f"What is known about {name}?", f"{name} by itself, as memories may not hold all names at once."

    def _causal(self) -> Iterator[tuple[str, str]]:
        if self.asks or (not self.why and (self.task or self.names_alone)):
            return
        why = self.text.lower().startswith("why")
        asked = self.text if why else f"What led to {self.subject}?"
        yield asked, "Memories that state this as an effect name its cause."
        yield f"What happened after {self.subject}?", "Memories that state this as a cause name its effects."

    def _code(self) -> Iterator[tuple[str, str]]:
        if self.code:
            yield " ".join(self.code), "Identifiers and paths as they are written, found by their parts too."
        if not self.names_alone:
            yield f"function or file for {self.subject}", "Memories that hold code are found by what it does."

    def _temporal(self) -> Iterator[tuple[str, str]]:
        if self.dated:
            yield self.topic, "The date in it prefers memories of that time."
        elif not (self.asks or self.task or self.names_alone):
            yield f"When was {self.subject}?", "Prefers memories that hold a time."
        yield f"latest about {self.subject}", "What was said last; look at the dates of the results."

    def _hierarchical(self) -> Iterator[tuple[str, str]]:
        of = self.names[0] if self.names else self.subject
        if of in self.proper:
            yield f"Who or what is {of}?", "What it is, and what it belongs to."
            yield f"What belongs to {of}?", "Its parts."
            return
        yield f"What kinds of {of} are there?", "Its parts and kinds."
        yield f"What is {of} a kind or part of?", "What it belongs to."


def _divided(topic: str, names: tuple[str, ...], *, why: bool = False) -> tuple[str, tuple[str, ...]]:
    """What a topic is about, and the search for each of its parts: of a list behind a colon or before "of", and of
    questions in a row.

    Examples
    --------
    >>> _divided("Prepare the start at Falcon: language, team and outages", ("Falcon",))
    ('the start at Falcon', ('Falcon language', 'Falcon team', 'Falcon outages'))
    """
    head, colon, tail = topic.partition(": ")
    subject = _TASK.sub("", _ASKING.sub("", _WHY_LEAD.sub("", head))).strip() or topic
    if colon:
        entries, about = _entries(tail), _named_last(head, names) or _ARTICLE.sub("", subject)
    elif len(asked := _AND_ASKED.split(topic)) > 1:
        entries, about = asked, _named_last(topic, names)
    elif not why and (joined := _OF.match(subject)):
        entries, about = _entries(joined[1]), _ARTICLE.sub("", joined[2])
    else:
        return subject, ()
    parts = [one if not about or about.lower() in one.lower() else f"{about} {one}" for one in entries]
    return subject, tuple(dict.fromkeys(parts)) if len(parts) > 1 else ()


def _entries(text: str) -> list[str]:
    """The entries of a list, without articles; none where one of them is too long for that."""
    entries = [_ARTICLE.sub("", one.strip(" .?!")) for one in re.split(r",\s+|;\s+|\s+(?:and|or)\s+", text)]
    return [one for one in entries if one] if all(len(one.split()) <= MAX_PART_WORDS for one in entries) else []


def _named_last(text: str, names: tuple[str, ...]) -> str:
    """The name that a text ends with, or that stands nearest to its end."""
    return max((name for name in names if name in text), key=text.rfind, default="")


def _unlike(queries: Iterator[tuple[QueryType, str, str]]) -> Iterator[tuple[QueryType, str, str]]:
    """Each words once; the same question asked as another type is the same search."""
    seen: set[str] = set()
    for kind, query, reason in queries:
        key = query.lower().strip(" ?")
        if key not in seen:
            seen.add(key)
            yield kind, query, reason


def _unknown(memory: "Memory", query: str) -> list[str]:
    """Words of a query that no memory holds."""
    from context_graph.embed.stems import STOP_WORDS, stem_of, term_id, words

    said = [word for word in dict.fromkeys(words(query)) if word not in STOP_WORDS]
    holding = memory.corpus.terms.df([term_id(stem_of(word)) for word in said]) if said else ()
    return [word for word, documents in zip(said, holding, strict=True) if documents == 0]


def _strategy(goal: _Goal, planned: list[PlannedQuery]) -> Literal["parallel", "sequential", "cascade"]:
    if goal.why and len(planned) > 1:
        return "sequential"
    if planned and not goal.many and planned[0].expected_recall >= SURE_RECALL:
        return "cascade"
    return "parallel"
