"""Commands for who runs a memory: the server, settings, copies, checks, maintenance and measurements."""
