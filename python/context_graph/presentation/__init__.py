"""What is told of nodes, edges and sessions, in objects that fit into one line of the wire."""
