"""A child that tries what the process that reads code may not do, and says what came of it."""

import json
import socket
import sys

from context_graph.agents.code.child import limit, without_network


def connected():
    try:
        socket.create_connection(("192.0.2.1", 9), timeout=0.2)
    except OSError as error:
        return False if error.errno == 101 else f"{error}"  # ENETUNREACH
    return True


def written(path):
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write("x")
    except OSError:
        return False
    return True


if __name__ == "__main__":
    question = json.load(sys.stdin)
    network = without_network()
    limit(question["bytes"], question["cpu_s"])
    told = {
        "network": network, "interfaces": [name for _, name in socket.if_nameindex()], "connected": connected(),
        "written": written(question["path"]),
    }  # fmt: skip
    json.dump(told, sys.stdout)
