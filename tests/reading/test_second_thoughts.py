"""A second thought: "no wait, Saturday" corrects a value of what was said just before, and nothing else."""

import pytest

from context_graph.reading.second_thoughts import corrects_value, may_correct_value


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The plumber comes on Monday at 8.", "oh no, Tuesday"), ("We need 14 chairs.", "sorry, 16"),
        ("Lea's flight lands at 17:20.", "wait no, 18:05"), ("The reading is at 7.", "Sorry, the reading is at 8."),
        ("The baker is called Mark.", "Correction: he is called Marek, not Mark."),
        ("The baker is called Mark.", "Correction: the baker is called Marek."),
        ("We meet at Carlo's.", "I mean Luigi's"),
        ("the ferry goes at 18:40", "*19:40"), ("meet at platform 4", "platform 6 sorry"),
        ("anna owes me 30 euro", "sry 50"),
        ("book club is mon at 7", "tues*"), ("the wedding is in june", "july i mean"),
        ("the gate code is 7712", "7721 not 7712"),
        ("the lamp costs 35", "typo: 53 euros"), ("rent is 900", "950, my bad"),
        ("Der Saal kostet 40.", "ach nein, 45"), ("La cena cuesta 40.", "perdón, 45"),
    ],
)  # fmt: skip
def test_a_value_is_corrected(earlier, later):
    assert corrects_value(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The plumber comes on Monday.", "no wait, I forgot the milk"), ("We need chairs.", "sorry, 16"),
        ("We need 14 chairs.", "No, we never bought the 16 chairs that Ole had offered us then."),
        ("Leo quit fencing, he does judo now.", "Sorry, Nadia is from Split, not Zagreb."),
        ("Mia wants to climb at the Boulder Barn.", "Sorry, Ruth is allergic to hazelnuts, not walnuts."),
        ("My sister's birthday is 3 June.", "Correction: the plumber is called Marek, not Mark."),
        ("Dinner is at 8.", "Sorry, can't talk before 5"), ("Rent is 900.", "* 6 eggs"),
        ("Rent is 900.", "**Total**: 3"),
        ("Ben comes on Friday.", "sorry for Monday"), ("The bus leaves at 7.", "Wait for me until 8"),
        ("We meet at 5.", "Tom is 6 not 5 feet tall"), ("Call Anna at 4.", "Oops forgot 2 eggs"),
        ("We need 14 chairs.", "sorry, 14"), ("We need 14 chairs.", "16 people said yes"),
    ],
)  # fmt: skip
def test_and_nothing_else(earlier, later):
    assert not corrects_value(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Le plombier vient mardi.", "Pardon, jeudi."), ("Le plombier vient mardi.", "Jeudi, pas mardi."),
        ("Le plombier vient mardi.", "Euh, jeudi en fait."), ("Le plombier vient mardi.", "Plutôt jeudi."),
        ("Le train arrive à 15h30.", "Je voulais dire 16h30."), ("Le loyer est de 410 euros.", "Pardon, 430, pas 410."),
        ("Paul arrive lundi.", "Ah non, mercredi !"),
        ("El fontanero viene el martes.", "Quería decir el jueves."), ("Cuesta 18,40 euros.", "Mejor dicho, 19,40."),
        ("El fontanero viene el martes.", "El jueves, no el martes."),
        ("Der Klempner kommt am Dienstag.", "Sorry, ich meinte Donnerstag."),
        ("Der Klempner kommt am Dienstag.", "Moment, es ist der Donnerstag."),
        ("Oma kommt am Samstag.", "Nee, Sonntag."), ("Die Miete ist 800.", "Verzeihung, 850."),
        ("La cena è sabato alle otto.", "Scusa, volevo dire domenica."),
        ("Il treno parte alle 8.", "No scusa, alle 9."),
        ("A reunião é na terça às dez.", "Desculpa, é na quarta, não na terça."),
        ("De afspraak is op maandag.", "Ik bedoelde dinsdag."),
        ("Spotkanie jest we wtorek.", "Przepraszam, w środę, nie we wtorek."),
        ("Das Konzert ist am Dienstag.", "nicht Dienstag, sondern Mittwoch"),
        ("Le cours commence à 9h.", "Le cours commence à 10h, pas à 9h."),
        ("El curso empieza el lunes.", "Me confundí, empieza el martes."),
        ("Der Zug fährt um 8.", "Da hab ich mich vertan, 9 Uhr."), ("We need six chairs.", "sorry, eight"),
        ("Das Auto ist rot.", "Sorry, ich meinte blau."),
        ("Das Auto steht in der Garage.", "Sorry, ich meinte im Hof."), ("Ho due gatti.", "Scusa, volevo dire tre."),
        ("De fiets staat in de schuur.", "Ik bedoelde in de garage."), ("The sofa is green.", "I meant grey."),
    ],
)  # fmt: skip
def test_a_value_is_corrected_in_other_languages(earlier, later):
    assert may_correct_value(later) and corrects_value(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Le plombier vient mardi.", "Non, merci."), ("Le plombier vient mardi.", "Enfin jeudi !"),
        ("Le loyer est de 410 euros.", "Pardon, le chat a 3 ans."),
        ("El fontanero viene el martes.", "No, Ana no viene el jueves."),
        ("Der Klempner kommt am Dienstag.", "Moment, Oma kommt am Donnerstag."),
        ("Mein Bruder kommt am Freitag.", "Entschuldigung, wo ist das Bad?"),
        ("La cena è sabato.", "Anzi, Marco viene domenica con sua moglie."),
        ("Ben arrives on Friday.", "Milk, not cream."), ("Ben arrives on Friday.", "I mean it."),
        ("The dentist is on Tuesday.", "I'm free on Friday, not on Tuesday."), ("The sofa is green.", "I meant green."),
        ("Der Zug fährt um 8.", "Moment, 8 Uhr."),
        ("We have 5 chairs.", "Tom is 6 feet tall, not 5."), ("The sofa is green.", "I meant to call you."),
        ("Le cours est en salle bleue.", "Je veux dire que je suis fatigué."),
    ],
)  # fmt: skip
def test_and_nothing_else_in_other_languages(earlier, later):
    assert not corrects_value(earlier, later)


def test_a_long_statement_is_no_second_thought():
    assert not may_correct_value("no wait, " + "12 " * 20)
