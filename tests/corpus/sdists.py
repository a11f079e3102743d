# SPDX-License-Identifier: MIT
"""Sources of packages, as their authors publish them."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

from Cython import Tempita

# pip asks a package's back end for its name before it leaves the sdist behind, for which many configure the whole
# build.  They are in the sdist's PKG-INFO: in the child that would ask, this stands for the back end.
SITECUSTOMIZE = """
import os
for name in list(os.environ):
    if name.startswith(("_PYPROJECT_HOOKS_", "PEP517_")):        # of older pips
        del os.environ[name]
        if name.endswith("BUILD_BACKEND"):
            os.environ[name] = "named_by_pkg_info"
"""
BACKEND = """
import os, shutil

def prepare_metadata_for_build_wheel(directory, settings=None):
    os.mkdir(os.path.join(directory, "named.dist-info"))
    shutil.copy("PKG-INFO", os.path.join(directory, "named.dist-info", "METADATA"))
    return "named.dist-info"
"""


def fetch(requirement, directory):
    """Unpack the sdist of a package ("scipy", "scipy==1.17.0") in *directory*; return the folder with its source."""
    with tempfile.TemporaryDirectory(prefix="customslots-sdist-") as temporary:
        (pathlib.Path(temporary) / "sitecustomize.py").write_text(SITECUSTOMIZE)
        (pathlib.Path(temporary) / "named_by_pkg_info.py").write_text(BACKEND)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-build-isolation",
                        "--use-pep517", "--no-binary", ":all:", "-d", temporary, requirement],
                       check=True, env=dict(os.environ, PYTHONPATH=temporary))
        sdist, = pathlib.Path(temporary).glob("*.tar.gz")
        with tarfile.open(sdist) as archive:
            archive.extractall(directory, filter="data")
            return pathlib.Path(directory, pathlib.PurePath(archive.getnames()[0]).parts[0])


def expand(root):
    """Make the files that are templates of Cython's own Tempita, or of those who ask which BLAS there is."""
    for path in [path for end in ("in", "tp") for path in root.rglob(f"*.p*.{end}")]:
        if path.suffixes[-2] in (".pyx", ".pxd", ".pxi") and not path.with_suffix("").exists():
            text = path.read_text(encoding="utf-8")
            text = text.replace("@BLAS_INT_DEF@", "ctypedef int blas_int")
            text = text.replace("@BLAS_BINT_DEF@", "ctypedef bint blas_bint")
            with contextlib.suppress(Exception):         # another language's
                path.with_suffix("").write_text(Tempita.sub(text), encoding="utf-8")
