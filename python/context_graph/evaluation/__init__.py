"""How well memories are found: question sets, measures, ablations."""
