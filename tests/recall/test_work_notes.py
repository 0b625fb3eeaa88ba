"""Notes about a program: commands and rules hold beside what was done, and one note ends nothing of another matter."""

import pytest

from tests.requirements import requirement

COMMANDS = [
    ("Publish the site with `hugo deploy`.", "Published the site at noon, took 3 min.", "How do I publish the site?"),
    ("To restore the dev database, run `just reset`.", "Restored the dev database after lunch.",
     "How do I restore the dev database?"),
    ("Load test: `k6 run smoke.js`", "Load test on the new box failed, 12 % errors.", "How do I run the load test?"),
    ("Never force-push to release branches.", "Pushed a hotfix to the release branches.",
     "May I force-push to release branches?"),
]  # fmt: skip
UNRELATED = [
    ("MAX_UPLOAD_MB = 25 in api/limits.py", "Deployed v2.3.0 to the canary, all is green.", "What is MAX_UPLOAD_MB?"),
    ("`render_invoice()` lives in billing/pdf.py", "fix(search): keep accents in tokenize_query, closes #91",
     "Where is render_invoice defined?"),
    ("CI uses Go 1.22", "Upgraded terraform to 1.9", "Which Go version does CI use?"),
    ("Dark mode is finished, PR #41.", "PR #57 open: cache the avatars, waiting for Ilse.", "Is dark mode finished?"),
    ("Bug #12 was solved in PR #15.", "Bug #33 was solved in PR #38.", "In which PR was bug #12 solved?"),
    ("queue q3 holds 500 jobs", "queue q4 holds 900 jobs", "How many jobs does q3 hold?"),
    ("test_login_expiry is flaky", "test_cart_total is flaky", "Is test_login_expiry flaky?"),
]  # fmt: skip
CHANGES = [
    ("Publish the site with `hugo deploy`.", "Publish the site with `make site` from now on.",
     "How do I publish the site?"),
    ("Never force-push to release branches.", "Force-pushing to release branches is fine now.",
     "May I force-push to release branches?"),
    ("MAX_UPLOAD_MB = 25 in api/limits.py", "MAX_UPLOAD_MB raised to 40", "What is MAX_UPLOAD_MB?"),
    ("CI uses Node 20", "CI moved to Node 22", "Which Node version does CI use?"),
    ("Bug #12 is open, the cart loses items.", "Bug #12 is fixed in PR #15.", "Is bug #12 open?"),
]  # fmt: skip


@requirement("recall:notes-of-work")
@pytest.mark.parametrize(("earlier", "later", "question"), COMMANDS + UNRELATED)
def test_what_holds_comes_first_and_has_no_mark(lines_for, earlier, later, question):
    first, *_ = lines_for((earlier, later), question)
    assert earlier in first and "earlier than" not in first and "until" not in first


@requirement("recall:notes-of-work")
@pytest.mark.parametrize(("earlier", "later", "question"), CHANGES)
def test_a_change_is_still_seen(lines_for, earlier, later, question):
    first, *others = lines_for((earlier, later), question)
    assert later in first
    assert all("earlier than" in line or "until" in line for line in others if earlier in line)
