"""What differs only in phrasing says the same; what differs in a fact never does."""

import pytest

from context_graph.ingest.duplicates import adds_nothing, quotes
from tests.requirements import requirement

SAME = [
    ("She'll call on Friday.", "She will call on Friday."),
    ("Omar can't eat nuts.", "Omar cannot eat nuts."),
    ("It's Greta who decides.", "It is Greta who decides."),
    ("We'd rather meet at noon.", "We would rather meet at noon."),
    ("FYI, the lift is broken.", "The lift is broken."),
    ("Sorry to bother you again, but I need the key.", "I need the key."),
    ("The course began in May.", "The course started in May."),
    ("The walk took about two hours.", "The walk lasted approximately two hours."),
    ("After supper Nils waters the beans.", "Nils waters the beans after supper."),
    ("In 2012 we bought the mill.", "We bought the mill in 2012."),
    ("Because of the rain we stayed.", "We stayed because of the rain."),
    ("THE HEATING IS OUT AGAIN", "The heating is out again."),
    ("Greta said that nobody came.", "Greta said nobody came."),
    ("Mum lives in Bath.", "My mother lives in Bath."),
    ("Our favourite colour is grey.", "Our favorite color is gray."),
    ("Could you note that my permit ends in May?", "My permit ends in May."),
    ("Please keep in mind that guests park behind the barn.", "Guests park behind the barn."),
    ("Bitte merk dir: der Zug fährt um acht.", "Der Zug fährt um 8."),
    ("Omar zahlt übrigens bar.", "Omar zahlt bar."),
    ("Feeding the ducks is not allowed.", "Feeding the ducks is prohibited."),
    ("Nils resides in Bern.", "Nils lives in Bern."),
    ("Greta would like to paint the shed.", "Greta wants to paint the shed."),
    ("All of the benches are wet.", "All the benches are wet."),
    ("Our boats that are in the harbour need paint.", "Our boats in the harbour need paint."),
    ("Am Montag gehe ich schwimmen.", "Ich gehe am Montag schwimmen."),
    ("Los martes nado en el lago.", "Nado en el lago los martes."),
    ("Tools: saw, plane, chisel", "Tools - saw, plane, chisel"),
    ("NOTICE: the lift is broken", "Notice: the lift is broken"),
    ("Greta's train leaves at 3 pm.", "Greta's train departs at 15:00."),
    ("We paid 1,200 euros for the boiler.", "We paid €1200 for the boiler."),
    ("The permit ends on May 3rd.", "The permit ends on 3 May."),
    ("Nils runs 5 km every day.", "Nils runs five kilometres daily."),
    ("Omar gave Greta the saw.", "Omar gave the saw to Greta."),
    ("The shed was built by grandpa.", "Grandpa built the shed."),
    ("The sister of Omar sings.", "Omar's sister sings."),
    ("Usually we eat at six.", "We usually eat at six."),
    ("We met in 2019 at the mill.", "We met at the mill in 2019."),
    ("I bought nails, glue and paint.", "I bought glue, nails and paint."),
    ("Greta put off the talk.", "Greta postponed the talk."),
    ("Nils is scared of geese.", "Nils is afraid of geese."),
    ("The shop is closed on Monday; ring twice.", "The shop is shut on Monday - ring twice."),
    ("omar moved to bern", "Omar moved to Bern."),
]  # fmt: skip
OTHER = [
    ("After supper Nils waters the beans.", "Before supper Nils waters the beans."),
    ("After supper Nils waters the beans.", "Nils waters the beans after breakfast."),
    ("Nils pays Omar.", "Omar pays Nils."),
    ("From Kiel we go to Bern.", "From Bern we go to Kiel."),
    ("To Kiel from Bern.", "From Kiel to Bern."),
    ("Mum lives in Bath.", "Her mother lives in Bath."),
    ("He'd read it.", "He would read it."),
    ("The talk was about ten people.", "The talk was ten people."),
    ("The US team said no.", "The us team said no."),
    ("Omar can eat nuts.", "Omar can't eat nuts."),
    ("He knows that man.", "He knows the man."),
    ("Thanks to Greta the lift works.", "To Greta the lift works."),
    ("Could you ask Omar for the key?", "Ask Omar for the key."),
    ("Remember to call Nils.", "Call Nils."),
    ("Note that down.", "Down."),
    ("Am Montag gehe ich schwimmen.", "Ich gehe am Dienstag schwimmen."),
    ("Den Hund beißt der Mann.", "Der Mann beißt den Hund."),
    ("Mit Anna fährt Omar zu Nils.", "Omar fährt mit Nils zu Anna."),
    ("Swimming is allowed.", "Swimming is not allowed."),
    ("The keys that are on the hook.", "The keys that were on the hook."),
    ("Five ducks came.", "Nine ducks came."),
    ("x - y", "x: y is new"),
    ("The ferry goes at 3 am.", "The ferry goes at 3 pm."),
    ("We run Python 3.10.", "We run Python 3.1."),
    ("I return the saw today.", "I returned the saw today."),
    ("Omar gave Greta the saw.", "Greta gave Omar the saw."),
    ("The goat was chased by the dog.", "The goat chased the dog."),
    ("Only Nils may enter.", "Nils may only enter."),
    ("The permit ends on 3 May.", "The permit ends on 5 March."),
    ("The lease ends in 3 weeks.", "The lease ends in 3 months."),
    ("Turn on the heater.", "Turn off the heater."),
    ("Nils borrowed my bike.", "Nils lent my bike."),
    ("Omar's sister's boat leaks.", "Omar's boat's sister leaks."),
]  # fmt: skip


@requirement("ingest:repetitions-join")
@pytest.mark.parametrize(("one", "other"), SAME)
def test_phrasing_adds_nothing(one, other):
    assert adds_nothing(one, other) and adds_nothing(other, one)
    assert not quotes(one, other), "what a hook captures is dropped for the very words alone"


@requirement("ingest:corrections-are-not-punished")
@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_fact_adds_something(one, other):
    assert not adds_nothing(one, other) and not adds_nothing(other, one)
