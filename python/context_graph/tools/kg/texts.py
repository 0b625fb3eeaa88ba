"""What the contract of the kg_ tools says of arguments that are wrong."""

__all__ = ["QUERY_TEXTS"]

QUERY_TEXTS = {
    "query:missing": "Query parameter is required and must be a string",
    "query:string_type": "Query parameter is required and must be a string",
}
