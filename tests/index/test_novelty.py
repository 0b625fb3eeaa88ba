"""What is searched for together is what each search would have found."""

import numpy as np
import pytest

from context_graph.index.novelty import NEIGHBOURS, SampledAhead, SearchedAhead
from context_graph.memory import Memory
from context_graph.reading.analysis import AnalyzedText
from context_graph.settings import Settings

THINGS = "lamp boat mill goat bell roof desk pump rope oven".split()
PLACES = "in the cellar,by the harbour,behind the barn,on the hill,near the school,under the bridge".split(",")
TEXTS = [f"The {thing} {place} belongs to Nils." for place in PLACES for thing in THINGS]


@pytest.fixture
def memory(tmp_path):
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        memory.remember_many(TEXTS[:50])
        yield memory


def fingerprint(memory, text):
    analyzed = AnalyzedText(text, None, None, {})
    return analyzed.fingerprint(memory.embedder, previous="", occurred_at=None, rationale="")


def search(corpus, fingerprint, visible):
    found = corpus.semantic.search(fingerprint.semantic.astype(np.float32)[None], 4 * NEIGHBOURS, mask=visible)[1][0]
    return set(found[found >= 0].tolist())


@pytest.mark.parametrize("hidden", [0, 45])
def test_a_search_for_many_finds_what_one_for_each_finds_while_they_come_in(memory, hidden):
    corpus = memory.corpus
    prints = [fingerprint(memory, text) for text in TEXTS[50:]]
    visible = np.arange(len(corpus)) >= hidden
    searched = SearchedAhead(corpus, prints, visible)
    for text, each in zip(TEXTS[50:], prints, strict=True):
        now_visible = np.concatenate([visible, np.arange(len(corpus) - len(visible)) % 3 > 0])
        rows = searched.nearest(corpus, each, now_visible)
        assert {*rows.tolist()} == search(corpus, each, now_visible)
        memory.remember(text)
        assert memory.corpus is corpus


def test_what_has_entered_is_as_alike_as_the_index_says(memory):
    corpus = memory.corpus
    prints = [fingerprint(memory, text) for text in TEXTS[50:]]
    searched = SearchedAhead(corpus, prints, np.ones(len(corpus), bool))
    for each in prints:
        visible = np.ones(len(corpus), bool)
        rows = searched.nearest(corpus, each, visible)
        assert {*rows.tolist()} == search(corpus, each, visible)
        row = corpus.semantic.append(each.semantic.astype(np.float16)[None])[0]
        corpus.ids.append(f"memory {row}")
        searched.entered(each, int(row))


def test_distances_to_the_sample_are_counted_for_all_at_once(memory):
    prints = [fingerprint(memory, text) for text in TEXTS[:8]]
    sample = np.stack([fingerprint(memory, text).bits for text in TEXTS[20:25]])
    sampled = SampledAhead(prints, sample)
    for entry, each in enumerate(prints[:4]):
        expected = [int(np.bitwise_count(each.bits ^ bits).sum()) for bits in sample[:4]]
        assert sampled.distances(each, 4).tolist() == expected
        sample[entry] = each.bits
        sampled.replace(entry, each)
    assert sampled.distances(fingerprint(memory, "The gate is shut."), 5) is None
    sampled.replace(0, fingerprint(memory, "The gate is shut."))  # how far it is from the others is not known
    assert sampled.distances(prints[7], 5) is None


def test_what_was_not_searched_for_or_is_visible_no_more_is_searched_for_again(memory):
    corpus = memory.corpus
    one, other = (fingerprint(memory, text) for text in TEXTS[50:52])
    visible = np.ones(len(corpus), bool)
    searched = SearchedAhead(corpus, [one], visible)
    assert searched.nearest(corpus, other, visible) is None
    visible = visible.copy()
    visible[3] = False
    assert searched.nearest(corpus, one, visible) is None


def test_memories_of_one_write_are_judged_as_if_they_came_one_by_one(tmp_path):
    stored = []
    for name in ("together", "one by one"):
        count, moment = iter(range(10**6)), 1_795_262_400_000_000
        settings = Settings(home=tmp_path / name, tier="base")
        with Memory(settings, session_id="s", clock=lambda: moment, ids=lambda: f"{next(count):036}") as memory:  # noqa: B023
            if name == "together":
                memory.remember_many(TEXTS)
            else:
                for text in TEXTS:
                    memory.remember(text)
            nodes = memory.store.memories()
            stored.append([(node.content, node.delta_s, node.delta_c, node.semantic_cluster[:1]) for node in nodes])
    assert stored[0] == stored[1]
