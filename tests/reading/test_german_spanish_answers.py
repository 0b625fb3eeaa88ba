"""What a question in German or Spanish asks for, and which statements hold it."""

import pytest

from context_graph.reading.german_spanish_answers import asked_kind, may_answer

KINDS = {
    "Wie alt ist Anke?": "age",
    "Wie viele Kinder hat Anke?": "number",
    "Wie heißt der Mann von Anke?": "name",
    "Wie heißt Anke mit Nachnamen?": "surname",
    "Um wie viel Uhr fängt der Kurs an?": "hour",
    "Wie lange dauert der Kurs?": "length",
    "Wie viel kostet der Kurs?": "amount",
    "Wann ist der Kurs?": "time",
    "Wo wohnt meine Schwester?": "place",
    "Was macht meine Schwester?": "",
    "¿Cuál es el apellido de Rubén?": "surname",
    "¿Cuántos años tiene Rubén?": "age",
    "¿Cuántos hijos tiene Rubén?": "number",
    "¿A qué hora es la clase?": "hour",
    "¿Cuándo es la clase?": "time",
    "How old is my sister?": "",
}


@pytest.mark.parametrize("question", KINDS)
def test_what_is_asked_for(question):
    assert asked_kind(question) == KINDS[question]


HELD = [
    ("Wie alt ist Anke?", "Meine Schwester Anke ist 41 und wohnt hier.", "Meine Schwester Anke wohnt in Bremen."),
    ("Wie alt ist Anke?", "Anke wird 41 Jahre alt.", "Jonas ist schon 12 Jahre alt."),
    ("Wie viele Kinder hat Anke?", "Anke hat zwei Töchter.", "Anke hat nichts gesagt und ist müde."),
    ("Wie viele Kinder hat Anke?", "Anke hat eine Tochter.", "Ich habe zwei Kinder bei mir im Haus."),
    ("Wie heißt der Mann von Anke?", "Ankes Mann heißt Jörg.", "Meine Schwester Anke wohnt in Bremen."),
    ("Wie heißt unser Kater?", "Wir haben einen Kater namens Moritz.", "Mein Chef heißt Herr Lübben."),
    ("Wie heißt Anke mit Nachnamen?", "Anke Meyer ist seit Mai Filialleiterin.", "Anke ist seit Mai hier."),
    ("Wann hat Jonas Geburtstag?", "Jonas hat am 3. Mai Geburtstag.", "Jonas mag seinen Geburtstag nicht."),
    ("Um wie viel Uhr isst Jonas?", "Jonas isst um halb sieben.", "Jonas isst in der Schule."),
    ("Wie hoch ist die Miete?", "Die Miete beträgt 780 Euro.", "Die Miete ist zu hoch für uns."),
    ("¿Cuál es el apellido de Rubén?", "Rubén Ortega es mi vecino.", "Rubén es mi vecino del tercero."),
    ("¿Cuántos años tiene Rubén?", "Rubén tiene 34 años.", "Rubén es mi vecino del tercero."),
    ("¿Cómo se llama la perra?", "Tenemos una perra que se llama Canela.", "Rubén es mi vecino del tercero."),
    ("¿Cuántos hijos tiene Rubén?", "Rubén tiene dos hijos.", "Rubén es mi vecino del tercero."),
]


@pytest.mark.parametrize(("question", "holding", "lacking"), HELD)
def test_which_statement_may_hold_it(question, holding, lacking):
    kind = asked_kind(question)
    assert may_answer(holding, question, kind)
    assert not may_answer(lacking, question, kind)


def test_nothing_is_said_of_a_statement_in_another_language():
    assert may_answer("My sister Anke lives in Bremen.", "Wie alt ist Anke?", "age")
