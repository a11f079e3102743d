# SPDX-License-Identifier: MIT
"""examples/stable_abi: consumers that are built once, and meet providers on each CPython that this machine has."""
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import cython_customslots
import pytest
import support
from build_tools import build_nanobind, need, python, run
from examples_support import EXAMPLES
from packaging.tags import cpython_tags
from packaging.utils import parse_wheel_filename

pytestmark = pytest.mark.once

#: Providers, which are for one version of Python each.
PROVIDERS = "first_protocol/squares/squares.c", "mytypedmod/mytypedmod.c"
THIS = "%d.%d" % sys.version_info[:2]
CRATES = Path("/usr/share/cargo/registry")

CHECKS = """\
import array, importlib, sys

import mytypedmod, squares

numbers, lowest = array.array("q", [1, 2, 3]), array.array("q", [1, -2**63, 1])
things = [squares.Square(2.0), type("Sub", (squares.Square,), {})(3.0), "no area", 5]

def check(total, apply):
    assert total(things) == total(iter(things)) == 13.0 and total([]) == 0.0
    assert apply(mytypedmod.inc, numbers) == (9, True)
    assert apply(mytypedmod.dec, array.array("q", [0, 0])) == (-2, True)
    assert apply(lambda x: x * x, memoryview(numbers)[::2]) == (10, False)
    for error, function, *arguments in (
            (TypeError, total, 5), (OverflowError, apply, mytypedmod.dec, lowest),
            (ZeroDivisionError, apply, lambda x: 1 // (x - 2), numbers), (TypeError, apply, 5, numbers),
            (TypeError, apply, mytypedmod.inc, "text"), (TypeError, apply, mytypedmod.inc, array.array("d", [1]))):
        try:
            function(*arguments)
        except error:
            pass
        else:
            raise AssertionError((error, arguments))

def counts():
    return [sys.getrefcount(each) for each in (numbers, lowest, things[0], things[1], mytypedmod.inc, mytypedmod.dec)]

for name in sys.argv[1:]:
    module = importlib.import_module(name)
    before = counts()
    for _ in range(10):
        check(module.total, module.apply)
    assert counts() == before, name
print("good")
"""


@pytest.fixture(scope="module", params=[f"3.{minor}" for minor in range(11, 16)])
def interpreter(request, tmp_path_factory):
    """A CPython, and the folder that has providers for it."""
    directory = tmp_path_factory.mktemp("providers")
    found = sys.executable
    if request.param != THIS:
        if support.DEBUG_BUILD or sys.maxsize < 2**32:
            pytest.skip("other interpreters are release builds of 64 bits, for which this one makes no modules")
        done = subprocess.run([found, support.ROOT / ".ci" / "machine.py", request.param], cwd=directory,
                              capture_output=True, encoding="utf-8")
        if done.returncode:
            pytest.skip(done.stderr.splitlines()[-1])
        found = done.stdout.strip()
    include, suffix = run(found, "-c", "import sysconfig as s; print(s.get_path('include'), "
                          "s.get_config_var('EXT_SUFFIX'))", cwd=directory).split()
    for source in PROVIDERS:
        run(*support.toolchain().cc, "-O0", "-shared", "-fPIC", f"-I{include}", f"-I{cython_customslots.get_include()}",
            EXAMPLES / source, "-o", directory / f"{Path(source).stem}{suffix}", cwd=directory)
    (directory / "checks.py").write_text(CHECKS, encoding="utf-8")
    return found, directory


def check(interpreter, *modules):
    found, directory = interpreter
    assert run(found, "-W", "error", "checks.py", *modules, cwd=directory) == "good\n"


def audited(path, *options):
    """What abi3audit finds that a stable ABI has not."""
    output = path.parent / "audited.json"
    subprocess.run([sys.executable, "-m", "abi3audit", "--report", "-o", output, *options, path], capture_output=True)
    report = json.loads(output.read_text(encoding="utf-8"))
    results = [each["result"] for spec in report["specs"].values() for each in spec.get("wheel", [spec.get("object")])]
    assert results and all(result["is_abi3_baseline_compatible"] for result in results), report
    return [symbol for result in results for symbol in result["non_abi3_symbols"]]


