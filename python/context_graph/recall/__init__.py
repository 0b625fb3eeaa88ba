"""The story of a question: what it asks for, what answers it, and how that is told within a budget."""
