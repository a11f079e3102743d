# SPDX-License-Identifier: MIT
"""What the compiler layer costs: Cython's time, the C compiler's, sizes, the time of an import.

"unaffected modules" are those that do not use the project: some of Cython's own, as its
wheel brings them, and one that is generated here.  Two processes, with and without the layer, compile
the same file in turn; what they write must be the same to the byte.  "in use" are generated
modules whose classes become extensible.  Both take the CPU time of the process that compiles.

"one class" is a module with one extensible class, with the implementation in it and elsewhere: its
C, the CPU time of the C compiler with -O2, and what the linker makes of it.

"import" is the import of a module by a new process, from the statement to its end: the
dynamic linker's work and that of the module; "one class more" is the difference of two modules, by class.
"command" is a process from beginning to end.
"""
from __future__ import annotations

import functools
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import Case, Loop, Module, main
from cython_customslots.tools.building import find_toolchain

CLASSES = 20
METHODS = 10

#: A smoke run takes the smallest sources, and its children know from the environment.
SMALL = "CUSTOMSLOTS_BENCH_SMALL"
if "--smoke" in sys.argv:
    os.environ[SMALL] = "1"

#: Cython is up to ten per cent faster with one than with another, and some C depends on it:
#: the same for all workers of this process, another in the next.
SEED = str(os.getpid() % 10000)

_sources = tempfile.TemporaryDirectory(prefix="customslots-bench-source-")


# ------------------------------------------------------------------------- the sources --

def classes(count: int = CLASSES, functions: int = 0) -> str:
    """A module of cdef classes, every third one derived from the one before.  Of ten methods
    two are C methods, two are cpdef and six are Python's."""
    text = "# cython: language_level=3\n"
    for number in range(count):
        base = f"(C{number - 1})" if number % 3 == 2 else ""
        text += (f"cdef class C{number}{base}:\n    cdef double value{number}\n"
                 f"    cdef object label{number}\n"
                 f"    def __init__(self, value=0.0, label=None):\n"
                 f"        self.value{number} = value\n        self.label{number} = label\n")
        for method in range(METHODS):
            name = f"m{number}_{method}"
            if method < 2:
                text += (f"    cdef double {name}(self, double x) except? -1:\n"
                         f"        return x * self.value{number} + {method}\n")
            elif method < 4:
                text += (f"    cpdef double {name}(self, double x, int n=1) except? -1:\n"
                         f"        return self.m{number}_0(x) * n\n")
            else:
                text += (f"    def {name}(self, items, *, key=None):\n"
                         f"        result = []\n        for item in items:\n"
                         f"            if key is None or key(item):\n"
                         f"                result.append((item, self.label{number}))\n"
                         f"        return sorted(result, key=lambda pair: pair[0])\n")
    for number in range(functions):
        text += (f"def f{number}(function, sequence, default=None):\n"
                 f"    result = {{}}\n    for item in sequence:\n"
                 f"        result.setdefault(function(item), []).append(item)\n"
                 f"    return result or default\n")
    return text


def small_classes(count: int) -> str:
    """Classes with two methods, without bases, which the layer gives nothing but the metaclass."""
    return "# cython: language_level=3\n" + "".join(
        f"cdef class C{number}:\n    cdef double value{number}\n    cdef object label{number}\n"
        f"    def scaled{number}(self, double x): return x\n    def one{number}(self): return 1\n"
        for number in range(count))


#: name -> source.
GENERATED = {"classes20": classes(), "classes5": classes(5, functions=60)}

#: A module with one class, plain and extensible.
ONE_CLASS = ("# cython: language_level=3\n{}cdef class Thing:\n    cdef public int x\n"
             "    def f(self, y): return self.x + y\n")
EXTENSIBLE = "cimport cython_customslots as cs\n@cs.extensible\n"

#: Two modules tell what one class more costs.
FEW_AND_MANY = (5, 35)

KINDS = {"plain": dict(layer=False), "extended": dict(cython_args=["--extend-all"])}

#: Where the runtime is, and what an import of twenty modules may cost.
RUNTIMES = {"alone": dict(layer=False), "embedded": dict(cython_args=["--extend-all"]),
            "installed": dict(cython_args=["--extend-all", "--runtime=installed"])}

