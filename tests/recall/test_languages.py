"""Memories and questions in other languages than English, alone and across."""

import pytest

from context_graph.embed import embedder, lexical
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from context_graph.server.dispatch import call
from context_graph.settings import Settings
from tests.requirements import requirement

STORES = {
    "de": (
        ["Meine Schwester wohnt seit Mai in Leipzig.", "Gegen Haselnüsse bin ich allergisch.",
         "Die Besprechung mit Herrn Kuhn ist auf Donnerstag verlegt.", "Das Auto steht in der Werkstatt.",
         "Unser Hund heißt Fips.", "Das Backup läuft jede Nacht um drei."],
        {"Wogegen bin ich allergisch?": 1, "Wann ist das Treffen mit Herrn Kuhn?": 2, "Wo ist der Wagen?": 3,
         "What is our dog called?": 4, "Where does my sister live?": 0},
        "Wie züchtet man Tomaten?",
    ),
    "es": (
        ["Mi hermana Lucía vive en Valencia con su novio.", "No me gusta el cilantro.",
         "La copia de seguridad se hace cada noche a las dos.", "El coche está en el taller hasta el jueves.",
         "Mi cumpleaños es el 9 de octubre.", "El perro de los vecinos se llama Trueno."],
        {"¿Dónde vive Lucía?": 0, "¿Cuándo se hace el backup?": 2, "¿Dónde esta el coche?": 3,
         "When is my birthday?": 4, "What is the neighbours' dog called?": 5},
        "¿Cómo se cultivan los tomates?",
    ),
    "fr": (
        ["Mon frère travaille à la mairie de Lille.", "Je ne mange pas de porc.", "Le train pour Lyon part à 7 h 42.",
         "La sauvegarde tourne tous les dimanches.", "Les clés de la cave sont chez le voisin.",
         "Notre fille fait de l'escalade le mardi."],
        {"Où travaille mon frère ?": 0, "À quelle heure part le train ?": 2, "Quand se fait la sauvegarde ?": 3,
         "Who has the cellar keys?": 4, "What sport does our daughter do?": 5},
        "Comment cultiver des tomates ?",
    ),
    "it": (
        ["Il codice del cancello è 4471.", "Mia nonna compie novant'anni il tre maggio.",
         "Lorenzo lavora come infermiere a Padova.", "Abbiamo spostato la consegna del progetto a lunedì.",
         "Il gatto dorme sempre sul divano.", "Paghiamo 850 euro di affitto al mese."],
        {"Qual è il codice per il cancello?": 0, "Dove dorme il gatto?": 4, "Quando consegniamo il progetto?": 3,
         "What is the rent?": 5, "Where does Lorenzo work?": 2},
        "Come si coltivano i pomodori?",
    ),
    "pt": (
        ["A minha filha anda na escola primária de Aveiro.", "Guardei o passaporte na gaveta da secretária.",
         "O João faz anos no dia 12 de novembro.", "A reunião da equipa passou para as dez horas.",
         "A Teresa toca violino na orquestra.", "O nosso carro é elétrico."],
        {"Onde está o passaporte?": 1, "Que instrumento toca a Teresa?": 4, "A que horas é a reunião?": 3,
         "Where did I put my passport?": 1, "What kind of car do we have?": 5},
        "Como se plantam tomates?",
    ),
    "nl": (
        ["De huisarts heet dokter Vermeulen.", "Mijn zoon zwemt elke woensdagmiddag.",
         "De sleutel van de fiets hangt naast de voordeur.", "Onze buurvrouw geeft de planten water in augustus.",
         "De verjaardag van Sanne is op 2 februari.", "De trein naar Utrecht vertrekt om kwart over zeven."],
        {"Hoe heet onze huisarts?": 0, "Waar is de fietssleutel?": 2, "Wanneer is Sanne jarig?": 4,
         "Who waters the plants?": 3, "When is Sanne's birthday?": 4},
        "Hoe kweek je tomaten?",
    ),
    "pl": (
        ["Brat Michał mieszka w Gdańsku od roku.", "Córka gra na skrzypcach.", "Hasło do wifi zmieniliśmy w marcu.",
         "Umowa najmu kończy się we wrześniu.", "Samochód jest u mechanika.", "Używamy bazy danych MariaDB."],
        {"Gdzie mieszka Michał?": 0, "Na czym gra moja córka?": 1, "Jakiej bazy danych używamy?": 5,
         "Where is the car?": 4, "When does the lease end?": 3},
        "Jak uprawiać pomidory?",
    ),
    "zh": (
        ["我儿子在北京大学读物理。", "车停在地下二层。", "下周二去看牙医。", "邻居家的狗叫豆豆。",
         "我们每个月付四千块房租。", "密码本放在书房的抽屉里。"],
        {"车停在哪里?": 1, "什么时候看牙医?": 2, "密码本在哪儿?": 5, "How much rent do we pay?": 4,
         "What does my son study?": 0},
        "怎么种西红柿?",
    ),
    "ja": (
        ["母は来月の五日に手術を受けます。", "娘はバイオリンを習っています。",
         "会議は水曜日から金曜日に変更になりました。", "車の鍵は玄関の棚に置いてあります。",
         "家賃は月に八万円です。", "犬の名前はモモです。"],
        {"母の手術はいつですか?": 0, "会議は何曜日になりましたか?": 2, "犬は何という名前ですか?": 5,
         "Where are the car keys?": 3, "How much is the rent?": 4},
        "トマトの育て方は?",
    ),
}  # fmt: skip
ENGLISH = [
    "We deploy every Thursday with Kubernetes.", "Nadia keeps the design tokens in Figma.",
    "The invoice for the roof was 4,200 euros.", "My running shoes are size 43.", "The oven takes ten minutes to heat.",
    "I sent the parcel to Oslo on Monday.",
]  # fmt: skip
ASKED = [(language, question) for language, (_, questions, _) in STORES.items() for question in questions]


