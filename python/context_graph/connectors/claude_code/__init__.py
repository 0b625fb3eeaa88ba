"""Conversations kept without anyone choosing to: from what a host tells to memories.

A hook imports `notice` and `spool` while its host waits, so these and what they import stay light.
"""
