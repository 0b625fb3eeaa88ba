"""The server over HTTP, with the extra `http`: streamable HTTP, REST, and the older SSE; imported when asked for."""
