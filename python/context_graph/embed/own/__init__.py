"""Models of the user's own: a folder of weights, or a service that embeds texts."""
