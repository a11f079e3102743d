# SPDX-License-Identifier: MIT
"""SciPy's C code that takes callbacks: out of its sdist, with callbacks.patch applied.

pip fetches the sdist and compares its hash.  Of an sdist pip wants to know the metadata, and asks the
project's build backend, which would look for Fortran, BLAS and Pythran: a stand-in for that answers from
the file that lies in the sdist.
"""
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = ("scipy/integrate/__quadpack.", "scipy/ndimage/src/n", "scipy/_lib/src/_test_ccallback.c",
         "scipy/_build_utils/src/npy_2", "LICENSE")

BACKEND = '''\
import os, shutil
def prepare_metadata_for_build_wheel(directory, config_settings=None):
    os.mkdir(os.path.join(directory, "scipy.dist-info"))
    shutil.copy("PKG-INFO", os.path.join(directory, "scipy.dist-info", "METADATA"))
    return "scipy.dist-info"
'''


def fetch(directory):
    """The path of the sdist in *directory*, from PyPI if it is not there."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    name, version = (HERE / "scipy.txt").read_text().split()[0].split("==")
    sdist = directory / f"{name}-{version}.tar.gz"
    with tempfile.TemporaryDirectory() as stand_in:
        Path(stand_in, "mesonpy.py").write_text(BACKEND)
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "--no-deps",
                        "--no-binary", name, "--no-build-isolation", "--dest", str(directory),
                        "--requirement", str(HERE / "scipy.txt")],
                       check=True, env=dict(os.environ, PYTHONPATH=stand_in))
    return sdist


def unpack(sdist, directory):
    """The files that are needed, as SciPy has them, in *directory*."""
    with tarfile.open(sdist) as archive:
        for member in archive:
            top, _, name = member.name.partition("/")
            if member.isfile() and name.startswith(FILES) and ".." not in name.split("/"):
                target = Path(directory, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.extractfile(member) as source, open(target, "wb") as copy:
                    shutil.copyfileobj(source, copy)


def patch(directory):
    """Applies callbacks.patch in *directory*, by patch or by git."""
    text = (HERE / "callbacks.patch").read_bytes()
    if shutil.which("patch"):
        command = ["patch", "--quiet", "-p1"]
    else:                                        # outside a repository: git would look for its files
        command = ["git", "apply", "-p1"]
    subprocess.run(command, input=text, cwd=directory, check=True,
                   env=dict(os.environ, GIT_CEILING_DIRECTORIES=str(Path(directory).resolve().parent)))


def prepare(directory, cache):
    """*directory* with the patched sources; made anew if they are older than the patch."""
    directory = Path(directory)
    done = directory / "patched"
    if not done.exists() or done.stat().st_mtime < (HERE / "callbacks.patch").stat().st_mtime:
        shutil.rmtree(directory, ignore_errors=True)
        unpack(fetch(cache), directory)
        patch(directory)
        done.touch()
    return directory
