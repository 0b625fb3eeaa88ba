"""Changes that are told in German and Spanish: moves of home, amounts, sales, events that are put off."""

import pytest

from context_graph.ingest.draft import Draft


@pytest.fixture
def told(memory, clock):
    def tell(*texts):
        for text in texts:
            memory.remember(Draft(text, "told in a conversation", metadata={"speaker": "user"}))
            clock.pass_time(minutes=1_440)
        return memory

    return tell


def lines_for(memory, question):
    return [line for line in memory.inject(question).text.splitlines() if line.startswith("> ")]


CHANGES = [
    ("Vivo en Valencia.", "Nos hemos mudado a Castellón.", "¿Dónde vivo?"),
    ("Vivo en Valencia.", "Nos hemos mudado a Castellón.", "Where do I live?"),
    ("Vivimos en Valencia.", "Me he mudado a Castellón.", "¿Dónde vivo?"),
    ("Vivo en Sevilla.", "Ya estamos instalados en Cádiz.", "¿Dónde vivo?"),
    ("Wir wohnen in Ulm.", "Bin nach Halle gezogen.", "Where do I live?"),
    ("Mi prima Carla vive en Murcia.", "Carla se ha mudado a Alicante.", "¿Dónde vive mi prima?"),
    ("Nuria vive con nosotros.", "Nuria se fue a vivir a Lisboa.", "¿Sigue viviendo Nuria con nosotros?"),
    ("Oma wohnt in Bad Orb.", "Oma wohnt jetzt im Heim in Fulda.", "Wo wohnt Oma?"),
    ("Ich nehme Metformin 500 mg.", "Die Ärztin hat das Metformin auf 1000 mg hochgesetzt.",
     "Wie viel Metformin nehme ich?"),
    ("Ich nehme morgens Ramipril 5 mg wegen dem Blutdruck.", "Der Hausarzt hat das Ramipril auf 10 mg hochgesetzt.",
     "Welche Medikamente nehme ich?"),
    ("Tomo 50 microgramos de levotiroxina en ayunas.", "La endocrina me subió la levotiroxina a 75.",
     "¿Cuánta levotiroxina tomo?"),
    ("Mi madre toma enalapril de 20 mg.", "A mi madre le han bajado el enalapril a 10.",
     "¿Cuánto enalapril toma mi madre?"),
    ("El alquiler son 650 euros.", "El casero nos ha subido el alquiler a 700.", "¿Cuánto pagamos de alquiler?"),
    ("Wir haben einen Golf.", "Den Golf haben wir verkauft.", "Welches Auto haben wir?"),
    ("Ich bin im Fitnessstudio FitX.", "Den Vertrag beim FitX habe ich gekündigt.",
     "In welchem Fitnessstudio bin ich?"),
    ("Mi clase de guitarra es los martes a las siete.", "La clase de guitarra pasa a los jueves.",
     "¿Cuándo es mi clase de guitarra?"),
    ("Mi hermana se casa el 6 de junio en Teruel.", "La boda se ha aplazado a septiembre.",
     "¿Cuándo se casa mi hermana?"),
    ("Meine Schwester heiratet am 6. Juni in Trier.", "Die Hochzeit ist auf September verschoben.",
     "Wann heiratet meine Schwester?"),
    ("My sister is getting married on 6 June in Teruel.", "The wedding has been postponed to September.",
     "When is my sister getting married?"),
    ("Wir fliegen am 3. August nach Porto.", "Die Reise ist abgesagt.", "Wann fliegen wir nach Porto?"),
    ("Papa wird am 4. Mai operiert.", "Die OP ist auf den 18. Mai verschoben.", "Wann wird Papa operiert?"),
    ("Las llaves del trastero están en el cajón de la entrada.", "Encontré las llaves del trastero en la mochila.",
     "Where are the storage room keys?"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "question"), CHANGES)
def test_what_holds_now_comes_first_and_what_was_is_marked(told, before, after, question):
    first, second = lines_for(told(before, after), question)
    assert after in first and " until " not in first and "earlier" not in first
    assert before in second and (" until " in second or "earlier than" in second)


STAYING = [
    ("Tim wohnt in Mainz.", "Ben ist nach Worms gezogen.", "Wo wohnt Tim?"),
    ("Mi prima vive en Murcia.", "Mi hermano se ha mudado a Alicante.", "¿Dónde vive mi prima?"),
    ("Mein Gehalt ist 3200 Euro brutto.", "Die Miete wurde auf 900 Euro erhöht.", "Wie hoch ist mein Gehalt?"),
    ("Mi hermana se casa el 6 de junio.", "La boda de mi jefe se ha aplazado a septiembre.",
     "¿Cuándo se casa mi hermana?"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "question"), STAYING)
def test_what_is_told_of_another_ends_nothing(told, one, other, question):
    line = next(line for line in lines_for(told(one, other), question) if one in line)
    assert " until " not in line and "earlier" not in line


@pytest.mark.parametrize("question", ["Wo wohnt meine Schwester?", "Wohnt Anke noch bei uns?", "Wo wohnt Anke?"])
def test_whoever_moved_twice_lives_where_they_moved_last(told, question):
    memory = told(
        "Meine Schwester Anke zieht zum 1. April aus ihrer Wohnung in Bremen aus.",
        "Anke ist schon ausgezogen, sie wohnt jetzt vorübergehend bei uns im Gästezimmer.",
        "Anke ist am 1. Mai nach Rastede gezogen und hat da einen Neuen kennengelernt, Dirk.",
    )
    first, *rest = lines_for(memory, question)
    assert "Rastede" in first
    assert all(" until " in line or "earlier" in line for line in rest)


GERMAN = (
    "Meine Schwester Anke wohnt in Bremen.", "Ich bin Erzieherin in Oldenburg.", "Wir haben einen Kater namens Moritz.",
    "Mein Chef heißt Herr Lübben.", "Jonas hat am 3. Mai Geburtstag.", "Die Mülltonne kommt dienstags raus.",
    "Wir fahren einen Skoda.", "Oma mag keinen Spargel.",
)  # fmt: skip
SPANISH = (
    "Rubén es mi vecino del tercero.", "Trabajo en una panadería en Lugo.", "Tenemos una perra que se llama Canela.",
    "Mi jefa es Pilar.", "La basura se saca los martes.",
)  # fmt: skip
DOUBT = "None of these surely answers the question"


@pytest.mark.parametrize(
    ("facts", "question"),
    [
        (GERMAN, "Wie heißt der Mann von Anke?"),
        (GERMAN, "Wie viele Kinder hat Anke?"),
        (GERMAN, "Wie alt ist Anke?"),
        (SPANISH, "¿Cuál es el apellido de Rubén?"),
        (SPANISH, "¿Cuántos años tiene Rubén?"),
    ],
)
def test_what_was_never_told_is_told_with_a_doubt_and_in_few_lines(told, facts, question):
    memory = told(*facts)
    assert DOUBT in memory.inject(question).text
    assert len(lines_for(memory, question)) <= 5


@pytest.mark.parametrize(
    ("facts", "question"),
    [
        (GERMAN, "Wo wohnt Anke?"),
        (GERMAN, "Wie heißt unser Kater?"),
        (GERMAN, "Wann hat Jonas Geburtstag?"),
        (SPANISH, "¿Cómo se llama la perra?"),
        (SPANISH, "¿Quién es mi jefa?"),
        (SPANISH, "¿Cuándo se saca la basura?"),
    ],
)
def test_what_was_told_is_told_without_a_doubt(told, facts, question):
    assert DOUBT not in told(*facts).inject(question).text
