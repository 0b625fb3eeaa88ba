"""The lives of `lives.txt` asked and told with words around them that ask for nothing and state nothing.

    python -m benchmarks.quality.wordings [--tier base] [--parts fitted,later] [--lives 20]

Who asks "Where do I live these days?", or in a hurry "whree do i live", is to be answered as who asks "Where do I
live?"; who says "FYI: I moved to Bonn." has said no more than "I moved to Bonn.". Each form is put around every
question, or every statement, of the first lives. "Right" and "false ends" are those of `benchmarks.quality.lives`. The
rules of `recall/courtesy.py` were made on these forms, but for those marked "unseen".
"""

import argparse
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

from benchmarks.quality.lives import Life, answers, lives
from context_graph.embed.stems import STOP_WORDS

OPENING_WORDS = frozenset("the we my our it they he she a an there this no from on in not since just got new".split())


def _inner(sentence: str) -> str:
    """A sentence as it stands behind a comma."""
    first = sentence.split(maxsplit=1)[0] if sentence else ""
    keeps = first == "I" or first.startswith(("I'", "I’")) or "'s" in first
    return sentence if keeps else sentence[:1].lower() + sentence[1:]


def _inner_statement(sentence: str) -> str:
    return _inner(sentence) if sentence.split(maxsplit=1)[0].lower() in OPENING_WORDS else sentence


def _mistyped(question: str) -> str:
    """With two letters in the middle of the longest word in the wrong order."""
    words = question.split()
    at = max(range(len(words)), key=lambda i: len(words[i].strip("?.,")))
    word, middle = words[at], len(words[at]) // 2
    if len(word) > 4:
        words[at] = word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]
    return " ".join(words)


def _keywords(question: str) -> str:
    kept = [word.strip("?.,!") for word in question.split() if word.strip("?.,!").lower() not in STOP_WORDS]
    return " ".join(kept) or question


QUESTIONS: dict[str, Callable[[str], str]] = {
    "as it is": lambda q: q,
    "Remind me: ...": lambda q: f"Remind me: {q}",
    "Before I forget: ...": lambda q: f"Before I forget: {_inner(q)}",
    "Hey, quick question: ...": lambda q: f"Hey, quick question: {q}",
    "I forgot, ...": lambda q: f"I forgot, {_inner(q)}",
    "... again?": lambda q: f"{q.rstrip('?')} again?",
    "... these days?": lambda q: f"{q.rstrip('?')} these days?",
    "As of today, ...": lambda q: f"As of today, {_inner(q)}",
    "... now?": lambda q: f"{q.rstrip('?')} now?",
    "According to my notes, ...": lambda q: f"According to my notes, {_inner(q)}",
    "Based on what I told you, ...": lambda q: f"Based on what I told you, {_inner(q)}",
    "From our earlier conversations, ...": lambda q: f"From our earlier conversations, {_inner(q)}",
    "My colleague asks: ...": lambda q: f"My colleague asks: {q}",
    "... I need it for a form.": lambda q: f"{q} I need it for a form.",
    "... Answer in one word.": lambda q: f"{q} Answer in one word.",
    "... Thanks!": lambda q: f"{q} Thanks!",
    "Out of curiosity, ...": lambda q: f"Out of curiosity, {_inner(q)}",
    "If I may ask, ...": lambda q: f"If I may ask, {_inner(q)}",
    "..., if you know?": lambda q: f"{q.rstrip('?')}, if you know?",
    "Real quick: ...": lambda q: f"Real quick: {_inner(q)}",
    "Help me out here: ...": lambda q: f"Help me out here: {_inner(q)}",
    "... at this point?": lambda q: f"{q.rstrip('?')} at this point?",
    "... as things stand?": lambda q: f"{q.rstrip('?')} as things stand?",
    "Do you happen to know ...": lambda q: f"Do you happen to know {_inner(q)}",
    "I was wondering, ...": lambda q: f"I was wondering, {_inner(q)}",
    "What's the latest: ...": lambda q: f"What's the latest: {_inner(q)}",
    "As I said before, ...": lambda q: f"As I said before, {_inner(q)}",
    "Last thing for today: ...": lambda q: f"Last thing for today: {_inner(q)}",
    "Let me check something, ...": lambda q: f"Let me check something, {_inner(q)}",
    "Next question: ...": lambda q: f"Next question: {q}",
    "Changing the subject: ...": lambda q: f"Changing the subject: {_inner(q)}",
    "I asked you this yesterday, but ...": lambda q: f"I asked you this yesterday, but {_inner(q)}",
    "Since you know me so well, ...": lambda q: f"Since you know me so well, {_inner(q)}",
    "Not sure if I told you, but ...": lambda q: f"Not sure if I told you, but {_inner(q)}",
    "Test: ...": lambda q: f"Test: {q}",
    "First of all, ...": lambda q: f"First of all, {_inner(q)}",
    "Going back to what we talked about, ...": lambda q: f"Going back to what we talked about, {_inner(q)}",
    "Ignore my last message. ...": lambda q: f"Ignore my last message. {q}",
    "... I can't seem to recall.": lambda q: f"{q} I can't seem to recall.",
    "... You told me earlier.": lambda q: f"{q} You told me earlier.",
    "... Asking for a friend.": lambda q: f"{q} Asking for a friend.",
    "..., do you remember?": lambda q: f"{q.rstrip('?')}, do you remember?",
    "Capitals": str.upper,
    "lower case, no question mark": lambda q: q.lower().rstrip("?"),
    "key words": _keywords,
    "a word mistyped": _mistyped,
}
UNSEEN: dict[str, Callable[[str], str]] = {
    "I keep forgetting this: ...": lambda q: f"I keep forgetting this: {_inner(q)}",
    "Since we're on the topic, ...": lambda q: f"Since we're on the topic, {_inner(q)}",
    "Help: ...": lambda q: f"Help: {_inner(q)}",
    "Let's see if you were listening. ...": lambda q: f"Let's see if you were listening. {q}",
    "For my records: ...": lambda q: f"For my records: {_inner(q)}",
    "Just to double-check, ...": lambda q: f"Just to double-check, {_inner(q)}",
    "Okay, different question. ...": lambda q: f"Okay, different question. {q}",
    "You may have noted it somewhere: ...": lambda q: f"You may have noted it somewhere: {_inner(q)}",
    "Hmm, ...": lambda q: f"Hmm, {_inner(q)}",
    "My last question didn't go through. ...": lambda q: f"My last question didn't go through. {q}",
    "It's me again. ...": lambda q: f"It's me again. {q}",
    "... It's on the tip of my tongue.": lambda q: f"{q} It's on the tip of my tongue.",
    "... I'm drawing a blank.": lambda q: f"{q} I'm drawing a blank.",
    "... If you don't know, say so.": lambda q: f"{q} If you don't know, say so.",
}
"""Written when the rules stood; none was made on them."""

