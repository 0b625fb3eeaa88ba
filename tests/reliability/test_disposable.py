"""Whatever happens to a file that is not the store itself, the memory answers as before and makes the file anew."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from library import answers, fill
from privileges import as_a_mere_user

from context_graph.index import segment_cache, snapshot
from context_graph.ingest.forget import forget
from context_graph.memory import Memory
from context_graph.settings import Settings
from context_graph.store import segments as stored

SMALL, FEW, MANY = 110, 250, 2_500
"""Rows of a small segment, and memories that make two whole segments and a part of a third: small ones, or with --long
segments of their true size."""

KEPT = {"graph.sqlite3", "graph.sqlite3-wal", "graph.sqlite3-shm", "ed25519.key", "last-write", "config.toml"}
FLIPS = 3


class Library:
    """A home with a cache, and what it answers when nothing is wrong."""

    def __init__(self, home: Path, seed: int = 1) -> None:
        self.settings = Settings(home=home, tier="base")
        with Memory(self.settings) as memory:
            fill(memory, FEW if stored.SEGMENT_ROWS == SMALL else MANY, seed)
        self.answers = self.ask()  # the first opening writes the cache
        self.files = {path: path.read_bytes() for path in self.derived()}
        kinds = sorted(path.name.split(".")[1].split("-")[0] for path in self.files)
        assert kinds == ["features", "features", "rarity", "rarity", "state"], "two whole segments and what is of both"

    def derived(self) -> list[Path]:
        """Every file that is made from the store."""
        found = [path for path in sorted(self.settings.home.rglob("*")) if path.is_file()]
        return [path for path in found if path.name not in KEPT]

    def ask(self) -> list[list[tuple[str, float]]]:
        with Memory(self.settings) as memory:
            return answers(memory)

    def put_back(self) -> None:
        shutil.rmtree(self.settings.home / "cache", ignore_errors=True)
        (self.settings.home / "cache").unlink(missing_ok=True)
        for path, content in self.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


@pytest.fixture(scope="module", autouse=True)
def small_segments(pytestconfig: pytest.Config) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        if not pytestconfig.getoption("long"):
            for module in (stored, segment_cache, snapshot):
                patched.setattr(module, "SEGMENT_ROWS", SMALL)
        yield


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(tmp_path_factory.mktemp("library") / "home")


@pytest.fixture
def library(built: Library) -> Iterator[Library]:
    yield built
    built.put_back()


def _flip(path: Path, random: Random) -> None:
    data = bytearray(path.read_bytes())
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    path.write_bytes(data)


def _exchange(path: Path, choose: Callable[[list[Path]], Path]) -> None:
    path.write_bytes(choose(sorted(other for other in path.parent.iterdir() if other != path)).read_bytes())


def _folder(path: Path, inside: bool) -> None:
    path.unlink()
    path.mkdir()
    if inside:
        (path / "something").write_text("of somebody's", encoding="utf-8")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "a folder": lambda path: _folder(path, inside=False),
    "a full folder": lambda path: _folder(path, inside=True),
    "a dead link": lambda path: (path.unlink(), path.symlink_to("nowhere")),
    "zeroed": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0" * 64),
    "twice": lambda path: path.write_bytes(path.read_bytes() * 2),
    "the first other": lambda path: _exchange(path, lambda others: others[0]),
    "the second other": lambda path: _exchange(path, lambda others: others[1]),
    "the last other": lambda path: _exchange(path, lambda others: others[-1]),
} | {
    f"cut to {share}": lambda path, share=share: path.write_bytes(
        path.read_bytes()[: round(path.stat().st_size * share)]
    )
    for share in (0.0, 0.00001, 0.0001, 0.3, 0.75, 0.99999)
}  # fmt: skip


LIKE_OTHERS = {
    "a folder",
    "twice",
    "the second other",
    "the last other",
    "cut to 1e-05",
    "cut to 0.0001",
    "cut to 0.75",
}
"""Damages that take the way of another one; behind --long."""


@pytest.mark.parametrize(
    "damage", [pytest.param(each, marks=[pytest.mark.long] * (each in LIKE_OTHERS)) for each in DAMAGES]
)
def test_a_damaged_file_changes_no_answer_and_is_made_anew(library, damage):
    for path in library.derived():
        DAMAGES[damage](path)
        assert library.ask() == library.answers, path.name
        assert path.is_file() and path.read_bytes() == library.files[path], path.name
        assert library.derived() == sorted(library.files), "something was left behind"


def test_a_flipped_bit_anywhere_changes_no_answer_and_is_put_right(library):
    random = Random(5)
    for path in library.derived():
        for _ in range(FLIPS):
            _flip(path, random)
            assert library.ask() == library.answers, path.name
            assert path.read_bytes() == library.files[path], path.name


def test_each_bit_of_the_beginning_of_a_file_is_guarded(library):
    """The head names sizes and kinds: read blindly, it leads anywhere."""
    random = Random(6)
    for path in library.derived():
        whole = path.read_bytes()
        for place in random.sample(range(512), 4):
            data = bytearray(whole)
            data[place] ^= 1 << random.randrange(8)
            path.write_bytes(data)
            assert library.ask() == library.answers, (path.name, place)
        path.write_bytes(whole)


def test_the_cache_of_another_store_is_not_believed(library, tmp_path):
    other = Library(tmp_path / "other", seed=2)
    for path in library.derived():
        shutil.copy(other.settings.home / path.relative_to(library.settings.home), path)
        assert library.ask() == library.answers, path.name
        assert path.read_bytes() == library.files[path], path.name


@pytest.mark.parametrize("instead", ["nothing", "a file", "garbage"])
def test_a_lost_cache_changes_no_answer(library, instead):
    cache = library.settings.home / "cache"
    if instead == "garbage":
        (next(cache.iterdir()) / "00000007.features.segment").write_bytes(b"garbage")
        (next(cache.iterdir()) / "notes.txt").write_bytes(b"of somebody's")
    else:
        shutil.rmtree(cache)
    if instead == "a file":
        cache.write_bytes(b"no folder")
    assert library.ask() == library.answers
    if instead == "nothing":
        assert {path: path.read_bytes() for path in library.derived()} == library.files


def test_a_cache_that_may_not_be_written_costs_only_time(library):
    cache = next((library.settings.home / "cache").iterdir())
    for path in library.derived():
        _flip(path, Random(7))
        path.chmod(0o400)
    cache.chmod(0o500)
    try:
        with as_a_mere_user():
            assert library.ask() == library.answers
            with Memory(library.settings) as memory:
                first = answers(memory)[0][0][0]
                gone = forget(memory, first, "obsolete")
                assert all(id != first for id, _ in answers(memory)[0])
                memory.store.undo(gone.reversal_hash, memory.author(memory.caller))
    finally:
        cache.chmod(0o700)
    assert library.ask() == library.answers
