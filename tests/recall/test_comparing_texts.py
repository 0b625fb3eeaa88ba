"""A text about something is told from a note by its words, before what the two say is compared."""

import pytest

from context_graph.reading import supersession
from context_graph.recall.current import choices
from context_graph.recall.current.comparison import Comparison
from context_graph.recall.current.likelihood import Judged
from context_graph.recall.current.replacements import replacements

FERRY = "Who owns the ferry line?"
NOTE = "The ferry line is owned by Sofia."
ARTICLE = (
    "The Harbour Bridge is a steel arch bridge across the harbour of Sydney, which carries rail, vehicular, bicycle "
    "and pedestrian traffic between the business district and the North Shore, and was opened by the premier in 1932."
)

OTHER_FERRY = (
    "The Staten Island Ferry is a passenger ferry line operated by the city, whose boats are painted in orange and "
    "which carries about seventy thousand passengers a day between Manhattan and the borough of Staten Island."
)


@pytest.fixture
def nodes(memory, clock):
    def stored(*texts):
        ids = []
        for text in texts:
            clock.pass_time(days=1)
            ids.append(memory.remember(text).node.id)
        by_id = {node.id: node for node in memory.store.nodes(ids)}
        return [by_id[id] for id in ids]

    return stored


def judged(nodes):
    return Judged([0.9] * len(nodes), 0.9, "base", searched=len(nodes))


def test_a_later_article_without_most_words_of_a_note_is_not_compared(nodes, monkeypatch):
    compared = []
    real = supersession.logit
    monkeypatch.setattr(supersession, "logit", lambda *pair: compared.append(pair) or real(*pair))
    texts = nodes(NOTE, OTHER_FERRY)
    compared.clear()  # a store compares, too
    assert replacements(FERRY, texts, judged(texts))[0] == {} and compared == []
    texts = nodes(NOTE, "The ferry line is owned by Mei now.")
    assert set(replacements(FERRY, texts, judged(texts))[0]) == {0} and compared


def test_a_question_that_offers_a_choice_is_settled_by_an_article_all_the_same(nodes):
    question = "Is the bridge made of steel or of wood?"
    texts = nodes("The bridge is made of wood.", ARTICLE)
    comparison = Comparison(question, texts, judged(texts))
    assert comparison.choices.offered(0)
    assert (comparison.claim(0, 1) is not None) == comparison.choices.settled(0, 1)


def test_what_is_told_apart_by_words_is_what_the_whole_comparison_tells_apart(nodes, monkeypatch):
    texts = nodes(
        NOTE, ARTICLE, "The ferry line is owned by Mei now.", "The harbour bridge is closed to bicycle traffic.",
        f"{ARTICLE} The ferry line is owned by the harbour office now, which has sold it to nobody since.",
        "Do we take the ferry or the bridge?", "We take the bridge.", "The bridge carries rail traffic no more.",
    )  # fmt: skip
    for question in (FERRY, "What does the bridge carry?", "Is the bridge open to bicycle traffic or closed?"):
        quick = replacements(question, texts, judged(texts))
        with monkeypatch.context() as patch:
            patch.setattr(choices.Choices, "offered", lambda self, i: True)
            assert replacements(question, texts, judged(texts)) == quick
