"""What can go wrong, as one tree; `server/errors.py` alone turns it into protocol answers.

ContextGraphError
├── InvalidInput            an argument is not what the contract asks for
│   ├── NameTaken           another record has the name
│   └── UnusablePath        what is at a path, or is not there, does not fit what it is named for
├── NotFound                no such node, tag, event, tool, resource
│   ├── NodeNotFound
│   ├── CitationNotFound
│   ├── ConceptNotFound
│   ├── ReversalNotFound
│   ├── EventNotFound
│   ├── NotInitialized      nothing has been made yet that could be asked
│   ├── NotMeasuredYet      nothing has happened that could be measured
│   ├── PromptNotFound
│   ├── ResourceNotFound
│   └── ToolNotFound
├── Refused                 understood, and against the rules
│   ├── Forbidden           not for the identity that asks
│   ├── PermanentDeleteRefused
│   ├── AdversarialBlocked
│   ├── PayloadTooLarge
│   ├── NotApplicable       a part is not installed, or the question is outside of what it answers
│   ├── SyncRefused         another home is not known, not allowed, or not who it should be
│   └── SyncStopped         another home would take away too much
├── Cancelled               nobody waits for the answer any more
├── StoreError              the store could not do it; nothing was written
│   ├── StoreBusy
│   ├── StoreCorrupt
│   └── FormatTooNew
├── EmbeddingFailed
├── EndpointFailed          a language model behind a URL may not be asked, is away, or answers what is no answer
├── PeerUnreachable
├── SearchFailed
├── BackendUnavailable      a kernel backend that this machine does not have
└── ArrayError              an array of the wrong dtype, shape or content

Every message says what was expected, what came, and what to do next.
"""

__all__ = [
    "AdversarialBlocked",
    "ArrayError",
    "BackendUnavailable",
    "Cancelled",
    "CitationNotFound",
    "ConceptNotFound",
    "ContextGraphError",
    "EmbeddingFailed",
    "EndpointFailed",
    "EventNotFound",
    "Forbidden",
    "FormatTooNew",
    "InvalidInput",
    "NameTaken",
    "NodeNotFound",
    "NotApplicable",
    "NotFound",
    "NotInitialized",
    "NotMeasuredYet",
    "PayloadTooLarge",
    "PeerUnreachable",
    "PermanentDeleteRefused",
    "PromptNotFound",
    "Refused",
    "ResourceNotFound",
    "ReversalNotFound",
    "SearchFailed",
    "StoreBusy",
    "StoreCorrupt",
    "StoreError",
    "SyncRefused",
    "SyncStopped",
    "ToolNotFound",
    "UnusablePath",
]


class ContextGraphError(Exception):
    """Base of all errors of this package.

    Attributes
    ----------
    code : int or str
        What a client receives as `structuredContent.error.code`.
    retryable : bool
        Whether the same call may succeed later without a change.
    hint : str
        What to do next, where the message does not say it already.
    """

    code: int | str = -32603
    retryable = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class InvalidInput(ContextGraphError, ValueError):
    code: int | str = -32602

    def __init__(self, message: str, *, field: str | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.field = field


class NameTaken(InvalidInput):
    code = "NAME_TAKEN"


class UnusablePath(InvalidInput):
    """A path that is written well, where the disk holds something else than it must."""


class NotFound(ContextGraphError, LookupError):
    code = "NOT_FOUND"


class NodeNotFound(NotFound):
    code = "NODE_NOT_FOUND"


class CitationNotFound(NotFound):
    code = "CITATION_NOT_FOUND"


class ConceptNotFound(NotFound):
    code = "CONCEPT_NOT_FOUND"


class ReversalNotFound(NotFound):
    code = "REVERSAL_NOT_FOUND"


class EventNotFound(NotFound):
    code = "EVENT_NOT_FOUND"


class NotInitialized(NotFound):
    code = "NOT_INITIALIZED"


class NotMeasuredYet(NotFound):
    code = "NOT_MEASURED_YET"


class PromptNotFound(NotFound):
    code = "PROMPT_NOT_FOUND"


class ResourceNotFound(NotFound):
    code = "RESOURCE_NOT_FOUND"


class ToolNotFound(NotFound):
    code = "TOOL_NOT_FOUND"


class Refused(ContextGraphError):
    code = "REFUSED"


class Forbidden(Refused):
    code = "FORBIDDEN"


class Cancelled(ContextGraphError):
    code = "CANCELLED"
    retryable = True


class PermanentDeleteRefused(Refused):
    code = "PERMANENT_DELETE_REFUSED"


class AdversarialBlocked(Refused):
    code = "ADVERSARIAL_BLOCKED"


class PayloadTooLarge(Refused):
    code = "PAYLOAD_TOO_LARGE"


class NotApplicable(Refused):
    code = "NOT_APPLICABLE"


class SyncRefused(Refused):
    code = "SYNC_REFUSED"


class SyncStopped(Refused):
    code = "SYNC_STOPPED"


class StoreError(ContextGraphError):
    code = "STORE_ERROR"


class StoreBusy(StoreError):
    code = "STORE_BUSY"
    retryable = True


class StoreCorrupt(StoreError):
    code = "STORE_CORRUPT"


class FormatTooNew(StoreError):
    code = "FORMAT_TOO_NEW"


class EmbeddingFailed(ContextGraphError):
    code = -32005


class EndpointFailed(ContextGraphError):
    code = "ENDPOINT_FAILED"
    retryable = True


class PeerUnreachable(ContextGraphError):
    code = "PEER_UNREACHABLE"
    retryable = True


class SearchFailed(ContextGraphError):
    code = -32015


class BackendUnavailable(ContextGraphError):
    code = "BACKEND_UNAVAILABLE"


class ArrayError(ContextGraphError, ValueError):
    code = "ARRAY_ERROR"
