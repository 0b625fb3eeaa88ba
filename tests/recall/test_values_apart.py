"""What has no value of the kind asked for stands neither above what has one, nor does it end it."""

import pytest

HOLD = [
    ("rebase or merge, what does Nadia prefer?", "Nadia prefers rebase over merge.",
     "Nadia joined Team Payments; her old seat in Infra went to Hugo"),
    ("Which Redis version do we use?", "We use Redis 7.2 for queues.", "REDIS_URL is read from the environment"),
    ("Which Stripe API version do we use?", "The ledger service talks to Stripe API version 2023-10-16.",
     "STRIPE_TIMEOUT=30"),
    ("what's the Grafana link for latency?", "Grafana: https://grafana.quill.dev/d/abc123/latency",
     "After the review we're moving the latency budget to 5 min plus a margin."),
    ("what language is ingest written in?", "The ingest service is written in Go.",
     "ingest alerts are now in PagerDuty"),
    ("who owns billing?", "Kofi took billing over from Priya.", "billing dashboards moved to Grafana"),
    ("who owns billing?", "Kofi owns billing.", "billing tests are green again"),
    ("When is Max's practice?", "Max plays handball, practice is Tuesdays at 5.",
     "Max has a maths test next Wednesday."),
    ("When is the engineer coming?", "The boiler packed up; an engineer is coming Thursday between 8 and 12.",
     "Judo's moved to Thursdays."),
    ("what is the log level on staging?", "LOG_LEVEL=debug on staging, info on prod",
     "set prod LOG_LEVEL to warn, info was flooding Loki"),
]  # fmt: skip

CHANGE = [
    ("Which Redis version do we use?", "We use Redis 7.2 for queues.", "Redis is on 7.4 now."),
    ("who owns billing?", "Priya owns billing.", "Kofi took billing over from Priya."),
    ("what is the log level on staging?", "LOG_LEVEL=debug on staging, info on prod", "set staging LOG_LEVEL to warn"),
    ("what is the worker concurrency?", "worker concurrency = 8", "concurrency up to 16 (timeout unchanged)"),
    ("Where are we going in July?", "In July we're going to Sardinia, from the 5th to the 15th.",
     "We've cancelled Sardinia."),
    ("Do we have a car?", "We have a car, an old Seat.", "We sold the Seat and take the metro now."),
]  # fmt: skip


@pytest.mark.parametrize(("question", "holds", "later"), HOLD)
def test_what_has_no_such_value_ends_nothing(question, holds, later, lines_for):
    lines = lines_for((holds, later), question)
    assert holds in lines[0] and "until" not in lines[0] and "earlier" not in lines[0]


@pytest.mark.parametrize(("question", "before", "now"), CHANGE)
def test_what_has_another_value_stands_first(question, before, now, lines_for):
    lines = lines_for((before, now), question)
    assert now in lines[0]
    assert all("until" in line or "earlier" in line for line in lines if before in line)


def test_what_is_gone_stands_above_what_happened_to_it_before(lines_for):
    texts = ("We have a car, an old Seat.", "Picked the car up from the garage.", "We sold the Seat to my cousin.")
    assert "sold" in lines_for(texts, "What car do we have?")[0]


@pytest.mark.parametrize(
    ("role", "absence", "back", "question"),
    [
        ("Rahul owns billing.", "Rahul is ill, Ines does billing until he returns.", "Rahul returned today.",
         "Who owns billing?"),
        ("Marco maintains search.", "Marco is on holiday, Eva looks after search.", "Marco is back.",
         "Who maintains search?"),
        ("Bob and Chen are on the team.", "Chen is moving to another company.", "Chen stays after all!",
         "Is Chen on the team?"),
    ],
)  # fmt: skip
def test_who_is_back_is_what_they_were(role, absence, back, question, lines_for):
    lines = lines_for((role, absence, back), question)
    assert any(back in line for line in lines)
    assert all("earlier" in line or "until" in line for line in lines if absence in line)
    assert not any("earlier" in line or "until" in line for line in lines if role in line)


@pytest.mark.parametrize(
    ("before", "correction", "question"),
    [
        ("Standup is at 9:30 in Zoom room 4.", "Correction: the standup is in room 5, not 4.", "when is standup?"),
        ("Weekly sync is on Tuesdays, room Galileo", "I was wrong: the sync is in Kepler, not Galileo",
         "when is the sync?"),
    ],
)  # fmt: skip
def test_a_correction_of_one_part_leaves_the_rest(before, correction, question, lines_for):
    (line,) = (line for line in lines_for((before, correction), question) if before in line)
    assert "in part until" in line


def test_what_goes_back_stands_above_what_it_takes_back(lines_for):
    texts = (
        "I take 50 mg of sertraline in the morning.",
        "The doctor raised the sertraline to 75.",
        "We're going back to 50.",
    )
    first, *others = lines_for(texts, "How much sertraline do I take?")
    assert texts[2] in first and all("earlier" in line for line in others if texts[1] in line)
