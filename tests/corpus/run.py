# SPDX-License-Identifier: MIT
"""Real code is the judge: build packages with plain Cython and through the layer.

Each package is taken from its sdist and built twice, with plain Cython and with the
compiler layer's --extend-all.  Both builds run the package's own tests.  The layer is
right if every test has the same outcome in both.  Run with an interpreter that has
cython-customslots installed::

    python tests/corpus/run.py [--selection ci|all|views] [--jobs N] [PACKAGE...]

Needs CPython 3.11 or later and network access to the package index, and takes a minute or
two for each package.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as ElementTree

import sdists
from packages import PACKAGES

# Runs one step of a package's build in a process whose Cython was plain or extended.
STEP = """
import runpy, sys
sys.path[:0], sys.path[len(sys.path):] = [""], {paths!r}
if {layer!r}:
    import setuptools
    import cython_customslots.compiler
    cython_customslots.compiler.install(**{switches!r})
sys.argv = {argv!r}
if sys.argv[0] == "cython":
    from Cython.Compiler.Main import setuptools_main
    sys.exit(setuptools_main())
elif sys.argv[0] == "backend":
    # What a build front end does with pyproject.toml, and the wheel put in place.
    import importlib, os, tomllib, zipfile
    with open("pyproject.toml", "rb") as file:
        system = tomllib.load(file)["build-system"]
    sys.path[:0] = map(os.path.abspath, system.get("backend-path", ()))
    module, _, attribute = system["build-backend"].partition(":")
    backend = importlib.import_module(module)
    directory = os.path.abspath("customslots-wheel")
    os.makedirs(directory)
    wheel = getattr(backend, attribute, backend).build_wheel(directory)
    with zipfile.ZipFile(os.path.join(directory, wheel)) as archive:
        for name in archive.namelist():
            if ".dist-info/" not in name:
                archive.extract(name, {root!r})
elif sys.argv[0] == "modules":
    import numpy
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext
    from Cython.Build import cythonize
    extensions = [Extension("*", [path], include_dirs=[numpy.get_include(), *{includes!r}],
                            language="c++" if "libcpp" in open(path, encoding="utf-8").read() else None)
                  for path in sys.argv[1:]]
    command = build_ext(Distribution({{"name": "replaced", "ext_modules": cythonize(
        extensions, include_path=["."], language_level=3, **{options!r})}}))
    command.build_lib = {root!r}
    command.ensure_finalized()
    command.run()
else:
    runpy.run_path(sys.argv[0], run_name="__main__")
"""

# Copies an installed package without some of its modules.
COPY = """
import importlib.util, pathlib, shutil, sys
root, name, *modules = sys.argv[1:]
where, = importlib.util.find_spec(name).submodule_search_locations
shutil.copytree(where, pathlib.Path(root, name))
for libraries in pathlib.Path(where).parent.glob("*.libs"):     # of C, which modules look for beside the package
    shutil.copytree(libraries, pathlib.Path(root, libraries.name))
for module in modules:
    path, = pathlib.Path(root).glob(module.removeprefix("src/").removesuffix(".pyx") + ".*.so")
    path.unlink()
"""

# Counts the classes of the built modules that carry a slot table: the proof that the
# second build went through the layer, and the first did not.
COUNT = """
import importlib, sys
sys.path[len(sys.path):] = {paths!r}
import cython_customslots.provider as provider
classes = {{value for name in {modules!r}
           for value in vars(importlib.import_module(name)).values()
           if isinstance(value, type) and value.__module__ == name}}
print(sum(provider.layout(c)["extensible"] for c in classes), len(classes))
"""


#: Cython's conversions of arguments and other objects to memoryviews.
FROM_OBJECT = " = __Pyx_PyObject_to_MemoryviewSlice_"


def run(command, **options):
    done = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode:
        sys.stdout.write(done.stdout[-6000:])
        raise SystemExit(f"failed with status {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


def outcomes(python, package, source, environ, where):
    """Run the package's tests in the directory *where*; return {test: outcome}."""
    report = source / "customslots-report.xml"
    log = source / "customslots-tests.log"
    with open(log, "w") as file:
        # The options that a package gives itself ask for plug-ins: coverage, xdist.
        subprocess.run([str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o",
                        "addopts=", f"--junitxml={report}", *(test.format(source=source) for test in package.tests)],
                       cwd=where, env=environ, stdout=file, stderr=subprocess.STDOUT)
    if not report.exists():
        print(log.read_text(errors="replace")[-3000:])
        raise SystemExit(f"{package.name}: pytest wrote no report; its output is above")
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
        found[f"{case.get('classname')}::{case.get('name')}"] = ",".join(sorted(kinds)) or "passed"
    return found


