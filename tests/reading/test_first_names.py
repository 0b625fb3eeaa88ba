"""Names of people open a sentence as nouns do; what they are like tells them apart."""

from context_graph.reading.first_names import is_like_a_first_name
from context_graph.reading.subjects import of_another
from tests.requirements import requirement

NAMES = (
    "Klara Yusuf Tom Mia Hanna Lena Selma Bram Dorota Jonas Marta Deniz Greta Rosalind Henrik Sofia Luca Emre Tariq "
    "Petra Lucy Sam Alex Charlie Bruno Leila Marek Ines Gustav Aiko"
)
NOUNS = (
    "Groceries Saturday Production Codebase Choir Therapy Gym Cleaning Laundry Trains Swimming Rowing Piano Office "
    "Standup Pottery Fridays Backups Staging Logs Karate Ballet Garbage Bedtime Gas Internet Shifts Salary Dance Physio"
)


def test_words_of_neither_list_are_told_apart():
    names, nouns = ([is_like_a_first_name(word) for word in words.split()] for words in (NAMES, NOUNS))
    assert sum(names) >= 0.9 * len(names)
    assert sum(nouns) <= 0.1 * len(nouns)


@requirement("recall:of-oneself")
def test_a_thing_is_no_other_person(memory, tell):
    """What a question of mine asks about may be told with the thing as its subject."""
    of_others = "Mum lives in Spain", "Klara is getting married", "My brother Jonas lives in Oslo", "Dr. Weiss is ill"
    of_things = "Rent goes up in May", "Images are hosted on R2", "Saturday mornings are busy, so we open at 6", ""
    assert all(of_another(text) for text in of_others)
    assert not any(of_another(text) for text in (*of_things, "Klara and I moved in together", "Is it on? It is."))
