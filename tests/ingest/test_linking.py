"""Earlier memories of a name are the last ones that have all its words, however many have one of them."""

import numpy as np
import pytest

from context_graph.embed.stems import stems, term_id
from context_graph.index.columns import found_in
from context_graph.ingest import linking
from context_graph.memory import Memory
from context_graph.models import NodeState
from context_graph.settings import Settings


@pytest.mark.parametrize("together", [1, 3, 256])
def test_the_last_memories_with_all_words_of_a_name(tmp_path, monkeypatch, together):
    monkeypatch.setattr(linking, "LOOKED_AT_TOGETHER", together)
    texts = [
        f"{'Clara' if number % 3 else 'Nils'} {'Wolf' if number % 4 else 'Berg'} sold lamp {number}."
        for number in range(30)
    ]
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        memory.remember_many(texts)
        corpus = memory.corpus
        for row in (29, 26):
            corpus.update(corpus.ids[row], {"state": NodeState.FORGOTTEN})
        for name in ("Clara Wolf", "Nils Berg", "Nils", "Clara Sommer", "Berg"):
            rows = np.arange(len(corpus))
            for stem in stems(name):
                rows = rows[found_in(rows, corpus.terms.postings(term_id(stem))[0])]
            expected = [corpus.ids[row] for row in rows[corpus.columns.live[rows]].tolist()][-2:]
            assert linking._having(corpus, name, "nobody") == expected
