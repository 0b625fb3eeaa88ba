"""Which language a text is in, its English reading word by word, and its own stems."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.embed import lexical
from context_graph.embed.languages import LANGUAGES, TABLE, in_english, language_of, native_stems, written_stems
from context_graph.embed.other_languages import OTHER_LANGUAGES
from context_graph.embed.stems import STOP_WORDS
from tests.requirements import requirement

SPOKEN = {
    "de": ["Wo ist der Schlüssel?", "Meine Schwester wohnt in Leipzig.", "Wer gießt die Blumen?"],
    "es": ["¿Dónde está el coche?", "Mi hermana vive en Valencia.", "No me gusta el cilantro."],
    "fr": ["Où est la voiture ?", "Ma sœur habite à Lyon.", "Je suis gaucher."],
    "it": ["Dov'è la macchina?", "Mia sorella abita a Padova.", "Lorenzo lavora come infermiere a Padova."],
    "pt": ["Onde está o passaporte?", "A minha irmã mora em Aveiro.", "Não bebo leite."],
    "nl": ["Waar is de sleutel?", "Mijn zus woont in Utrecht.", "Ik eet geen vlees."],
    "pl": ["Gdzie są klucze?", "Moja siostra mieszka w Gdańsku.", "Nie jem ryb."],
    "zh": ["钥匙在哪里?", "我姐姐住在杭州。", "项目用PostgreSQL。"],
    "ja": ["鍵はどこですか?", "姉は京都に住んでいます。", "データベースを移しました。"],
}
ENGLISH = [
    "", "Meeting 3pm", "Where is the key?", "a photo of a computer screen showing a game of war", "Allen Klein",
    "Ben's football coach is Herr Lehmann.", "grand canyon family photo", "son on crutches", "1962 Italian Grand Prix",
    "Mail me at nadia.berg@posteo-mail.de", "e^(i*pi) + 1 = 0", "conn = Server;User ID=sa", "Die Hard is a movie.",
    "Orange Line (Los Angeles Metro)", "Playboy Club (Las Vegas)", "All events land in a Mongo collection.",
    "We learned the word 幸福 in class today.", "du-001", "commit 84561df2c9b1e07d4f3a6b5c8e9d0f1a2b3c4d5e fixes it",
]  # fmt: skip


HURRIED = {
    "im in leeds, dont call": "I'm in leeds, don't call",
    "whos my tutor": "who's my tutor",
    "Ill be late, its cold": "Ill be late, its cold",
    "IM me at 40 W": "IM me at 40 W",
    "see /usr/u/im.txt": "see /usr/u/im.txt",
}


@requirement("recall:typed-in-a-hurry")
@pytest.mark.parametrize("text", HURRIED)
def test_english_typed_in_a_hurry_is_read_as_it_is_usually_written(text):
    assert in_english(text) == HURRIED[text]


@pytest.mark.parametrize(("language", "text"), [(language, text) for language in SPOKEN for text in SPOKEN[language]])
def test_the_language_of_a_short_sentence_is_told(language, text):
    assert language_of(text) == language


@requirement("recall:english-stays-as-it-is")
@pytest.mark.parametrize("text", ENGLISH)
def test_english_with_foreign_names_and_signs_stays_as_it_is(text):
    assert language_of(text) == "en"
    assert in_english(text) is text
    assert native_stems(text) == written_stems(text) == ()


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Gegen Haselnüsse bin ich allergisch, sagt Jonas.", "nut I allergic Jonas"),
        ("Die Ferienwohnung kostet 95 Euro.", "holiday flat cost 95 euro"),
        ("Wo hängt der Fahrradschlüssel?", "where bike key"),
        ("L'interface est dans l'immeuble.", "interface in building"),
        ("Quel jour a lieu la réunion ?", "day take place meeting"),
        ("Nie mogę pić mleka.", "not drink milk"),
        ("Las llaves del trastero están en la mochila.", "key storage room rucksack"),
        ("La manta está en el armario del pasillo.", "blanket cupboard hallway"),
        ("Die Bohrmaschine liegt im Schuppen unter der Wolldecke.", "drill shed blanket"),
        ("Ich suche den Kinderwagen und die Windeln.", "search pram nappy"),
        ("我先生喜欢喝茶。", "I husband like drink tea"),
        ("車の鍵は玄関の棚に置いてあります。", "car key entrance cupboard put"),
    ],
)
def test_known_words_are_read_in_english(text, english):
    assert set(english.split()) <= set(in_english(text).rstrip(".?。").replace(",", "").split())


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Mia zia abita a Bari e Rosa abita a Roma.", "Rosa"),
        ("Schreib mir an der.die@das-haus.de oder an https://das.haus/der?die=ich", "der.die@das-haus.de"),
        ("我们的数据库从MySQL换成了PostgreSQL。", "PostgreSQL"),
        ("Die Firma zahlt am 3.4. genau 1.250,50 Euro.", "1.250,50"),
    ],
)
def test_names_addresses_and_numbers_are_no_words(text, kept):
    assert language_of(text) != "en"
    assert kept in in_english(text)


@requirement("recall:inflected-words-meet")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Das sind die Wohnungen meiner Tante.", "Das ist eine Wohnung."),
        ("Las reuniones son en la oficina.", "¿Cuándo es la reunion?"),
        ("Les cousines arrivent avec les valises.", "C'est la valise de Paul."),
        ("Szukam burzy i deszczu w lesie.", "Ta burza jest nad lasem."),
        ("我们的梧桐网在哪里?", "这个梧桐很大。"),
    ],
)
def test_forms_of_a_word_share_a_stem_whatever_their_accents(one, other):
    assert set(native_stems(one)) & set(native_stems(other))


@pytest.mark.parametrize("text", ["Wo ist der Hund?", "¿Dónde está el perro?", "Gdzie jest pies?"])
def test_small_words_are_no_terms_of_a_text(text):
    assert len(native_stems(text)) == len(written_stems(text)) == 1


def test_a_memory_is_indexed_in_all_readings():
    from context_graph.embed import Embedder

    text = "Der Kater liegt auf dem Sofa."
    terms = Embedder("base").fingerprint(text).terms
    for held in (lexical.native(text), lexical.written(text), lexical.terms("cat sofa")):
        assert held.keys() <= terms.keys()


def test_the_table_is_whole():
    rows = list(csv.reader(TABLE.read_text("utf-8").splitlines(), delimiter="\t"))
    assert rows[0] == ["kind", "en", *LANGUAGES]
    assert {len(row) for row in rows} == {2 + len(LANGUAGES)}
    for kind, english, *forms in rows[1:]:
        assert kind in ("", "small")
        assert english == english.strip() != ""
        assert any(forms)
        assert all(form == form.lower() or cell > 6 for cell, form in enumerate(forms)), english
    small = {row[1] for row in rows if row[0] == "small"}
    assert {"the", "of", "where", "-"} <= small
    assert len(small & STOP_WORDS) > 50


@given(text=st.text(max_size=120))
def test_any_text_can_be_read(text):
    assert language_of(text) in ("en", *LANGUAGES, *OTHER_LANGUAGES)
    assert isinstance(in_english(text), str)
    for language in LANGUAGES:
        assert all(native_stems(text, language))
