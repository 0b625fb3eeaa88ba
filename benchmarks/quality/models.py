"""What a model of one's own costs besides recall: whether it stays silent, and what a narrower width loses.

::

    python -m benchmarks.quality.models --data PATH/locomo [--model FOLDER ...]

- silence: memories are one conversation of a set. Told is the share of its own questions that are judged to be about
  it, foreign the share of the 48 English probes, which are about other things; the bar is `abstain_below`. Each model
  stands there as it is used, and raw, as if its scores were those of the package's model.
- width: recall at 10 of the pooled vector alone, at full width and narrowed to a half and a third by the principal
  components of a thousand words and sentences (what is done), by fixed random orthonormal columns, and by the first
  numbers (Matryoshka, where a model was trained for that).
"""

import argparse
import time
from contextlib import nullcontext
from pathlib import Path
from unittest import mock

import numpy as np

from benchmarks.quality.report import model_settings, save
from context_graph.embed import Embedder
from context_graph.embed.own.description import Description
from context_graph.embed.own.fit import ENGLISH, basis_of, probes, short_texts
from context_graph.embed.own.folder_model import FolderModel
from context_graph.embed.own.multilingual_model import MultilingualModel
from context_graph.embed.text_model import AS_FITTED, TextModel, narrowing
from context_graph.evaluation.sets import QuestionSet, read
from context_graph.evaluation.stores import stored
from context_graph.recall.question import Question
from context_graph.settings import Settings

BAR = Settings().abstain_below


def silence(part: QuestionSet, folder: Path | None) -> dict[str, float]:
    """Shares of own and foreign questions that are told something, in percent, as used and raw."""
    settings = {} if folder is None else model_settings(folder)
    numbers = {}
    for label in ("used",) if folder is None else ("used", "raw"):
        raw = mock.patch.object(Embedder, "scale", AS_FITTED) if label == "raw" else nullcontext()
        with raw, stored([part], "minilm", **settings) as asked:
            memory = asked[0].memory
            questions = {"told": [one.question.text for one in asked], "foreign": list(probes()[0][:ENGLISH])}
            for name, texts in questions.items():
                answers = [memory.recall(Question(text, record=False)).answered for text in texts]
                numbers[f"{name} {label}"] = round(100 * float(np.mean(np.array(answers) >= BAR)), 1)
    return numbers


def opened(folder: Path) -> FolderModel:
    """The model of a folder, or that of the extra `multilingual`."""
    return MultilingualModel() if str(folder) == "multilingual" else FolderModel(Description(folder=str(folder)))


def width(part: QuestionSet, model: FolderModel) -> dict[str, float]:
    """Recall at 10 of the pooled vector alone, in percent."""
    memories = _vectors(model, [f"{one.speaker}: {one.content}" for one in part.memories])
    asked = _vectors(model, [one.text for one in part.questions], question=True)
    known = _vectors(model, list(short_texts()))
    known /= np.linalg.norm(known, axis=1, keepdims=True)
    full = memories.shape[1]
    numbers = {f"full {full}": _recall(part, memories, asked)}
    for to in (full // 2, full // 3):
        components = basis_of(known, to)
        for name, basis in (
            ("columns", narrowing(full, to)), ("cut", np.eye(full, to)), ("components", components),
        ):  # fmt: skip
            numbers[f"{name} {basis.shape[1]}"] = _recall(part, memories @ basis, asked @ basis)
    return numbers


def _vectors(model: TextModel, texts: list[str], *, question: bool = False) -> np.ndarray:
    chunks = [model.chunked(text, question=question)[0] for text in texts]
    return np.array([states.vector for states in model.hidden(chunks, question=question)])


def _recall(part: QuestionSet, memories: np.ndarray, asked: np.ndarray) -> float:
    units = [vectors / np.linalg.norm(vectors, axis=1, keepdims=True) for vectors in (asked, memories)]
    best = np.argsort(-(units[0] @ units[1].T), axis=1)[:, :10]
    found = [len(set(row.tolist()) & q.gold) / len(q.gold) for row, q in zip(best, part.questions, strict=True)]
    return round(100 * float(np.mean(found)), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of a set")
    parser.add_argument("--model", type=Path, nargs="*", default=[], help="folders of models, or multilingual")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/models"))
    options = parser.parse_args()
    part = read(options.data)[0]
    for folder in [None, *options.model]:
        started, numbers = time.perf_counter(), dict(silence(part, folder))
        if folder is not None:
            model = opened(folder)
            model.load()
            numbers |= {"separation": [round(x, 2) for x in model.fit.separation]} | width(part, model)
        name = "minilm" if folder is None else folder.name
        save(options.out / part.name, name, numbers, [], seconds=time.perf_counter() - started)


if __name__ == "__main__":
    main()