#: A module in C that is empty: what it takes to find and load any.
NOTHING = """#include <Python.h>
static PyModuleDef nothing = {PyModuleDef_HEAD_INIT, "nothing", NULL, 0, NULL, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_nothing(void) { return PyModuleDef_Init(&nothing); }
"""

#: Modules of Cython, pure Python in every wheel, of about 350 and 1600 lines.
CYTHONS = ("Cython/Compiler/StringEncoding.py", "Cython/Compiler/FlowControl.py")

if SMALL in os.environ:
    GENERATED, CYTHONS = {"classes2": classes(2)}, CYTHONS[:1]


def generated(name: str) -> Path:
    path = Path(_sources.name, f"{name}.pyx")
    if not path.exists():
        path.write_text(GENERATED[name])
    return path


def of_cython(name: str) -> Path:
    """A copy without the .pxd beside it, which would compile the module as a part of Cython."""
    original = Path(importlib.util.find_spec("Cython").submodule_search_locations[0]).parent / name
    path = Path(_sources.name, original.name)
    if not path.exists():
        path.write_bytes(original.read_bytes())
    return path


def modules() -> list[Module]:
    result = []
    for kind, options in KINDS.items():
        for number in FEW_AND_MANY:
            path = Path(_sources.name, f"{kind}_small{number}.pyx")
            path.write_text(small_classes(number))
            result.append(Module(path.stem, [path], cflags=["-O2"], **options))
    for kind, options in RUNTIMES.items():
        path = Path(_sources.name, f"{kind}_classes3.pyx")
        path.write_text(classes(3))
        result.append(Module(path.stem, [path], cflags=["-O2", "-g0"], **options))
    nothing = Path(_sources.name, "nothing.c")
    nothing.write_text(NOTHING)
    result.append(Module("nothing", [nothing], layer=False, cflags=["-O2"]))
    return result


# ------------------------------------------------------------------ compiling, in turn --

def work(kind: str) -> None:
    """A process that compiles the file it is sent, and answers with nanoseconds of CPU time."""
    import gc

    if kind != "plain":
        from cython_customslots.compiler import install
        install(extend_all=kind == "--extend-all", typed=kind == "--typed",
                runtime=kind.removeprefix("--runtime=") if "--runtime" in kind else None)
    from Cython.Compiler.Main import CompilationOptions, compile_single, default_options
    for line in sys.stdin:
        source, output = json.loads(line)
        options = CompilationOptions(default_options, output_file=output, language_level=3)
        gc.collect()
        start = time.process_time_ns()
        result = compile_single(source, options, full_module_name=None)
        took = time.process_time_ns() - start
        print(json.dumps([took, result.num_errors]), flush=True)


