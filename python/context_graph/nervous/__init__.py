"""The nervous layer: how new, how coherent, how worthwhile a memory is, and the state that follows from it."""
