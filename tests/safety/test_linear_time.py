"""Whatever reads untrusted text takes time in proportion to its length: no pattern can be pumped into minutes."""

from time import process_time

import pytest

from context_graph.embed.causal import asks_for, causes
from context_graph.embed.chunks import chunked, sentences
from context_graph.embed.defined_names import defined_names, uses
from context_graph.embed.hyperdimensional import bits
from context_graph.embed.languages import in_english, language_of, native_stems
from context_graph.embed.lexical import terms
from context_graph.embed.program import program_of, reading
from context_graph.embed.word_rarity import word_rarities
from context_graph.graph.entities import mentions, node_name
from context_graph.graph.statements import statements
from context_graph.index.batch import form_of
from context_graph.ingest.duplicates import adds_nothing
from context_graph.ingest.splitter import pieces
from context_graph.knowledge.search import snippet, stems
from context_graph.reading.absence import absent_thing
from context_graph.reading.acts import acts_of, asked_for, tells_task
from context_graph.reading.ages import age_of, ages, asks_for_age, just_born
from context_graph.reading.alternatives import offer
from context_graph.reading.amounts import new_amount
from context_graph.reading.answer_types import answer_type, holds_answer
from context_graph.reading.areas import areas_of, named_areas
from context_graph.reading.asked_length import asked_length
from context_graph.reading.asked_names import asked_names
from context_graph.reading.aversions import avoided, tells_exposure
from context_graph.reading.beginnings import state_of, turn_of
from context_graph.reading.cancellations import calls_off
from context_graph.reading.code_names import code_names, tracked_numbers
from context_graph.reading.cues import of_user
from context_graph.reading.definitions import defines, name_asked_for
from context_graph.reading.denials import denies
from context_graph.reading.ellipsis import ellipsis_of, is_antecedent
from context_graph.reading.employers import asks_for_employer, new_employer
from context_graph.reading.errands import tells_done
from context_graph.reading.exceptions import exempts
from context_graph.reading.fact_questions import asks_for_fact, is_of_answers
from context_graph.reading.former_states import tells_former_state
from context_graph.reading.german_spanish_answers import asked_kind, may_answer
from context_graph.reading.hearsay import is_hearsay
from context_graph.reading.holders import asked_holder, holder, mentions_self, tells_of_own
from context_graph.reading.homes import asks_for_home, asks_for_home_of_another, moved_home, moved_home_of_another
from context_graph.reading.identifiers import numbered_apart
from context_graph.reading.intent import parse
from context_graph.reading.introductions import asks_own_age, asks_own_name, own_age, own_name
from context_graph.reading.keyword_queries import as_question, names_an_attribute
from context_graph.reading.kinds import names_another, things_in
from context_graph.reading.lists import adds_to, asks_for_list, items_of, settles
from context_graph.reading.named_speakers import as_said_of
from context_graph.reading.namesakes import of_namesakes
from context_graph.reading.occasions import of_one_kind
from context_graph.reading.open_items import closes, is_of_other_work, lists_open_items, reopens
from context_graph.reading.passages import is_impersonal, is_passage
from context_graph.reading.past_events import asks_what_happened, is_record, tells_one_act, tells_what_happened
from context_graph.reading.postponements import postpones
from context_graph.reading.preamble import without_preamble
from context_graph.reading.procedures import is_standing, may_change_standing
from context_graph.reading.qualifiers import qualified_alike
from context_graph.reading.recency import asks_for_latest
from context_graph.reading.requests import asks_to_forget, occasions, only_asks, wishes
from context_graph.reading.restatements import restates
from context_graph.reading.reversals import goes_back
from context_graph.reading.roles import is_in_role, role_asked
from context_graph.reading.second_thoughts import corrects_value, may_correct_value
from context_graph.reading.single_days import is_of_single_day, is_regular, tells_exception
from context_graph.reading.speech_questions import reports_speech, speech_asked
from context_graph.reading.stated_values import holds_value
from context_graph.reading.substitutes import substitute
from context_graph.reading.themes import of_other_things
from context_graph.reading.third_person import asked_of_user, told_of_user
from context_graph.reading.time_expressions import expressions
from context_graph.reading.time_translations import in_english_with_times
from context_graph.reading.titles import without_titles
from context_graph.reading.troubles import asks_for_trouble, mends, reports_trouble, trouble_topic
from context_graph.reading.validity import as_happened, beginning, coming_change, validity
from context_graph.reading.wishes import keeps, wishes_of_another
from context_graph.recall.apart import apart
from context_graph.recall.apart.aspects import aspect_apart
from context_graph.recall.apart.code import code_name_apart, tracked_apart, version_apart, work_apart
from context_graph.recall.apart.corrections import correction_apart
from context_graph.recall.apart.elaborations import kind_apart, part_apart, step_apart
from context_graph.recall.apart.entries import entry_apart
from context_graph.recall.apart.moves import move_apart, own_move_apart
from context_graph.recall.apart.persons import denied_of_another_apart
from context_graph.recall.apart.single_events import once_apart
from context_graph.recall.apart.statements import cancelled_apart, cause_apart, turned_apart
from context_graph.recall.apart.words import numbered_in_words
from context_graph.recall.areas import _at_work, _introduced
from context_graph.recall.attributes_asked import asks_for_the_untold
from context_graph.recall.compression import Source, distil
from context_graph.recall.courtesy import without_courtesy
from context_graph.recall.current.order import asks_for_then
from context_graph.recall.current.remainder import leaves_more
from context_graph.recall.dietary import is_about_food
from context_graph.recall.normalization import as_asked
from context_graph.recall.parts import changed_part
from context_graph.recall.plain_answers import answers_plainly, names_no_holder
from context_graph.recall.troubles import asks_for_all_troubles
from context_graph.retrieval.first_person import to_first_person
from context_graph.safety.inspect import suspicion
from context_graph.safety.pii import scrub
from context_graph.safety.privacy import without_private


