"""The store in SQLite: the ports answered from one file, by an event log and the tables folded from it."""
