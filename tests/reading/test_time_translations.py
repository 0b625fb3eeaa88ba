"""Phrases of time in French, Italian, Portuguese, Dutch and Polish, read as the English ones are."""

from datetime import UTC, datetime
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.embed.languages import language_of
from context_graph.instants import DAY_US, to_datetime
from context_graph.memory import Memory
from context_graph.models import from_iso
from context_graph.reading.asked_time import asked_time
from context_graph.reading.time_expressions import expressions
from context_graph.reading.time_phrases import PHRASES
from context_graph.reading.time_translations import translated
from context_graph.settings import Settings

WEDNESDAY = from_iso("2026-11-18T14:00:00Z")


def day(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1_000_000, UTC).strftime("%Y-%m-%d")


def days(text: str) -> list[str]:
    """First and last day of each expression's likeliest meaning."""
    spans = [one.spans[0] for one in expressions(text, WEDNESDAY)]
    return [
        day(span.start) if span.end - span.start <= DAY_US else f"{day(span.start)}..{day(span.end - 1)}"
        for span in spans
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Hier on a mangé une raclette.", "2026-11-17"),
        ("Avant-hier j'ai vu mamie.", "2026-11-16"),
        ("Demain je rends mon mémoire.", "2026-11-19"),
        ("Je rends mon mémoire après-demain.", "2026-11-20"),
        ("Dans 10 jours je vais à Lille.", "2026-11-28"),
        ("Dans une quinzaine on part à la mer.", "2026-11-30..2026-12-04"),
        ("Il y a deux semaines j'ai passé le permis.", "2026-11-02..2026-11-06"),
        ("Il y a trois jours, j'ai croisé Malo.", "2026-11-15"),
        ("Vendredi dernier on a fait un barbecue.", "2026-11-13"),
        ("La semaine dernière j'ai perdu ma carte.", "2026-11-09..2026-11-15"),
        ("La semaine prochaine je suis en stage.", "2026-11-23..2026-11-29"),
        ("Lundi en huit je pars à Brest.", "2026-11-30"),
        ("Ce matin j'ai raté le bus.", "2026-11-18"),
        ("Hier soir on est allés au concert.", "2026-11-17"),
        ("Le week-end prochain on va à la mer.", "2026-11-21..2026-11-22"),
        ("Le mois dernier j'ai changé de travail.", "2026-10-01..2026-10-31"),
        ("En mars je pars en Espagne.", "2027-03-01..2027-03-31"),
        ("Le 3 mars 2026 on a signé le bail.", "2026-03-03"),
        ("Mon anniversaire est le 3 décembre.", "2026-12-03"),
        ("J'emménage le 1er décembre.", "2026-12-01"),
        ("On se voit début avril chez Inès.", "2027-04-01..2027-04-11"),
        ("Je finis mon stage fin mai.", "2027-05-21..2027-05-31"),
        ("Je suis à Nice jusqu'au 5 juin.", "2027-06-05"),
        ("Je tousse depuis lundi.", "2026-11-16"),
        ("L'été dernier on a dormi à la belle étoile.", "2026-06-01..2026-08-31"),
        ("Lundi on a visité le musée.", "2026-11-16"),
        ("Lundi on va visiter le musée.", "2026-11-23"),
        ("Le congrès est du 3 au 9 décembre.", "2026-12-03..2026-12-09"),
        ("Je dors chez mes parents à Noël.", "2026-12-24..2026-12-27"),
        ("On a rendu les clés à la fin du mois dernier.", "2026-10-21..2026-10-31"),
        ("Cette nuit le chien a aboyé.", "2026-11-17"),
        ("L'année dernière j'étais à Brest.", "2025-01-01..2025-12-31"),
        ("Samedi soir on mange chez Malo.", "2026-11-21"),
        ("JE RENDS MON MÉMOIRE APRÈS-DEMAIN", "2026-11-20"),
        ("Je suis là jusqu’à demain.", "2026-11-19"),
        ("Le dentiste est vendredi 27 à 9h.", "2026-11-27"),
    ],
)
def test_french_is_read(text, wanted):
    assert days(text) == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ieri abbiamo mangiato la polenta.", "2026-11-17"),
        ("L'altro ieri ho visto la nonna.", "2026-11-16"),
        ("Domani consegno la tesi.", "2026-11-19"),
        ("Dopodomani consegno la tesi.", "2026-11-20"),
        ("Fra due settimane parto per Lecce.", "2026-11-30..2026-12-04"),
        ("Tra dieci giorni vado a Lecce.", "2026-11-28"),
        ("Due giorni fa ho visto Marta.", "2026-11-16"),
        ("Lunedì prossimo comincia il corso.", "2026-11-23"),
        ("La settimana scorsa ho perso le chiavi.", "2026-11-09..2026-11-15"),
        ("Il mese prossimo cambio casa.", "2026-12-01..2026-12-31"),
        ("Stamattina ho perso l'autobus.", "2026-11-18"),
        ("Ieri sera siamo andati a un concerto.", "2026-11-17"),
        ("Venerdì scorso abbiamo fatto una grigliata.", "2026-11-13"),
        ("Il 3 marzo 2026 abbiamo firmato.", "2026-03-03"),
        ("Il primo dicembre arriva Luca.", "2026-12-01"),
        ("Il tre maggio la nonna compie gli anni.", "2027-05-03"),
        ("Il treno parte il 3 dicembre alle 7.10.", "2026-12-03"),
        ("Stasera ceniamo da Paolo.", "2026-11-18"),
        ("Il dentista è venerdì 27 alle nove e mezza.", "2026-11-27"),
        ("A marzo andiamo in Spagna.", "2027-03-01..2027-03-31"),
        ("All'inizio di aprile finisce il corso.", "2027-04-01..2027-04-11"),
        ("A fine mese pago l'affitto.", "2026-11-20..2026-11-30"),
        ("Quest'estate siamo a Lecce.", "2026-06-01..2026-08-31"),
        ("La scorsa estate siamo stati in Sardegna.", "2026-06-01..2026-08-31"),
        ("Sono a Roma fino al 5 giugno.", "2027-06-05"),
        ("Lunedì abbiamo visitato il museo.", "2026-11-16"),
        ("Sabato sera mangiamo da Marta.", "2026-11-21"),
        ("Il corso è dal 3 al 9 dicembre.", "2026-12-03..2026-12-09"),
        ("A Natale sono dai miei.", "2026-12-24..2026-12-27"),
        ("L'anno scorso vivevo a Bari.", "2025-01-01..2025-12-31"),
        ("Negli ultimi giorni ho dormito poco.", "2026-11-14..2026-11-18"),
    ],
)
def test_italian_is_read(text, wanted):
    assert days(text) == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ontem comemos bacalhau.", "2026-11-17"),
        ("Anteontem vi a avó.", "2026-11-16"),
        ("Amanhã entrego o trabalho.", "2026-11-19"),
        ("Depois de amanhã entrego o trabalho.", "2026-11-20"),
        ("Há duas semanas fiz o exame.", "2026-11-02..2026-11-06"),
        ("Daqui a dez dias vou a Braga.", "2026-11-28"),
        ("Na próxima terça temos reunião.", "2026-11-24"),
        ("Segunda-feira passada fui ao dentista.", "2026-11-16"),
        ("Na sexta fomos ao cinema com a Rita.", "2026-11-13"),
        ("Na sexta vou ao cinema com a Rita.", "2026-11-20"),
        ("A semana que vem estou de férias.", "2026-11-23..2026-11-29"),
        ("No mês passado mudei de emprego.", "2026-10-01..2026-10-31"),
        ("Hoje de manhã perdi o autocarro.", "2026-11-18"),
        ("Ontem à noite fomos a um concerto.", "2026-11-17"),
        ("No dia 3 de março de 2026 assinámos o contrato.", "2026-03-03"),
        ("O meu aniversário é a 3 de dezembro.", "2026-12-03"),
        ("Em março vamos a Espanha.", "2027-03-01..2027-03-31"),
        ("No início de abril acabo o curso.", "2027-04-01..2027-04-11"),
        ("No final do mês pago a renda.", "2026-11-20..2026-11-30"),
        ("Estou em Faro até 5 de junho.", "2027-06-05"),
        ("No verão passado fomos aos Açores.", "2026-06-01..2026-08-31"),
        ("No próximo fim de semana vamos à praia.", "2026-11-21..2026-11-22"),
        ("No Natal estou com os meus pais.", "2026-12-24..2026-12-27"),
        ("Sábado à tarde jogamos futebol.", "2026-11-21"),
        ("Três dias atrás comprei um carro.", "2026-11-15"),
        ("O congresso é de 3 a 9 de dezembro.", "2026-12-03..2026-12-09"),
    ],
)
def test_portuguese_is_read(text, wanted):
    assert days(text) == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Gisteren aten we stamppot.", "2026-11-17"),
        ("Eergisteren was ik bij oma.", "2026-11-16"),
        ("Morgen lever ik mijn scriptie in.", "2026-11-19"),
        ("Overmorgen lever ik mijn scriptie in.", "2026-11-20"),
        ("Over twee weken ga ik naar Lille.", "2026-11-30..2026-12-04"),
        ("Drie dagen geleden zag ik Bram.", "2026-11-15"),
        ("Vorige week ben ik mijn sleutels kwijtgeraakt.", "2026-11-09..2026-11-15"),
        ("Volgende dinsdag begint de cursus.", "2026-11-24"),
        ("Afgelopen vrijdag hebben we gebarbecued.", "2026-11-13"),
        ("Komende maandag begint mijn stage.", "2026-11-23"),
        ("Vanochtend heb ik de bus gemist.", "2026-11-18"),
        ("Gisteravond zijn we naar een concert geweest.", "2026-11-17"),
        ("Vrijdagavond eten we bij Sanne.", "2026-11-20"),
        ("Op 3 maart 2026 hebben we getekend.", "2026-03-03"),
        ("Mijn verjaardag is op 3 december.", "2026-12-03"),
        ("In maart gaan we naar Spanje.", "2027-03-01..2027-03-31"),
        ("Begin april ben ik klaar met mijn stage.", "2027-04-01..2027-04-11"),
        ("Eind mei loopt het contract af.", "2027-05-21..2027-05-31"),
        ("Ik ben in Gent tot 5 juni.", "2027-06-05"),
        ("Deze zomer hebben we een huisje gehuurd.", "2026-06-01..2026-08-31"),
        ("Volgend weekend gaan we naar zee.", "2026-11-21..2026-11-22"),
        ("Met kerst ben ik bij mijn ouders.", "2026-12-24..2026-12-27"),
        ("Maandag hebben we het museum bezocht.", "2026-11-16"),
        ("Het congres is van 3 tot en met 9 december.", "2026-12-03..2026-12-09"),
        ("Vorig jaar woonde ik in Utrecht.", "2025-01-01..2025-12-31"),
        ("Vannacht heeft het gevroren.", "2026-11-17"),
    ],
)
def test_dutch_is_read(text, wanted):
    assert days(text) == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Wczoraj jedliśmy pierogi.", "2026-11-17"),
        ("Przedwczoraj byłam u babci.", "2026-11-16"),
        ("Jutro oddaję pracę.", "2026-11-19"),
        ("Pojutrze oddaję pracę.", "2026-11-20"),
        ("Za dwa tygodnie jadę do Gdańska.", "2026-11-30..2026-12-04"),
        ("Za tydzień mam egzamin.", "2026-11-23..2026-11-27"),
        ("Dwa dni temu widziałem Olę.", "2026-11-16"),
        ("W zeszłym tygodniu zgubiłem klucze.", "2026-11-09..2026-11-15"),
        ("W przyszły wtorek zaczyna się kurs.", "2026-11-24"),
        ("W zeszły piątek był grill.", "2026-11-13"),
        ("Dziś rano uciekł mi autobus.", "2026-11-18"),
        ("Wczoraj wieczorem byliśmy na koncercie.", "2026-11-17"),
        ("Moje urodziny są 3 grudnia.", "2026-12-03"),
        ("3 marca 2026 podpisaliśmy umowę.", "2026-03-03"),
        ("W marcu jedziemy do Hiszpanii.", "2027-03-01..2027-03-31"),
        ("Na początku kwietnia kończę staż.", "2027-04-01..2027-04-11"),
        ("Pod koniec maja kończy się umowa.", "2027-05-21..2027-05-31"),
        ("Jestem w Krakowie do 5 czerwca.", "2027-06-05"),
        ("W poniedziałek byliśmy w muzeum.", "2026-11-16"),
        ("W poniedziałek będziemy w muzeum.", "2026-11-23"),
        ("W przyszłym miesiącu zmieniam pracę.", "2026-12-01..2026-12-31"),
        ("Zeszłego lata byliśmy nad morzem.", "2026-06-01..2026-08-31"),
        ("W sobotę wieczorem jemy u Oli.", "2026-11-21"),
        ("Na Boże Narodzenie jadę do rodziców.", "2026-12-24..2026-12-27"),
        ("Konferencja jest od 3 do 9 grudnia.", "2026-12-03..2026-12-09"),
        ("W zeszłym roku mieszkałem w Łodzi.", "2025-01-01..2025-12-31"),
        ("W ten weekend malujemy kuchnię.", "2026-11-21..2026-11-22"),
        ("Umowa trwa do końca czerwca.", "2027-06-20..2027-06-30"),
    ],
)
def test_polish_is_read(text, wanted):
    assert days(text) == [wanted]


