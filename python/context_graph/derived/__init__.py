"""What follows from the memories and is kept in RAM: facts, beliefs, aliases, vectors of names."""
