"""How fast and how large the whole system is: start, store, search, embed, open."""
