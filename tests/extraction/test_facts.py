"""Facts that texts state: who, in which relation, to what; and what states none."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.extraction import MAX_TEXT_CHARS, SpeechContext, facts
from context_graph.extraction.verbs import FORMS, ONLY, RELATIONS

TOLD = SpeechContext("Ines", "Otto")


def stated(text: str, told: SpeechContext = TOLD) -> list[tuple[str, str, str]]:
    return [(fact.subject, fact.relation, fact.value) for fact in facts(text, told)]


def of_speaker(text: str) -> list[tuple[str, str]]:
    return [(relation, value) for subject, relation, value in stated(text) if subject == "Ines"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I play clarinet and violin.", [("play", "clarinet"), ("play", "violin")]),
        ("We went to a jazz festival yesterday!", [("go to", "jazz festival")]),
        ("I've been learning the harp lately.", [("learn", "harp")]),
        ("I started playing chess with my uncle.", [("play", "chess")]),
        ("Just signed up for a welding class.", [("sign up for", "welding class")]),
        ("I moved to Lisbon last spring.", [("live in", "Lisbon")]),
        ("I work as a nurse at night.", [("work as", "nurse")]),
        ("I'm a beekeeper and carpenter.", [("be", "beekeeper"), ("be", "carpenter")]),
        ("I'm allergic to peanuts and shellfish.", [("be allergic to", "peanuts"), ("be allergic to", "shellfish")]),
        ("My favorite book is Dune.", [("favorite book", "Dune")]),
        ('I just finished "The Name of the Rose" by Eco.', [("finish", "The Name of the Rose")]),
        ("I love baking bread and riding horses.", [("love", "baking bread"), ("love", "riding horses")]),
        ("We've got a parrot and two cats.", [("have", "parrot"), ("have", "two cats")]),
        (
            "We baked bread, painted a fence and watched films.",
            [("bake", "bread"), ("paint", "fence"), ("watch", "films")],
        ),
        ("Here is the telescope I built.", [("build", "telescope")]),
        ("I took my kids to the aquarium.", [("go to", "aquarium")]),
        ("Relaxing for me means reading, or playing my cello.", [("play", "cello")]),
        ("I got to visit the old mint.", [("visit", "old mint")]),
        ("I'm 34 years old.", [("age", "34")]),
        ("I made a safe and warm nest for them.", [("make", "safe and warm nest")]),
        ("I adopted a dog named Biscuit.", [("adopt", "dog"), ("dog", "Biscuit")]),
        ("My sister Anna lives in Ghent.", [("sister", "Anna")]),
    ],
)
def test_what_somebody_says_of_themselves(text, wanted):
    assert of_speaker(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Do I play the violin?",
        "I don't play the violin.",
        "I never visited Rome.",
        "I can't cook pasta.",
        "I have no pets.",
        "I want to visit Rome.",
        "I'd love to visit Rome.",
        "I hope to adopt a dog.",
        "I'm thinking about adopting a dog.",
        "I'm going to Rome next week.",
        "I will play the harp.",
        "If I play the harp, the dog howls.",
        "I wish I played the harp.",
        "Maybe I learned the wrong song.",
        "I used to live in Rome.",
        "I went to see about it.",
        "I love it!",
        "I was so lost in the game I didn't hear.",
        "I'm checking out new styles of it.",
        "I'm a bit frustrated.",
        "I am fond of them and their songs.",
        "I love your new dress.",
        "I made a difference.",
        "I had a great time.",
        "I took a look at it.",
        "I'm a bit tired.",
        "Books guide me.",
        "You play so well.",
        "Our loved ones give us strength.",
        "It was a joy to watch my kids grow.",
        "",
        "?!.",
    ],
)
def test_questions_negations_wishes_and_plans_state_nothing_of_a_speaker(text):
    assert of_speaker(text) == []


@pytest.mark.parametrize("text", ["The API moved to port 9090.", "Yoga moved to Wednesdays.", "Choir moved to room 4."])
def test_what_moves_to_a_port_or_a_day_lives_nowhere(text):
    assert not [fact for fact in facts(text) if fact.relation == "live in"]


@pytest.mark.parametrize("text", ["Zahnarzttermin am 17. Juni um 10:30.", "Elternabend am 24. September."])
def test_a_german_date_is_nobodys_age(text):
    assert stated(text) == []


def test_what_comes_after_a_negation_is_read_by_itself():
    assert of_speaker("I don't play the violin but I play the piano.") == [("play", "piano")]


def test_you_is_the_other_one_of_two():
    assert stated("You play the violin so well.") == [("Otto", "play", "violin")]
    assert stated("Your dog Rex is lovely.") == [("Otto", "dog", "Rex")]
    assert stated("You play the violin so well.", SpeechContext("Ines")) == []


def test_names_of_kin_and_pets():
    assert ("Ines", "dog", "Rex") in stated("We walked our dog Rex.")
    assert ("Ines", "brother", "Tom") in stated("My little brother Tom, the sailor, works at a bank.")
    assert ("Ines's sister", "live in", "Ghent") in stated("My sister lives in Ghent.")
    assert ("Ines", "dog", "Otto") not in stated("Thanks for walking my dog Otto!")


def test_pronouns_stand_for_the_only_one_named():
    assert ("Anna", "play", "cello") in stated("My sister Anna called. She plays the cello.")
    assert not any(value == "cello" for *_, value in stated("My sister Anna met my aunt Bea. She plays the cello."))
    assert stated("My brother called. She plays the cello.") == []
    (fact,) = facts("She works at a bakery.", SpeechContext("Otto", "Ines", before="My sister Anna is back."))
    assert (fact.subject, fact.relation, fact.value, fact.leans) == ("Anna", "work at", "bakery", True)
    (fact,) = facts("She works at a bakery.", SpeechContext("Otto", "Ines", before="My sister is back."))
    assert fact.subject == "Ines's sister"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The service uses Postgres 15.", ""),
        ("Billing uses Postgres 15.", "Billing | use | Postgres 15"),
        ("Atlas Gateway runs on Kubernetes and depends on Redis.",
         "Atlas Gateway | run on | Kubernetes; Atlas Gateway | depend on | Redis"),
        ("Anna lives in Berlin.", "Anna | live in | Berlin"),
        ("We use Terraform.", "we | use | Terraform"),
        ("I play the harp.", ""),
        ("Lisa Brand (born 1950) is a Dutch painter and sculptor.",
         "Lisa Brand | be | Dutch painter; Lisa Brand | be | sculptor"),
        ("Sparta Delft is a rowing club based in Delft.",
         "Sparta Delft | be | rowing club; Sparta Delft | be based in | Delft"),
        ("Mary Ash is a chemist. Ash studied at Leiden.", "Mary Ash | be | chemist; Mary Ash | study at | Leiden"),
        ("Rob Field is an author, food and wine critic.", "Rob Field | be | author; Rob Field | be | wine critic"),
        ("Fran Ash was a translator of French and Italian poems.", "Fran Ash | be | translator of French"),
        ("Members included Peter Stone.", ""),
        ("The Benelli M2 is a shotgun manufactured by Benelli.",
         "Benelli M2 | be | shotgun; Benelli M2 | be manufactured by | Benelli"),
        ("The town has 91,879 inhabitants. The songs of Queen are loud.", ""),
    ],
)  # fmt: skip
def test_notes_without_a_speaker(text, wanted):
    assert "; ".join(" | ".join(fact) for fact in stated(text, SpeechContext())) == wanted


WORDS = st.lists(
    st.sampled_from(
        [
            *sorted(FORMS)[::17],
            "I",
            "my",
            "we",
            "Anna",
            "a",
            "the",
            "and",
            ",",
            ".",
            "'s",
            "n't",
            "dog",
            "of",
            "to",
            "is",
        ]
    ),
    max_size=40,
).map(" ".join)


@given(
    st.one_of(st.text(max_size=300), WORDS),
    st.sampled_from([SpeechContext(), TOLD, SpeechContext("A", "B", "My sister Anna.")]),
)
def test_any_text_is_read_and_values_stand_where_they_are_said_to(text, told):
    for fact in facts(text, told):
        start, end = fact.span
        assert 0 <= start < end <= len(text)
        assert text[start:end] == fact.value and fact.value.strip() == fact.value
        assert fact.subject and fact.relation


@pytest.mark.parametrize(
    "piece",
    [
        "I play ",
        "Anna, ",
        "yeah, ",
        "Ines x, ",
        "he ",
        "a",
        "I ",
        "my dog ",
        "of the ",
        "and ",
        "(",
        "playing my ",
        "Anna is ",
        "9",
    ],
)
def test_reading_takes_no_more_than_a_few_times_longer_for_a_text_twice_as_long(piece):
    def steps(length: int) -> int:
        text, count = (piece * length)[:length], 0

        def counted(frame, event, argument):
            nonlocal count
            count += 1

        before = sys.getprofile()
        sys.setprofile(counted)
        try:
            facts(text, TOLD)
        finally:
            sys.setprofile(before)
        return count

    assert steps(MAX_TEXT_CHARS) <= 6 * steps(MAX_TEXT_CHARS // 2) + 10_000


def test_verbs_are_known_in_every_form():
    assert FORMS["found"].lemma == "find" and FORMS["planned"].lemma == "plan" and FORMS["studies"].tense == "third"
    assert set(ONLY) <= {relation.split()[0] for relation in RELATIONS} | set(RELATIONS)


@pytest.mark.parametrize(
    "text", ['"has three wheels"', '| "likes tea", "is late" | a table of phrases |', "'owns a boat'"]
)
def test_a_quoted_predicate_is_a_fact_of_nobody(text):
    assert facts(text) == []