def build(python, package, directory, kind, paths, cflags="-O0 -g0 -w"):
    """Unpack and build a package; return (its source, what PYTHONPATH has to name)."""
    target = directory / kind / package.name
    roots = []
    for name, how in [(n, kind) for n in package.depends] + [(n, "plain") for n in package.plain]:
        (dependency,) = (p for p in PACKAGES if p.name == name)
        roots += build(python, dependency, directory / "depends", how, paths)[1]
    environ = dict(os.environ, CFLAGS=cflags, PYTHONPATH=os.pathsep.join(roots))
    if target.exists():
        shutil.rmtree(target)                    # built for the other kind, with plain Cython
    source = sdists.fetch(f"{package.name}=={package.version}", target)
    for stale in [*source.rglob("*.c"), *source.rglob("*.cpp")]:
        if stale.with_suffix(".pyx").exists():     # shipped C would be compiled as it is
            stale.unlink()
    root = source / package.root
    if package.replaced:                         # apart from the source, which is not compiled
        root = directory / f"{kind}-copy"
        run([python, "-c", COPY, root, *package.modules, *package.replaced])
        sdists.expand(source)
    switches = {"borrow_views": True} if package.borrows else {"extend_all": True, "metaclass": package.metaclass}
    for argv in package.steps:
        run([python, "-c", STEP.format(layer=kind == "extended", paths=paths, argv=[*argv, *package.replaced],
                                       root=str(root), switches=switches, options=package.options,
                                       includes=package.includes)],
            cwd=source, env=environ)
    return source, [str(root), *roots]


def environment(package, directory):
    """Make one with what a package needs; return (its interpreter, where Cython and the layer are)."""
    environment = directory / "venv"
    # Not by a copy: another thread forks while the file is written, and its child keeps it open.
    venv.create(environment, symlinks=os.name != "nt", with_pip=True, system_site_packages=False)
    python = environment / "bin" / "python"
    # Cython and the layer are those of this script's interpreter, behind everything
    # that the package asks for.
    paths = [str(pathlib.Path(__import__("Cython").__file__).parent.parent),
             str(pathlib.Path(__import__("cython_customslots").get_include()).parent.parent)]
    run([python, "-m", "pip", "install", "-q", *package.requires])
    # In children of build scripts and of tests, too.
    (environment / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
     / "site-packages" / "corpus.pth").write_text("\n".join(paths))
    return python, paths


def judge(package, directory):
    """Build and test one package both ways; return a row of the table and a verdict."""
    python, paths = environment(package, directory)
    results, extensible = {}, {}
    for kind in ("plain", "extended"):
        source, roots = build(python, package, directory, kind, paths)
        environ = dict(os.environ, PYTHONPATH=os.pathsep.join(roots))
        results[kind] = outcomes(python, package, source, environ, roots[0] if package.replaced else source)
        if package.borrows:                      # the proof is what the C calls, and what it might
            c = "".join(path.read_text(encoding="utf-8") for path in source.rglob("*.c*")
                        if path.suffix in (".c", ".cpp"))
            extensible[kind] = [str(c.count(call)) for call in ("!__Pyx_CustomSlots_BorrowView(", FROM_OBJECT)]
        else:
            extensible[kind] = run(
                [python, "-c", COUNT.format(modules=package.modules, paths=paths)],
                cwd=directory, env=environ).split()

    differing = sorted(t for t in results["plain"].keys() | results["extended"].keys()
                       if results["plain"].get(t) != results["extended"].get(t))
    passed = {k: sum(o == "passed" for o in r.values()) for k, r in results.items()}
    problems = [f"  {t}: plain {results['plain'].get(t)}, extended {results['extended'].get(t)}" for t in differing]
    if not passed["plain"]:
        problems.append("  no test passed even with plain Cython")
    if extensible["plain"][0] != "0" or extensible["extended"][0] == "0":
        problems.append(f"  changed classes or arguments: plain {extensible['plain'][0]}, "
                        f"extended {extensible['extended'][0]}; expected none and some")
    row = (" ".join(filter(None, (package.name, package.version, package.note))), passed["plain"], passed["extended"],
           len(results["plain"]), f"{extensible['extended'][0]} of {extensible['extended'][1]}",
           "same" if not problems else "DIFFERS")
    return row, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--selection", default="all", choices=["ci", "all", "views"])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE")
    arguments = parser.parse_args()
    chosen = [p for p in PACKAGES if p.name in arguments.packages
              or not arguments.packages and arguments.selection in p.selections]
    unknown = set(arguments.packages) - {p.name for p in chosen}
    if unknown or not chosen:
        parser.error(f"found {', '.join(sorted(unknown)) or 'no package'}, expected some of "
                     f"{', '.join(p.name for p in PACKAGES)}")

    import Cython
    print(f"Cython {Cython.__version__}, CPython {sys.version.split()[0]}")
    row = "{:<30} {:>12} {:>15} {:>6} {:>20}  {}".format
    print(row("package", "plain passed", "extended passed", "tests", "classes or arguments", "outcomes"))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for result, problems in pool.map(judge_alone, chosen):
            print(row(*result), *problems, sep="\n", flush=True)
            bad += bool(problems)
    return 1 if bad else 0


def judge_alone(package):
    with tempfile.TemporaryDirectory(prefix="customslots-corpus-") as directory:
        return judge(package, pathlib.Path(directory))


if __name__ == "__main__":
    sys.exit(main())
