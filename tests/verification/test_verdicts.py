"""What is proved holds in every run that is tried, and what is refuted fails in the run that is named."""

import itertools
import re
from importlib.util import find_spec

import pytest

from context_graph.texts import forget_texts
from context_graph.verification import CONDITIONS, verdicts, verify
from tests.requirements import requirement

needs_z3 = pytest.mark.skipif(find_spec("z3") is None, reason="the package z3-solver is not installed (extra: verify)")

PROVED = {
    "half": "def half(n: int) -> int:\n    assert n >= 0\n    return n // 2",
    "total": "def total(xs: list[int]) -> int:\n    s = 0\n    for x in xs:\n        s += x\n    return s",
    "find": """
def find(xs: list[int], x: int) -> int | None:
    lo = 0
    hi = len(xs)
    while lo < hi:
        mid = (lo + hi) // 2
        if xs[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    if lo < len(xs) and xs[lo] == x:
        return lo
    return None
""",
    "plus": "def plus(a: int, b: int | None) -> int:\n    return a if b is None else a + b",
    "clear": "def clear(xs: list[int]) -> None:\n    for i in range(len(xs) - 1, -1, -1):\n        xs[i] = 0",
    "gcd": """
def gcd(a: int, b: int) -> int:
    assert a >= 0 and b >= 0
    while b > 0:
        a, b = b, a % b
    return a
""".replace("        a, b = b, a % b\n", "        rest = a % b\n        a = b\n        b = rest\n"),
}
REFUTED = {
    "last": ("bounds", "def last(xs: list[int]) -> int:\n    return xs[len(xs) - 1]"),
    "share": ("bounds", "def share(a: int, b: int) -> int:\n    return a // (b - 7)"),
    "over": (
        "bounds",
        "def over(xs: list[int]) -> int:\n    i = 0\n    while i <= len(xs):\n        if xs[i] > 3:\n"
        "            return i\n        i += 1\n    return 0",
    ),
    "maybe": ("null_safety", "def maybe(a: int, b: int | None) -> int:\n    return a + b"),
    "sign": (
        "type_invariants",
        "def sign(n: int) -> int:\n    if n > 0:\n        return 1\n    elif n < 0:\n        return -1",
    ),
    "claim": ("custom_assertions", "def claim(n: int) -> int:\n    m = n * n\n    assert m > n\n    return m"),
}  # fmt: skip


def run(code, name, *arguments):
    world = {}
    exec(code, world)
    return world[name](*[list(one) if isinstance(one, list) else one for one in arguments])


def by_condition(verdict):
    return {one.condition: one for one in verdict.conditions}


@requirement("verification:proofs-hold")
@needs_z3
@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved_holds_in_every_run(name):
    verdict = verify(PROVED[name], CONDITIONS, [])
    assert {one.condition: one.status for one in verdict.conditions} == dict.fromkeys(CONDITIONS, "Verified")
    kinds = re.search(r"\((.*?)\)", PROVED[name])[1].split(", ")
    values = {"int": range(9), "list[int]": ([], [1], [1, 2, 2, 5], [-3, 0]), "int | None": (None, 0, 4)}
    for arguments in itertools.product(*(values[kind.split(": ")[1]] for kind in kinds)):
        run(PROVED[name], name, *arguments)  # no IndexError, TypeError, AssertionError, and an end


@requirement("verification:refuted-by-arguments")
@needs_z3
@pytest.mark.parametrize("name", REFUTED)
def test_what_is_refuted_fails_with_the_arguments_named(name):
    condition, code = REFUTED[name]
    verdict = verify(code, CONDITIONS, [])
    assert verdict.status == "Failed"
    failed = by_condition(verdict)[condition]
    assert failed.status == "Failed" and f"{name}: not so: " in failed.detail
    world = {}
    exec(f"arguments = dict({failed.detail.rpartition('; for ')[2]})", world)
    if condition == "type_invariants":
        assert run(code, name, *world["arguments"].values()) is None
    else:
        with pytest.raises((IndexError, TypeError, AssertionError, ZeroDivisionError)):
            run(code, name, *world["arguments"].values())
    others = {one.condition: one.status for one in verdict.conditions if one.condition != condition}
    assert set(others.values()) == {"Verified"}, "the first error ends a run: what comes after it is not to blame"


@needs_z3
def test_an_assertion_that_is_not_read_leaves_the_other_conditions_alone():
    verdict = verify("def first(xs: list[int], n: int) -> int:\n    return xs[n]\n", CONDITIONS, ["n.real > 2"])
    assert verdict.status == "Failed"
    statuses = {one.condition: one.status for one in verdict.conditions}
    assert (statuses["bounds"], statuses["null_safety"]) == ("Failed", "Verified")
    (last,) = [one for one in verdict.conditions if one.status == "NotApplicable"]
    assert last.condition == "custom_assertions" and last.detail.startswith("among the assertions: ")
    alone = verify("def one() -> int:\n    return 1\n", ["custom_assertions"], ["n.real > 2"])
    assert alone.status == "NotApplicable"


