"""Which causes a text states, between which ends, and which it only asks, doubts or holds to be possible."""

import pytest

from context_graph.embed.causal import causes
from context_graph.graph import factuality
from context_graph.graph.statements import statements


def links(text):
    return [(one.source, one.target, one.hedged) for one in statements(text) if one.kind == "causal"]


def plain(*pairs):
    return [(*pair, False) for pair in pairs]


@pytest.mark.parametrize(
    "text",
    [
        "Does stress cause insomnia?", "Does the new index cause deadlocks", "Was the outage caused by the migration?",
        "Why does noise cause errors?", "It is false that vaccines cause autism.",
        "It is a myth that sugar causes unrest.", "The claim that vaccines cause autism is wrong.",
        "That vaccines cause autism is false.", "Dust causes heat, which is a myth.",
        "Nobody knows whether noise causes errors.", "Nobody thinks noise causes errors.",
        "It is unclear what causes the noise.", "Marek doubts that TLS causes delays.",
        "Marek doubts TLS causes delays.",
        "There is no evidence that TLS causes delays.", "Tom thinks that moonlight causes madness.",
        "Tom thinks moonlight causes madness.", "Moonlight causes madness, Tom thinks.",
        "In Tom's opinion, the cache causes delays.",
        "Tom believes that dust leads to heat, and heat leads to crashes.",
        "We asked if dust causes heat.", "No drug causes immortality.", "The deploy ran without causing downtime.",
        "The filter keeps dust from causing heat.", "Dust is unlikely to cause heat.",
        "The outage would have caused losses.", "Stress does not cause insomnia.", "Stress never causes insomnia.",
        "Stress no longer causes insomnia.",
    ],
)  # fmt: skip
def test_what_is_asked_denied_doubted_or_believed_by_somebody_is_no_cause(text):
    assert causes(text) and links(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Dust may cause heat.", "Dust might well cause heat.", "Dust could cause heat.", "Perhaps dust causes heat.",
        "Dust is thought to cause heat.", "Dust seems to cause heat.", "I think that dust causes heat.",
        "Dust, I think, causes heat.", "It is possible that dust leads to heat.", "Heat may have been caused by dust.",
        "Heat was probably caused by dust.", "Dust leads to heat, perhaps.", "The theory is that dust causes heat.",
    ],
)  # fmt: skip
def test_what_is_held_to_be_possible_is_a_hedged_cause_between_bare_names(text):
    ((cause, effect, hedged),) = links(text)
    assert (cause.lower(), effect.lower(), hedged) == ("dust", "heat", True)


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("We found that slow queries cause high latency.", "slow queries", "high latency"),
        ("Dust can cause heat.", "Dust", "heat"),
        ("There is no doubt that dust causes heat.", "dust", "heat"),
        ("There is no power because the fuse blew.", "fuse blew", "There is no power"),
        ("The build failed because the checksum is wrong.", "checksum is wrong", "build failed"),
        ("Nobody knew the code because the memo was lost.", "memo was lost", "Nobody knew the code"),
        ("Was late because the bus broke down.", "bus broke down", "Was late"),
        ("Marek doubts that TLS causes delays, but the proxy causes delays.", "proxy", "delays"),
    ],
)
def test_what_only_looks_like_a_doubt_is_a_cause(text, cause, effect):
    assert links(text) == plain((cause, effect))


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The outage happened because the migration timed out.", "migration timed out", "outage happened"),
        ("The disk filled up because logs were kept.", "logs were kept", "disk filled up"),
        ("The disk filled up and caused an outage.", "disk filled up", "outage"),
        ("The pipe burst because the valve gave way.", "valve gave way", "pipe burst"),
        ("Max slept in because the alarm was off.", "alarm was off", "Max slept in"),
        ("Because the migration timed out, the release was moved.", "migration timed out", "release was moved"),
    ],
)
def test_a_particle_at_the_end_of_a_clause_belongs_to_its_verb(text, cause, effect):
    assert links(text) == plain((cause, effect))


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Dust leads to heat, and heat leads to crashes.", [("Dust", "heat"), ("heat", "crashes")]),
        ("Rust causes leaks and leaks cause floods.", [("Rust", "leaks"), ("leaks", "floods")]),
        ("Overload causes timeouts which cause retries.", [("Overload", "timeouts"), ("timeouts", "retries")]),
        ("Overload causes timeouts, leading to retries.", [("Overload", "timeouts"), ("timeouts", "retries")]),
        ("Overload causes timeouts and leads to retries.", [("Overload", "timeouts"), ("Overload", "retries")]),
        ("Overload, which causes timeouts, leads to retries.", [("Overload", "timeouts"), ("Overload", "retries")]),
        ("The flood caused by the storm resulted in a famine.", [("storm", "flood"), ("flood", "famine")]),
        ("The flood was caused by rain, which was caused by a low.", [("rain", "flood"), ("low", "rain")]),
        (
            "The login failed because debug logging caused an overflow.",
            [("overflow", "login failed"), ("debug logging", "overflow")],
        ),
        (
            "Rain leads to floods, floods lead to damage, and damage leads to debt.",
            [("Rain", "floods"), ("floods", "damage"), ("damage", "debt")],
        ),
    ],
)
def test_each_link_of_a_compound_sentence_has_its_own_ends(text, pairs):
    assert links(text) == plain(*pairs)


def test_only_the_link_that_is_hedged_is_hedged():
    assert links("Dust may cause heat, which leads to crashes.") == [
        ("Dust", "heat", True), ("heat", "crashes", False)
    ]  # fmt: skip
    both = [("Noise", "stress", True), ("Noise", "insomnia", True)]
    assert links("Noise may lead to stress and cause insomnia.") == both, "one verb for both"


def test_a_question_states_no_kind():
    assert statements("Whales are a kind of fish?") == []


@pytest.mark.parametrize("piece", ["a", "doubt ", "no ", "if ", "may ", "that ", "I think ", ", ", "a b-c' "])
def test_the_frame_of_a_long_text_is_read_in_time(piece):
    text = f"doubts {piece * 4_000} causes {piece * 4_000}"
    assert factuality.frame(text) in ("fact", "guess", "none")
    assert factuality.of_verb(text, " causes ") in ("fact", "guess", "none")
    assert len(factuality.bare(text)) <= len(text) and factuality.remark(text, text)[1] <= len(text)
    assert len(links(text)) <= 16


def test_the_weakest_meaning_says_least():
    assert factuality.weakest("fact", "guess", "none") == "none"
    assert factuality.weakest("fact", "guess") == "guess"
