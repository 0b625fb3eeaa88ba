"""What was sold or has died is gone with all that was said of it, but for what happened to it once."""

import pytest

from context_graph.reading.disposals import is_gone


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The car needs new brakes.", "We sold the car to my cousin."),
        ("We have a car, an old Seat.", "We've sold the Seat."),
        ("Minka needs special food.", "Minka died last week."),
        ("The ficus gets water every ten days.", "The ficus didn't survive the winter."),
        ("We have a dog called Bruno.", "We had to give Bruno to my parents because of my allergy."),
        ("My bike is in the cellar.", "My bike was stolen."),
        ("Das Auto, der Passat, muss zum TÜV.", "Wir haben den Passat verkauft und einen Skoda gekauft."),
        ("Wir haben eine Katze, Minka.", "Minka ist letzte Woche gestorben."),
        ("El coche es un Seat.", "Hemos vendido el Seat y ahora vamos en metro."),
    ],
)
def test_what_is_gone(earlier, later):
    assert is_gone(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The car needs new brakes.", "The shop sold out."),
        ("The car needs new brakes.", "We sold the caravan."),
        ("I bought the car in May.", "We sold the car."),
        ("We sold the car.", "The car was sold to Ida."),
        ("The car needs new brakes.", "My phone died."),
        ("Ida likes the car.", "I sold the car."),
        ("", ""),
    ],
)
def test_what_is_not(earlier, later):
    assert not is_gone(earlier, later)
