"""Questions that need a sense of time, asked of a real memory: what is found first, and whether it is told."""

import pytest

from context_graph.models import from_iso
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from context_graph.recall.recall import recall
from tests.requirements import requirement

GARDEN = (  # asked on Thursday, 18 June 2026
    ("2025-11-29T15:00:00Z", "Covered the roses with fir branches."),
    ("2026-01-17T10:00:00Z", "The greenhouse roof gave way under the snow."),
    ("2026-04-20T16:30:00Z", "Grafted two apple trees with Henrike."),
    ("2026-05-04T18:00:00Z", "Put the tomatoes outside, far too early."),
    ("2026-05-06T07:00:00Z", "Frost took all tomatoes."),
    ("2026-06-06T14:00:00Z", "Open garden day, forty guests and not one cake left."),
    ("2026-06-09T19:00:00Z", "Built a bench out of the old pallets."),
    ("2026-06-13T11:00:00Z", "Harvested the first strawberries with the twins."),
    ("2026-06-15T20:00:00Z", "In two weeks the bees are coming, four hives."),
    ("2026-06-16T19:30:00Z", "Slugs ate the lettuce, all of it."),
    ("2026-06-17T06:45:00Z", "Watered the beans before sunrise."),
    ("2026-06-17T21:15:00Z", "Bat over the pond, twice."),
    ("2026-06-18T07:30:00Z", "The pump of the pond is silent."),
    ("2026-06-18T08:00:00Z", "On Saturday the chimney builder measures the oven."),
)
WERKSTATT = (  # asked on Wednesday, 4 March 2026
    ("2025-12-19T16:00:00Z", "Weihnachtsfeier im Lager mit Glühwein."),
    ("2026-01-12T09:00:00Z", "Die Hebebühne wurde vom TÜV abgenommen."),
    ("2026-02-10T14:00:00Z", "Motorschaden am Transporter von Bäckerei Lenz."),
    ("2026-02-17T11:00:00Z", "Austauschmotor eingebaut, läuft ruhig."),
    ("2026-02-25T15:00:00Z", "Lehrling Samira hat ihre Zwischenprüfung bestanden."),
    ("2026-03-02T08:30:00Z", "Kompressor ausgefallen, Druck sinkt ständig."),
    ("2026-03-03T17:00:00Z", "Dichtung am Kompressor gewechselt."),
    ("2026-03-04T07:15:00Z", "Reifenlieferung unvollständig, zwei fehlen."),
    ("2026-03-04T08:00:00Z", "Am Freitag holt Herr Krüger den Oldtimer ab."),
    ("2026-03-04T08:05:00Z", "Nächste Woche ist Inventur."),
)
PANADERIA = (  # asked on Tuesday, 13 October 2026
    ("2026-05-21T09:00:00Z", "Abrimos la segunda tienda en Triana."),
    ("2026-08-03T10:00:00Z", "Cerramos por vacaciones, todos a la playa."),
    ("2026-09-28T12:00:00Z", "Se estropeó el horno grande."),
    ("2026-10-01T13:00:00Z", "El técnico cambió la resistencia."),
    ("2026-10-07T17:00:00Z", "Probamos una receta de pan de centeno."),
    ("2026-10-11T11:00:00Z", "Feria de artesanos, vendimos todo."),
    ("2026-10-12T20:00:00Z", "Lucía dejó el turno de noche."),
    ("2026-10-13T06:30:00Z", "Faltó la levadura."),
    ("2026-10-13T07:00:00Z", "El jueves viene la inspectora de sanidad."),
)
ASKED = {"garden": (GARDEN, "2026-06-18T12:00:00Z"), "werkstatt": (WERKSTATT, "2026-03-04T12:00:00Z"),
         "panaderia": (PANADERIA, "2026-10-13T12:00:00Z")}  # fmt: skip

