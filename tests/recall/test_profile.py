"""Questions for all of a kind: who somebody is, standing instructions, decisions, open questions."""

import pytest

from context_graph.embed.stems import stems
from context_graph.ingest.draft import Draft
from context_graph.recall.profile import _holders, _settled
from context_graph.recall.question import Question
from context_graph.server.dispatch import call
from tests.requirements import requirement

DIARY = [
    "Omar moved into the flat above ours.", "Never ring before nine.", "We decided on birch for the shelves.",
    "Omar is allergic to cats.", "Write dates as day, month, year.", "Open: who pays the deposit?",
    "The bus was late.", "We agreed to skip the fair.", "Omar keeps bees on the roof.", "The plumber hasn't replied.",
]  # fmt: skip


@pytest.fixture
def told(memory, clock):
    """What a context says of the diary."""
    for text in DIARY:
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))

    def told(question: str, **arguments) -> list[str]:
        context = call(memory, "inject_context", {"query": question, **arguments}).structured["context"]
        return [text for text in DIARY if text in context]

    return told


@requirement("recall:all-of-a-kind")
def test_all_of_a_kind_in_a_time_is_what_lies_in_it(memory, clock):
    for text in ("We decided on oak for the floor.", "We decided to paint the hall red."):
        memory.remember(Draft(text, "said to you"))
        clock.pass_time(days=1)
    context = call(memory, "inject_context", {"query": "What did we decide yesterday?"}).structured["context"]
    assert "hall red" in context and "oak" not in context
    both = call(memory, "inject_context", {"query": "What did we decide?"}).structured["context"]
    assert "hall red" in both and "oak" in both


def test_what_is_known_of_somebody(told):
    assert told("What do you know about Omar?") == [text for text in DIARY if "Omar" in text]


@requirement("recall:all-of-a-kind")
@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("What are my standing instructions?", (1, 4)),
        ("What did we decide?", (2, 7)),
        ("What did we decide about the shelves?", (2,)),
        ("What is still open?", (5, 9)),
    ],
)
def test_statements_of_one_form_whatever_their_words(told, question, places):
    assert told(question) == [DIARY[place] for place in places]


def test_nobody_of_that_name_is_nobody(told):
    assert told("What do you know about Zacharias?") == []


def test_the_latest_come_first_and_what_does_not_fit_is_left(memory, told):
    context = call(memory, "inject_context", {"query": "What do you know about Omar?"}).structured["context"]
    assert context.index("bees") < context.index("allergic") < context.index("flat above")
    short = call(memory, "inject_context", {"query": "What do you know about Omar?", "max_tokens": 100})
    assert short.structured["tokens_used"] <= 100


def test_memories_of_another_session_stay_there(memory, clock):
    memory.remember(Draft("Omar owes me ten euros.", "said to you", session_id="other", scope="session"))
    assert call(memory, "inject_context", {"query": "What do you know about Omar?"}).structured["context"] == ""


def test_a_question_about_the_user_is_answered_though_it_shares_no_word(memory):
    memory.remember(Draft("There is a kitten in the house since last week, she is called Pixel.", "said to you"))
    memory.remember(Draft("Parcels go to the shop downstairs.", "said to you"))
    assert "Pixel" in call(memory, "inject_context", {"query": "Do we have pets?"}).structured["context"]
    assert call(memory, "inject_context", {"query": "Does Zacharias have pets?"}).structured["context"] == ""


@requirement("recall:all-of-a-kind")
def test_what_was_settled_is_not_open(memory, clock, told):
    clock.pass_time(days=1)
    memory.remember(Draft("Omar pays the deposit, that's settled.", "said to you"))
    assert told("What is still open?") == ["The plumber hasn't replied."]


@requirement("recall:all-of-a-kind")
def test_a_topic_that_nobody_named_is_told_by_words_near_it(memory):
    for text in ("The shower drips.", "The tub is white.", "The bus was late."):
        memory.remember(Draft(text, "said to you"))
    context = call(memory, "inject_context", {"query": "What do we have for the bathroom?"}).structured["context"]
    assert "drips" in context and "tub" in context and "bus" not in context


