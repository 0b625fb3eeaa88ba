"""Cases: what happened, with its features and its outcome, and what it says of the next."""

from context_graph.cases.base import Case, Cases
from context_graph.cases.model import Model, models

__all__ = ["Case", "Cases", "Model", "models"]
