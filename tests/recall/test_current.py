"""The newest of statements that replace each other is told first, and the older one as past."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.citations import tag_of
from context_graph.ingest.draft import Draft
from context_graph.memory import Memory
from context_graph.recall.current.likelihood import Judged
from context_graph.recall.current.order import Replacement, current_first
from context_graph.recall.current.replacements import replacements
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from context_graph.server.dispatch import call
from context_graph.settings import Settings
from tests.requirements import requirement

STORIES = [
    (["The fridge is set to 7 degrees.", "The fridge is set to 5 degrees now."], "How cold is the fridge?"),
    (["Our gardener is Mr. Olsen.", "Mr. Olsen stopped, our gardener is Ms. Dahl now."], "Who is our gardener?"),
    (["The choir meets on Mondays.", "The choir has moved to Thursdays."], "When does the choir meet?"),
    (["I drink two coffees a day.", "I quit coffee, no more caffeine for me."], "How much coffee do I drink?"),
    (["The skip gets picked up on Friday at seven.", "Skip pickup is on Monday, not Friday."],
     "When does the skip get collected?"),
    (["Leo's piano lessons are Wednesdays at four with Ms. Behrens.", "Leo gave up piano, he wants to learn drums."],
     "When are Leo's lessons?"),
    (["Learning rate 3e-4 works best, batch size 64.",
      "Lowered the learning rate to 1e-4, training was unstable at the old one."], "Which learning rate do I use?"),
    (["My mother brings the post in.", "Mum's back is bad, so my brother brings the post in."],
     "Who brings the post in?"),
    (["Our drummer is called Nils, he also books the gigs.",
      "Nils doesn't want to do the booking any more, Petra took that over."], "Who does the booking?"),
    (["Hotel Lind has three shops.", "Hotel Lind opened a fourth shop in Ulm."], "How many shops has Hotel Lind?"),
    (["I owe Felix 120 euros for the concert tickets.", "Paid Felix back yesterday."], "Do I still owe Felix money?"),
    (["The card machine is from SumUp, they take 1.69 percent.",
      "Changed over from SumUp to Zettle, 1.75 but no monthly fee."], "Who takes our card payments?"),
    (["Refunds over 10k are rounded down, a bug.", "The release 2.4 is planned for Nov 30.",
      "2.4 slips to Dec 7 because of the refund bug."], "When is release 2.4?"),
    (["The blog runs on Ghost.", "The blog runs on Hugo.", "The blog is back on Ghost."], "What does the blog run on?"),
]  # fmt: skip


@pytest.fixture
def say(memory, clock):
    """Tell a text on its own day; returns its id."""

    def say(text: str, **fields) -> str:
        clock.pass_time(days=3)
        return memory.remember(Draft(text, "said to you", **fields)).node.id

    return say


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(("texts", "question"), STORIES)
def test_what_holds_now_stands_above_what_it_replaced(memory, say, texts, question):
    say("The neighbours have a trampoline.")
    ids = [say(text) for text in texts]
    say("Parking is free after eight.")
    hits = memory.recall(Question(question)).hits
    ranks = {hit.node.id: rank for rank, hit in enumerate(hits)}
    assert ranks[ids[-1]] < min(ranks[id] for id in ids[:-1])
    assert {hit.replaced_by for hit in hits if hit.node.id in ids[:-1]} == {ids[-1]}
    assert [hit.relevance for hit in hits] == sorted((hit.relevance for hit in hits), reverse=True)


@requirement("recall:past-is-marked")
def test_somebody_who_turned_a_year_older_within_the_hour_is_as_old_as_that(memory, clock):
    for text in (
        "My daughter Lotte is 7 and sells the programmes.",
        "Tickets are 9 euros.",
        "Lotte turned 8 yesterday.",
    ):
        clock.pass_time(minutes=3)
        memory.remember(Draft(text, "said to you"))
    for question in ("How old is my daughter?", "how old is Lotte"):
        told = inject(memory, Question(question)).text
        assert 0 < told.index("turned 8") < told.index("is 7")


def test_of_an_age_told_among_others_only_an_age_is_news(memory, say):
    say("I've three kids: Mats, 10, Femke, 7, and baby Joris.")
    say("Femke has swimming on Wednesday at 4, Mats has judo on Friday at 6.")
    say("Swimming is cancelled this week, the pool is closed.")
    told = inject(memory, Question("How old is Femke?")).text.split("> ")[1]
    assert "Femke, 7" in told and "earlier" not in told


def test_a_number_alone_joins_no_two_statements(memory, say):
    say("I've three kids: Mats, 10, Femke, 7, and baby Joris.")
    say("I don't drink coffee after three.")
    assert "three kids" in inject(memory, Question("How many kids do I have?")).text.split("> ")[1]


def test_what_is_called_off_for_oneself_or_of_another_part(memory, say):
    say("I want to run the Deventer half marathon on 12 April.")
    say("My knee hurts, no half marathon for me.")
    hits = memory.recall(Question("Am I running the half marathon?")).hits
    assert "knee" in hits[0].node.content and hits[1].replaced_by == hits[0].node.id
    say("Femke has swimming on Wednesday at 4, Mats has judo on Friday at 6.")
    say("Swimming is cancelled this week.")
    say("Mats quit judo.")
    assert "quit judo" in memory.recall(Question("What sport does Mats do?")).hits[0].node.content


def test_a_name_that_is_asked_for_is_no_call(memory, say):
    say("Our spring show is The Snow Queen.")
    say("Call the insurance about the broken window.")
    assert memory.recall(Question("What is the show called?")).hits[0].node.content.startswith("Our spring show")


def test_what_is_past_is_told_with_its_end(memory, say):
    say("The choir meets on Mondays at seven.")
    say("The choir meets on Thursdays at seven.")
    context = call(memory, "inject_context", {"query": "When does the choir meet?"}).structured["context"]
    lines = [line for line in context.splitlines() if "choir" in line]
    assert "Thursdays" in lines[0] and "until" not in lines[0]
    assert "Mondays" in lines[1] and "until 7 January 2026" in lines[1]


def test_search_names_what_took_its_place(memory, say):
    old, new = say("The choir meets on Mondays at seven."), say("The choir meets on Thursdays at seven.")
    found = call(memory, "search_graph", {"query": "When does the choir meet?"}).structured["results"]
    assert [(each["node_id"], each.get("replaced_by")) for each in found] == [(new, None), (old, new)]


BOTH = [
    (["Anna plays the clarinet.", "Omar plays the clarinet too, in the brass band."], "what does anna play"),
    (["Tessa studies beetles.", "Tessa had to cancel lunch."], "What does Tessa study?"),
    (["Sam starts school in September.", "Sam has chickenpox."], "When does Sam start school?"),
    (["Standup is at ten.", "Pushing on Fridays is fine from now on."], "When is standup?"),
    (["Release 2.4 is due on 12 March.", "We no longer deploy from main but release tags."], "When is release 2.4?"),
    (["The limit is 100 a minute.", "Ben thought the limit was 500, but he was wrong."], "What is the limit?"),
    (["Murr died in spring.", "We adopted a dog, Bello."], "Is Murr still alive?"),
    (["My daughter is called Ida.", "My son is called Leo."], "What are my children called?"),
    (["Grandma Inge lives in Bergen.", "Grandma Tove lives in Oslo."], "Where do the grandmothers live?"),
    (["I live in Oslo.", "If I get the job I will move to Bergen."], "Where do I live?"),
    (
        [
            "Plaster's dry, the kids are back.",
            "Budget for the whole bathroom is 9,000, tiles included.",
            "The electrician found old cloth wiring behind the hallway, rewiring costs 3,200 extra.",
        ],
        "What does the bathroom cost?",
    ),
    (["The choir meets on Mondays.", "The band meets on Thursdays."], "When do the choir and the band meet?"),
    (["I started at Acme today.", "I got a key for the weather service today."], "When did I start at Acme?"),
    (
        ["User uses Neovim with LSP, dislikes IDEs.", 'Project "core" is written in Kotlin 1.9, built with Gradle.'],
        "Which editor does the user use?",
    ),
    (["The wifi at my mother's is slow, call her.", "Quote for the kitchen is the new target."], "Where is my mother?"),
    (["Use uv, never pip, in this repo.", "Don't use -x anymore, we want all failures."], "Should I use pip?"),
    (["The oven has a warranty until June 2027.", "We bought the car in June."], "Until when has the oven a warranty?"),
]


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(("texts", "question"), BOTH)
def test_what_both_holds_is_left_alone(memory, say, texts, question):
    for text in texts:
        say(text)
    assert not any(hit.replaced_by for hit in memory.recall(Question(question)).hits)


NOTES = [
    "Session summary: User is migrating Harbor to services. Decided to start with billing. Uses Go 1.23 and PostgreSQL"
    " 16. User dislikes ORMs and wants raw SQL with sqlc. Next step: define the invoice schema.",
    "Project context: Harbor is a SaaS for marina management, about 40 customers, team of 5. Production is on AWS"
    " eu-central-1, staging on Hetzner. Deployment via ArgoCD.",
    "Bug found: invoices rounded twice in the tax module. Root cause: decimal converted to float before rounding. Fixed"
    " with shopspring/decimal in commit 3fa9c1e.",
    "Decision: event bus will be NATS JetStream rather than Kafka because of operational simplicity.",
]


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(
    ("question", "answer"),
    [("Which version of Go do we use?", "Go 1.23"), ("Does the user like ORMs?", "dislikes ORMs"),
     ("Where does production run?", "eu-central-1"), ("Which commit fixed the rounding?", "3fa9c1e"),
     ("event bus", "JetStream")],
)  # fmt: skip
def test_notes_of_several_sentences_replace_nothing_by_being_found_together(memory, say, question, answer):
    for text in NOTES:
        say(text)
    first = memory.recall(Question(question)).hits[0]
    assert answer in first.node.content and first.replaced_by is None


@requirement("recall:the-newest-holds")
def test_of_a_note_of_several_sentences_a_part_ends(memory, say):
    for text in (*NOTES, "Staging moved from Hetzner to AWS eu-west-1."):
        say(text)
    context = inject(memory, Question("Where is staging hosted?")).text
    assert context.index("eu-west-1") < context.index("in part until") < context.index("about 40 customers")


INTRODUCTION = (
    "Hi! I'm Ana, 34, I live in Porto with my husband Rui and our dog Bica. I work at Feedzai as a data scientist and"
    " I'm allergic to shellfish. On weekends I surf or go to the farmers' market with my mother-in-law."
)


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(
    ("question", "order"),
    [("Where do I live?", ("Gaia", "Porto")), ("Where do I work?", ("Talkdesk", "Porto")),
     ("What am I allergic to?", ("shellfish",)), ("Who am I?", ("Ana",)), ("What do I do on weekends?", ("surf",))],
)  # fmt: skip
def test_what_changes_of_a_long_introduction_is_told_and_the_rest_of_it_holds(memory, say, question, order):
    for text in (INTRODUCTION, "I left Feedzai, I'm at Talkdesk now, same job.", "We moved to Gaia, across the river."):
        say(text)
    texts = [hit.node.content for hit in inject(memory, Question(question)).hits]
    assert [word in text for text, word in zip(texts, order, strict=False)] == [True] * len(order)


def test_another_person_closes_nothing(memory, say):
    say("I live in Oslo.", speaker="Anna")
    say("I moved to Bergen last month.", speaker="Tom")
    assert not any(hit.replaced_by for hit in memory.recall(Question("Where does Anna live?")).hits)


def test_a_question_for_the_past_is_told_in_the_order_of_its_ranks(memory, say):
    old = say("The choir meets on Mondays at seven.")
    say("The choir has moved to Thursdays at seven.")
    plain = memory.recall(Question("When did the choir meet before?", newest_first=False)).hits
    hits = memory.recall(Question("When did the choir meet before?")).hits
    assert [hit.node.id for hit in hits] == [hit.node.id for hit in plain]
    assert next(hit for hit in hits if hit.node.id == old).until is not None


def test_as_of_knows_nothing_of_what_came_later(memory, say, clock):
    old = say("The choir meets on Mondays at seven.")
    before = clock.time
    say("The choir has moved to Thursdays at seven.")
    (hit,) = memory.recall(Question("When does the choir meet?", as_of=before)).hits
    assert (hit.node.id, hit.replaced_by) == (old, None)


def test_nothing_is_written(tmp_path, clock, ids):
    with Memory(Settings(home=tmp_path, tier="base"), clock=clock, ids=ids) as memory:
        old = memory.remember(Draft("The choir meets on Mondays.", "said to you")).node.id
        clock.pass_time(days=1)
        memory.remember(Draft("The choir has moved to Thursdays.", "said to you"))
        memory.recall(Question("When does the choir meet?"))
        node = memory.store.node(old)
        assert (node.superseded_by, node.valid_to) == (None, None)


@given(st.integers(0, 8), st.data())
def test_every_place_is_told_once_and_what_holds_before_what_it_replaced(count, data):
    """The later a statement the higher its number here, so a replacement is always by a higher one."""
    order = data.draw(st.permutations(range(count)))
    places = {number: place for place, number in enumerate(order)}
    replaced = {}
    for number in range(count - 1):
        if data.draw(st.booleans()):
            by = data.draw(st.integers(number + 1, count - 1))
            replaced[places[number]] = Replacement(places[by], 0.9)
    told = current_first(count, replaced)
    assert sorted(told) == list(range(count))
    for place, replacement in replaced.items():
        assert told.index(replacement.by) < told.index(place)


def test_only_what_is_earlier_than_the_line_above_says_so(memory, say):
    texts = ["I live in Berlin.", "The bins go out on Mondays.", "My sister lives in Leipzig.", "I moved to Munich."]
    for text in texts:
        say(text)
    places = [next(i for i, text in enumerate(texts) if text in line) for line in told(memory, "Where do I live?")]
    lines = told(memory, "Where do I live?")
    assert len(lines) > 2
    for above, place, line in zip(places, places[1:], lines[1:], strict=False):
        assert above > place or "the line above" not in line


@pytest.mark.parametrize(
    ("then", "now", "question"),
    [
        ("Tickets live in Linear.", "We are migrating from Linear to GitHub Issues.", "Where were the tickets before?"),
        ("Standup is at 9:15.", "Standup moved to 10.", "What was the time of the standup before?"),
        ("My flour comes from Hansen.", "The flour comes from Brandt now.", "Who was my flour supplier before Brandt?"),
    ],
)
def test_a_question_for_the_past_is_told_first_what_was_so(memory, say, then, now, question):
    say("The neighbours have a trampoline.")
    old, new = say(then), say(now)
    order = [hit.node.id for hit in memory.recall(Question(question)).hits]
    assert order.index(old) < order.index(new)


def test_who_got_something_is_no_news_of_that_person(memory, say):
    say("The spare key is with our neighbour Mrs. Lindqvist.")
    say("My daughter Karin lives in Graz with her husband Paul.")
    say("I gave the spare key to Karin instead.")
    assert "Graz" in told(memory, "Where does Karin live?")[0]
    assert "Karin" in told(memory, "Who has the spare key?")[0]


def test_one_of_a_kind_ends_by_what_is_said_of_itself(memory, say):
    say("Bistro Verde is our biggest customer, they pay 900 euros a month.")
    say("Bistro Verde churned.")
    say("Our biggest customer is now Café Anders with 1,100 a month.")
    assert "churned" in told(memory, "Is Bistro Verde still a customer?")[0]
    assert "Anders" in told(memory, "Who is our biggest customer?")[0]


@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("Sofia owns the billing service.", "Who owns billing?"),
        ("Table six wobbles.", "Does table six wobble?"),
        ("I bike to campus.", "How do I get to campus?"),
    ],
)
def test_what_one_reads_of_takes_no_place_of_what_is_ones_own(memory, say, note, question):
    say(note)
    say(
        "Sunny Fong (born 1977) is a Canadian fashion designer who owns VAWK, a clothing brand. He lives in Toronto. In"
        " 2009, he won the second season of Project Runway, and his table settings were changed from then on."
    )
    say(
        "The 2010 UCF Knights football team represented the University of Central Florida in the 2010 season. Six"
        " players have left, the coach moved to another campus, and the stadium on campus is now shared by two teams."
    )
    lines = told(memory, question)
    assert note in lines[0]
    assert all("earlier" not in line and "until" not in line.partition(")")[0] for line in lines)


def test_a_note_changes_what_a_longer_text_says_of_the_thing_that_it_names(memory, say):
    say(
        "The billing service is a Django application that sends the invoices of all shops at night. It runs on Hetzner,"
        " keeps its data in Postgres, and was written by the first two employees, who have long left the company."
    )
    say("The lamp in the corridor flickers.")
    say("The billing service runs on Fly.io now.")
    assert "Fly.io" in told(memory, "Where does the billing service run?")[0]


def test_a_later_change_beyond_the_results_is_told_with_what_it_replaced(memory, say):
    say("My Wi-Fi is from Telia, customer number 448812.")
    for thing in ("lamp", "gate", "hedge", "stove", "bell"):
        say(f"The {thing} has Wi-Fi of its own.")
    say("I switched from Telia to Bahnhof.")
    hits = memory.recall(Question("Who is my Wi-Fi provider?", top_k=3)).hits
    contents = [hit.node.content for hit in hits]
    assert len(contents) <= 3
    telia = next(place for place, content in enumerate(contents) if content.startswith("My Wi-Fi"))
    assert contents[telia - 1] == "I switched from Telia to Bahnhof." and telia > 0


def test_what_was_moved_elsewhere_is_told_first(memory, say):
    say("CI runs on CircleCI.")
    say("Flaky test: checkout.spec.ts fails about once in ten runs.")
    say("Migrated CI to GitHub Actions today.")
    assert "GitHub Actions" in told(memory, "Where does CI run?")[0]


def test_a_later_thing_that_is_put_off_ends_no_other(memory, say):
    say("I train four times a week: Monday, Tuesday, Thursday, Saturday.")
    say("The meet was pushed back two weeks.")
    lines = told(memory, "How often do I train?")
    assert "four times" in lines[0] and "until" not in lines[0]


@requirement("recall:past-is-marked")
def test_what_ended_it_is_told_though_it_has_no_word_of_the_question(memory, say):
    say("My ferry to Texel leaves on Saturday at 7:10, cabin 12.")
    for i in range(14):
        say(f"The heron stood at the pond, day {i}.")
    say("The ferry got cancelled, we take the coach instead.")
    lines = told(memory, "Which cabin do I have to Texel?")
    assert "coach" in lines[0] and "until" not in lines[0]
    assert "Texel" in lines[1] and ("until" in lines[1] or "earlier than the line above" in lines[1])


@requirement("recall:past-is-marked")
@pytest.mark.parametrize(("relevance", "by"), [(0.5, {0: 12}), (0.01, {})])
def test_beyond_the_first_results_only_what_replaces_the_answer_is_followed(memory, say, relevance, by):
    """What ended it shares a name with the answer, with the question nothing, so it has the last rank."""
    texts = ["Our soap supplier is Savonnerie Roux in Marseille.", *(f"Shelf {i} holds boxes." for i in range(11))]
    texts.append("Roux raised prices by a fifth, so I order from a workshop in Nablus instead.")
    nodes = [memory.store.node(say(text)) for text in texts]
    judged = Judged([relevance] * len(nodes), 0.9, "base", searched=len(nodes))
    found, _ = replacements("Who supplies our soap?", nodes, judged)
    assert {place: one.by for place, one in found.items() if place == 0} == by


@requirement("recall:past-is-marked")
@pytest.mark.parametrize(("number", "by"), [(12, {0: 12}), (9, {})])
def test_beyond_the_first_results_what_names_the_same_thing_by_a_number_is_followed(memory, say, number, by):
    texts = ["ADR-12: we go with Kafka for events.", *(f"Shelf {i} holds boxes." for i in range(11))]
    texts.append(f"ADR-{number} is reverted, Kafka is overkill; NATS it is.")
    nodes = [memory.store.node(say(text)) for text in texts]
    judged = Judged([0.02] * len(nodes), 0.9, "base", searched=len(nodes))
    found, _ = replacements("Which message broker did we settle on?", nodes, judged)
    assert {place: one.by for place, one in found.items() if place == 0} == by


def test_earlier_than_the_line_above_is_said_below_that_line_only(memory, say):
    say("The van is called Bertha.")
    later = say("The van has a new name: Hilda.")
    assert "Hilda" in told(memory, "What is the van called?")[0]
    first, *_ = told(memory, "What was the van called before?")
    assert "Bertha" in first and "the line above" not in first
    assert f"earlier than {tag_of(later).strip('[]')}" in first


CLAUSES = [
    ("Aunt Bea lives in Porto, she has a parrot.", "Aunt Bea's moved in with a friend.", "Where does Aunt Bea live?"),
    ("I'm reading Emma, about halfway.", "Finished Emma, started Ulysses.", "What am I reading?"),
]  # fmt: skip


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(("earlier", "later", "question"), CLAUSES)
def test_a_clause_of_a_statement_is_replaced_without_an_end_of_the_rest(memory, say, earlier, later, question):
    old, new = say(earlier), say(later)
    hits = memory.recall(Question(question)).hits
    assert [(hit.node.id, hit.replaced_by, hit.until) for hit in hits[:2]] == [(new, None, None), (old, new, None)]


def test_what_is_told_beside_it_replaces_no_clause(memory, say):
    say("We have twins, Noor and Sami, they turned six in March."), say("Noor is scared of geese.")
    assert not any(hit.replaced_by for hit in memory.recall(Question("What is Noor scared of?")).hits)


def test_the_likeliest_takes_its_place_not_the_latest(memory, say):
    debt, paid = say("I owe Greta 30 euros."), say("Paid Greta back.")
    say("We raised the price for paying guests.")
    (hit,) = [hit for hit in memory.recall(Question("Do I owe Greta anything?")).hits if hit.node.id == debt]
    assert hit.replaced_by == paid


def told(memory, question: str) -> list[str]:
    """The memories that a context tells, a line each."""
    context = call(memory, "inject_context", {"query": question}).structured["context"]
    return [line for line in context.splitlines() if line.startswith(">")]


@requirement("recall:the-newest-holds")
def test_the_question_joins_notes_that_share_no_word(memory, clock):
    """Neither has a word of the other: that both are among the best for it makes the later one the answer."""
    rides = ("I ride my motorbike to the office.", "The bins go out on Mondays.", "Sold it, it's the tram from now on.")
    for text in rides:
        clock.pass_time(days=20)
        memory.remember(Draft(text, "said to you"))
    first, second, *_ = memory.recall(Question("How do I get to work?")).hits
    assert first.node.content == rides[2] and second.replaced_by == first.node.id and second.until is None


@requirement("recall:one-change-one-thing")
def test_what_changed_one_thing_is_not_told_as_the_end_of_another(memory, say):
    say("I'm allergic to hazelnuts, so we keep them out of the kitchen altogether.")
    fed = say("The rye sourdough is fed at 10 pm with 200 g of rye flour and 200 g of water.")
    tweak = say("Sourdough tweak: feed it with 250 g water from now on, same flour.")
    say("The oven repair man comes on Friday at 2 pm.")
    hits = memory.recall(Question("What am I allergic to?")).hits
    assert hits[0].node.content.startswith("I'm allergic") and hits[0].replaced_by is None
    hits = memory.recall(Question("How much water goes into the sourdough?")).hits
    assert hits[0].node.id == tweak
    assert {hit.node.id: hit.replaced_by for hit in hits}[fed] == tweak


@requirement("recall:alternatives")
def test_what_is_on_one_weekday_ends_nothing_on_others(memory, say):
    say("Dr. Hall sees patients from Monday to Thursday.")
    say("Dr. Hall will cut back to Mondays and Tuesdays.")
    say("Dr. Hall's Thursday slot was taken over by Dr. Simms.")
    context = call(memory, "inject_context", {"query": "On which days is Dr. Hall in?"}).structured["context"]
    assert "until" not in next(line for line in context.splitlines() if "cut back" in line)


@requirement("recall:typed-in-a-hurry")
def test_what_was_typed_in_a_hurry_changes_as_well(memory, say):
    say("im living in halls atm, room 214")
    say("my tutor is dr marsh")
    say("also moved out of halls, sharing a house on brudenell road w priya")
    lines = call(memory, "inject_context", {"query": "where do i live"}).structured["context"].splitlines()
    assert "brudenell" in lines[1]
    assert "halls atm" in lines[2] and ("until" in lines[2] or "earlier" in lines[2])


@requirement("recall:the-user-in-the-third-person")
@pytest.mark.parametrize("question", ["Where do I live?", "Where does the user live?"])
def test_what_an_agent_notes_of_the_user_is_read_as_what_the_user_says(memory, say, question):
    for text in (
        "The user lives in Oslo.", "User is allergic to peanuts.", "[fact] User's sister Lena lives in Graz.",
        "User is vegetarian.", "User moved to Bergen last week.", "User eats fish again, no longer vegetarian.",
    ):  # fmt: skip
        say(text)
    lines = call(memory, "inject_context", {"query": question}).structured["context"].splitlines()
    assert "Bergen" in lines[1]
    assert "until" in next(line for line in lines if "Oslo" in line)
    allergy = call(memory, "inject_context", {"query": "What am I allergic to?"}).structured["context"]
    assert "until" not in next(line for line in allergy.splitlines() if "peanuts" in line)


@requirement("recall:the-user-in-the-third-person")
@pytest.mark.parametrize("question", ["What do you know about me?", "What do you know about the user?"])
def test_what_is_known_of_me_is_what_an_agent_noted_of_the_user(memory, say, question):
    for text in (
        "The user lives in Oslo.", "User is allergic to peanuts.", "User's sister is called Lena.",
        "User moved to Bergen.", "Postgres 16 runs in production.",
    ):  # fmt: skip
        say(text)
    context = call(memory, "inject_context", {"query": question}).structured["context"]
    assert all(part in context for part in ("peanuts", "Lena", "Bergen"))
    assert "Oslo" not in context and "Postgres" not in context


@pytest.mark.parametrize(
    "metadata", [{"source": "chat"}, {"source": "capture", "captured": True, "project": "lamp"}], ids=["agent", "hook"]
)
def test_where_it_comes_from_keeps_nothing_from_being_past(memory, say, metadata):
    old = say("The deadline for the first import is 12 December, Marit shows it to her board.", metadata=metadata)
    new = say("Marit called, the deadline moved to 19 December.", metadata=metadata)
    hits = {hit.node.id: hit for hit in memory.recall(Question("When is the first import due?")).hits}
    assert hits[old].replaced_by == new


def test_what_a_file_says_ends_only_by_the_file(memory, say):
    of_file = {"source": "plan.md", "folder": "/home/greta/lamp"}
    old = say("The deadline for the import is 12 December.", metadata=of_file)
    say("The deadline moved to 19 December.", metadata=of_file)
    hits = {hit.node.id: hit for hit in memory.recall(Question("When is the import due?")).hits}
    assert hits[old].replaced_by is None


def test_of_two_alternatives_in_the_question_the_later_holds(memory, say):
    say("I'm employed full time at an agency.")
    say("Lena wants to move to Lisbon next year.")
    say("Quit, got the freelance tax number, first invoice is out.")
    first, second, *_ = memory.recall(Question("Am I employed or freelance?")).hits
    assert "freelance" in first.node.content
    assert second.replaced_by == first.node.id and second.until is None


@requirement("recall:alternatives")
def test_what_names_one_of_two_settles_what_was_open(memory, say):
    say("The mixer: we're choosing between a Hobart and a Bosch. Still undecided.")
    say("The apprentice starts his training on Monday.")
    say("We went with the Bosch.")
    context = call(memory, "inject_context", {"query": "Which mixer did we buy?"}).structured["context"]
    lines = [line for line in context.splitlines() if "Bosch" in line]
    assert "went with" in lines[0] and "earlier than the line above" in lines[1]


def test_what_asks_an_assistant_has_no_end(memory, tell):
    worried = "I'm worried: the retro is in room Aspen."
    for text in (worried, "I'm worried: the retro moved to room Birch."):
        tell(text)
    hits = {hit.node.content: hit for hit in memory.recall(Question("Which room is the retro in?")).hits}
    assert hits[worried].until is None and hits[worried].replaced_by is not None


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where do raw invoices arrive?", "inbox.v1"),
        ("Who owns the importer?", "Dilara"),
        ("What am I training for?", "triathlon"),
        ("How much rent do I pay?", "940"),
    ],
)
def test_what_is_told_in_one_sitting_takes_no_place_of_each_other(memory, clock, question, first):
    for text in (
        "Overview: raw invoices arrive in the queue inbox.v1, the importer groups them, results go to DuckDB.",
        "Owner of the importer service is Dilara; reports belong to Henk.",
        "I work night shifts in Malmö as a paramedic and sleep until noon on those days.",
        "I'm training for my first triathlon (goal: to finish).",
        "My budget for the Peru trip is 3,000 euros.",
        "My landlady Mrs. Holm is raising the rent to 940 euros from May.",
        "Known issue: duplicate invoices after an importer restart, they are removed only in DuckDB.",
    ):
        clock.pass_time(minutes=2)
        memory.remember(Draft(text, "said to you"))
    lines = told(memory, question)
    assert any(first in line for line in lines[:2])
    assert not any("earlier than" in line or "until" in line.partition(")")[0] for line in lines)


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(
    ("earlier", "later", "question", "now"),
    [
        ("I live in Bergen.", "I've moved to Oslo.", "Where do I live?", "Oslo"),
        ("I live in Bergen.", "I live in Oslo.", "Where do I live?", "Oslo"),
        ("My favourite colour is red.", "My favourite colour is teal.", "What is my favourite colour?", "teal"),
        ("The gate code is 4711.", "The gate code is 9034.", "What is the gate code?", "9034"),
    ],
)
def test_a_change_told_in_one_sitting_counts(memory, clock, earlier, later, question, now):
    for text in (earlier, "The cat is called Mis.", later):
        clock.pass_time(minutes=2)
        memory.remember(Draft(text, "said to you"))
    lines = told(memory, question)
    assert now in lines[0] and ("earlier than" in lines[1] or "until" in lines[1])


@requirement("recall:the-newest-holds")
def test_company_that_is_gone_leaves_the_rest_of_a_statement(memory, say):
    say("I live in a small house in Celle with my dachshund Waldi.")
    say("Waldi died in July, he was fourteen. It's very quiet in the house.")
    where, with_whom = told(memory, "Where do I live?"), told(memory, "Who do I live with?")
    assert "Celle" in where[0] and "until" not in where[0]
    assert "died" in with_whom[0] and "in part until" in with_whom[1]


@requirement("recall:the-newest-holds")
def test_an_amount_is_replaced_by_an_amount(memory, say):
    say("My budget for the Peru trip is 3,000 euros.")
    say("Ada and I split up; I'm going on the Peru trip with Nora now.")
    assert "3,000" in told(memory, "What is the budget for the trip?")[0]
    say("The Peru budget is 2,500 euros now.")
    assert "2,500" in told(memory, "What is the budget for the trip?")[0]


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(
    ("earlier", "later", "question", "who"),
    [
        ("Our standup is led by Priya.", "Priya's on parental leave, Tom runs the dailies.",
         "Who leads standup?", "Tom"),
        ("My supervisor is Aoife, we only meet on Zoom.", "Aoife went on maternity leave, Tariq is covering for her.",
         "Who's my supervisor at the moment?", "Tariq"),
        ("Rosa runs the kiosk at the harbour.", "Rosa is off sick until May, Jens is standing in.",
         "Who runs the kiosk?", "Jens"),
    ],
)  # fmt: skip
def test_who_stands_in_is_told_first(memory, say, earlier, later, question, who):
    say(earlier)
    say("I got promoted last week!")
    say(later)
    lines = told(memory, question)
    assert who in lines[0] and "earlier than the line above" in lines[1]


@requirement("recall:the-newest-holds")
def test_what_stays_as_it_was_is_not_replaced_by_saying_so(memory, say):
    say("Rye is 5.40, sourdough 6.20.")
    say("Sourdough is 6.60 now, rye stays the same.")
    say("The landlord is Aldgate, lease until March 2027.")
    say("Aldgate sold the building to Northline; rent and lease stay as they are.")
    rye, lease = told(memory, "What does rye cost?"), told(memory, "When does the lease end?")
    assert not any("until" in line.partition(")")[0] for line in rye if "5.40" in line)
    assert "March 2027" in lease[0] and "earlier" not in lease[0]


@requirement("recall:the-newest-holds")
def test_when_a_train_leaves_ends_no_journey(memory, say):
    say("We're planning a trip to Lisbon in May.")
    say("The flight to Lisbon leaves at 7:10.")
    assert not any("until" in line.partition(")")[0] for line in told(memory, "When is the trip to Lisbon?"))


@requirement("recall:the-newest-holds")
def test_what_is_told_within_the_hour_takes_no_place_of_each_other(memory, clock):
    for text in (
        "I'm writing a fantasy novel called The Salt Road, about 60,000 words so far.",
        "The heroine is Ysolde, a cartographer from the port of Venn, 29 years old.",
        "Ysolde's mother died in the flood of Venn when she was nine.",
        "I write every morning from 6 to 8 before work.",
    ):
        clock.pass_time(minutes=16)
        memory.remember(Draft(text, "said to you"))
    assert not any("earlier than" in line for line in told(memory, "What is my novel called?"))
    about_her = [line for line in told(memory, "Where does Ysolde come from?") if "Ysolde" in line]
    assert not any("earlier than" in line for line in about_her)


@requirement("recall:the-newest-holds")
@pytest.mark.parametrize(
    ("question", "before", "now"),
    [
        ("Who gives me piano lessons?", "Piano lessons are on Fridays at three, with Mr Lund.",
         "Mr Lund has gone to sea. The new one is called Ines, same day, same room."),
        ("Who is our treasurer?", "Our treasurer is Pauline, she keeps the books at home.",
         "Pauline's had enough, and on Sunday they voted in young Ben."),
        ("When do releases go out?", "Releases go out on Wednesdays at 9.",
         "Wednesday collides with the audit, so we ship on Mondays, same hour."),
        ("Who supplies the eggs?", "The eggs are from Larkin's farm.",
         "Larkin's flock was culled, we take them off a smallholder in Wells."),
    ],
)  # fmt: skip
def test_a_change_without_a_word_for_one_or_of_the_question_is_told_first(memory, say, question, before, now):
    say(before)
    say(now)
    lines = told(memory, question)
    assert now in lines[0] and before in lines[1] and ("earlier" in lines[1] or "until" in lines[1])


def test_a_change_told_within_the_hour_counts(memory, clock):
    for text in (
        "My contact at the city is Mr. Ferrari.",
        "The budget is 240k.",
        "Mr. Ferrari left, ask Ms. Conti now.",
    ):
        clock.pass_time(minutes=2)
        memory.remember(Draft(text, "said to you"))
    assert "Conti" in told(memory, "Who is my contact at the city?")[0]


@pytest.mark.parametrize(
    ("earlier", "later", "question", "first"),
    [
        ("The boiler's been acting up, plumber is Tadhg.", "Breda broke her hip, so my sister minds the kids for now.",
         "Is the boiler fixed?", "boiler"),
        ("I live in Graz and work at Acme as a buyer.", "I left Acme, I'm at Globex now.", "Where do I live?", "Graz"),
        ("We're redoing our basement, contractor is Pete from Summit Builders, budget 30k.",
         "Pete bailed on us, we're going with Ironwood now, 34k.", "Who is renovating the basement?", "Ironwood"),
        ("Ich wohne in Leipzig und arbeite als Tischlerin.", "Wir sind nach Halle gezogen, die Miete ist höher.",
         "Wo wohne ich?", "Halle"),
    ],
)  # fmt: skip
def test_only_the_part_that_is_asked_for_is_replaced(memory, say, earlier, later, question, first):
    say(earlier)
    say("The skip hire costs 220 a week.")
    say(later)
    assert first in told(memory, question)[0]


def test_whether_one_thing_is_so_asks_for_nothing_else(memory, say):
    say("I'm trying to cut out sugar, it's been three weeks now.")
    say("I drive a 2014 Toyota Yaris, the NCT is due in May.")
    say("Gave up on the no sugar thing, life's too short.")
    assert "Gave up" in told(memory, "Am I still off sugar?")[0]


def test_who_somebody_is_is_told_before_what_they_did(memory, say):
    say("Her brother Caspar is a smuggler who secretly works for the Queen.")
    say("Chapter 12 is where Ysolde learns about Caspar.")
    assert "brother Caspar" in told(memory, "Who is Caspar?")[0]


def test_how_a_thing_is_done_is_no_question_for_all_instructions(memory, say):
    say("Decision: feature flags go through Unleash, no more env vars for toggles.")
    say("Never push to main on Fridays after 14:00.")
    assert "Unleash" in told(memory, "How are feature flags done?")[0]


def test_a_name_counts_more_than_a_common_word_among_few_memories(memory, say):
    say("Project Lumen is a Django monolith with a React front end, Postgres 14 and Celery on RabbitMQ.")
    say("Python version is 3.10, Node 18.")
    say("The office key is under the mat, version two of it.")
    assert any("Postgres" in line for line in told(memory, "Which Postgres version do we use?")[:2])


def test_two_changes_told_in_one_sitting_are_of_two_things(memory, clock):
    memory.remember(Draft("I work part time as a translator for an agency called Lexika.", "said to you"))
    clock.pass_time(days=30)
    for text in ("I quit Lexika and freelance.", 'I finished The Ice Princess and started "Faceless Killers".'):
        clock.pass_time(minutes=5)
        memory.remember(Draft(text, "said to you"))
    assert "Lexika" in told(memory, "Who do I work for?")[0]


def test_what_i_do_for_work_is_not_told_of_another(memory, say):
    say("I'm a tram driver in Zagreb and live with my cousin Mirta.")
    say("Mirta works for the fire brigade.")
    assert "tram driver" in told(memory, "What do I do for a living?")[0]


def test_what_took_the_place_of_another_statement_is_not_put_above_the_answer(memory, say):
    say("Kitchen quote from Howdens came in at 7,850.")
    say("The neighbours at number 12 are called Ros and Phil, they've got a key.")
    wren = say("Got a second kitchen quote, from Wren, 6,990, and we're taking that one.")
    say("Ros and Phil gave the key back because they're moving, it's with Mrs Adeyemi at number 9 now.")
    assert memory.recall(Question("Which kitchen company are we going with?")).hits[0].node.id == wren


def test_of_two_tools_the_one_that_stays_is_not_past(memory, say):
    say("The team uses Airflow for orchestration and Snowflake as the warehouse.")
    say("The team migrated from Airflow to Dagster.")
    hits = memory.recall(Question("Which data warehouse does the team use?")).hits
    assert "Snowflake" in hits[0].node.content and hits[0].replaced_by is None


@pytest.mark.parametrize(
    ("texts", "question", "answer"),
    [
        (["In January we're going to Usedom.", "Usedom isn't working out, we're going to Rügen instead."],
         "Where are we going in January?", "Rügen"),
        (["Im Januar fahren wir nach Usedom.", "Usedom klappt nicht, wir fahren stattdessen nach Rügen."],
         "Wohin fahren wir im Januar?", "Rügen"),
        (["In the summer we want to cycle along the Danube.", "Danube is off, we're walking the Camino instead."],
         "What are we doing in the summer?", "Camino"),
        (["We're spending Christmas at my parents'.", "We're doing Christmas at Jo's after all."],
         "Where are we spending Christmas?", "Jo's"),
    ],
)  # fmt: skip
def test_of_a_time_to_come_the_newest_plan_is_told_first(memory, say, texts, question, answer):
    say("My shift goes from 7 to 15.")
    for text in texts:
        say(text)
    assert answer in told(memory, question)[0]


def test_what_happened_at_a_time_is_not_replaced_by_a_later_plan(memory, clock):
    memory.remember(Draft("We walked along the Danube.", "said to you"))
    clock.pass_time(days=40)
    memory.remember(Draft("We're walking the Camino instead.", "said to you"))
    assert "Danube" in told(memory, "Where did we walk last month?")[0]


def test_the_last_time_is_not_that_of_a_plan_told_with_it(memory, clock):
    for text in ("Had lunch with Ingrid at the noodle place.", "Met Ingrid again, she's moving to Bergen in spring."):
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))
    clock.pass_time(days=3)
    assert "again" in told(memory, "When did I last see Ingrid?")[0]
