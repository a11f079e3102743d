# SPDX-License-Identifier: MIT
"""Which wheels cibuildwheel would build by pyproject.toml, in its own words; and what it runs for each."""
import importlib.util
import subprocess
import sys

import cross
import pytest
import support

pytestmark = [pytest.mark.platforms, pytest.mark.once]

tomllib = pytest.importorskip("tomllib", reason="the standard library reads TOML from CPython 3.11 on")

#: What users may expect; cp314t and the like are free-threaded.  What else cibuildwheel offers is welcome.
WANTED = {
    "linux": [f"{python}-{system}" for python in ("cp310", "cp311", "cp312", "cp313", "cp314", "cp314t")
              for system in ("manylinux_x86_64", "manylinux_aarch64", "manylinux_i686",
                             "musllinux_x86_64", "musllinux_aarch64")] + ["pp311-manylinux_x86_64"],
    "macos": [f"{python}-macosx_{processor}" for python in ("cp310", "cp314", "cp314t")
              for processor in ("x86_64", "arm64")] + ["pp311-macosx_x86_64"],
    "windows": [f"{python}-{system}" for python in ("cp310", "cp311", "cp314", "cp314t")
                for system in ("win32", "win_amd64")]
               + ["cp311-win_arm64", "cp314-win_arm64", "cp314t-win_arm64", "pp311-win_amd64"],
}


@pytest.mark.parametrize("platform", WANTED)
def test_cibuildwheel_would_build_a_wheel_for(platform):
    if importlib.util.find_spec("cibuildwheel") is None:
        cross.lacking("cibuildwheel is not installed")
    done = subprocess.run([sys.executable, "-m", "cibuildwheel", "--print-build-identifiers",
                           "--platform", platform, support.ROOT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = done.stdout.split()
    assert not set(WANTED[platform]) - set(found)
    # Of older and stranger ones there are none: meson-python and the headers need 3.10.
    assert all(name.startswith(("cp31", "pp31")) for name in found), found


def test_what_it_runs_for_each_wheel_runs_here(tmp_path):
    """Outside of the checkout, as there."""
    settings = tomllib.loads((support.ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
    command = settings["test-command"].format(project=support.ROOT).split()
    assert command[0] == "python"
    done = subprocess.run([sys.executable, "-W", "error", *command[1:]], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "_customslots_runtime, cython_customslots.provider" in done.stdout
