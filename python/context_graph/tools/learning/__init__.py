"""What the nervous layer measures, and what it does when it is asked to."""

from context_graph.tools.learning.get_neuromodulation import get_neuromodulation
from context_graph.tools.learning.get_steering_feedback import get_steering_feedback
from context_graph.tools.learning.homeostatic_status import homeostatic_status
from context_graph.tools.learning.trigger_dream import trigger_dream
from context_graph.tools.learning.utl_status import utl_status

__all__ = ["get_neuromodulation", "get_steering_feedback", "homeostatic_status", "trigger_dream", "utl_status"]