def cut(text: str) -> list[str]:
    return list(pieces(text))


def quoted(text: str) -> object:
    return distil("What does Anna play?", [Source("0123456789", "", text, 1.0)], max_tokens=200)


def answering(text: str) -> bool:
    return all([holds_answer(text, kind, frozenset()) for kind in ("somebody", "time", "length", "amount", "reason")])


def valued(text: str) -> bool:
    asked = (
        "where",
        "who",
        "what colour",
        "how many x",
        "how much",
        "what code",
        "what phone",
        "its name",
        "which size",
    )
    return any([*(holds_value(f"{kind} is it?", text) for kind in asked), holds_value(text, "x")])


def defined(text: str) -> bool:
    return defines(text, "Anna")


def moved_apart(text: str) -> bool:
    own = own_move_apart("Where does Ida live?", text, f"I {text}")
    return own or move_apart(f"{text[:300]} x", f"{text[:240]} moved its {text[:240]} to x")


def over(text: str) -> object:
    change = coming_change(f"{text[:200]} goes in May", 0)
    as_happened(f"From 1 May {text[:180]} will {text[:40]}", 0, 10**15)
    return validity(text[:240], 0), beginning(f"{text[:200]} from May", 0), change, asks_for_then(text[:240], 0)


def employed(text: str) -> object:
    return asks_for_employer(text), new_employer(f"I work at Kruse. {text}", f"I started at Rosen {text}")


def begun(text: str) -> object:
    return turn_of(f"Bought a {text}", state_of(f"I had the {text}")), age_of(text, "Ylva"), just_born(text, "Ylva")


def elaborated(text: str) -> bool:
    return part_apart(f"A hut. {text}", f"The hut got {text}") or step_apart("", text, text) or kind_apart(text, text)


def reported(text: str) -> str:
    return as_said_of(text, "Ole")


def other_things(text: str) -> bool:
    return of_other_things(text, f"{text} x")


def gone_back(text: str) -> bool:
    return goes_back("REST", "GraphQL", text)


def moved(text: str) -> bool:
    return moved_home(text, text) or moved_home_of_another(text, text)


def changed_amount(text: str) -> bool:
    return new_amount(f"1 {text}", f"subió {text} a 1") or new_amount(f"1 {text}", f"auf 1 {text} erhöht")


def answers_in_german(text: str) -> bool:
    kinds = ("age", "surname", "name", "number", "time", "hour", "length", "amount", "place")
    return any(may_answer(text, "Wie heißt der Mann von Anke?", kind) for kind in kinds)


def put_off(text: str) -> bool:
    return postpones(f"1 {text}", f"Die Hochzeit {text}") or postpones(f"1 {text}", text)