QUESTIONS = [
    ("garden", "What was I up to yesterday evening?", "Bat over"),
    ("garden", "Anything from Tuesday?", "Slugs"),
    ("garden", "What have I written down today?", "The pump"),
    ("garden", "Which visitors were there at the weekend before last?", "Open garden"),
    ("garden", "What did we pick last Saturday?", "Harvested"),
    ("garden", "What got destroyed in January?", "The greenhouse"),
    ("garden", "What did I make nine days ago?", "Built a bench"),
    ("garden", "What went on during the first week of May?", ("Put the tomatoes", "Frost")),
    ("garden", "What happened right after I put the tomatoes outside?", "Frost"),
    ("garden", "What had I done before the frost?", "Put the tomatoes"),
    ("garden", "Who drops by this Saturday?", "On Saturday"),
    ("garden", "What is coming up by the end of the month?", ("In two weeks", "On Saturday")),
    ("garden", "What was done with the plants last autumn?", "Covered the roses"),
    ("garden", "What did I do with trees between 10 April and 30 April?", "Grafted"),
    ("werkstatt", "Was war gestern los?", "Dichtung"),
    ("werkstatt", "Was ist vorgestern kaputtgegangen?", "Kompressor"),
    ("werkstatt", "Was passierte heute früh?", "Reifenlieferung"),
    ("werkstatt", "Was steht am Freitag an?", "Am Freitag"),
    ("werkstatt", "Was ist nächste Woche?", "Nächste Woche"),
    ("werkstatt", "Wer hat letzte Woche etwas geschafft?", "Lehrling"),
    ("werkstatt", "Was geschah im Dezember?", "Weihnachtsfeier"),
    ("werkstatt", "Was haben wir nach dem Motorschaden gemacht?", "Austauschmotor"),
    ("panaderia", "¿Qué pasó ayer?", "Lucía"),
    ("panaderia", "¿Qué hicimos el fin de semana?", "Feria"),
    ("panaderia", "¿Quién viene el jueves?", "El jueves"),
    ("panaderia", "¿Qué abrimos en mayo?", "Abrimos"),
    ("panaderia", "¿Qué pasó hace seis días?", "Probamos"),
    ("panaderia", "¿Qué faltó esta mañana?", "Faltó"),
    ("panaderia", "¿Qué ocurrió la semana pasada?", ("Probamos", "Feria")),
]


@pytest.fixture(scope="module")
def diaries(tmp_path_factory):
    """A memory for each diary, which stands at the moment of asking."""
    from context_graph.ingest.draft import Draft
    from context_graph.memory import Memory
    from context_graph.settings import Settings
    from tests.conftest import Clock

    opened = {}
    for name, (lines, asked_at) in ASKED.items():
        clock = Clock()
        home = tmp_path_factory.mktemp(name)
        opened[name] = memory = Memory(Settings(home=home, tier="base"), clock=clock)
        for date, text in lines:
            clock.time = from_iso(date)
            memory.remember(Draft(text, "noted in a diary", metadata={"date": date}))
        clock.time = from_iso(asked_at)
    yield opened
    for memory in opened.values():
        memory.close()


@requirement("recall:a-sense-of-time")
@pytest.mark.parametrize(("diary", "question", "wanted"), QUESTIONS, ids=lambda value: str(value)[:50])
def test_a_question_about_a_time_finds_and_tells_what_was_then(diaries, diary, question, wanted):
    memory, wanted = diaries[diary], (wanted,) if isinstance(wanted, str) else wanted
    assert recall(memory, Question(question)).hits[0].node.content.startswith(wanted)
    told = inject(memory, Question(question)).distilled.text
    assert all(text in told for text in wanted)


@requirement("recall:asked-at")
def test_asked_at_is_the_present_of_a_question_and_hides_nothing(diaries):
    memory = diaries["garden"]
    question = Question("What did I do yesterday?", asked_at=from_iso("2026-06-07T09:00:00Z"))
    answer = recall(memory, question)
    assert answer.hits[0].node.content.startswith("Open garden day")
    later = {hit.node.content for hit in answer.hits if hit.node.occurred_at > question.asked_at}
    assert later  # what was stored after that moment is still found
    assert "Open garden day" in inject(memory, question).distilled.text


@requirement("recall:asked-at")
def test_the_same_question_means_another_day_tomorrow(memory, tell, clock):
    clock.time = from_iso("2026-02-02T10:00:00Z")
    tell("Sorted the screws by length.")
    clock.pass_time(days=1)
    tell("Oiled the gate.")
    clock.pass_time(days=1)
    assert recall(memory, Question("What did I do yesterday?")).hits[0].node.content == "Oiled the gate."
    clock.pass_time(days=-1)
    assert recall(memory, Question("What did I do yesterday?")).hits[0].node.content == "Sorted the screws by length."


@requirement("recall:words-of-time-in-memories")
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The tiler is here on the 16th.", "What happens on 16 March?"),
        ("Next week we get the keys to the flat.", "What happened between 9 March and 15 March?"),
        ("Am Dienstag wird der Zähler getauscht.", "Was ist am 10. März?"),
        ("Pasado mañana llega el sofá.", "¿Qué pasa el 6 de marzo?"),
        ("We met Ole two weeks ago at the harbour.", "Whom did we meet in the middle of February?"),
    ],
)
def test_a_memory_is_found_by_the_time_that_it_names(memory, tell, clock, text, question):
    clock.time = from_iso("2026-03-04T18:00:00Z")  # a Wednesday
    tell(text)
    for i, other in enumerate(("Cleaned the gutter.", "Bought flour.", "Read a novel.", "Mended a chair.")):
        tell(other, occurred_at=clock.time - i * 3_600_000_000)
    clock.time = from_iso("2026-03-05T08:00:00Z")
    assert recall(memory, Question(question)).hits[0].node.content == text


