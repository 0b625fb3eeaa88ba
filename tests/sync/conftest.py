"""Two and three homes that know each other."""

import pytest
from sync_scenes import Home, acquainted


@pytest.fixture
def homes(tmp_path):
    """Makes homes, and closes them."""
    opened = []

    def make(*names, known=True, **more):
        opened.extend(made := [Home(tmp_path, name, **more) for name in names])
        if known:
            acquainted(*made)
        return made

    yield make
    for home in opened:
        home.close()
