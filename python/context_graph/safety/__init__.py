"""What keeps the memory safe from what it is told."""
