"""What MiniLM makes of a whole text, as a sum over its word pieces: fitted here, and asked of the lives.

    python -m benchmarks.quality.sentences --data PATH/2wiki PATH/musique --wordnet /usr/share/wordnet
    [--kept FILE] [--write]

Fitted is a vector of 128 numbers for every word piece (`embed/sentence_table.py`), so that the sum of those of a text
lies where MiniLM's vector of it does, on its first 128 principal components. The texts are sentences of two question
sets, WordNet's words, definitions and examples (Debian's wordnet-base), and of our own what is looked at: lives but
for the parts that are held and "worded", stories, and the tables beside this file. No question set's questions, and no
label of anything, are used. Printed is, for each part of the lives, how often what answers a question, now or before,
is the nearest to it, and among the nearest three: by the static vectors that were there, by these, and by MiniLM.

`--kept` keeps MiniLM's vectors of the texts, which take twenty minutes, for the next run. `--write` replaces the table
of the package. Needs torch.
"""

import argparse
import gzip
import json
import pickle
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.quality.lives import PARTS, lives
from benchmarks.quality.stories import stories
from context_graph.embed import Embedder, static_table
from context_graph.embed.minilm import model_file
from context_graph.embed.sentence_table import DIMENSIONS, SENTENCE_ROWS, SENTENCE_SCALE, unit_sums
from context_graph.embed.wordpiece import CLS, SEP, pieces

KEPT = {"definition": 70_000, "word": 45_000, "passage": 20_000}
"""Most texts of a kind, drawn at random."""

COUNTS = {"word": 0.5, "definition": 1.0, "example": 2.0, "passage": 1.0, "own": 4.0}
"""How often a text of a kind is drawn, beside others."""

UNREAD = "worded"
STEPS, BATCH, RATE, SEED, ALIKE = 3_000, 512, 2e-3, 0, 10.0
"""Of the fit, and what counts, beside the cosine with MiniLM's vector, that two texts of a batch are as alike."""

MAX_TEXT_CHARS, MAX_TEXT_PIECES, OF_A_PASS = 220, 62, 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of question sets")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with data.noun, data.verb, ...")
    parser.add_argument("--kept", type=Path, help="file where MiniLM's vectors of the texts stay")
    parser.add_argument("--write", action="store_true", help="replace the table of the package")
    options = parser.parse_args()
    kind_of = _texts(options.data, options.wordnet)
    print(dict(Counter(kind_of.values())))
    texts = [*kind_of]
    of_pieces = [np.array(pieces(text)[:MAX_TEXT_PIECES] or [SEP], np.int64) for text in texts]
    targets = _principal(_taught(texts, of_pieces, options.kept))
    table = _fitted(of_pieces, targets, [COUNTS[kind_of[text]] for text in texts])
    scale = np.abs(table).max(axis=1) / 127
    rows = np.round(table / np.maximum(scale, 1e-9)[:, None]).astype(np.int8)
    if options.write:
        np.save(SENTENCE_ROWS, rows)
        np.save(SENTENCE_SCALE, scale.astype(np.float32))
    _report(rows * scale[:, None])


def _texts(sets: Sequence[Path], wordnet: Path) -> dict[str, str]:
    """The texts that are fitted on, and the kind of each."""
    kind_of: dict[str, str] = {}
    for folder in sets:
        for line in gzip.decompress((folder / "corpus.jsonl.gz").read_bytes()).decode("utf-8").splitlines():
            sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", json.loads(line)["text"])
            for sentence in map(str.strip, sentences):
                if 12 < len(sentence) < MAX_TEXT_CHARS:
                    kind_of.setdefault(sentence, "passage")
    for part in ("noun", "verb", "adj", "adv"):
        for kind, text in _of_wordnet(wordnet / f"data.{part}"):
            kind_of.setdefault(text, kind)
    for text in _own():
        kind_of.setdefault(text[:MAX_TEXT_CHARS], "own")
    by_kind: dict[str, list[str]] = defaultdict(list)
    for text, kind in kind_of.items():
        by_kind[kind].append(text)
    draw = random.Random(SEED)
    return {
        text: kind
        for kind, some in by_kind.items()
        for text in draw.sample(some, min(len(some), KEPT.get(kind, len(some))))
    }


