"""All memories as arrays in RAM, and their way there from the store and the cached files."""