def test_a_decision_about_something_else_settles_nothing(memory):
    memory.remember(Draft("Open: who signs the lease of the studio?", "said to you"))
    memory.remember(Draft("We decided on oak for the studio.", "said to you"))
    context = call(memory, "inject_context", {"query": "What is still open?"}).structured["context"]
    assert "who signs" in context


def test_what_is_stored_while_it_is_asked_waits_for_the_next_question(memory):
    """The mask of what is visible may be of before another thread stored."""
    node = memory.remember(Draft("Open: who signs the lease of the studio?", "said to you")).node
    visible = memory.corpus.columns.live.copy()
    memory.remember(Draft("Omar signs the lease of the studio, decided.", "said to you"))
    assert not _settled(memory, memory.corpus, visible, node)
    assert _settled(memory, memory.corpus, memory.corpus.columns.live.copy(), node)


def test_a_question_asked_at_a_moment_asks_for_all_of_a_kind_too(told):
    assert told("What are my standing instructions?", asked_at="2026-06-01T00:00:00Z") == [DIARY[1], DIARY[4]]


@requirement("recall:all-of-a-kind")
def test_statements_of_a_form_that_miss_the_topic_are_not_all_of_an_answer(told):
    """The question has the wording of one for decisions, and asks for bees."""
    assert DIARY[8] in told("What was the outcome about the bees?")


@requirement("recall:all-of-a-kind")
def test_of_somebody_named_only_theirs_are_told(memory):
    for text in ("Omar can't stand dill.", "Ada loves rye bread.", "The bus was late."):
        memory.remember(Draft(text, "said to you"))
    context = call(memory, "inject_context", {"query": "What are Ada's likes and dislikes?"}).structured["context"]
    assert "rye" in context and "dill" not in context


def test_in_a_conversation_statements_of_a_form_do_not_fill_the_context(memory):
    for i in range(30):
        memory.remember(Draft(f"I love trip number {i}.", "said to you", speaker=("Ada", "Bo")[i % 2]))
    context = call(memory, "inject_context", {"query": "What do I like and dislike?"}).structured["context"]
    assert context.count("I love trip") <= 15


ABOUT_ME = [
    "I'm Selma, I restore violins in Lyon.", "My son Emil is seven.", "Always answer in metric units.",
    "I'm vegetarian.", "We decided to buy the bigger van.", "Stuck between a Makita and a Festool for the sander.",
    "Sold four bows on Saturday.", "I'm not vegetarian any more.", "The Festool it is.", "The bus was late again.",
]  # fmt: skip


@pytest.fixture
def about_me(memory, clock):
    for text in ABOUT_ME:
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))

    def told(question: str) -> str:
        return call(memory, "inject_context", {"query": question}).structured["context"]

    return told


@requirement("recall:what-is-known-of-me")
@pytest.mark.parametrize("question", ["What do you know about me?", "Who am I?", "What should I know before we start?"])
def test_what_is_known_of_the_user_is_a_profile(about_me, question):
    context = about_me(question)
    for text in ("I'm Selma", "My son Emil", "metric units", "bigger van", "not vegetarian any more"):
        assert text in context
    for text in ("I'm vegetarian.", "bus was late", "Stuck between"):  # past, of no account, settled
        assert text not in context
    assert context.index("I'm Selma") < context.index("metric units") < context.index("bigger van")


@requirement("recall:what-is-known-of-me")
def test_of_what_a_person_has_one_at_a_time_the_last_is_told_of_them(memory, tell, clock):
    for text in (
        "I live in Malmö, at Storgatan 4.", "My dentist is Dr. Holm.", "I drive a Volvo V60.", "The bus was late.",
        "We moved to Lund, Bytaregatan 9.", "Sold the Volvo and bought a Kia EV6.",
    ):  # fmt: skip
        clock.pass_time(days=2)
        tell(text)
    context = call(memory, "inject_context", {"query": "What do you know about me?"}).structured["context"]
    assert all(word in context for word in ("Lund", "Kia", "Holm"))
    assert not any(word in context for word in ("Malmö", "V60", "bus"))


