"""A model of your own in place of MiniLM, and what happens to memories that another model read.

Give a sentence-transformers folder with a model.onnx, such as an export of bge-small-en; without one this takes a copy
of the package's model, for which the extra `minilm` must be installed.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from context_graph import Draft, Memory, Question
from context_graph.embed.minilm import model_file
from context_graph.settings import Settings

folder = tempfile.TemporaryDirectory()
home, own = Path(folder.name) / "home", Path(folder.name) / "my-model"
if len(sys.argv) > 1:
    own = Path(sys.argv[1])
else:
    own.mkdir()
    shutil.copy(model_file(), own / "model.onnx")

with Memory(Settings(home=home, tier="base")) as memory:
    memory.remember(Draft("The baker leaves at four in the morning.", rationale="for the key"))

with Memory(Settings(home=home, tier="minilm", model_folder=own)) as memory:
    hit = memory.recall(Question("When does the baker go?")).hits[0]
    print("found before it is embedded anew:", hit.node.content)
    memory.background.wait()  # a server does this beside its work, `context-graph embed` at once
    hit = memory.recall(Question("Who gets up early?")).hits[0]
    print("and after:", hit.node.content)
    print("read by:", memory.corpus.embedder.makers["E1"])
folder.cleanup()
