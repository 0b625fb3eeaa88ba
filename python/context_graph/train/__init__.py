"""Training of what is learned and shipped: today the fusion of the spaces."""