class Worker:
    """One of these processes, for all cases that want its kind."""

    def __init__(self, kind: str):
        self.kind = kind
        self.directory = tempfile.TemporaryDirectory(prefix="customslots-bench-c-")
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", kind], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=dict(os.environ, PYTHONHASHSEED=SEED))

    @classmethod
    @functools.cache
    def of(cls, kind: str) -> Worker:
        return cls(kind)

    def output(self, source: Path) -> Path:
        return Path(self.directory.name, f"{source.stem}.c")

    def compile(self, source: Path) -> int:
        self.process.stdin.write(json.dumps([str(source), str(self.output(source))]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        took, errors = json.loads(answer) if answer else (0, "the process ended")
        if errors:
            raise SystemExit(f"benchmarks: {source.name}, {self.kind}: {errors} errors")
        return took


class Compilation(Loop):
    """A slice is one compilation."""

    def __init__(self, kind: str, source: Path):
        worker = Worker.of(kind)
        super().__init__([lambda repetitions: worker.compile(source)], 1)

    def calibrate(self, slice_ns: int) -> None:
        self.runs[0](1)
        self.repetitions = 1


class Figure(Loop):
    """Not time: a number that does not change."""

    def __init__(self, number: int):
        super().__init__([lambda repetitions: number], 1)

        self.repetitions = 1

    def calibrate(self, slice_ns: int) -> None:
        pass


def written(kind: str, source: Path) -> Path:
    """The C of a source."""
    worker = Worker.of(kind)
    worker.compile(source)
    return worker.output(source)


def size(kind: str, source: Path) -> Figure:
    """The bytes of what was generated."""
    return Figure(written(kind, source).stat().st_size)


def unaffected_modules() -> list[Case]:
    """The layer where it has nothing to do."""
    cases = []
    for source in [*map(of_cython, CYTHONS), *map(generated, GENERATED)]:
        cases.append(Case(f"time, {source.name}", Compilation("layer", source), "plain Cython",
                          Compilation("plain", source), target=1.05))
        for loop in cases[-1].loop, cases[-1].baseline:
            loop.calibrate(0)
        written = [Worker.of(kind).output(source).read_bytes() for kind in ("layer", "plain")]
        if written[0] != written[1]:
            raise SystemExit(f"benchmarks: {source.name}: the layer writes other C than Cython")
    return cases


def in_use() -> list[Case]:
    """The layer at work."""
    cases = []
    for name in GENERATED:
        source = generated(name)
        for kind in "--typed", "--extend-all":
            cases.append(Case(f"bytes of C, {name}, {kind}", size(kind, source), "plain Cython",
                              size("plain", source)))
    return cases


# ------------------------------------------------------------------ the C compiler's side --

class Compiler(Loop):
    """A slice is one run of the C compiler: its CPU time, and that of what it starts."""

    def __init__(self, c: Path):
        tools = find_toolchain()
        self.object, self.tools = c.with_suffix(".o"), tools
        self.command = [*tools.cc, "-O2", "-g0", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-DNDEBUG",
                        *(f"-I{path}" for path in tools.include_dirs), "-c", str(c), "-o", str(self.object)]
        super().__init__([self.execute], 1)

    def calibrate(self, slice_ns: int) -> None:
        self.execute(1)
        self.repetitions = 1

    def execute(self, repetitions: int) -> float:
        before = os.times()
        subprocess.run(self.command, check=True)
        after = os.times()
        return 1e9 * (after.children_user - before.children_user
                      + after.children_system - before.children_system)

    def text_and_data(self) -> Figure:
        """Bytes of the linked module, as the tool `size` counts them."""
        self.execute(1)
        module = self.object.with_suffix(".so")
        subprocess.run([*self.tools.cc, *self.tools.link_flags, str(self.object), "-o", str(module)],
                       check=True)
        done = subprocess.run(["size", str(module)], stdout=subprocess.PIPE, text=True, check=True)
        return Figure(sum(map(int, done.stdout.splitlines()[1].split()[:2])))


def one_class() -> list[Case]:
    """One extensible class, in C and in machine code, with and without the implementation."""
    sources = {}
    for kind, text in {"plain": "", "--runtime=installed": EXTENSIBLE,
                       "--runtime=embedded": EXTENSIBLE}.items():
        # Of one name: it is in many symbols and strings.
        path = Path(_sources.name, "extensible" if text else "plain", "one_class.pyx")
        path.parent.mkdir(exist_ok=True)
        path.write_text(ONE_CLASS.format(text))
        sources[kind] = written(kind, path)
    lines = {kind: Figure(c.read_bytes().count(b"\n")) for kind, c in sources.items()}
    compilers = {kind: Compiler(c) for kind, c in sources.items()}
    sizes = {kind: loop.text_and_data() for kind, loop in compilers.items()}
    # At most 2,900 lines and 6 KB more, as a ratio.
    thin = {"lines": min(1.28, 1 + 2900 / lines["plain"].slice(0)), "time": 1.22,
            "size": round(1 + 6144 / sizes["plain"].slice(0), 2)}
    cases = []
    for kind, targets in {"--runtime=installed": thin, "--runtime=embedded": {"time": 2.6}}.items():
        for what, name, loops in (("lines", "lines of C", lines), ("time", "time of the C compiler", compilers),
                                  ("size", "bytes of text and data", sizes)):
            cases.append(Case(f"{name}, {kind}", loops[kind], "plain Cython", loops["plain"],
                              target=targets.get(what)))
    return cases


# ------------------------------------------------------------------------- new processes --

class Process(Loop):
    """A slice is the best of so many processes: what one prints, or how long it takes if it prints nothing."""

    def __init__(self, command: list[str], processes: int = 1):
        super().__init__([lambda repetitions: min(self.execute() for _ in range(processes))], 1)
        self.command = command

    def calibrate(self, slice_ns: int) -> None:
        self.execute()
        self.repetitions = 1

    def execute(self) -> float:
        start = time.perf_counter_ns()
        done = subprocess.run(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=True, cwd=_sources.name)
        took = time.perf_counter_ns() - start
        return int(done.stdout) if done.stdout.strip().isdigit() else took


def loading(name: str) -> Process:
    """The module alone: neither finding its file nor the loader's locks."""
    code = (f"import sys; sys.path.insert(0, {sys.path[0]!r}); import embedded_classes3\n"
            "import _imp, importlib.util\nfrom time import perf_counter_ns\n"
            f"module = _imp.create_dynamic(importlib.util.find_spec({name!r}))\n"
            "start = perf_counter_ns()\n_imp.exec_dynamic(module)\nprint(perf_counter_ns() - start)")
    return Process([sys.executable, "-I", "-S", "-c", code])


def importing_twenty(kind: str, before: str = "", first: str = "") -> Process:
    """Twenty copies of one module, since what is measured does not depend on what they are called.
    `before` is imported before, `first` as the first of what is measured."""
    original = Path(importlib.util.find_spec(f"{kind}_classes3").origin)
    copies = [shutil.copy(original, Path(_sources.name, f"{number}{original.name}")) for number in range(20)]
    code = (f"import _imp, sys; sys.path.append({sys.path[0]!r})\n{before}\n"
            "from importlib.machinery import ModuleSpec\nfrom time import perf_counter_ns\n"
            f"specs = [ModuleSpec({kind + '_classes3'!r}, None, origin=path) for path in {list(map(str, copies))}]\n"
            f"start = perf_counter_ns()\n{first}\nfor spec in specs: _imp.exec_dynamic(_imp.create_dynamic(spec))\n"
            "print(perf_counter_ns() - start)")
    return Process([sys.executable, "-I", "-c", code], processes=10)


def imports() -> list[Case]:
    cases = [Case(f"20 modules of three classes, {kind}", importing_twenty(kind),
                  "plain", importing_twenty("alone"), target=target)
             for kind, target in (("embedded", 1.25), ("installed", 1.15))]
    # Where the rest of "installed" goes: what the first import of any module takes, and the twenty without it.
    cases += [Case(f"20 modules of three classes, {what}", loop, "plain", importing_twenty("alone"))
              for what, loop in (
                  ("plain, an empty module first", importing_twenty("alone", first="import nothing")),
                  ("installed, the runtime before", importing_twenty("installed", "import _customslots_runtime")))]
    return cases


def one_more_class(processes: int = 2 if SMALL in os.environ else 60) -> list[Case]:
    """What a class adds to an import, by two modules; not compared by the harness, because the
    best of differences would be the one whose smaller module was disturbed.  Nanoseconds."""
    spent = {(kind, number): [] for kind in KINDS for number in FEW_AND_MANY}
    for _ in range(processes):
        for (kind, number), times in spent.items():
            times.append(loading(f"{kind}_small{number}").execute())
    # Of the undisturbed ones.
    usual = {key: statistics.fmean(sorted(times)[:max(1, len(times) // 4)])
             for key, times in spent.items()}
    few, many = FEW_AND_MANY
    one = {kind: max(1.0, (usual[kind, many] - usual[kind, few]) / (many - few)) for kind in KINDS}
    return [Case("a class without bases", Figure(one["extended"]), "plain", Figure(one["plain"]),
                 target=1 + 600 / one["plain"])]


def command() -> list[Case]:
    """The commands as a build system calls them."""
    small = Path(_sources.name, "small.pyx")
    small.write_text("def f(x):\n    return x\n")

    def run(module: str, *arguments: str) -> Process:
        return Process([sys.executable, "-m", module, *arguments])

    layer, plain = "cython_customslots.compiler.commands.cli", "cython"
    arguments = ["-3", str(small), "-o"]
    outputs = [str(Path(_sources.name, f"{who}-{small.stem}.c")) for who in "ab"]
    return [Case("--version", run(layer, "--version"), "cython", run(plain, "--version")),
            Case("a module of two lines", run(layer, *arguments, outputs[0]), "cython",
                 run(plain, *arguments, outputs[1]))]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        sys.exit(work(sys.argv[2]))
    sys.exit(main(__file__, __doc__, modules,
                  {"unaffected modules": unaffected_modules, "in use": in_use, "one class": one_class,
                   "import": imports, "one class more": one_more_class, "command": command}, rounds=5, processes=3))