STATEMENTS: dict[str, Callable[[str], str]] = {
    "as it is": lambda s: s,
    "FYI: ...": lambda s: f"FYI: {s}",
    "Just so you know, ...": lambda s: f"Just so you know, {_inner_statement(s)}",
    "Remember: ...": lambda s: f"Remember: {s}",
    "Please remember that ...": lambda s: f"Please remember that {_inner_statement(s)}",
    "Update: ...": lambda s: f"Update: {s}",
    "Hey! ... Thanks!": lambda s: f"Hey! {s} Thanks!",
    "I wanted to tell you that ...": lambda s: f"I wanted to tell you that {_inner_statement(s)}",
    "lower case": str.lower,
}


def _asked(life: Life, form: str) -> Life:
    put = (QUESTIONS | UNSEEN)[form]
    return replace(life, questions=[replace(asked, question=put(asked.question)) for asked in life.questions])


def _told(life: Life, form: str) -> Life:
    return replace(life, texts=[STATEMENTS[form](text) for text in life.texts])


def _counted(life: Life, tier: str) -> list[tuple[str, str, Counter[str]]]:
    """Of each form, what `answers` counts over the questions of a life."""
    worded = [("asked", form, _asked(life, form)) for form in QUESTIONS]
    worded += [("asked, unseen", form, _asked(life, form)) for form in UNSEEN]
    worded += [("told", form, _told(life, form)) for form in STATEMENTS]
    return [
        (kind, form, sum((counted for counted, _ in answers(one, tier)), Counter[str]())) for kind, form, one in worded
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tier", default="base")
    parser.add_argument("--parts", default="fitted,later")
    parser.add_argument("--lives", type=int, default=20)
    options = parser.parse_args()
    chosen = lives(options.parts.split(","))[: options.lives]
    totals: dict[tuple[str, str], Counter[str]] = {}
    with ProcessPoolExecutor(2) as pool:
        for counted in pool.map(partial(_counted, tier=options.tier), chosen):
            for kind, form, counts in counted:
                totals.setdefault((kind, form), Counter()).update(counts)
    print(f"{options.tier}, {options.parts}, the first {len(chosen)} lives")
    for (kind, form), counts in totals.items():
        print(
            f"{kind}, {form}: right {counts['right']} of {counts['questions']}, "
            f"false ends {counts['false ends'] + counts['false parts']}"
        )


if __name__ == "__main__":
    main()