@pytest.mark.parametrize(
    "text",
    [
        "Je bosse le samedi chez Picard.",  # week by week
        "Le TD de génétique c'est le jeudi à 15h30.",
        "La planète Mars est rouge et très froide.",
        "J'ai été malade chez ma grand-mère.",  # what is also the summer
        "Il a sept amis et une maison.",
        "Il lunedì gioco a calcetto con gli amici.",
        "Non ho mai visto la neve a casa di Marta.",
        "La mia segunda casa è piccola.",
        "Na segunda vez correu melhor do que na primeira.",
        "A Natal fica no nordeste e não tem neve.",
        "Elke maandag heb ik zwemles.",
        "Goede morgen, hoe gaat het met je?",
        "Over de brug staat een oude molen.",
        "Mai aveva una bicicletta, ma non la usa più.",
        "Co środę mam basen, a moja siostra nie pływa.",
        "Maja mieszka w domu nad jeziorem i ma psa.",
        "To kosztuje dziesięć złotych za godzinę.",
    ],
)
def test_what_is_no_time_in_these_languages_is_left_alone(text):
    assert days(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "A Mars bar and a sera of wine over the weekend.",
        "Hier ist der Schlüssel, er liegt seit Montag hier.",
        "Nos vemos el lunes en la primera planta, será a las nueve.",
        "We drove over two hills and saw Domani at the cinema last week.",
        "Die Ten Tops spielen am 3. März in Mai Thai.",
        "El domingo comimos paella y ayer también.",
    ],
)
def test_texts_in_english_german_and_spanish_are_not_touched(text):
    assert language_of(text) in ("en", "de", "es")
    assert translated(text) is None


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("On a mangé une raclette avant-hier soir, et demain je pars.", ["avant-hier soir", "demain"]),
        ("Je suis à Nice jusqu’au 5 juin, pas en mars.", ["5 juin", "mars"]),
        ("Ho visto Luca due giorni fa, lo rivedo lunedì prossimo.", ["due giorni fa", "lunedì prossimo"]),
        ("Moje urodziny są 3 grudnia, a egzamin pojutrze.", ["3 grudnia", "pojutrze"]),
        ("J'emménage le 1er mars. Demain je signe.", ["le 1er mars", "Demain"]),
        ("We eten vrijdagavond bij oma en volgende week bij Sanne.", ["vrijdagavond", "volgende week"]),
    ],
)
def test_an_expression_stands_where_it_stands_in_the_original(text, phrases):
    assert [text[one.begin : one.end] for one in expressions(text, WEDNESDAY)] == phrases


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Qu'est-ce que j'ai fait hier ?", "2026-11-17", "2026-11-17"),
        ("Qu'ai-je fait avant-hier ?", "2026-11-16", "2026-11-16"),
        ("Qu'est-ce que j'ai fait la semaine dernière ?", "2026-11-09", "2026-11-15"),
        ("Qu'est-ce que j'ai fait le 14 novembre ?", "2026-11-14", "2026-11-14"),
        ("Cosa ho fatto l'altro ieri?", "2026-11-16", "2026-11-16"),
        ("Che cosa è successo la settimana scorsa?", "2026-11-09", "2026-11-15"),
        ("O que fiz anteontem?", "2026-11-16", "2026-11-16"),
        ("O que aconteceu na semana passada?", "2026-11-09", "2026-11-15"),
        ("Wat deed ik eergisteren?", "2026-11-16", "2026-11-16"),
        ("Wat is er gisteren gebeurd?", "2026-11-17", "2026-11-17"),
        ("Co robiłam przedwczoraj?", "2026-11-16", "2026-11-16"),
        ("Co robiłem w zeszłym tygodniu?", "2026-11-09", "2026-11-15"),
    ],
)
def test_a_question_asks_for_its_day(question, first, last):
    spans = asked_time(question, WEDNESDAY).spans
    assert (day(spans[0].start), day(spans[0].end - 1)) == (first, last)


