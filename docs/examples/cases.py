"""Cases: what happened predicts what comes, how sure that is, and a network of causes beside it."""

import tempfile
from importlib.util import find_spec
from pathlib import Path

from context_graph import Memory
from context_graph.server.dispatch import call
from context_graph.settings import Settings

FEATURES = {
    "lines": {"type": "number", "min": 0, "max": 1000},
    "tests": "boolean",
    "language": "categorical",
}
NETWORK = {
    "variables": {"tests": [True, False], "defect": ["yes", "no"]},
    "edges": [["tests", "defect"]],
    "cpts": {"tests": [0.7, 0.3], "defect": [[0.1, 0.9], [0.4, 0.6]]},
}

with tempfile.TemporaryDirectory() as folder, Memory(Settings(home=Path(folder), tier="base")) as memory:

    def ask(tool, **arguments):
        return call(memory, tool, arguments).structured

    ask("create_cerebrum_model", name="reviews", model_type="case_based", config={"features": FEATURES})
    for number in range(40):
        lines, tests = 25 * number, number % 3 > 0
        ask(
            "add_case",
            case_id=f"review_{number}",
            features={"lines": lines, "tests": tests, "language": "python" if number % 2 else "rust"},
            outcome="approved" if tests and lines < 600 else "rejected",
            model="reviews",
        )

    told = ask("reason_with_cases", query_features={"lines": 120, "tests": True, "language": "python"}, k=5)
    print("prediction:", told["prediction"], "with", round(told["confidence"], 2))
    print("most similar:", told["retrieved_cases"][0]["case_id"], told["retrieved_cases"][0]["similarity"])
    print("checked on", told["evidence"]["calibration"]["cases_left_out"], "cases")

    step = ask("transform_model", model_name="reviews", transformation="adapt_to_case", case_id="review_7")
    weights = step["metadata"]["changed"]["weights"]
    print("tests now count more than the language:", weights["tests"]["after"] > weights["language"]["after"])
    print("found like any memory:", ask("search_graph", query="review_7 approved")["results"][0]["name"])

    ask("create_cerebrum_model", name="defects", model_type="bayesian", config=NETWORK)
    if find_spec("pyagrum") is None:
        print("bayesian_inference needs the extra [causal]")
    else:
        found = ask("bayesian_inference", network_name="defects", query={"tests": None}, evidence={"defect": "yes"})
        print("tested, given a defect:", round(found["results"]["tests"]["probabilities"][0], 3))
