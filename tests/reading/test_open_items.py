"""What is marked as left to do, and what closes it by its number."""

import pytest

from context_graph.reading.acts import acts_of
from context_graph.reading.open_items import closes, is_of_other_work, lists_open_items, reopens

TASK = "TODO: speed up the search page, issue #71"


@pytest.mark.parametrize(
    "text",
    [
        "- [ ] renew the certificate", "* [ ] write the migration guide", "[ ] ask Ines for the logo",
        "Release:\n- [x] tag\n- [ ] publish", "1. [ ] order the disks", "FIXME: the parser drops the last line",
        "fixme retry on 503", "Next: drain the old queue", "Next steps:\n1. drain the queue", "Blocked: on legal",
        "Zu erledigen: Zertifikat erneuern", "Nächste Schritte: Queue leeren", "Bug #14: sorting ignores umlauts",
        "Fehler: Export bricht ab", "Regression: login loops on Safari",
    ],
)  # fmt: skip
def test_what_is_marked_as_left_to_do_is_open(text):
    assert acts_of(text) == {"open"}


@pytest.mark.parametrize(
    "text", ["- [x] renew the certificate", "Bug #14: fixed in 2.1", "The box [1] is from Ines.", "Next to the door."]
)
def test_what_is_ticked_or_fixed_is_not(text):
    assert "open" not in acts_of(text)
    assert not lists_open_items(text)


@pytest.mark.parametrize(
    "later",
    [
        "Closes #71", "closed #71", "#71 closed by PR #80", "PR #80 merged, fixes #71", "#71 is done", "resolves #71",
        "perf(search): one query less, closes #70 and #71", "Issue #71: resolved", "#71 erledigt", "schließt #71",
        "#71 ist behoben.",
    ],
)  # fmt: skip
def test_a_number_closes_what_is_known_under_it(later):
    assert closes(TASK, later)


@pytest.mark.parametrize(
    "later",
    [
        "closes #72", "#71 is not done", "Closing #71 needs a review", "When #71 is fixed we can ship.", "#71: to Bo",
        "PR #80 will fix #71.", "closes KES-71", "#710 closed", "#71 teilweise erledigt", "See #71.",
    ],
)  # fmt: skip
def test_what_is_not_closed_stays_open(later):
    assert not closes(TASK, later)


@pytest.mark.parametrize(
    "task",
    [
        "TODO: drop the shim once #71 is done", "TODO: rename the flag (blocked by #71)", "TODO: tidy up after #71",
        "TODO: rename the flag, see #71", "Offen: Flag umbenennen, sobald #71 fertig ist",
    ],
)  # fmt: skip
def test_the_number_of_another_thing_closes_nothing(task):
    assert not closes(task, "Closes #71")


def test_what_is_opened_again_is_said_so():
    assert reopens(TASK, "Reopened #71: still slow for admins")
    assert not reopens(TASK, "Reopened #72")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("TODO: renew the certificate", "TODO: delete the old queue", True),
        ("TODO(ines): renew the certificate", "FIXME: the queue is never emptied (ines)", True),
        ("- [ ] renew the certificate", "- [ ] delete the old queue", True),
        ("Pending: renewal of the certificate", "Pending: deletion of the queue", True),
        ("Offen: Zertifikat erneuern", "Offen: Warteschlange leeren", True),
        ("TODO: set the pool size to 20", "TODO: set the pool size to 40", False),
        ("TODO: renew the certificate", "TODO: renew the certificate with a longer key", False),
        ("TODO: renew the certificate", "The old queue is deleted.", True),
        ("TODO: renew the certificate", "The certificate was renewed until May.", False),
    ],
)
def test_the_mark_alone_is_no_common_matter(one, other, apart):
    assert is_of_other_work(one, other) is apart
