"""E7: reading programs, and that every block of their vectors carries something."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from context_graph.embed import Embedder, code
from context_graph.embed.lexical import terms
from context_graph.embed.minilm import model_file
from context_graph.embed.program import plain, program_of, reading
from context_graph.embed.stems import term_id

TIERS = [
    "base",
    pytest.param("minilm", marks=pytest.mark.skipif(model_file() is None, reason="the minilm extra is absent")),
]

FUNCTIONS = (
    '''def count_words(path):
    """Count how often each word occurs in a text file."""
    counts = {}
    for line in open(path):
        for word in line.split():
            counts[word] = counts.get(word, 0) + 1
    return counts''',
    '''def slugify(title):
    """Turn a headline into a part of a web address."""
    return re.sub("[^a-z]+", "-", title.lower()).strip("-")''',
    '''class Thermostat:
    """Keeps a room at the wanted temperature."""
    def __init__(self, target):
        self.target = target
    def step(self, measured):
        self.heater = measured < self.target''',
    '''def median(values):
    """The middle of a list of numbers after sorting."""
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2''',
    '''def sendMail(recipient, subject, body):
    """Deliver a message by SMTP."""
    with smtplib.SMTP(HOST) as server:
        server.login(USER, PASSWORD)
        server.sendmail(SENDER, recipient, f"Subject: {subject}\\n\\n{body}")''',
    '''def retry(action, times):
    """Try again after a failure, waiting longer each time."""
    for attempt in range(times):
        try:
            return action()
        except OSError:
            time.sleep(2 ** attempt)''',
)
QUESTIONS = (
    "how to get the frequency of terms in a document in python",
    "make a url friendly string from a headline",
    "switch heating on when a room is cold",
    "find the middle number of a list",
    "send an email from python",
    "repeat a call that failed with growing pauses",
)
USES = (
    "def f():\n    print(counts.get(word), line, path, counts)",
    "def f():\n    print(title, re, sub, lower, strip)",
    "def f():\n    print(target, measured, heater, step)",
    "def f():\n    print(values, half, sorted, len)",
    "def f():\n    print(server, smtplib, login, recipient, subject, body)",
    "def f():\n    print(attempt, action, times, sleep, range)",
)


@pytest.fixture(scope="module", params=TIERS)
def embedder(request):
    return Embedder(request.param)


def vector(embedder, text):
    return embedder.fingerprint(text).optional["E7"]


def renamed(function: str) -> str:
    """The same program in other words."""
    names = sorted(set(program_of(function).identifiers) | set(program_of(function).names), key=len, reverse=True)
    for number, name in enumerate(name for name in names if name.isidentifier() and len(name) > 2):
        function = function.replace(name, f"zq{number}x")
    return function


def told_apart(memories, asked):
    """How much nearer each question is to its own function than to the others, on average."""
    cosines = asked @ memories.T
    own = np.diag(cosines)
    return float((own - (cosines.sum(axis=1) - own) / (len(own) - 1)).mean())


ASKED = {"what it says": QUESTIONS, "its identifiers": USES, "its syntax": tuple(map(renamed, FUNCTIONS))}


@pytest.mark.parametrize(("block", "asked"), list(zip(code.BLOCKS, ASKED.values(), strict=True)), ids=list(ASKED))
def test_every_block_of_e7_tells_programs_apart(embedder, block, asked):
    memories = np.stack([vector(embedder, function) for function in FUNCTIONS])
    asked = np.stack([embedder.query(question).optional["E7"] for question in asked])
    whole = told_apart(memories, asked)
    zeroed, permuted = memories.copy(), memories.copy()
    zeroed[:, block] = 0
    permuted[:, block] = np.roll(memories[:, block], 1, axis=0)
    assert told_apart(zeroed, asked) < 0.8 * whole
    assert told_apart(permuted, asked) < told_apart(zeroed, asked) + 0.01


def test_questions_find_their_functions(embedder):
    memories = np.stack([vector(embedder, function) for function in FUNCTIONS])
    asked = np.stack([embedder.query(question).optional["E7"] for question in QUESTIONS])
    assert (np.argmax(asked @ memories.T, axis=1) == np.arange(len(QUESTIONS))).sum() >= 5
    assert_allclose(np.linalg.norm(memories, axis=1), 1.0, atol=1e-5)


def test_prose_has_no_vector_of_code(embedder):
    for text in ("Anna plays the clarinet (on Tuesdays).", "He said: return the books; she did.", "x = y"):
        assert reading(text) is None
        assert "E7" not in embedder.fingerprint(text).optional


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("function addUser(name) {\n  return db.insert(name);\n}", "javascript", ("addUser",)),
        ("const load = async (path) => {\n  return fetch(path);\n};", "javascript", ("load",)),
        ("pub fn area(r: f64) -> f64 {\n    3.14 * r * r\n}", "rust", ("area",)),
        ("func Sum(a int, b int) int {\n\treturn a + b\n}", "go", ("Sum",)),
        ("public int size() {\n    return items.length;\n}", "java", ("size",)),
        ("import os\nfor name in os.listdir(path):\n    print(name)", "python", ()),
        ("x = 3\nif x:\n    print x", "python", ()),
        ("#include <vector>\nint main() {\n    return 0;\n}", "cpp", ("main",)),
        ("class Cat:\n    pass", "python", ("Cat",)),
    ],
)
def test_programs_are_recognised_in_many_languages(text, language, names):
    program = reading(text).programs[0]
    assert (program.language, program.names) == (language, names)
    assert program.syntax


def test_code_in_fences_is_read_and_the_prose_around_it_stays():
    text = "Use this:\n```python\ndef read_csv(p):\n    'ignored'\n```\nIt needs pandas."
    found = reading(text)
    assert found.text.startswith("Use this:\nread csv")
    assert found.text.endswith("It needs pandas.")
    assert [text[start:end] for start, end in found.spans] == ["def read_csv(p):\n    'ignored'\n"]
    assert reading("A log:\n```text\nfoo = bar()\n```") is None


def test_documentation_and_comments_are_read_as_text():
    program = program_of('def f(x):\n    """Doubles a number."""\n    return 2 * x  # twice "quoted"\n')
    assert program.documentation == "Doubles a number."
    assert {"twice", "quoted"} <= set(program.identifiers)
    assert program_of("// Adds two numbers.\nfunction add(a, b) { return a + b; }").documentation == "Adds two numbers."


def test_identifiers_are_split_at_capitals_underscores_and_digits():
    assert plain("parseHTMLPage utf8_to_str md5sum") == "parse html page utf 8 to str md 5 sum"


def test_the_lexical_space_knows_what_names_mean():
    found = code.terms(reading("def mkDir(cfg):\n    return os.makedirs(cfg)"))
    for word in ("directori", "configur", "python", "mk"):
        assert found[term_id(word)] >= 1
    assert terms("clarinet").keys().isdisjoint(found)


def test_the_language_in_a_question_says_nothing_about_what_code_does():
    embedder = Embedder("base")
    first, second = (embedder.query(f"sort a list of numbers{language}").optional["E7"] for language in ("", " python"))
    assert_allclose(first, second, atol=1e-6)


@pytest.mark.parametrize(
    "text", ["def (", "```\n", '"""' * 50, "/*" * 5_000, "def f(:\n  '" + "'" * 999, "\x00def f():"]
)
def test_broken_code_is_still_read(text):
    found = reading(text)
    assert found is None or np.isfinite(code.vector(found, Embedder("base").statistics)).all()


@pytest.mark.parametrize(
    ("text", "programs"),
    [
        ("@anna_from_accounting please\n" * 40 + "Shall we meet (at noon)?", 0),
        ("@cache\n@app.get('/x')\ndef read(path):\n    return path", 1),
        ("```" + 65_000 * "a", 0),
        ("```" + 65_000 * " ", 0),
    ],
)
def test_no_text_is_read_over_and_over(text, programs):
    found = reading(text)
    assert (len(found.programs) if found else 0) == programs
