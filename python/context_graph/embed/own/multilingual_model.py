"""The model of the extra `multilingual`, read in the same way as a folder of the user's own."""

import hashlib
from pathlib import Path

from context_graph.embed.multilingual import EXTRA, MULTILINGUAL, SHA256, multilingual_file
from context_graph.embed.own.description import Description
from context_graph.embed.own.e5 import E5Runner, E5Tokenizer
from context_graph.embed.own.e5_file import Vocabulary, vocabulary, weights
from context_graph.embed.own.folder import Folder
from context_graph.embed.own.folder_model import FolderModel
from context_graph.embed.own.runners import Runner
from context_graph.errors import EmbeddingFailed

__all__ = ["MultilingualModel"]

MAX_PASS_TOKENS = 256
"""It was trained on 512; a pass of half as many takes less than half as long."""

PREFIX_TOKENS = 3


class MultilingualModel(FolderModel):
    """multilingual-e5-small of the package; loads at first use.

    Raises
    ------
    EmbeddingFailed
        The extra is not installed, or holds another file than this version was tested with.
    """

    levels_languages = True

    def __init__(self, *, threads: int = 1, fits: Path | None = None) -> None:
        file = multilingual_file()
        if file is None:
            raise EmbeddingFailed(
                f"the model {MULTILINGUAL!r} is not installed; run pip install '{EXTRA}', or choose another by "
                "context-graph model use"
            )
        self._file_checked = False
        super().__init__(
            Description(package=MULTILINGUAL),
            threads=threads,
            fits=fits,
            folder=Folder(
                path=file.parent, weights=file, runtime="numpy", digest=SHA256, pooling="mean", query_prefix="query: ",
                passage_prefix="passage: ", prefix_counts=True, dense=(), max_tokens=MAX_PASS_TOKENS, notes=(),
            ),
            tokenizer=E5Tokenizer(self._vocabulary),
            called="multilingual-e5-small",
        )  # fmt: skip

    def _vocabulary(self) -> Vocabulary:
        return vocabulary(self._checked())

    def _prefix_tokens(self) -> int:
        return PREFIX_TOKENS  # counted without reading the vocabulary

    def _loaded_runner(self) -> Runner:
        return E5Runner(weights(self._checked()))

    def _checked(self) -> Path:
        """The file, once it is known to be the one of this version."""
        file = self.folder.weights
        if not self._file_checked:
            with file.open("rb") as data:
                digest = hashlib.file_digest(data, "sha256").hexdigest()
            if digest != SHA256:
                raise EmbeddingFailed(
                    f"{file} is not the model this version was tested with; reinstall it with "
                    f"pip install --force-reinstall '{EXTRA}'"
                )
            self._file_checked = True
        return file
