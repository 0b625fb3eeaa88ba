"""Two statements about two things: neither takes the place of the other."""

import pytest

from context_graph.reading import supersession
from context_graph.reading.themes import of_other_things
from context_graph.server.dispatch import call

OF_TWO = (
    ("The staging database is Postgres 14.", "The production database was upgraded to Postgres 16."),
    ("The iOS app uses Sentry.", "The Android app switched from Sentry to Crashlytics."),
    ("The frontend is built with Vite.", "We moved the backend off Gradle, it is built with Bazel now."),
    ("Team A deploys on Tuesdays.", "Team B now deploys on Thursdays."),
    ("Redis runs on port 6379.", "The dev server moved from port 8000 to port 8010."),
    ("We pin numpy to 1.26.", "We bumped pandas to 2.2."),
    ("The European bucket is s3://heron-eu.", "The US bucket was moved to s3://heron-us-2."),
    ("Nightly backups start at 01:00.", "The nightly fuzzing was moved to 04:00."),
    ("The winter tyres are in the cellar.", "The summer tyres were moved to the garage."),
    ("The kitchen tap drips.", "The bathroom tap was fixed."),
    ("My left knee hurts.", "My right knee was operated on in May."),
    ("pgbouncer listens on port 6432.", "The dev server moved from port 8000 to port 8010."),
    ("Grafana listens on port 3000.", "We moved Kibana to port 5602."),
    ("The search service runs on version 5.8.1.", "The billing service was bumped to version 2.4."),
    ("Service A logs to Loki.", "Service B no longer logs to Loki but to Datadog."),
    ("The ingress timeout is 30 seconds.", "The worker timeout was raised to 90 seconds."),
    ("The web team meets on Mondays.", "The mobile team moved its meeting to Fridays."),
    ("The upstairs tenant pays 700.", "The downstairs tenant pays 800 now."),
    ("The English exam is on 3 June.", "The maths exam was moved to 9 June."),
    ("Piano lessons are on Mondays at 4.", "Swimming lessons moved to Thursdays at 5."),
    ("The gas bill is 60 a month.", "The electricity bill went up to 90 a month."),
    ("The garage costs 80 a month.", "The parking space costs 95 a month now."),
    ("Our dev cluster has 4 nodes.", "The prod cluster was scaled to 12 nodes."),
    ("Max bedtime is 7:30.", "Lena's bedtime is now 8:30."),
    ("The dentist is on Tuesday at 3.", "Well, the haircut was moved to Thursday at 5."),
)
OF_ONE = (
    ("The staging database is Postgres 14.", "The staging database was upgraded to Postgres 16."),
    ("The database is Postgres 14.", "We upgraded the staging database to Postgres 16."),
    ("Mailgun sends our mail.", "Postmark sends our mail now."),
    ("Tom runs deploys.", "Priya took over deploys."),
    ("My manager is Tom.", "Priya is my manager now."),
    ("My phone number is 555 123.", "The new number is 666 321."),
    ("The old office is in Leeds.", "The new office is in York."),
    ("I drive a red Volvo.", "I drive a blue Saab now."),
    ("It closes at 6.", "It closes at 8 now."),
    ("The rent is 900.", "The landlord wants 950 from May."),
    ("CV version 4 is the current one.", "CV version 5 has the new project in it."),
)


@pytest.mark.parametrize(("earlier", "later"), OF_TWO)
def test_of_two_things_neither_is_an_update(earlier, later):
    assert of_other_things(earlier, later)
    assert not supersession.related(earlier, later)


@pytest.mark.parametrize(("earlier", "later"), OF_ONE)
def test_another_value_of_one_thing_may_be_an_update(earlier, later):
    assert not of_other_things(earlier, later)


@pytest.mark.parametrize("text", ["", "Postgres", "?!", "the", "We moved", "Is it?", "A b c d e f g h i j k l"])
def test_what_names_no_thing_is_about_none(text):
    assert not of_other_things(text, "We bumped pandas to 2.2.")
    assert not of_other_things("We bumped pandas to 2.2.", text)


def test_what_holds_of_one_thing_is_told_without_an_end(memory, clock):
    for text in OF_TWO[0]:
        assert call(memory, "store_memory", {"content": text, "rationale": "told in a conversation"}).structured[
            "success"
        ]
        clock.pass_time(days=14)
    context = call(memory, "inject_context", {"query": "Which Postgres does staging run?"}).structured["context"]
    lines = [line for line in context.splitlines() if line.startswith("> ")]
    assert OF_TWO[0][0] in lines[0] and "until" not in context and "earlier" not in context