def two_matters(text: str) -> list[bool]:
    """As two statements are compared: what is said is cut before (`SENTENCE`), a question to what may be asked."""
    asked = ("Who is it?", "Where is it?", "How old is it?", "How many eggs are there?", "How long is it?")
    cut_to = text[:600]
    return [
        apart(question, cut_to, cut_to, odds, whole=False, at_once=False) for question in asked for odds in (None, 0)
    ]


def part_changed(text: str) -> str:
    return changed_part(frozenset({"a"}), text[:600], text[:600], frozenset({"place"}))


def called_off(text: str) -> bool:
    return calls_off(text[:600], text[:600])


def taken_back(text: str) -> bool:
    return denies(text[:600], text[:600])


def pieces_left(text: str) -> bool:
    return leaves_more(text[:600], text[:600])


def never_told(text: str) -> bool:
    return asks_for_the_untold(text, ["Ada is here."])


def said_again(text: str) -> bool:
    return restates(text[:600], text[:600])


def of_lists(text: str) -> bool:
    return any([asks_for_list(text, f"To do: a, b, {text}"), settles(text, text), adds_to(text, text), items_of(text)])


def of_code_names(text: str) -> object:
    forms = (text, f"def a{text}", f"a: {text}", f"static final {text}", f"```py\n{text}")
    asked = [asked_names(form) for form in (text, f"where is a_b {text}", f"which {text} uses a_b")]
    return [defined_names(form) for form in forms], [uses(form, "a") for form in forms], asked


def of_open_items(text: str) -> object:
    task = "TODO: cache the tiles, issue #71"
    marked = is_of_other_work(f"TODO: {text}", f"- [ ] {text}")
    return lists_open_items(text), marked, closes(task, text), closes(text, "Closes #71"), reopens(task, text)


def of_before(text: str) -> bool:
    return tells_former_state(text[:240])


def of_ellipses(text: str) -> object:
    kinds = "date", "hour", "count", "person", "thing", "name", "end", "done", "swap"
    forms = (text, f"Ida {text}", f"we swapped {text}", f"cancelled {text}", f"make that {text}", f"the 4th {text}")
    return [ellipsis_of(form[:size]) for form in forms for size in (120, None)] + [
        is_antecedent(f"{text} {form}", kind, "Ida") for kind in kinds for form in forms[:2]
    ]


def of_entries(text: str) -> bool:
    forms = text, f"- a {text}\n- b {text}", f"a: {text}, b {text}"
    return any(entry_apart("Which a?", form, "the b") for form in forms)


def of_aspects(text: str) -> bool:
    return aspect_apart(f"What is the oven {text}", f"The oven is {text}", f"Cleaned the oven {text}"[:240])


def of_work_notes(text: str) -> object:
    note, asked = f"v1.2 {text} `{text}", "Which Go version does s7 use?"
    return [
        code_names(note), tracked_numbers(note), is_standing(f"To {text}"), is_standing(note),
        may_change_standing(note), version_apart(asked, f"Go 1.2 {text}", note), work_apart(asked, note, f"a_b {text}"),
        tracked_apart(note, note),
        code_name_apart(asked, f"s7 {text}", note),
    ]  # fmt: skip


def of_occasions(text: str) -> object:
    forms = [text, f"{text}:", f"a {text}: b", f"cut {text}"]
    assert not absent_thing(f"x {text}")
    absent_thing(f"stop {text}")
    return [of_one_kind(question, forms) for question in (f"When did I last {text}", f"What is my last {text}")]


def of_records(text: str) -> object:
    forms = (text, f"Sent {text}", f"A A {text}", f"Notes of {text}", f"phase two {text}")
    return [
        tells_one_act(form)
        or is_record(form)
        or numbered_in_words(form[:2_000])
        or of_namesakes(frozenset(), form, form)
        for form in forms
    ]


def of_rules(text: str) -> object:
    return [exempts(form[:240], form[:240]) for form in (text, f"Never {text}", f"For A{text}")]


def of_wishes(text: str) -> object:
    forms = [form[:240] for form in (text, f"A wants {text}", f"it stays {text}", f"Should {text}")]
    named = [
        of_namesakes(frozenset(), "Ole is a nurse.", f"{head} {text}") for head in ("The Ole", "Ole from", "Ole, ")
    ]
    hearsay = [is_hearsay(form) for form in (*forms, f"I heard {text}", f"A bloke {text}", f"A a {text}")]
    return [keeps(form, form, form) or wishes_of_another("A.", form) for form in forms], named, hearsay


