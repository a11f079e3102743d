# SPDX-License-Identifier: MIT
"""The modules under modules/ and language/, how they are built, and what takes modules with state."""
import sys
import textwrap
from pathlib import Path

import pytest
import support

MODULES = Path(__file__).parent / "modules"
LANGUAGE = MODULES.with_name("language")


def build(name, *cython_args, layer=True):
    return support.build_cython(MODULES / name, layer, include_dirs=[MODULES], cython_args=cython_args)


def from_texts(name, texts, **options):
    """The last of the modules of {file: text}, which are side by side."""
    sources = support.cache_directory(name, *texts.values())
    for file, text in texts.items():
        support.write_source(sources / file, textwrap.dedent(text).lstrip("\n"))
    for file in (sources / file for file in texts if file.endswith(".pyx")):
        built = support.build_cython(file, include_dirs=[file.parent, sources], directory=sources, **options)
    return built


def written(directory, name, text, **options):
    """A module of this text, built in a directory."""
    return support.build_cython(support.write_source(directory / f"{name}.pyx", text), directory=directory, **options)


def module_of(name, *imported, build=build):
    """A fixture: this module; those that it imports are there before."""
    @pytest.fixture(scope="session")
    def loaded(_cache_exists):
        return [support.load(build(each)) for each in (*imported, name)][-1]
    return loaded


#: For types and state of each interpreter, and what allows it.
HEAP = ("-DCYTHON_USE_MODULE_STATE=1", "-DCYTHON_USE_TYPE_SPECS=1")
ANYWHERE = "subinterpreters_compatible=own_gil"
NEEDS_HEAP_TYPES = pytest.mark.skipif(sys.version_info < (3, 13), reason="heap types of Cython's own need 3.13")


def in_interpreters(code, paths, target, count):
    """The lines that *code* writes to the file *target*, whose name it has as `target`, in the main
    interpreter and in *count* others; the modules of *paths* can be imported."""
    code = f"import sys\nsys.path[:0] = {[str(path.parent) for path in paths]!r}\n" + textwrap.dedent(code)
    support.check_child(f"""
        import support
        exec({code!r}, {{"target": {str(target)!r}}})
        for _ in range({count}): support.run_in_new_interpreter({code!r}, {str(target)!r})
        """, modules=[support.TESTS / "support.py"])
    return target.read_text(encoding="utf-8").splitlines()
