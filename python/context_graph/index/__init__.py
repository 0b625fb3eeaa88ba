"""All memories as arrays in RAM, and how they are loaded from the store and the cache."""