@pytest.fixture(scope="module")
def project(examples_copy):
    return examples_copy / "stable_abi"


def build_wheel(project, directory, **environment):
    need("setuptools", "abi3audit")
    python("-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", directory, project, cwd=directory,
           **environment)
    built, = directory.glob("*.whl")
    return built


def install(wheel, interpreter):
    """The tag of the wheel is one that installers accept for the interpreter, which can then import what is in it.

    (Not every pip runs on every interpreter, and with a target it does not look at tags.)
    """
    found, directory = interpreter
    version = run(found, "-c", "import sys; print(*sys.version_info[:2])", cwd=directory).split()
    assert parse_wheel_filename(wheel.name)[3] & set(cpython_tags([int(number) for number in version]))
    zipfile.ZipFile(wheel).extractall(directory)


@pytest.fixture(scope="module")
def abi3(project, tmp_path_factory):
    return build_wheel(project, tmp_path_factory.mktemp("abi3"))


@support.has_abi3
@pytest.mark.thorough
def test_one_wheel_serves_all_versions(abi3, interpreter):
    assert "-cp311-abi3-" in abi3.name
    install(abi3, interpreter)
    check(interpreter, "sums_c", "sums_cython")


@support.has_abi3
@pytest.mark.thorough
def test_auditors_find_nothing_in_the_wheel(abi3):
    assert audited(abi3) == []


@support.has_abi3t
@pytest.mark.nightly
@pytest.mark.parametrize("interpreter", [THIS], indirect=True)
def test_a_wheel_for_builds_with_and_without_a_gil_serves_this_one(project, interpreter, tmp_path):
    wheel = build_wheel(project, tmp_path, STABLE_ABI="abi3t")
    assert "-cp315-abi3.abi3t-" in wheel.name
    install(wheel, interpreter)
    check(interpreter, "sums_c")
    assert set(audited(wheel)) <= {"PyModExport_sums_c"}            # which abi3audit 0.0.26 does not know


@pytest.fixture(scope="module")
def nanobind(project):
    if sys.version_info < (3, 12):
        pytest.skip("nanobind's stable ABI begins with CPython 3.12")
    build_nanobind(project)
    return project / "sums_nanobind.abi3.so"


@pytest.fixture(scope="module")
def pyo3(project):
    if sys.maxsize < 2**32:
        pytest.skip("cargo makes modules for 64 bits")
    if not shutil.which("cargo") or not list(CRATES.glob("pyo3-0.17.*")):
        pytest.skip(f"found no cargo on PATH, or no pyo3 0.17 in {CRATES}: Debian 12 has both, in its packages cargo "
                    "and librust-pyo3-dev")
    run("cargo", "--config", 'source.crates-io.replace-with="debian"', "--config",
        f'source.debian.directory="{CRATES}"', "build", "-q", "--offline", cwd=project / "pyo3",
        PYO3_PYTHON=sys.executable)
    return shutil.copy(project / "pyo3/target/debug/libsums_pyo3.so", project / "sums_pyo3.abi3.so")


@support.has_abi3
@pytest.mark.nightly
@pytest.mark.parametrize("binding, floor", [("nanobind", "3.12"), ("pyo3", "3.11")])
def test_one_module_of_a_binding_serves_all_versions(binding, floor, interpreter, request):
    module = request.getfixturevalue(binding)
    if request.node.callspec.params["interpreter"] < floor:
        pytest.skip(f"{binding}'s stable ABI begins with CPython {floor}")
    shutil.copy(module, interpreter[1])
    check(interpreter, module.name.partition(".")[0])
    assert audited(module, "--assume-minimum-abi3", floor) == []
