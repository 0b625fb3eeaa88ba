"""Commands that read and write the store."""
