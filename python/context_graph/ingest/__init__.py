"""The story of what is told: read, judged, linked and kept; changed, embedded anew, and forgotten."""
