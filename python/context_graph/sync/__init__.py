"""Homes that know each other: what one has written comes to the others, over HTTP or through a shared folder."""
