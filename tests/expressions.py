"""Regular expressions of the package for Hypothesis, which takes none that is still to be compiled."""

import re


def compiled(expression: re.Pattern[str]) -> re.Pattern[str]:
    """What `context_graph.regex.regex` gave, as an `re.Pattern` itself."""
    return re.compile(expression.pattern, expression.flags)
