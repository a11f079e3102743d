# SPDX-License-Identifier: MIT
"""Real code is the judge: build packages with plain Cython and through the layer.

Each package is taken from its sdist and built twice, with plain Cython and with the
compiler layer's --extend-all.  Both builds run the package's own tests.  The layer is
right if every test has the same outcome in both.  Run with an interpreter that has
cython-customslots installed::

    python tests/corpus/run.py [--selection ci|all] [PACKAGE...]

Needs network access to the package index, and takes a minute or two for each package.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import venv
import xml.etree.ElementTree as ElementTree

from packages import PACKAGES

# Runs a package's own build script in a process whose Cython was plain or extended.
BUILD = """
import runpy, sys
sys.path[:0], sys.path[len(sys.path):] = [""], {paths!r}
if {layer!r}:
    import cython_customslots.compiler
    cython_customslots.compiler.install(extend_all=True)
sys.argv = {argv!r}
runpy.run_path(sys.argv[0], run_name="__main__")
"""

# Counts the classes of the built modules that carry a slot table: the proof that the
# second build went through the layer, and the first did not.
COUNT = """
import importlib, sys
sys.path[:0], sys.path[len(sys.path):] = [""], {paths!r}
import cython_customslots.provider as provider
classes = {{value for name in {modules!r}
           for value in vars(importlib.import_module(name)).values()
           if isinstance(value, type) and value.__module__ == name}}
print(sum(provider.layout(c)["extensible"] for c in classes), len(classes))
"""


def run(command, **options):
    done = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode:
        sys.stdout.write(done.stdout[-6000:])
        raise SystemExit(f"failed with status {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


def outcomes(python, package, source):
    """Run the package's tests in *source*; return {test: outcome}."""
    report = source / "customslots-report.xml"
    subprocess.run([str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider",
                    f"--junitxml={report}", *package.tests], cwd=source,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not report.exists():
        raise SystemExit(f"{package.name}: pytest wrote no report in {source}; "
                         "run it there by hand to see why")
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
        found[f"{case.get('classname')}::{case.get('name')}"] = ",".join(sorted(kinds)) or "passed"
    return found


def judge(package, directory):
    """Build and test one package both ways; return a row of the table and a verdict."""
    environment = directory / "venv"
    venv.create(environment, with_pip=True, system_site_packages=False)
    python = environment / "bin" / "python"
    # Cython and the layer are those of this script's interpreter, behind everything
    # that the package asks for.
    paths = [str(pathlib.Path(__import__("Cython").__file__).parent.parent),
             str(pathlib.Path(__import__("cython_customslots").get_include()).parent.parent)]
    run([python, "-m", "pip", "install", "-q", *package.requires])
    run([python, "-m", "pip", "download", "-q", "--no-deps",
         "--no-binary", ":all:", "-d", directory, f"{package.name}=={package.version}"])
    (sdist,) = directory.glob("*.tar.gz")

    results, extensible = {}, {}
    for kind in ("plain", "extended"):
        target = directory / kind
        with tarfile.open(sdist) as archive:
            archive.extractall(target)
        (source,) = target.iterdir()
        for stale in source.rglob("*.c"):          # shipped C would be compiled as it is
            if stale.with_suffix(".pyx").exists():
                stale.unlink()
        run([python, "-c", BUILD.format(layer=kind == "extended", paths=paths,
                                        argv=list(package.build))],
            cwd=source, env=dict(os.environ, CFLAGS="-O1 -w"))
        results[kind] = outcomes(python, package, source)
        extensible[kind] = run([python, "-c", COUNT.format(modules=package.modules,
                                                          paths=paths)],
                               cwd=source).split()

    differing = sorted(t for t in results["plain"].keys() | results["extended"].keys()
                       if results["plain"].get(t) != results["extended"].get(t))
    passed = {k: sum(o == "passed" for o in r.values()) for k, r in results.items()}
    problems = [f"  {t}: plain {results['plain'].get(t)}, extended {results['extended'].get(t)}"
                for t in differing]
    if not passed["plain"]:
        problems.append("  no test passed even with plain Cython")
    if extensible["plain"][0] != "0" or extensible["extended"][0] == "0":
        problems.append(f"  extensible classes: plain {extensible['plain'][0]}, "
                        f"extended {extensible['extended'][0]}; expected none and some")
    row = (f"{package.name} {package.version}", passed["plain"], passed["extended"],
           len(results["plain"]), f"{extensible['extended'][0]} of {extensible['extended'][1]}",
           "same" if not problems else "DIFFERS")
    return row, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--selection", default="all", choices=["ci", "all"])
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
    row = "{:<20} {:>12} {:>15} {:>6} {:>20}  {}".format
    print(row("package", "plain passed", "extended passed", "tests", "extensible classes", "outcomes"))
    bad = 0
    for package in chosen:
        with tempfile.TemporaryDirectory(prefix="customslots-corpus-") as directory:
            result, problems = judge(package, pathlib.Path(directory))
        print(row(*result), *problems, sep="\n", flush=True)
        bad += bool(problems)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
