"""Conversations kept without anyone choosing to: from what a host tells to memories.

A hook imports `hook_event` and `spool` while its host waits, so these and what they import stay light.
"""
