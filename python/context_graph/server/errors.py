"""What went wrong, as a client reads it; nothing of Python reaches the wire."""

import logging
import secrets
from typing import Any

from context_graph.errors import ContextGraphError

__all__ = ["error_text", "error_values", "incident"]

logger = logging.getLogger(__name__)


def error_values(error: ContextGraphError) -> dict[str, Any]:
    """`structuredContent.error` of an error of ours."""
    field = getattr(error, "field", None)
    values = {"code": error.code, "message": str(error), "hint": error.hint, "retryable": error.retryable}
    return values | ({"field": field} if field else {})


def incident(error: Exception) -> dict[str, Any]:
    """The same for a defect: the traceback goes to stderr under an id, the client gets the id."""
    name = secrets.token_hex(4)
    logger.error("incident %s", name, exc_info=error)
    return {
        "code": -32603,
        "message": f"an internal error happened; the server's log names it incident {name}",
        "hint": "try again, or do without this call; report the incident if it stays",
        "retryable": True,
    }


def error_text(values: dict[str, Any]) -> str:
    """An error in words: what is wrong, then what to do."""
    return f"Error: {values['message']}" + (f"\n{values['hint']}" if values["hint"] else "")
