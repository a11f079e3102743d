# SPDX-License-Identifier: MIT
"""The layer writes the same C whatever interpreter runs it.

That is why the other tests may take the C that another interpreter has generated, and what
they find is said of the layer on this one, too.
"""
import itertools
import re
import sys

import class_kinds
import generated_c
import pytest
import support
from layer_modules import LANGUAGE, MODULES

pytestmark = pytest.mark.interpreters

#: Those under modules/ that are compiled in another way than the rest.
OPTIONS = {"layer_automatic": {"cython_args": ["--extend-all"]}, "layer_cpp": {"cplus": True},
           "layer_stubs": {"cplus": True}, "kinds_foreign": {"layer": False}}


def modules():
    for directory, path in ((folder, path) for folder in (MODULES, LANGUAGE)
                            for path in sorted(folder.iterdir())
                            if path.suffix in (".pyx", ".py") and path.stem != "kinds"):
        yield support.cython_module(path, include_dirs=[directory], **OPTIONS.get(path.stem, {}))
    yield from map(class_kinds.kinds_module, class_kinds.WAYS)


def comparable(c):
    """Without the strings that are packed with zstd, which interpreters have from 3.14 on."""
    return re.sub(r"(?s)#if \(CYTHON_COMPRESS_STRINGS\) == 3 .*?#elif", "#if", c)


#: Of classes, of interfaces, of typed functions; the others at night.
FIRST = ["layer_base", "interface_provider", "typed_binding"]


@pytest.mark.parametrize("module", support.thoroughly(
    sorted(modules(), key=lambda module: (FIRST + [module.name]).index(module.name)), plain=2, thorough=1),
    ids=lambda module: module.name)
def test_every_interpreter_generates_the_same_c(module, tmp_path):
    source, = module.sources
    (tmp_path / "anew").mkdir()
    kept, anew = (tmp_path / name / f"{source.stem}.c" for name in (".", "anew"))
    generated_c.cythonize(support.GENERATED, module, source, kept)
    generated_c.generate(module, source, anew, sys.executable, hash_seed="7")
    lines = itertools.zip_longest(*(comparable(path.read_text(encoding="utf-8")).splitlines()
                                    for path in (kept, anew)))
    differing = [pair for pair in lines if pair[0] != pair[1]]
    assert not differing, f"{len(differing)} lines differ, the first: {differing[0]}"
