"""The newest holds: which results a later one has taken the place of, and in which order they are told.

Nothing is written: what a statement replaces is judged anew by each question, so a wrong judgement loses nothing.
"""
