"""Memories in and out: our own JSON Lines, exact in both directions, and the files of others."""
