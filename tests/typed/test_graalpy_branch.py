# SPDX-License-Identifier: MIT
"""What typedmethod.h does on GraalPy, where nothing is shared: as read there, and run on this Python."""
import ctypes

import pytest
import support

EXAMPLES = support.ROOT / "examples" / "mytypedmod"


@pytest.mark.parametrize("source", ["mytypedmod", "counting"])
@pytest.mark.parametrize("dialect", support.DIALECTS)
def test_a_typed_module_compiles_without_a_warning_as_graalpy_reads_it(source, dialect, tmp_path):
    support.compile_all_strictly([EXAMPLES / f"{source}.c"], dialect, tmp_path, "-DGRAALVM_PYTHON", check_only=True)


def test_nothing_is_registered_nothing_is_found_and_python_is_called(tmp_path):
    long = f"i{ctypes.sizeof(ctypes.c_long)}"
    paths = [support.build_c(name, EXAMPLES / f"{name}.c", cflags=("-DGRAALVM_PYTHON",))
             for name in ("mytypedmod", "counting")]
    assert support.check_child("""
        import mytypedmod, counting
        assert counting.count(mytypedmod.inc, 0, 5) == (5, "Python")
        try:
            counting.count("mytypedmod.inc", 0, 5)
        except TypeError as error:
            print(error)
        """, modules=paths) == f"found an object of type 'str', expected a callable for {long}({long})"
