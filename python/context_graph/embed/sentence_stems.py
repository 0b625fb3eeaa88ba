"""The stems of each sentence of a text, which questions are compared with again and again."""

from context_graph.embed.chunks import sentences
from context_graph.embed.stems import distinct_stems
from context_graph.texts import kept_for_texts

__all__ = ["best_sentence", "sentence_stems", "stem_set"]


@kept_for_texts(maxsize=512)
def sentence_stems(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences of a text, each with its stems.

    Examples
    --------
    >>> [(sentence, sorted(stems)) for sentence, stems in sentence_stems("A nest. The swallows sat in one.")]
    [('A nest.', ['nest']), ('The swallows sat in one.', ['one', 'sit', 'swallow'])]
    """
    return tuple((sentence, distinct_stems(sentence)) for sentence in sentences(text))


def stem_set(text: str) -> frozenset[str]:
    """`stems(text)`, each once."""
    return frozenset().union(*(stems for _, stems in sentence_stems(text)))


def best_sentence(text: str, question_stems: frozenset[str]) -> str:
    """The sentence that has most of a question's words, the first of several; the text where it has none.

    Examples
    --------
    >>> best_sentence("A nest. The swallow sat in one.", frozenset(["swallow"]))
    'The swallow sat in one.'
    """
    parts = sentence_stems(text)
    return max(parts, key=lambda part: len(question_stems & part[1]))[0] if parts else text
