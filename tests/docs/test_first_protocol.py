# SPDX-License-Identifier: MIT
"""docs/first-protocol.md, followed to the letter: its files, its commands, what they print."""
import os
import subprocess
import sysconfig
import zipfile

import pages
import pytest
import wheels

pytestmark = [pytest.mark.nightly, pytest.mark.once]

PAGE = "first-protocol.md"
EXAMPLE = "examples/first_protocol/"
#: What pip is told to install on the page, and what that needs.
INSTALLED = ("cython-customslots", "Cython", "setuptools", "wheel", "pybind11", "nanobind",
             "scikit-build-core", "cmake", "ninja", "packaging", "pathspec")


def files():
    return {block.name.removeprefix(EXAMPLE): block.text for block in pages.blocks(PAGE) if block.mark == "quote"}


def script():
    """The commands as one shell script, what each block prints in a file, and [(file, expected)]."""
    lines, expected = ["set -e"], []
    for block in pages.blocks(PAGE):
        if block.mark == "command":
            assert block.language == "sh"
            number = len(lines)
            lines.append(f"{{\n{block.text}}} >printed.{number}")
        elif block.mark == "output":
            expected.append((f"printed.{number}", block.text))
    return "\n".join(lines), expected


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """The folder in which somebody did what the page says."""
    missing = [name for name in INSTALLED if not wheels.is_installed(name)]
    if missing:
        words = (f"not installed for this interpreter: {', '.join(missing)} (the extra 'thorough' has them: "
                 "pip install '.[thorough]')")
        (pytest.fail if os.environ.get("CUSTOMSLOTS_ALL_TOOLS") else pytest.skip)(words)
    directory, found = (tmp_path_factory.mktemp(name) for name in ("walked", "packages"))
    for name in INSTALLED:
        wheels.pack(name, found)
    for name, text in files().items():
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("PIP_", "PYTHON", "VIRTUAL_ENV"))}
    environment.update(
        PATH=f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
        PIP_NO_INDEX="1", PIP_FIND_LINKS=str(found), PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_CONFIG_FILE=os.devnull,
        # The same compiled in less time.
        SKBUILD_CMAKE_BUILD_TYPE="None", CXXFLAGS=f"{os.environ.get('CXXFLAGS', '')} -O0 -g0")
    done = subprocess.run(["bash", "-c", script()[0]], cwd=directory, env=environment, encoding="utf-8",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    assert done.returncode == 0, done.stdout
    return directory


def test_the_commands_of_the_page_print_what_it_says(walked):
    expected = script()[1]
    assert len(expected) >= 2
    assert [(name, (walked / name).read_text(encoding="utf-8")) for name, _ in expected] == expected


def test_a_wheel_has_one_module_and_asks_for_nothing(walked):
    built = sorted((walked / "wheels").glob("*.whl"))
    assert len(built) == 7
    for path in built:
        with zipfile.ZipFile(path) as wheel:
            names = [name for name in wheel.namelist() if ".dist-info/" not in name]
            metadata = next(name for name in wheel.namelist() if name.endswith("/METADATA"))
            assert "Requires-Dist" not in wheel.read(metadata).decode()
        assert len(names) == 1 and names[0].endswith(sysconfig.get_config_var("EXT_SUFFIX")), names