def test_when_something_will_be_prefers_what_lies_ahead(memory, tell, clock):
    clock.time = from_iso("2026-03-02T08:00:00Z")
    tell("The piano tuner was here, all strings are fine.")
    tell("The piano tuner is here again on Friday.")
    tell("The piano tuner has a new van.")
    clock.pass_time(days=1)
    assert "Friday" in recall(memory, Question("When is the piano tuner here?")).hits[0].node.content


def test_what_was_is_not_replaced_by_what_came_later(memory, tell, clock):
    clock.time = from_iso("2026-03-02T20:00:00Z")
    tell("The meeting room is the blue one.")
    clock.pass_time(days=7)
    tell("The meeting room is the red one now.")
    clock.pass_time(days=1)
    assert "blue" in recall(memory, Question("Which meeting room was it on Monday last week?")).hits[0].node.content
    assert "red" in recall(memory, Question("Which is the meeting room?")).hits[0].node.content


def test_what_the_words_single_out_is_not_drowned_by_a_day(memory, tell, clock):
    clock.time = from_iso("2026-03-02T20:00:00Z")
    wanted = tell("The chess club elected Ottilie as its chair.")
    clock.pass_time(days=1)
    for i in range(12):
        tell(f"Errand number {i}: carried a parcel to the post office.")
    clock.pass_time(days=1)
    answer = recall(memory, Question("Whom did the chess club elect as its chair yesterday?"))
    assert wanted in [hit.node.id for hit in answer.hits[:5]]


def test_a_question_whose_time_nothing_is_known_of_is_answered_by_its_words(memory, tell):
    wanted = tell("The chess club elected Ottilie as its chair.", occurred_at=from_iso("2019-05-02"))
    tell("Bought flour.", occurred_at=from_iso("2019-05-03"))
    answer = recall(memory, Question("Whom did the chess club elect last week?"))
    assert answer.hits[0].node.id == wanted and "time" not in {k for k, v in answer.hits[0].parts.items() if v}


def test_a_time_does_not_open_the_gate_for_another_subject(memory, tell, clock):
    clock.time = from_iso("2026-03-02T20:00:00Z")
    for i in range(40):
        tell(f"Errand number {i}: carried a parcel to the post office.", occurred_at=clock.time - i * 600_000_000)
    assert inject(memory, Question("What is the boiling point of liquid nitrogen in March?")).abstained


def test_a_large_store_is_searched_by_time_too(memory, tell, clock, monkeypatch):
    from context_graph.retrieval import pipeline

    monkeypatch.setattr(pipeline, "WHOLE_STORE", 20)
    monkeypatch.setattr(pipeline, "SPARSE_CANDIDATES", 5)
    monkeypatch.setattr(pipeline, "DENSE_CANDIDATES", 5)
    monkeypatch.setattr(pipeline, "MAX_RESCORED", 8)
    clock.time = from_iso("2026-01-05T12:00:00Z")
    for i in range(40):
        tell(f"Note {i}: what happened in the workshop this time was varnish.")
    clock.pass_time(days=30)
    tell("Lorries on the bridge.")
    clock.pass_time(days=1)
    assert recall(memory, Question("What happened yesterday?")).hits[0].node.content == "Lorries on the bridge."


def test_which_of_two_entries_came_first_is_not_when_they_were_stored(memory, clock):
    from context_graph.ingest.draft import Draft
    from context_graph.recall.question import Question

    for name, text in (
        ("Arvo Lind", "Arvo Lind was a Finnish painter, born in 1871 in Turku."),
        ("Elsa Roos", "Elsa Roos was a Finnish painter, born in 1865 in Vaasa."),
    ):
        clock.pass_time(days=3)
        memory.remember(Draft(text, "from an encyclopedia", name=name))
    hits = memory.recall(Question("Who was born first, Elsa Roos or Arvo Lind?")).hits
    assert all(hit.parts.get("order", 0.0) == 0.0 for hit in hits)


def test_what_is_always_so_is_no_date_that_lies_ahead(memory, clock):
    from context_graph.ingest.draft import Draft

    for text in ("The practice closes at four on Fridays.", "Next Tuesday I see the surgeon.", "We fly in a month."):
        memory.remember(Draft(text, "said to you"))
    hits = recall(memory, Question("When does the practice close on Fridays?")).hits
    assert hits[0].node.content == "The practice closes at four on Fridays."


@requirement("recall:what-was-before-a-thing")
def test_what_was_before_a_thing_is_told_by_the_note_of_the_change(memory, clock, tell):
    for text in (
        "Deploys go through Fly.io.",
        "Tests run with pytest.",
        "We left Fly.io for Hetzner.",
        "Paid Deniz back.",
    ):
        clock.pass_time(days=4)
        tell(text)
    hits = recall(memory, Question("What did we use before Hetzner?")).hits
    assert hits[0].node.content == "We left Fly.io for Hetzner."
    hits = recall(memory, Question("What did we do before we left?")).hits
    assert hits[0].node.content != "We left Fly.io for Hetzner."
