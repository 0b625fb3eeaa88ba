"""Models of cases and networks: what happened before, and what follows from it."""

from context_graph.tools.cerebrum.add_case import add_case
from context_graph.tools.cerebrum.bayesian_inference import bayesian_inference
from context_graph.tools.cerebrum.create_cerebrum_model import create_cerebrum_model
from context_graph.tools.cerebrum.reason_with_cases import reason_with_cases
from context_graph.tools.cerebrum.transform_model import transform_model
from context_graph.tools.cerebrum.visualize_model import visualize_model

__all__ = [
    "add_case",
    "bayesian_inference",
    "create_cerebrum_model",
    "reason_with_cases",
    "transform_model",
    "visualize_model",
]