def of_troubles(text: str) -> bool:
    return any([asks_for_all_troubles(text), asks_for_trouble(text), reports_trouble(text), trouble_topic(text)])


def of_qualifiers(text: str) -> bool | None:
    return qualified_alike(f"the left {text}", f"the right {text}")


def of_plain_answers(text: str) -> bool:
    questions = (f"Who owns {text}?", f"How old is A{text}?", f"What pet does A{text} have?", text)
    return any(answers_plainly(question, text) or names_no_holder(question, text) for question in questions)


def second_thought(text: str) -> list[bool]:
    return [corrects_value(text, "no wait, 7"), corrects_value("at 8", f"no wait, {text}"), may_correct_value(text)]


def of_turns(text: str) -> list[object]:
    return [only_asks(text), bool(wishes(text)), occasions(text), offer(f"between {text}"), offer(f"{text} or a")]


def told(text: str) -> str | None:
    return to_first_person(text, "a b")


def corrected(text: str) -> bool:
    return correction_apart("Eva is my friend.", f"I was wrong, Eva {text}")


def duplicated(text: str) -> bool:
    return adds_nothing(f"It was {text} who a", f"{text} a") or adds_nothing(text[:280], f"{text[:280]} and")


def of_areas(text: str) -> object:
    short = text[:400]
    return areas_of(text), named_areas(short), [*_introduced(short, "family")], [*_at_work(short)]


def mended(text: str) -> object:
    repaired = mends("Bug: the tap is leaking.", text), mends(text, "The tap is fixed.")
    return repaired, denied_of_another_apart(text, text)


def in_a_role(text: str) -> object:
    role = role_asked("Who is our supplier?")
    return role_asked(text), role is not None and is_in_role(text, role)


def of_kinds(text: str) -> object:
    return things_in(text), names_another("Data is kept in MySQL.", f"{text} Postgres")


def done_or_numbered(text: str) -> object:
    task = "Send Ole the list by Friday."
    return tells_task(text), tells_done(task, text), tells_done(text, task), numbered_apart("A-1 is open.", text)


def once_or_turned(text: str) -> object:
    earlier = "Marek writes the service."
    return once_apart(earlier, text), turned_apart(text, text), cause_apart(text, text), cancelled_apart(earlier, text)


def of_speech(text: str) -> object:
    return speech_asked(text), reports_speech(text, "Bob")


def for_a_fact(text: str) -> object:
    return asks_for_fact(text), is_of_answers(text), cancelled_apart("They agreed to pay 30 percent.", text)


def of_times(text: str) -> object:
    heads = (
        "Je suis chez moi hier",
        "Sono a casa e ieri",
        "Não estou em casa ontem",
        "Ik ben gisteren",
        "Nie wiem wczoraj",
    )
    told_times = [f"{head} {text}" for head in heads]
    return [expressions(one, 0) for one in told_times], [in_english_with_times(one) for one in told_times[:1]]


def of_documents(text: str) -> object:
    return stems(text), stems(text, of_query=True), snippet(text, "user 我们的")


