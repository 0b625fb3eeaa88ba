"""The mutants of mutants.toml fit the sources, and a few are run: their tests must fail."""

import pytest
from emulator import LAUNCH, include_folders

from tests.cuda.mutants import MUTANTS, ON_MODULE, ROOT, SOURCES, MutantError, edited, judge
from tests.requirements import requirement

BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
# A value, a race, and the whole module; a few seconds each.
RUN = ["check-id-at-the-end", "hopfield-barrier-between-teams", "transe-nan-unseen"]


def test_every_edit_fits_in_exactly_one_place():
    texts = {path.name: path.read_text(encoding="utf-8") for path in SOURCES.iterdir()}
    for mutant in MUTANTS:
        assert edited(mutant, texts[mutant.file]) != texts[mutant.file], mutant.name


def test_an_edit_that_fits_nowhere_or_twice_is_refused_with_its_name():
    mutant = MUTANTS[0]
    for text, places in (("", 0), (mutant.before * 2, 2)):
        with pytest.raises(MutantError, match=rf"{mutant.name}: .* found it {places} times.*mutants\.toml"):
            edited(mutant, text)


def test_names_are_single_and_every_family_has_mutants():
    assert len(BY_NAME) == len(MUTANTS) >= 40
    kernels = {name.split("_")[1] for name in LAUNCH} - {"column"}  # which copies rows, and is tested by indexes
    assert {mutant.family for mutant in MUTANTS} >= kernels | {"memory", "pool"}


def test_every_mutant_names_a_test_that_exists():
    for mutant in MUTANTS:
        path = mutant.test.split(" ")[0].split("::")[0]
        assert (ROOT / path).is_file(), mutant.name
        assert path.startswith(("tests/cuda/test_", *ON_MODULE)), mutant.name


def test_what_is_recorded_is_what_there_is():
    lines = (ROOT / "benchmarks/results/kernels/mutants.txt").read_text(encoding="utf-8").splitlines()
    recorded = [line.split() for line in lines if not line.startswith("#")]
    assert {words[0] for words in recorded} == {"caught"}
    assert sorted(words[3] for words in recorded) == sorted(BY_NAME)


@requirement("kernels:mutants-are-caught")
@pytest.mark.long
@pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known")
@pytest.mark.parametrize("name", RUN)
def test_a_mutant_is_caught(name):
    assert judge(BY_NAME[name]) is not None
