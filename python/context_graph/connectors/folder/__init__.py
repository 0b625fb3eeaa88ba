"""A folder of documents and code as memories, kept in step with it."""
