# SPDX-License-Identifier: MIT
"""PyCustomSlots_Intern(): one number for one string in the whole process."""

import pytest
from support import EMPTY, SKIP

pytestmark = pytest.mark.processors


def test_equal_strings_have_equal_ids_and_different_ones_different(probe):
    assert probe.intern(b"numpy.ndarray") == probe.intern(bytes(bytearray(b"numpy.ndarray")))
    assert probe.intern(b"numpy.ndarray") != probe.intern(b"numpy.ndarray2")
    assert probe.intern(b"a") != probe.intern(b"b")
    assert probe.intern(b"ab") != probe.intern(b"a") and probe.intern("é".encode()) != SKIP


def test_ten_thousand_names_have_ids_of_their_own_and_keep_them(probe):
    names = [b"pkg.module.Class%d" % i for i in range(10_000)]
    ids = [probe.intern(name) for name in names]
    assert len(set(ids)) == len(names)
    assert all(i % 2 == 0 and i not in (EMPTY, SKIP) for i in ids)
    assert [probe.intern(name) for name in names] == ids


@pytest.mark.parametrize("one, two", [(b"costarring", b"liquid"), (b"declinate", b"macallums")])
def test_names_with_the_same_hash_have_ids_of_their_own(probe, one, two):
    """FNV-1a of 32 bits is the same for these: they are one behind the other."""
    ids = [probe.intern(one), probe.intern(two)]
    assert ids[0] != ids[1] and ids == [probe.intern(one), probe.intern(two)]


def test_separately_built_modules_and_the_package_agree(probe, probe_twin):
    from cython_customslots import provider
    assert probe is not probe_twin
    for name in ("x", "a.b.c", "scipy.f"):
        ids = {probe.intern(name.encode()), probe_twin.intern(name.encode()), provider.intern(name)}
        assert len(ids) == 1


@pytest.mark.parametrize("name, found", [(None, "NULL"), (b"", "an empty string")])
def test_missing_name_is_refused_and_says_what_was_found(probe, name, found):
    with pytest.raises(ValueError, match=f'found {found}, expected a name, such as "package.name"'):
        probe.intern(name)