@requirement("recall:all-of-a-kind")
def test_a_question_that_was_asked_is_no_instruction(memory, tell, clock):
    tell("Should we paint the hall green or white?")
    clock.pass_time(days=2)
    tell("The hall gets painted white.")
    tell("Prefer short answers without bullet lists.")
    context = call(memory, "inject_context", {"query": "How do I like answers?"}).structured["context"]
    assert "short answers" in context and "hall" not in context


@requirement("recall:relatives-by-their-names")
def test_who_is_close_to_the_user_is_found_by_name(memory, tell, clock):
    tell("I run a bakery together with my sister Klara.")
    tell("My brother Ben is a nurse.")
    tell("The oven is from 2017.")
    tell("Klara is getting married in May.")
    context = call(memory, "inject_context", {"query": "What do you know about my sister?"}).structured["context"]
    assert "getting married" in context and "Ben" not in context
    assert "getting married" in memory.recall(Question("When is my sister's wedding?")).hits[0].node.content


def test_what_to_keep_in_mind_of_somebody_is_all_that_is_known(told):
    assert told("What should I keep in mind when Omar comes?") == [text for text in DIARY if "Omar" in text]


def test_who_has_a_role_is_asked_for_too(memory):
    nodes = [
        memory.remember(Draft(text, "said to you")).node
        for text in ("Printer: Steffen Krug, only by phone.", "My dentist is Dr Wu.", "The printer jams.")
    ]
    assert [_holders(nodes, stems(role)) for role in ("printer", "dentist")] == [["Steffen Krug"], ["Dr Wu"]]


def test_what_surely_answers_stands_before_all_of_a_kind(memory):
    for text in ("Never push on a Friday.", "Branch names follow feat/TICKET-short-title.", "Always sign the tags."):
        memory.remember(Draft(text, "said to you"))
    context = call(memory, "inject_context", {"query": "How should I name my branch?"}).structured["context"]
    lines = [line for line in context.splitlines() if line.startswith("> ")]
    assert "Branch names" in lines[0]


@requirement("recall:own-name")
@pytest.mark.parametrize("text", ["I'm Marek.", "Hi, I'm Marek, I fix bikes.", "You can call me Marek.", "Marek here!"])
@pytest.mark.parametrize("question", ["What is my name?", "Do you know my name?", "Who am I?"])
def test_the_user_is_told_their_name(memory, tell, clock, text, question):
    for each in (text, "I employ two mechanics, Kasia and Piotr.", "Oleh is great.", "My daughter plays handball."):
        clock.pass_time(days=2)
        tell(each)
    context = call(memory, "inject_context", {"query": question}).structured["context"]
    assert text in context.splitlines()[1]


@requirement("recall:own-name")
def test_others_introduce_themselves(memory, clock):
    for speaker, text in (("user", "I'm Marek."), ("Assistant", "I'm Claude, how can I help?"), ("Tom", "I'm Tom.")):
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said", speaker=speaker))
    context = call(memory, "inject_context", {"query": "What is my name?"}).structured["context"]
    assert "I'm Marek" in context.splitlines()[1]


@requirement("recall:own-name")
@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        ("Please call me Alexander.", "Just Alex is fine, Alexander sounds like grandpa.", "What should you call me?"),
        ("I'm Marek.", "Call me Mo from now on.", "What is my name?"),
    ],
)
def test_of_two_names_the_later_is_told_first(memory, tell, clock, earlier, later, question):
    for text in (earlier, "We sell bikes.", later):
        clock.pass_time(days=2)
        tell(text)
    context = call(memory, "inject_context", {"query": question}).structured["context"]
    assert context.index(later) < context.index(earlier)


@pytest.mark.parametrize("question", ["How should I write status mails?", "How do you write a status mail?"])
def test_how_something_is_to_be_done_is_told_of_that_thing(memory, tell, question):
    """Whoever asks how to do one thing was told all instructions, and not the one memory that tells of it."""
    for text in ("Use tabs in this repo, not spaces.", "My manager is Ines, she wants short status mails."):
        tell(text)
    tell("Standup is at 9:30.")
    context = call(memory, "inject_context", {"query": question}).structured["context"]
    assert "status mails" in context.splitlines()[1]


