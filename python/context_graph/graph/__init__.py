"""What stands in a memory and what it is connected to."""