def told(memory, question: str) -> str:
    return inject(memory, Question(question)).distilled.text


def store(memory, texts: list[str]) -> None:
    for text in texts:
        memory.remember(Draft(text, "said in a conversation"))


@requirement("recall:other-languages")
@pytest.mark.parametrize(("language", "question"), ASKED)
def test_a_question_in_its_own_language_or_in_english_finds_and_tells_the_memory(memory, language, question):
    texts, questions, _ = STORES[language]
    store(memory, texts)
    right = texts[questions[question]]
    assert memory.recall(Question(question)).hits[0].node.content == right
    assert right in told(memory, question)


@requirement("recall:other-languages")
@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Wie teuer war das Dach?", "The invoice for the roof was 4,200 euros."),
        ("¿A qué ciudad envié el paquete?", "I sent the parcel to Oslo on Monday."),
        ("Quelle est la taille de mes chaussures ?", "My running shoes are size 43."),
        ("我把包裹寄到哪里了?", "I sent the parcel to Oslo on Monday."),
    ],
)
def test_a_question_in_another_language_finds_and_tells_an_english_memory(memory, question, right):
    store(memory, ENGLISH)
    assert memory.recall(Question(question)).hits[0].node.content == right
    assert right in told(memory, question)


@requirement("recall:other-languages-stay-silent")
@pytest.mark.parametrize("language", STORES)
def test_a_question_about_another_subject_is_told_nothing(memory, language):
    texts, _, other = STORES[language]
    store(memory, texts)
    assert told(memory, other) == ""


@requirement("recall:other-languages-stay-silent")
@pytest.mark.parametrize("language", STORES)
def test_a_foreign_question_about_another_subject_is_told_no_english_memory(memory, language):
    store(memory, ENGLISH)
    assert told(memory, STORES[language][2]) == ""


@requirement("recall:other-languages")
def test_a_dutch_memory_takes_the_place_of_no_other_for_its_small_words(memory, clock):
    store(memory, ["De sleutel van de fiets hangt naast de voordeur."])
    clock.pass_time(days=3)
    store(memory, ["De verjaardag van Sanne is op 2 februari."])
    assert not any(hit.replaced_by for hit in memory.recall(Question("Waar is de fietssleutel?")).hits)


@requirement("recall:other-languages")
def test_an_older_store_is_read_anew_after_it_was_opened(tmp_path, monkeypatch):
    texts, question = STORES["de"][0], Question("Where does my sister live?", record=False)
    settings = Settings(home=tmp_path, tier="base")
    with monkeypatch.context() as older, Memory(settings) as memory:  # before languages were told apart
        older.setattr(lexical, "MAKER", "porter-3")
        older.setattr(embedder, "in_english", lambda text: text)
        older.setattr(lexical, "native", lambda text: {})
        store(memory, texts)
        assert memory.recall(question).hits[0].alone < 0.1
    with Memory(settings) as memory:
        assert len(memory.corpus) == len(texts)
        memory.background.wait()
        assert memory.store.made_by_others("E6", lexical.MAKER) == []
    with Memory(settings) as memory:
        first = memory.recall(question).hits[0]
        assert (first.node.content, first.alone > 0.9) == (texts[0], True)


GERMAN = [
    "Ich heiße Jonas und führe mit meiner Schwester Klara eine Bäckerei.", "Ich bin allergisch gegen Haselnüsse.",
    "Wir haben beschlossen, das Dinkelbrot aus dem Sortiment zu nehmen.",
    "Kaffeemaschine: Rocket oder Sanremo? Noch offen.", "Klara heiratet im Mai.", "Es ist die Sanremo geworden.",
    "Ich bin nach Connewitz gezogen.",
    "Die Hochzeit ist abgesagt.",
]  # fmt: skip


@pytest.fixture
def german(memory, clock):
    for text in GERMAN:
        clock.pass_time(days=2)
        memory.remember(Draft(text, "erzählt"))

    def told(question: str) -> str:
        return call(memory, "inject_context", {"query": question}).structured["context"]

    return told


