"""Models behind a URL that a user has chosen: where texts may go, and how such a service is asked."""