def test_of_instructions_for_one_thing_the_others_are_left(memory, tell):
    for text in ("Always write dates as day.month.year.", "Never use the word leverage.", "Use tabs, not spaces."):
        tell(text)
    context = call(memory, "inject_context", {"query": "How should I format dates?"}).structured["context"]
    assert "day.month.year" in context and "leverage" not in context


CHAT = [
    ("user", "My name is Ana and I prefer tabs."), ("assistant", "Noted."), ("user", "I live in Leipzig."),
    ("assistant", "Nice town."), ("user", "The lamp overheats."), ("assistant", "I limited the PWM duty cycle."),
]  # fmt: skip


@pytest.fixture
def chat(memory, clock):
    for speaker, text in CHAT:
        clock.pass_time(minutes=1)
        memory.remember(Draft(text, "captured", speaker=speaker))
    return memory


@pytest.mark.parametrize("question", ["What do you know about me?", "Who am I?"])
def test_what_is_known_of_the_user_of_a_conversation_with_an_assistant(chat, question):
    text = chat.inject(Question(question)).text
    assert "My name is Ana" in text and "I live in Leipzig" in text and "overheats" not in text


def test_of_what_user_and_assistant_say_in_a_few_words_what_is_about_something_else_is_not_told(chat):
    text = chat.inject(Question("Where do I live?")).text
    assert "I live in Leipzig." in text and "overheats" not in text and "PWM" not in text


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What do I still need to buy?", "present"), ("What do we still have to sign?", "lease")],
)  # fmt: skip
def test_what_is_still_to_be_done_with_something_is_told_before_what_else_is_open(memory, question, answer):
    for text in (
        "The car is due for its service in April.", "I still have to buy a present for Gran.", "Max is ill.",
        "The lease is still to be signed.", "The plumber's invoice has not been paid yet.",
    ):  # fmt: skip
        memory.remember(Draft(text, "said to you"))
    assert answer in memory.inject(question).text.splitlines()[1]


@pytest.mark.parametrize("question", ["What medicine am I on?", "What do I still need to sell?"])
def test_what_is_open_is_no_answer_for_something_else(memory, question):
    for text in ("The Honda is due for its service in April.", "I take 20 mg of citalopram.", "Max is ill."):
        memory.remember(Draft(text, "said to you"))
    assert "citalopram" in memory.inject(question).text or "None of these" in memory.inject(question).text


KNOWN_OF_ME = {
    "es": (["Soy alérgico a los cacahuetes.", "Juego al ajedrez.", "Vivo en Ruzafa.", "Trabajo en una panadería."],
           ["¿Qué sabes de mí?", "¿Qué recuerdas sobre mí?", "¿Quién soy?"]),
    "fr": (["Je suis allergique aux noix.", "J'ai 31 ans.", "J'habite à Dijon.", "Je travaille dans un garage."],
           ["Que sais-tu de moi ?", "Qu'est-ce que tu sais sur moi ?", "Qui suis-je ?"]),
    "de": (["Ich bin gegen Nüsse allergisch.", "Ich spiele Handball.", "Ich wohne in Altona.", "Ich habe zwei Kinder."],
           ["Was hast du dir über mich gemerkt?", "Erzähl mir, was du über mich weißt"]),
    "it": (["Sono allergico alle noci.", "Vivo a Lecce da due anni.", "Ho un gatto."],
           ["Cosa sai di me?", "Chi sono?"]),
}  # fmt: skip


@requirement("recall:all-of-a-kind")
@pytest.mark.parametrize("language", KNOWN_OF_ME)
def test_all_that_is_known_of_who_asks_in_their_language(memory, clock, language):
    told, questions = KNOWN_OF_ME[language]
    for text in told:
        clock.pass_time(days=1)
        memory.remember(Draft(text, "said to you"))
    for question in questions:
        context = call(memory, "inject_context", {"query": question}).structured["context"]
        assert all(text in context for text in told) and "None of these" not in context
