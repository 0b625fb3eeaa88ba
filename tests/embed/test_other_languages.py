"""Languages that no table reads in English: their small words, their stems, and what a question in them finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.embed.languages import in_english, language_of, native_stems, small_words
from context_graph.embed.other_languages import OTHER_LANGUAGES, of_language

SAME = {
    "ru": ("Где лежат ключи от дачи?", "Ключ от дачи у соседа."),
    "uk": ("Де лежать ключі від гаража?", "Ключ від гаражу в шухляді."),
    "el": ("Πού είναι τα κλειδιά του σκύλου;", "Το κλειδί είναι στο συρτάρι."),
    "ar": ("أين مفتاح المرآب؟", "المفتاح في الصندوق."),
    "fa": ("کلید گاراژ کجاست؟", "کلیدها در کشو است."),
    "he": ("איפה המפתח של הרכב?", "המפתח במגירה."),
    "hi": ("चाबी कहाँ है?", "चाबियाँ डिब्बे में हैं।"),
    "ko": ("차고 열쇠가 어디 있어?", "열쇠는 상자에 있어요."),
    "th": ("กุญแจอยู่ที่ไหน", "กุญแจโรงรถอยู่ในกล่อง"),
    "sv": ("Var är nycklarna och bilen?", "Jag har en röd bil på gården."),
    "da": ("Hvor er katten?", "Vi har også to katte."),
    "nb": ("Hva heter båtene våre?", "Vi har noen båter."),
    "fi": ("Missä kissamme on?", "Kissa nukkuu, mutta ei täällä."),
    "hu": ("Hol van a lakbérem számlája?", "A lakbér már nem olcsó."),
    "tr": ("Garaj anahtarı nerede?", "Anahtarları çekmeceye koydum çünkü yağmur vardı."),
    "ro": ("Unde este pisica?", "Avem o pisică și un câine în curte."),
    "cs": ("Kde je klíč?", "Klíče jsou v modré krabici."),
}
ENGLISH = [
    "The ferry to Brač takes 50 minutes.", "Ayşe writes the customer newsletter.", "Where is Иван?",
    "Ondřej scored twice.", "I've come round to stouts.", "docker run -i --rm -v data:/data image", "Is Mei ill?",
    "Hans Rosling", "Ned, Daisy, Max", "We learned the word Привет in class today.",
]  # fmt: skip


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_forms_of_a_word_have_one_stem_in_their_own_language(language):
    question, memory = SAME[language]
    assert language_of(question) == language_of(memory) == language
    assert {*native_stems(question)} & {*native_stems(memory)}
    assert in_english(memory) == memory


@pytest.mark.parametrize("text", ENGLISH)
def test_an_english_text_with_a_foreign_name_is_english(text):
    assert language_of(text) == "en"


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_small_words_carry_no_subject(language):
    known = of_language()[language]
    assert known.telling <= known.small == small_words(language)
    assert native_stems(" ".join(sorted(known.small)), language) == ()


@given(st.text())
def test_any_text_has_a_language_and_stems(text):
    assert all(native_stems(text, language_of(text)))
    for language in OTHER_LANGUAGES:
        assert all(native_stems(text, language))
