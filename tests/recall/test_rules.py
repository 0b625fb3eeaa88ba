"""A rule for everybody and an exception for somebody who has a name both hold."""

import pytest

from context_graph.reading.exceptions import exempts

RULES = [
    ("Nobody gets a key to the workshop.", "Tilda may have a key to the workshop.", "Does Bo get a key?", "Tilda"),
    ("We never give discounts.", "Discounts for Brandt are okay.", "Can I give Ulla a discount?", "Brandt"),
    ("Every order ships on Mondays.", "Orders from Lindt go out on Thursdays.", "When do Roth's orders ship?", "Lindt"),
    ("Please don't share drafts with anybody.", "You can send drafts to Greta.", "May Tom see the draft?", "Greta"),
    ("No dogs in the office.", "Bello is allowed in the office though dogs are not.", "Are dogs allowed?", "Bello"),
    ("Always wear a helmet in the hall.", "The helmet rule does not apply to Hilde.", "Do I need a helmet?", "Hilde"),
    ("Never book an aisle seat.", "On the Lima flight an aisle seat is okay.", "May you book an aisle seat?", "Lima"),
    ("No guests before noon.", "On Sundays guests at eleven are fine.", "May guests come at eleven?", "Sundays"),
]


@pytest.mark.parametrize(("rule", "exception", "question", "name"), RULES)
def test_a_rule_outlives_an_exception_for_somebody(lines_for, rule, exception, question, name):
    lines = lines_for([rule, exception], question)
    assert rule in lines[0] and "until" not in lines[0] and "earlier" not in lines[0]


@pytest.mark.parametrize(
    ("rule", "exception", "question"),
    [
        ("We never give discounts.", "Discounts for Brandt are okay.", "Can I give Brandt a discount?"),
        ("Every order ships on Mondays.", "Orders from Lindt go out on Thursdays.", "When do Lindt's orders ship?"),
    ],
)
def test_the_exception_comes_first_for_whom_it_is_made(lines_for, rule, exception, question):
    lines = lines_for([rule, exception], question)
    assert exception in lines[0]
    assert not any("until" in line for line in lines)


@pytest.mark.parametrize(
    ("rule", "later", "question"),
    [
        ("Never deploy on Fridays.", "Deploys on Fridays are fine now.", "Can we deploy on Fridays?"),
        ("No remote work on Mondays.", "Remote work on Mondays is allowed now.", "Is remote work allowed on Mondays?"),
        ("Reports always go out as PDF.", "Reports go out as HTML from now on.", "How do reports go out?"),
    ],
)
def test_a_rule_ends_with_what_is_for_everybody(lines_for, rule, later, question):
    lines = lines_for([rule, later], question)
    assert later in lines[0]
    assert any("until" in line or "earlier" in line for line in lines if rule in line)


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("No visitors after ten.", "Visitors after ten are fine now."),
        ("Never call me before nine.", "You may call me at eight now."),
        ("No remote work on Mondays.", "Interns may do remote work on Mondays."),
        ("Ask Ida, never Bo.", "Bo may be asked."),
        ("All invoices are checked by me.", "Peter checks the invoices now."),
    ],
)
def test_what_is_for_nobody_by_name_exempts_nobody(rule, later):
    assert not exempts(rule, later)