def _of_wordnet(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text("latin-1").splitlines():
        if line.startswith("  "):
            continue  # the licence
        head, gloss = line.split(" | ", 1)
        fields = head.split()
        words = [re.sub(r"\(.*\)", "", fields[4 + 2 * i]).replace("_", " ") for i in range(int(fields[3], 16))]
        definition = re.sub(r';? *"[^"]*"', "", gloss).strip(" ;")
        yield from (("definition", f"{word}: {definition[:140]}") for word in words[:2])
        yield from (("word", word) for word in words)
        yield from (("example", one[:200]) for one in re.findall(r'"([^"]+)"', gloss) if len(one) > 8)


def _own() -> Iterator[str]:
    for life in lives([part for part in PARTS if not part.endswith("held") and part != UNREAD]):
        yield from (*life.texts, *(one.question for one in life.questions), *life.never_told)
    for story in stories():
        if not story.kind.endswith("-held"):
            yield from story.texts
    for file in sorted(Path(__file__).parent.glob("*.tsv")):
        if file.name != "phrasing.tsv":  # its second halves are held
            cells = (cell for line in file.read_text("utf-8").splitlines() for cell in line.split("\t"))
            yield from (cell for cell in cells if len(cell) > 12 and " " in cell)


def _taught(texts: Sequence[str], of_pieces: Sequence[np.ndarray], kept: Path | None) -> np.ndarray:
    """MiniLM's unit vectors: float32 (n, 384)."""
    known: dict[str, np.ndarray] = pickle.loads(kept.read_bytes()) if kept is not None and kept.exists() else {}
    fresh = sorted((i for i, text in enumerate(texts) if text not in known), key=lambda i: len(of_pieces[i]))
    for start in range(0, len(fresh), OF_A_PASS):
        some = fresh[start : start + OF_A_PASS]
        for i, vector in zip(some, _minilm([of_pieces[i] for i in some]), strict=True):
            known[texts[i]] = vector.astype(np.float16)
    if kept is not None and fresh:
        kept.write_bytes(pickle.dumps(known))
    return np.array([known[text] for text in texts], np.float32)


def _minilm(of_pieces: Sequence[np.ndarray]) -> np.ndarray:
    from context_graph.embed.encoder import session_of

    global _session
    if _session is None:
        file = model_file()
        assert file is not None, "the minilm extra is not installed"
        _session = session_of(file, threads=2)
    length = max(map(len, of_pieces)) + 2
    tokens, mask = np.zeros((len(of_pieces), length), np.int64), np.zeros((len(of_pieces), length), np.int64)
    for row, some in enumerate(of_pieces):
        tokens[row, : len(some) + 2], mask[row, : len(some) + 2] = (CLS, *some, SEP), 1
    given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
    names = {one.name for one in _session.get_inputs()}
    hidden = _session.run(None, {name: value for name, value in given.items() if name in names})[0]
    pooled = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


_session = None


def _principal(vectors: np.ndarray) -> np.ndarray:
    """Unit vectors on the first principal components: float32 (n, 128)."""
    mean = vectors.mean(axis=0)
    drawn = np.random.default_rng(SEED).choice(len(vectors), min(len(vectors), 20_000), replace=False)
    components = np.linalg.svd(vectors[drawn] - mean, full_matrices=False)[2][:DIMENSIONS].T
    return _unit((vectors - mean) @ components)


def _fitted(of_pieces: Sequence[np.ndarray], targets: np.ndarray, counts: Sequence[float]) -> np.ndarray:
    """A vector for every word piece: float32 (30522, 128)."""
    import torch

    torch.manual_seed(SEED)
    draw = np.random.default_rng(SEED)
    static = static_table.rows(np.arange(static_table.piece_count()))
    start = _unit(static) * static_table.prior_idf(np.arange(len(static)))[:, None]
    drawn = draw.choice(len(targets), min(len(targets), 30_000), replace=False)
    summed = _unit(np.array([start[of_pieces[i]].sum(axis=0) for i in drawn]))
    start = (start @ np.linalg.lstsq(summed, targets[drawn], rcond=None)[0]).astype(np.float32)
    bag = torch.nn.EmbeddingBag.from_pretrained(torch.tensor(start), freeze=False, mode="sum")
    optimizer = torch.optim.Adam(bag.parameters(), lr=RATE)
    likely = np.array(counts) / np.sum(counts)
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / STEPS) + 1e-5
        some = draw.choice(len(targets), BATCH, p=likely)
        flat = np.concatenate([of_pieces[i] for i in some])
        starts = np.cumsum([0, *(len(of_pieces[i]) for i in some[:-1])])
        summed = torch.nn.functional.normalize(bag(torch.tensor(flat), torch.tensor(starts)), dim=1)
        wanted = torch.tensor(targets[some])
        apart = ((summed @ summed.T - wanted @ wanted.T) ** 2).mean()
        loss = (1 - (summed * wanted).sum(dim=1)).mean() + ALIKE * apart
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 500 == 0:
            print(f"step {step}: {float(loss.detach()):.3f}", flush=True)
    return bag.weight.detach().numpy()


def _report(table: np.ndarray) -> None:
    base = Embedder("base")

    def by_table(text: str) -> np.ndarray:
        of_text = np.array(pieces(text) or [SEP])
        return unit_sums(of_text, np.array([len(of_text)]), table)[0]

    def by_minilm(text: str) -> np.ndarray:
        return _minilm([np.array(pieces(text)[:MAX_TEXT_PIECES] or [SEP])])[0]

    def by_static(text: str) -> np.ndarray:
        return base.query(text).static

    for part in PARTS:
        line = []
        for name, embed in (("static", by_static), ("sentences", by_table), ("MiniLM", by_minilm)):
            first, three, count = _nearest(part, embed)
            line.append(f"{name} {first / count:6.1%} {three / count:6.1%}")
        print(f"{part:13s} {count:4d} questions  " + "   ".join(line), flush=True)


def _nearest(part: str, embed: Callable[[str], np.ndarray]) -> tuple[int, int, int]:
    first = three = count = 0
    for life in lives([part]):
        vectors = np.array([embed(text) for text in life.texts])
        for one in life.questions:
            order = np.argsort(-(vectors @ embed(one.question)), kind="stable").tolist()
            best = min(order.index(place) for place in {*one.current, *one.past})
            first, three, count = first + (best < 1), three + (best < 3), count + 1
    return first, three, count


def _unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)).astype(np.float32)


if __name__ == "__main__":
    main()
