"""Which claims that a later result took the place of an earlier one are worth telling.

    python -m benchmarks.quality.claims [--tiers base,minilm] [--write]

Fitted on what is claimed about the first results of the questions of lives.txt (benchmarks/quality/lives.py), but for
the lives in `HELD`, on which no weight was chosen: right is what took the place of another for this question, wrong
what is claimed of a result that answers it; what is claimed of anything else is only counted. `--write` replaces the
weights of the package. Printed is, for bounds of the log odds, how many claims of each kind are below.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.quality.lives import Life, lived, lives
from benchmarks.quality.logistic import Fit, fit, logit, named
from context_graph import Question
from context_graph.embed.stems import stems
from context_graph.reading import supersession
from context_graph.recall.apart import CERTAIN
from context_graph.recall.current.comparison import Claim
from context_graph.recall.current.likelihood import CLAIM, Judged, claim_features, rareness
from context_graph.recall.current.replacements import claims

HELD = ("dense-held", "other-held", "crowded-held", "held")
SEVERAL_OF_A_KIND = ("crowded", "crowded-held")
WEIGHT = 4.0
"""What a claim about these counts: they are few, and what is told of several things of one kind is most like use."""

FIRST, RIDGE, BOUNDS = 3, 1.0, (-1.5, -1.2, -1.0, -0.8, -0.6, -0.4, -0.2, 0.0)
RIGHT, WRONG, OTHER = "right", "wrong", "other"


class Made(NamedTuple):
    part: str
    kind: str
    claim: Claim


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tiers", default="base,minilm")
    parser.add_argument("--write", action="store_true", help="replace the weights of the package")
    options = parser.parse_args()
    weights = {}
    for tier in options.tiers.split(","):
        made = [one for life in lives() for one in _claims_of(life, tier)]
        weights[tier] = named(_fitted(made), CLAIM)
        print(f"{tier}: {json.dumps(weights[tier])}")
        _report(made, _fitted(made))
    if options.write:
        before = json.loads(supersession.SUPERSESSION_WEIGHTS.read_text("utf-8"))
        before["claims"] = before.get("claims", {}) | weights
        supersession.SUPERSESSION_WEIGHTS.write_text(json.dumps(before, indent=1) + "\n", "utf-8")


def _claims_of(life: Life, tier: str) -> Iterator[Made]:
    """What is claimed about the first results of each question of a life, but for what no weight decides."""
    rarest = _rarest(life.texts)
    with tempfile.TemporaryDirectory() as home:
        memory, ids = lived(life, Path(home), tier)
        with memory:
            for asked in life.questions:
                answer = memory.recall(Question(asked.question, top_k=30, newest_first=False))
                nodes, places = [hit.node for hit in answer.hits], [ids.index(hit.node.id) for hit in answer.hits]
                alone = [hit.alone for hit in answer.hits]
                judged = Judged(alone, answer.answered, tier, searched=len(ids), rarest=rarest)
                for claim in claims(asked.question, nodes, judged):
                    decided = not claim.rarest or (claim.odds is not None and claim.odds >= CERTAIN)
                    if claim.earlier < FIRST and not decided:
                        earlier, later = places[claim.earlier], places[claim.later]
                        right = life.ended(earlier, later, asked)
                        kind = RIGHT if right else WRONG if earlier in asked.current else OTHER
                        yield Made(life.part, kind, claim)


def _rarest(texts: Sequence[str]) -> Callable[[frozenset[str]], float]:
    """How rare the rarest of some stems is among some texts, as the index has it."""
    holding = Counter(stem for text in texts for stem in {*stems(text)})
    return lambda some: rareness(min(holding[stem] for stem in some), len(texts)) if some else 0.0


def _fitted(made: Sequence[Made]) -> Fit:
    seen = [one for one in made if one.part not in HELD and one.kind != OTHER]
    right = np.array([one.kind == RIGHT for one in seen], float)
    weight = np.array([WEIGHT if one.part in SEVERAL_OF_A_KIND else 1.0 for one in seen])
    return fit(_features(seen), right, weight, RIDGE)


def _features(made: Sequence[Made]) -> np.ndarray:
    return np.array([claim_features(one.claim.odds, one.claim.likely, one.claim.rarest or 0.0) for one in made])


def _report(made: Sequence[Made], fitted: Fit) -> None:
    worth, part = logit(_features(made), fitted), np.array([one.part for one in made])
    kind = np.array([one.kind for one in made])
    for name, of in (
        ("fitted on", ~np.isin(part, HELD)), ("of these crowded", part == "crowded"),
        ("held", np.isin(part, HELD)), ("of these crowded", part == "crowded-held"),
    ):  # fmt: skip
        counts = {
            each: np.array([(worth[of & (kind == each)] < bound).sum() for bound in BOUNDS])
            for each in (RIGHT, WRONG, OTHER)
        }
        print(f"  {name}:", ", ".join(f"{(of & (kind == each)).sum()} {each}" for each in counts))
        for at, bound in enumerate(BOUNDS):
            print(f"    below {bound:4.1f}:", ", ".join(f"{below[at]} {each}" for each, below in counts.items()))


if __name__ == "__main__":
    main()
