"""From folders of questions to a trained fusion and its file."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from context_graph.embed.experts import Inputs
from context_graph.embed.fused import Fusion
from context_graph.errors import InvalidInput
from context_graph.evaluation.sets import read
from context_graph.evaluation.stores import Asked, stored
from context_graph.retrieval.fused_vectors import ROWS_AT_ONCE, inputs_of, question_of
from context_graph.train.contrast import epochs as trained
from context_graph.train.examples import Examples, examples_of
from context_graph.train.mixture import LEARNED, initial
from context_graph.train.sample import sampled

__all__ = ["checked", "train", "write"]

TEMPERATURE = 0.2
LARGE = ("centres", "down", "up")
MAX_RANK = 64
NEVER = "conv-"
"""Conversations (LoCoMo) may be scored, never learned from: their licence forbids it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Set:
    """One stored set: its questions, what is learned from it, and how to judge a fusion on it."""

    name: str
    questions: list[Asked]
    examples: Examples

    def recall(self, model: Fusion) -> dict[str, float]:
        """Recall at 5 by the fused cosine alone, in percent, on the chosen questions and on those held back."""
        corpus = self.questions[0].memory.corpus
        questions = model(question_of(corpus, [one.vectors for one in self.questions])).vectors
        parts = [np.arange(i, min(i + ROWS_AT_ONCE, len(corpus))) for i in range(0, len(corpus), ROWS_AT_ONCE)]
        cosines = np.concatenate([questions @ model(inputs_of(corpus, rows)).vectors.T for rows in parts], axis=1)
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :5]
        found = [np.isin(list(a.gold), top).mean() for a, top in zip(self.questions, best, strict=True)]
        held = np.array([one.question.held for one in self.questions])
        halves = {"chosen": ~held, "held": held}
        return {half: 100 * float(np.mean(found, where=of)) for half, of in halves.items() if of.any()}


def train(
    folders: Sequence[Path],
    tier: str,
    *,
    seed: int = 0,
    epochs: int = 4,
    rank: int = 16,
    memories: int = 2_000,
    keep: Path | None = None,
    log: Callable[[str], None] | None = None,
) -> Fusion:
    """Train a fusion for one tier on the chosen halves of some sets.

    Parameters
    ----------
    memories : int
        Kept of each set, 0 for all: what embeds in minutes.
    keep : Path, optional
        Folder where the stores stay for the next run.
    log : callable, optional
        Is told the progress.

    Raises
    ------
    InvalidInput
        If a folder holds no question set, or one that must not be learned from.
    """
    if not 1 <= rank <= MAX_RANK:
        raise InvalidInput(f"rank must lie in [1, {MAX_RANK}], got {rank}", field="rank")
    if epochs < 1:
        raise InvalidInput(f"epochs must be at least 1, got {epochs}", field="epochs")
    with ExitStack() as stack:
        sets = [_opened(stack, folder, tier, seed, memories, keep) for folder in folders]
        dice = np.random.default_rng(seed)
        model = initial(rank, TEMPERATURE, dice)
        _report(sets, model, f"{tier} untrained", log)
        passes = trained(model, [part.examples for part in sets], epochs, dice)
        for number, (learned, loss) in enumerate(passes, 1):
            model = learned
            if log:
                log(f"{tier} epoch {number}: loss {loss:.3f}")
        model = _counted(_rounded(model), [part.examples.questions for part in sets])
        _report(sets, model, f"{tier} trained", log)
    return model


def _opened(stack: ExitStack, folder: Path, tier: str, seed: int, memories: int, keep: Path | None) -> _Set:
    found = read(folder)
    if len(found) != 1 or found[0].name.startswith(NEVER):
        raise InvalidInput(f"{folder} holds conversations, which are never learned from; leave it out", field="data")
    asked = stack.enter_context(stored([sampled(found[0], memories, seed)], tier, keep=keep))
    chosen = [one for one in asked if not one.question.held]
    if not chosen:
        raise InvalidInput(f"{folder} has no question in its chosen half", field="data")
    return _Set(folder.name, asked, examples_of(chosen))


def _report(sets: Sequence[_Set], model: Fusion, when: str, log: Callable[[str], None] | None) -> None:
    if log:
        for part in sets:
            recall = "  ".join(f"{half} {value:.1f}" for half, value in part.recall(model).items())
            log(f"{when}: {part.name:<10} R@5 {recall}")


def _rounded(model: Fusion) -> Fusion:
    """The model as it comes back from its file, which keeps the large matrices in float16."""
    kept = {name: getattr(model, name).astype(np.float16) for name in LARGE}
    return replace(model, **{name: array if name == "up" else array.astype(np.float32) for name, array in kept.items()})


def _counted(model: Fusion, questions: Sequence[Inputs]) -> Fusion:
    """The model with what its gate usually says of each space."""
    asked = Inputs.joined(questions)
    total, having = model.weights(asked).sum(axis=0), asked.present.sum(axis=0)
    return replace(model, usual=(total / np.maximum(having, 1)).astype(np.float32))


def checked(file: Path) -> None:
    """Refuse a name that a fusion cannot be read from, before minutes are spent on it."""
    if file.suffix != ".npz":
        raise InvalidInput(f"the file must end in .npz, got {file.name!r}", field="out")


def write(models: Mapping[str, Fusion], file: Path) -> int:
    """Write one fusion a tier; returns the size in bytes. Equal fusions give equal files."""
    checked(file)
    arrays: dict[str, Any] = {f"{tier}/temperature": np.float64(model.temperature) for tier, model in models.items()}
    for tier, model in models.items():
        for name in (*LEARNED, "usual"):
            array = getattr(model, name)
            arrays[f"{tier}/{name}"] = array.astype(np.float16) if name in LARGE else array
    file.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(file, **arrays)
    return file.stat().st_size
