"""The last of several: the one told last comes first, though an earlier one is nearer to the words of the question."""

import pytest

from tests.requirements import requirement

MEASURED = (
    (
        "What was my last weight?",
        "Weight 74.2 kg this morning.",
        "Weighed in at 73.8 kg.",
        "The scale needs a new battery.",
    ),
    ("How far did I row last?", "Rowed 9 km before work.", "6 km on the rower.", "The rower is in the cellar."),
    (
        "When did I last water the orchids?",
        "Watered the orchids.",
        "Orchids got a soak.",
        "The orchids have a new pot.",
    ),
    ("When did I last descale the kettle?", "Descaled the kettle.", "Kettle descaled again.", "The kettle is a Bosch."),
)


@requirement("recall:the-last-of-a-kind")
@pytest.mark.parametrize(("question", "earlier", "later", "beside"), MEASURED)
def test_the_last_time_comes_first(lines_for, question, earlier, later, beside):
    first = lines_for((earlier, "Jo wants a kite.", later, beside, "It rained all day."), question)[0]
    assert later in first


@requirement("recall:the-last-of-a-kind")
@pytest.mark.parametrize("later", ["Lena has a temperature chart on the fridge.", "The thermometer is at Gran's."])
def test_what_has_no_number_is_no_later_measurement(lines_for, later):
    lines = lines_for(("Lena's temperature: 39.1.", "Jo wants a kite.", later), "What was Lena's last temperature?")
    assert "39.1" in lines[0]