READERS = {
    function.__name__: function
    for function in (
        of_code_names, for_a_fact, in_a_role, of_kinds, done_or_numbered, once_or_turned,
        bits, chunked, cut, form_of, mentions, node_name, parse, quoted, scrub, sentences, statements, suspicion, terms,
        without_private, program_of, reading, asks_for, causes, told, in_english, native_stems, language_of,
        without_courtesy, without_preamble, asked_length, own_name, asks_own_name, own_age, asks_own_age,
        is_impersonal, is_passage, as_question, names_an_attribute, asked_of_user, told_of_user, asked_for, of_user,
        asks_for_latest, without_titles, substitute, name_asked_for, asks_for_home,
        asks_for_home_of_another, moved, changed_amount, put_off, defined, as_asked,
        asked_kind, answers_in_german,
        asks_what_happened, tells_what_happened, part_changed, two_matters,
        called_off, taken_back, pieces_left, said_again, asks_to_forget, never_told, ages, asks_for_age, answer_type,
        answering, valued, word_rarities, employed, reported, begun, elaborated, other_things, over, moved_apart,
        gone_back, is_about_food, of_lists, of_open_items, of_before,
        of_troubles, of_qualifiers, of_plain_answers, second_thought, of_turns, acts_of, of_rules, of_wishes,
        of_records, of_occasions, of_speech, of_work_notes, of_ellipses, of_aspects, of_entries,
        asked_holder, holder, mentions_self, tells_of_own,
        duplicated, avoided, tells_exposure, is_of_single_day, is_regular, tells_exception, corrected, of_areas, mended,
        of_times, of_documents,
    )
}  # fmt: skip
PUMPS = [
    "a", "A", "1", " ", "\n", "\t", ".", "-", "_", "/", '"', "'", "`", "<", "[", "#", "a ", "A ", "a.", "a-", "a_",
    "a/",
    "Aa", "A.", "1 ", "1-", "1.", "1/", "a@", "a@a.", "../", "A of ", "# ", "\n#", "\n ", "```\n", '"a', "=a", "a=",
    "the ", "ignore all ", "ignore all previous ", "AKIA", "eyJ", "eyJa.", "-----BEGIN ", "password", "password=",
    "password: ", "+1", "(1", "because ", "because a, ", ", and ", "is a ", "a is a ", "such as ", "User:", "a: ",
    "<private>", "</private>", "\u202e", "\ufeff", "e\u0301", "\U0001f600", "ab1-", "12:", "1a2b", "::", "0x",
    "def f(", "def f():\n", "class A", "/*", '"""', "'''", "const a = ", "a b ", "{", "a(", "import a\n", "a = 1\n",
    "user ", "user's ", "what is my ", "my a ", "I A ", "latest ", "all my ",
    "```python\n", " caused by", " because of", "pain from ", "what did ", "when a, ", " was ",
    "der die das ", "die Tür-", "derdie", "l'ami ", "l'", "Il est à ", "我们的", "我", "です", "wo ist Anna und ",
    "a:1234:", "a:b:", "password from a to ", "log in ", "wifi a ", "echo a|",
    "backup codes a1b2-c3d4 ", "cookie: a=b;",
    "00 12 ",
    "06 12 ", "openssl -k ", "call me ", "a:aA1#",
    "was lost. ", "found it. ", "gate 7 is ", "let's cancel it and ", "где я ", "var är ",
    "?", " ?", ". ?", "so ", "hey, ", "thanks ", "remind me: ", "what a ", "now ", "from my ",
]  # fmt: skip
FEW = [" ", ".", "?", *PUMPS[::12]]
"""Blanks and marks, and of each kind one or two; all of them take minutes."""

SMALL = 8_192
ROOM = 9.0
"""Four times the text may take nine times as long: a square law takes sixteen."""

FLOOR_S = 0.1
"""What takes less at full length is fast enough, whatever its law."""


def seconds(reader, text: str) -> float:
    """Of the processor, not of the clock: others may be at work."""
    started = process_time()
    reader(text)
    return process_time() - started


def _slow(reader, texts: list[tuple[str, str, str]]) -> list[tuple]:
    """Those of (head, what is repeated, end) for which four times the text takes more than `ROOM` times as long."""
    slow = []
    for head, pump, end in texts:
        small, large = ((head + pump * size)[:size] + end for size in (SMALL, 4 * SMALL))
        before = seconds(reader, small)
        if before > 2:  # a square law of it would be half a minute
            slow.append((head, pump, end, before))
            continue
        took = seconds(reader, large)
        if took > FLOOR_S and took > ROOM * before:  # once may be chance: the best of four of each decides
            before = min(before, *(seconds(reader, small) for _ in range(3)))
            took = min(took, *(seconds(reader, large) for _ in range(3)))
            if took > FLOOR_S and took > ROOM * before:
                slow.append((head, pump, end, before, took))
    return slow


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("head", ["so", "a,", "a?", "now"])
def test_a_reader_is_linear_on_blanks_and_marks_after_a_word(name, head):
    slow = _slow(READERS[name], [(head, pump, end) for pump in (" ", ".", "? ") for end in ("", "x")])
    assert not slow, slow[:5]


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("pumps", [FEW, pytest.param(PUMPS, marks=pytest.mark.long)], ids=["few", "all"])
def test_a_reader_is_linear_on_every_pump(name, pumps):
    slow = _slow(READERS[name], [("", pump, end) for pump in pumps for end in ("", "!")])
    assert not slow, slow[:5]