@needs_z3
def test_assertions_are_over_arguments_and_result():
    verdict = verify(PROVED["half"], ["custom_assertions"], ["2 * result <= n", "n - 2 * result <= 1"])
    assert verdict.status == "Verified"
    verdict = verify(PROVED["half"], ["custom_assertions"], ["result < n"])
    assert verdict.status == "Failed" and verdict.conditions[0].detail.endswith("for n=0")
    mod = "def mod(a: int, b: int) -> int:\n    assert b != 0\n    return a % b"
    signs = [
        "b < 0 or (0 <= result and result < b)",
        "b > 0 or (b < result and result <= 0)",
        "a == b * (a // b) + result",
    ]
    assert verify(mod, ["custom_assertions"], signs).status == "Verified", "rounded down, as Python does"


@requirement("verification:loops-end")
@needs_z3
def test_a_loop_that_never_ends_is_told_from_one_that_is_not_understood():
    forever = "def f(n: int) -> int:\n    while n > 0:\n        n = n + 1\n    return n"
    failed = verify(forever, ["loop_termination"], []).conditions[0]
    assert failed.status == "Failed" and "never ends" in failed.detail
    collatz = (
        "def f(n: int) -> int:\n    while n > 1:\n        if n % 2 == 0:\n            n = n // 2\n"
        "        else:\n            n = 3 * n + 1\n    return n"
    )
    unknown = verify(collatz, ["loop_termination"], []).conditions[0]
    assert unknown.status == "NotApplicable" and "neither proved nor refuted" in unknown.detail
    leaving = forever.replace("        n = n + 1", "        if n > 9:\n            return n\n        n = n + 1")
    assert verify(leaving, ["loop_termination"], []).status != "Failed", "it ends by its return"


@requirement("verification:outside-is-said")
@needs_z3
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("Anna plays the clarinet.", "no Python"),
        ("x = 1", "beside functions there is Assign"),
        ("import os", "no function is defined"),
        ("def f(x: str) -> int:\n    return 1", "the type str is none of"),
        ("def f(x) -> int:\n    return 1", "has no type"),
        ("def f(x: int) -> int:\n    return g(x)", "g(x) is not read"),
        ("def f(x: int) -> int:\n    while True:\n        break\n    return x", "break and continue"),
        ("def f(xs: list[int]) -> int:\n    ys = xs\n    ys[0] = 1\n    return xs[0]", "a list of two names"),
        ("def f(a: list[int], b: list[int]) -> None:\n    a[0] = 1", "two arguments may be one list"),
        ("def f(len: int) -> int:\n    return len", "another thing here than in Python"),
        ("def f(n: int) -> int:\n    assert n > 0 and n < 0\n    return 1 // 0", "contradicts itself"),
        ("def f(n: int) -> int:\n    __import__('os').system('true')\n    return n", "without effect"),
        ("def f(n: int) -> int:\n    return " + "-" * 30_000 + "n", "at most 20000 characters"),
        ("def f(n: int) -> int:\n    return " + "(" * 300 + "n" + ")" * 300, "no Python"),
    ],
)
def test_what_lies_outside_is_not_applicable_with_the_reason(code, reason):
    verdict = verify(code, CONDITIONS, [])
    assert verdict.status == "NotApplicable"
    assert all(reason in one.detail for one in verdict.conditions), verdict.conditions[0].detail


@requirement("verification:kept-by-hash")
@needs_z3
def test_a_verdict_is_kept_until_texts_are_forgotten_and_never_where_time_ran_out():
    code = "def twice(n: int) -> int:\n    return n + n"
    forget_texts()
    assert verify(code, ["bounds"], [], timeout_ms=1).status == "Timeout"
    first = verify(code, ["bounds"], [])
    again = verify(code, ["bounds"], [])
    assert (first.cached, again.cached) == (False, True) and first.conditions == again.conditions
    assert verify(code, ["null_safety"], []).cached is False and verify(f"{code} ", ["bounds"], []).cached is False
    forget_texts()
    assert verify(code, ["bounds"], []).cached is False


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setattr(verdicts, "find_spec", lambda name: None)
    verdict = verify("def f(n: int) -> int:\n    return n", ["bounds"], [])
    assert verdict.status == "NotApplicable"
    assert "pip install 'ultimate-context-graph[verify]'" in verdict.conditions[0].detail