@requirement("recall:other-languages")
def test_what_shares_only_small_words_replaces_nothing(german):
    """The pieces of German words are like those of any others: that tells of no change."""
    context = german("Wogegen bin ich allergisch?")
    first = next(line for line in context.splitlines() if line.startswith("> "))
    assert "Haselnüsse" in first and "until" not in first and "earlier" not in first
    assert "until" not in german("Was haben wir beschlossen?").split("Dinkelbrot")[0].splitlines()[-1]


@requirement("recall:other-languages")
@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Was haben wir beschlossen?", "Dinkelbrot"), ("Welche Kaffeemaschine haben wir?", "Es ist die Sanremo"),
        ("Was weißt du über mich?", "Haselnüsse"), ("Was weißt du über meine Schwester?", "Klara heiratet"),
        ("Was ist noch offen?", "None of these"), ("Wer bin ich?", "Ich heiße Jonas"),
    ],
)  # fmt: skip
def test_questions_for_all_of_a_kind_in_german(german, question, text):
    assert text in german(question)


def say_days_apart(memory, clock, earlier, later):
    for text in (earlier, "Our gate code is 4471.", later):
        clock.pass_time(days=3)
        memory.remember(Draft(text, "said to you"))


MOVES = {
    "de": ("Ich wohne in Bremen.", "Ich bin nach Bonn umgezogen.", "Wo wohne ich?"),
    "es": ("Vivo en Sevilla.", "Me mudé a Cádiz.", "¿Dónde vivo?"),
    "fr": ("J'habite à Lyon.", "J'ai déménagé à Nantes.", "Où est-ce que j'habite ?"),
    "it": ("Abito a Torino.", "Mi sono trasferito a Bari.", "Dove abito?"),
    "pt": ("Moro em Lisboa.", "Mudei-me para o Porto.", "Onde moro?"),
    "nl": ("Ik woon in Utrecht.", "Ik ben naar Groningen verhuisd.", "Waar woon ik?"),
    "pl": ("Mieszkam w Krakowie.", "Przeprowadziłam się do Gdańska.", "Gdzie mieszkam?"),
    "zh": ("我住在北京。", "我搬到上海了。", "我住在哪里？"),
    "ja": ("京都に住んでいます。", "大阪に引っ越しました。", "どこに住んでいますか？"),
}


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize("language", MOVES)
def test_where_i_live_now_is_told_before_where_i_lived(memory, clock, language):
    """Most of these name nobody: the ending of the verb says who."""
    before, now, question = MOVES[language]
    say_days_apart(memory, clock, before, now)
    context = call(memory, "inject_context", {"query": question}).structured["context"]
    lines = [line for line in context.splitlines() if line.startswith(">")]
    assert now in lines[0] and before in lines[1], context
    assert "until" in lines[1] or "earlier" in lines[1]


SISTERS = {
    "en": ("I live in Bremen.", "My sister lives in Leipzig.", "Where do I live?"),
    "de": ("Ich wohne in Bremen.", "Meine Schwester wohnt in Leipzig.", "Wo wohne ich?"),
    "es": ("Vivo en Sevilla.", "Mi hermana vive en Valencia.", "¿Dónde vivo?"),
    "fr": ("J'habite à Rennes.", "Ma sœur Inès habite à Bordeaux.", "Où est-ce que j'habite ?"),
    "it": ("Abito a Torino.", "Mia sorella abita a Napoli.", "Dove abito?"),
    "pt": ("Moro em Lisboa.", "A minha irmã mora em Faro.", "Onde moro?"),
    "nl": ("Ik woon in Utrecht.", "Mijn zus woont in Leiden.", "Waar woon ik?"),
    "pl": ("Mieszkam w Krakowie.", "Moja siostra mieszka w Gdyni.", "Gdzie mieszkam?"),
}


@pytest.mark.parametrize("language", SISTERS)
def test_where_i_live_is_not_where_my_sister_lives(memory, clock, language):
    mine, hers, question = SISTERS[language]
    say_days_apart(memory, clock, mine, hers)
    assert memory.recall(Question(question)).hits[0].node.content == mine


@requirement("recall:languages-without-a-table")
@pytest.mark.parametrize(
    ("told", "question", "strange"),
    [
        (["Велосипед стоит в подвале у соседа.", "Сыну прописали очки для чтения.", "Поезд в Казань отходит в 7:40."],
         "У кого в подвалах мой велосипед?", "Какой размер обуви носит дочь?"),
        (["Cykeln står i grannens källare.", "Sonen har fått läsglasögon.", "Tåget till Malmö går klockan sju."],
         "I vilken källare är min cykel?", "Vilken skostorlek har dottern?"),
        (["자전거는 이웃집 지하실에 있습니다.", "아들이 안경을 씁니다.", "대전행 기차는 일곱 시에 출발합니다."],
         "내 자전거 어디 있어?", "딸의 신발 크기는 얼마야?"),
    ],
)  # fmt: skip
def test_a_language_without_a_table_is_found_by_the_forms_of_its_words(memory, told, question, strange):
    for text in told:
        memory.remember(Draft(text, "said to you"))
    context = inject(memory, Question(question)).text
    assert told[0] in context
    assert not any(text in context for text in told[1:])
    assert not inject(memory, Question(strange)).text
