"""Values that strangers send."""

DEEP: object = []
for _ in range(500):
    DEEP = [DEEP]

TEXTS = [
    "",
    " ",
    "\x00",
    "nul \x00 inside",
    "\ud800 a lone surrogate",
    "\udfff\ud800",
    "".join(map(chr, range(1, 32))),
    "\x7f\x80\x9f\u0085\u2028\u2029",
    "\u202eright to left\u202c \u2066isolated\u2069",
    "zero\u200bwidth\u200d\u2060\ufeff",
    "e" + "\u0301" * 1_000,
    "\U000e0001\U000e007f",
    "\uffff\U0010ffff",
    "x" * 65_536,
    "x" * 1_000_000,
    "word " * 40_000,
    "<" * 5_000 + "private>" * 5_000,
    "../../../../etc/passwd",
    "file:///etc/passwd",
    "data:text/plain;base64,####",
    "'; DROP TABLE nodes; --",
    "%s%n{0}{}",
    "${jndi:ldap://x}",
    "\\u0000 \\ud800",
    '{"$ref": "#"}',
    "NaN",
    "-0",
    "1e400",
    "null",
    "9" * 5_000,
    "2026-13-45T99:99:99Z",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+23:59",
    "00000000-0000-0000-0000-000000000000",
    "7e57ab1e-0000-4000-8000-00000000000g",
    "[node_0123456789]",
    "node_" + "f" * 200,
]
NUMBERS = [0, -1, 1, 2**31, -(2**31) - 1, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, 5e-324]
NOT_NUMBERS = [float("nan"), float("inf"), float("-inf")]
OTHERS = [None, True, False, [], {}, [[]], [None], {"": None}, {"x": {"x": {"x": []}}}, [1, "a", None, {}], DEEP]
LISTS = [["x"] * 10_000, [["x"]] * 50, ["\ud800"], ["\x00"], [""]]

VALUES = [*TEXTS, *NUMBERS, *NOT_NUMBERS, *OTHERS, *LISTS]


def named(value: object) -> str:
    """A short name of a value, for the name of a test."""
    try:
        text = ascii(value)
    except RecursionError:
        text = type(value).__name__
    return text if len(text) <= 40 else f"{text[:30]}...({len(text)})"
