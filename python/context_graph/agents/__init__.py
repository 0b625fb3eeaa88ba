"""Agents: fixed jobs over the documents of a project, each a bounded task of the background."""
