"""A cue is found where a search for its pattern finds it, by the words that its phrases begin with."""

import re

from hypothesis import given
from hypothesis import strategies as st

from context_graph.reading import cues
from context_graph.reading.cue_search import CueSearch

CUES = [
    cues.ENDED, cues.CHANGED, cues.CORRECTED, cues.NEGATED, cues.MORE, cues.OPEN, cues.EVENT, cues.MANY, cues.CALLED,
    *(cue for pair in cues.SETTLED for cue in pair),
]  # fmt: skip
SEARCH = CueSearch(CUES)
WORDS = sorted({word for cue in CUES for word in re.findall(r"[^\W\d_]+", cue.pattern)})
TEXTS = st.lists(st.sampled_from([*WORDS, "the", "fi\u017fh", "İll", "two hours later than", "isn't", "?"]), max_size=6)


@given(TEXTS, st.sampled_from([" ", " ", "-", "'", ", ", "_"]), st.booleans())
def test_cues_are_those_that_a_search_for_each_finds(words, joint, upper):
    text = joint.join(words)
    text = text.upper() if upper else text
    assert SEARCH.flags(text) == tuple(float(bool(cue.search(text))) for cue in CUES)


def test_phrases_of_every_form_are_found():
    for phrases, text in (
        ("not?", "no"),
        ("(?:is|are) off", "are off"),
        ("(?:a b)?c", "c"),
        (r"\w+ later", "much later"),
    ):
        assert CueSearch([re.compile(rf"(?<!\w)(?:{phrases})(?!\w)", re.I)]).flags(text) == (1.0,), phrases
