"""Proofs about small Python functions, by z3 in a child process; the code is read, never run."""

from context_graph.verification.verdicts import CONDITIONS, Condition, Verdict, verify

__all__ = ["CONDITIONS", "Condition", "Verdict", "verify"]
