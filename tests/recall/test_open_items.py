"""What is open and what the user prefers, as agents note it."""

import pytest

from context_graph.ingest.draft import Draft

BESIDE = ("The API answers on port 9000.", "Deployed 2.0 to the test system.")


@pytest.fixture
def context_of(memory, clock):
    def context_of(texts, question):
        for text in texts:
            memory.remember(Draft(text, "note of the agent"))
            clock.pass_time(days=1)
        return memory.inject(question).text

    return context_of


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("- [ ] renew the certificate", "- [ ] delete the old queue"), "Which TODOs are open?"),
        (("TODO: renew the certificate", "TODO: delete the old queue"), "What is still to be done?"),
        (("FIXME: retries never stop", "TODO(bo): delete the old queue"), "Any open tasks?"),
        (("Offen: Zertifikat erneuern", "Offen: Warteschlange leeren"), "Welche Aufgaben sind offen?"),
        (("Bug: sorting ignores umlauts", "TODO: delete the old queue"), "What is still open?"),
        (("TODO: upgrade the database of the shop", "Waiting for the new key of the API"), "Which TODOs are open?"),
        (("Next: drain the queue", "Blocked: the new key waits for legal"), "What is left to do?"),
    ],
)
def test_all_that_is_open_is_told_without_a_mark(context_of, texts, question):
    context = context_of((*texts, *BESIDE), question)
    assert all(text in context for text in texts)
    assert "earlier" not in context and "until" not in context


@pytest.mark.parametrize("closing", ["Closes #71", "#71 done", "PR #80 merged, resolves #71", "#71 erledigt"])
def test_what_was_closed_by_its_number_is_not_open(context_of, closing):
    texts = ("TODO: speed up the search page, issue #71", "TODO: write the guide", closing)
    assert "search page" not in context_of(texts, "Which TODOs are still open?")


def test_what_was_opened_again_is_open(context_of):
    texts = ("TODO: speed up the search page, issue #71", "TODO: write the guide", "Closes #71", "Reopened #71")
    assert "search page" in context_of(texts, "Which TODOs are still open?")


@pytest.mark.parametrize(
    "text",
    [
        "User wants commit messages in English.", "user prefs: tabs, dark theme", "User pref: no emojis",
        "The user asked me to never touch the vendor folder.", "User expects tests with every change.",
        "The user doesn't want new dependencies.", "User told the agent to always run the formatter.",
        "User said: don't squash commits.", "Please keep functions short.", "My preferences: small diffs",
        "Der Nutzer möchte kurze Antworten.", "User still insists on semicolons.",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "question",
    ["What are the user's preferences?", "Which preferences do I have?", "How does the user want you to behave?"],
)
def test_preferences_of_the_user_are_told_in_whatever_words(context_of, text, question):
    assert text in context_of((text, *BESIDE), question)


def test_what_was_closed_by_its_number_among_many_notes_of_its_words(context_of):
    others = [f"The search page has {count} results of tiles in the admin area." for count in range(3, 13)]
    texts = ("Bug #71: the search page shows tiles twice in the admin area", "TODO: write the guide", *others)
    context = context_of((*texts, "Reopened #71.", "#71 fixed for good."), "Which bugs and tasks are open?")
    assert "Bug #71" not in context and "write the guide" in context