@pytest.mark.parametrize("question", ["Qu'ai-je fait lundi ?", "Co robiłem w poniedziałek?"])
def test_a_question_about_the_past_asks_for_the_day_before(question):
    assert day(asked_time(question, WEDNESDAY).spans[0].start) == "2026-11-16"


@pytest.mark.parametrize("question", ["What happened on 15 March?", "Qu'est-ce que j'ai fait hier ?"])
def test_a_memory_in_french_finds_what_was_told_the_day_after(tmp_path, question):
    diary = {
        "2026-03-13": "Je suis en L3 de biologie à Lyon.",
        "2026-03-14": "J'ai acheté un vélo d'occasion.",
        "2026-03-16": "Hier on a mangé une raclette chez Inès.",
        "2026-03-16T08:00:00Z": "Malo est végan.",
    }
    with Memory(Settings(home=tmp_path)) as memory:
        for moment, text in diary.items():
            memory.remember(text, occurred_at=to_datetime(from_iso(moment)))
        context = memory.inject(question, asked_at=to_datetime(from_iso("2026-03-16T12:00:00Z"))).text
    lines = [line for line in context.splitlines() if line.startswith(">")]
    assert "raclette" in lines[0]


ALL_FORMS = sorted(
    {
        form
        for phrases in PHRASES.values()
        for table in (phrases.weekdays, phrases.months, phrases.units, phrases.numbers, phrases.days, phrases.phrases,
                      phrases.before, phrases.after, phrases.edges, phrases.prepositions, phrases.parts)
        for form in table
    }
)  # fmt: skip


