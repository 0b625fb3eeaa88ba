"""What has changed is told first in other languages than English, too."""

import pytest

from context_graph.embed.languages import in_english
from context_graph.ingest.draft import Draft
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement

CHANGES = [
    ("Vivo a Parma da due anni.", "Ci siamo trasferiti a Trieste.", "In che città vivo?"),
    ("Ik woon in Delft.", "We zijn vorige maand naar Groningen verhuisd.", "Waar woon ik?"),
    ("Mieszkam w Łodzi.", "W zeszłym tygodniu przeprowadziłam się do Torunia.", "Gdzie mieszkam?"),
    ("Moro em Faro.", "Mudei-me para Coimbra na semana passada.", "Onde moro?"),
    ("J'habite à Brest.", "J'ai déménagé à Nantes.", "Où est-ce que j'habite ?"),
    ("Ich hab meinen Schirm verloren.", "Schirm ist wieder da, er war im Büro.", "Wo ist mein Schirm?"),
    ("Der Export-Bug ist noch offen.", "Den Export-Bug hab ich gefixt.", "Ist der Export-Bug noch offen?"),
    ("Im Juli fahren wir nach Rügen.", "Das mit der Fahrt nach Rügen wird nichts.", "Fahren wir nach Rügen?"),
    ("He perdido el paraguas.", "Ha aparecido el paraguas, estaba en el coche.", "¿Dónde está el paraguas?"),
    ("J'ai perdu mon parapluie.", "J'ai retrouvé mon parapluie.", "Où est mon parapluie ?"),
    ("Je joue au tennis le jeudi.", "Je joue plus au tennis, à cause de mon genou.", "Est-ce que je joue au tennis ?"),
    ("J'ai une carte de bibliothèque.", "J'ai plus de carte de bibliothèque.", "Ai-je une carte de bibliothèque ?"),
    ("Je bois du vin le soir.", "Je bois plus de vin depuis janvier.", "Est-ce que je bois du vin ?"),
    ("Je suis abonnée à la piscine.", "J'ai résilié l'abonnement à la piscine.", "Suis-je abonnée à la piscine ?"),
]  # fmt: skip


@requirement("recall:changes-in-other-languages")
@pytest.mark.parametrize(("before", "change", "question"), CHANGES)
def test_what_has_changed_comes_first(memory, clock, before, change, question):
    for text in (before, change):
        memory.remember(Draft(text, "said to you"))
        clock.pass_time(days=5)
    lines = [line for line in inject(memory, Question(question)).text.splitlines() if line.startswith("> ")]
    assert change in lines[0]
    assert all("until" in line or "earlier than" in line for line in lines if before in line)


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("Je fume plus.", True), ("On mange plus de viande depuis mai.", True), ("J'ai plus d'abonnement.", True),
        ("Elle travaille plus au labo.", True), ("Je suis plus grand que toi.", False),
        ("Il court plus vite.", False), ("Ça coûte plus de 10 euros.", False),
        ("J'ai plus de travail qu'avant.", False),
    ],
)  # fmt: skip
def test_a_french_plus_alone_says_no_longer_and_in_a_comparison_more(text, ended):
    assert ("no longer" in in_english(text, "fr")) is ended
