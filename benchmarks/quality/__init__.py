"""How well memories are found: recall of evidence, against baselines from the same harness."""