@given(
    st.lists(st.sampled_from([*ALL_FORMS, "3", "31", "2026", "il y a", "fa", "há", "geleden", "temu", ".", "’", "\n"]),
             max_size=12).map(" ".join),
    st.sampled_from(["", "Je ne suis pas chez moi. ", "Non ho la macchina. ", "Não tenho carro. ", "Ik heb het niet. ",
                     "Nie mam się dobrze. "]),
)  # fmt: skip
def test_positions_lie_in_the_text(text, head):
    text = head + text
    for one in expressions(text, WEDNESDAY):
        assert 0 <= one.begin < one.end <= len(text)
        assert all(span.start < span.end for span in one.spans)


@given(st.text(max_size=80))
def test_any_text_is_translated_or_left(text):
    translation = translated(f"Hier je suis allée chez moi. {text}")
    assert translation is not None
    for begin, end, original_begin, original_end in translation.places:
        assert translation.original(begin, end) == (original_begin, original_end)


@pytest.mark.parametrize("pump", [" ", "lundi ", "à la fin de ", "il y a ", "3 ", "3 au ", "jusqu'", "dernier ", "de "])
def test_a_long_text_takes_no_longer_than_others(pump):
    began = perf_counter()
    expressions(f"Hier je suis allée chez moi. lundi {pump * 4_000}", WEDNESDAY)
    assert perf_counter() - began < 1.5
