# SPDX-License-Identifier: MIT
"""Fixtures for all tests; the helpers behind them are in support.py."""
import gc

import pytest
import support


def pytest_report_header(config):
    import cython_customslots
    return [f"cython_customslots: {cython_customslots.__version__} from "
            f"{cython_customslots.get_include()}",
            f"test modules: {support.CACHE}{' (sanitized)' if support.SANITIZE else ''}"]


def pytest_collection_modifyitems(items):
    """Tests that need classes to die come first: a later one may start a thread."""
    items.sort(key=lambda item: "mortal_classes" not in getattr(item, "fixturenames", ()))


@pytest.fixture
def mortal_classes():
    support.need_mortal_classes()


@pytest.fixture(scope="session", autouse=True)
def _cache_exists():
    support.CACHE.mkdir(parents=True, exist_ok=True)


@pytest.fixture(scope="session")
def probe(_cache_exists):
    """The C module that shows both headers to Python."""
    return support.probe()


@pytest.fixture(scope="session")
def probe_twin(_cache_exists):
    """The same source, built apart: another module with statics of its own."""
    return support.probe("probe_twin")


@pytest.fixture(scope="session")
def extensibletype(probe):
    return probe.import_metaclass()


@pytest.fixture
def collected():
    """Call it to collect garbage until nothing more goes away."""
    def collect():
        while gc.collect():
            pass
    yield collect
    collect()
