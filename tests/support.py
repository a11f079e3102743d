# SPDX-License-Identifier: MIT
"""What the tests share: building modules against the installed package, and children.

A module is built once and kept in a cache directory whose name is a hash of the
interpreter and the flags; `cython_customslots.building` hashes sources and headers, so
a module is rebuilt exactly when something that it is made of has changed.  The C of Cython
modules is kept apart from that, for all interpreters: generated_c.py.
"""
import concurrent.futures
import contextlib
import ctypes
import dataclasses
import functools
import hashlib
import importlib
import importlib.machinery
import importlib.util
import os
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import threading
import warnings
from pathlib import Path

import cython_customslots
import filelock
import generated_c
import pytest
from cython_customslots.tools import building

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
CACHE = Path(os.environ.get("CUSTOMSLOTS_TEST_CACHE") or ROOT / ".cache" / "tests")
GENERATED = Path(os.environ.get("CUSTOMSLOTS_TEST_GENERATED") or CACHE / "generated")

#: Sanitizers come through CFLAGS and LDFLAGS, which everything that builds something heeds.
SANITIZE = "-fsanitize=" in os.environ.get("CFLAGS", "")
#: Where random programs begin; hostile/long_run.py goes on from there.
SEED = int(os.environ.get("CUSTOMSLOTS_TEST_SEED", "0"))
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
DEBUG_BUILD = hasattr(sys, "gettotalrefcount")

#: 3.13t never frees a class once a thread has been started, as pytest-xdist's workers do.
THREADS_MAKE_IMMORTAL = FREE_THREADED and sys.version_info < (3, 14)

#: Building takes longer than testing, and optimising longest: CI does so in some of its sessions,
#: see noxfile.py.  asserts are on.
C_FLAGS = (*os.environ.get("CUSTOMSLOTS_TEST_C_FLAGS", "-O0 -g0").split(), "-UNDEBUG")

#: The interpreter's own -Wall is two fifths of the time that Cython's tens of thousands of lines take.
CYTHON_FLAGS = (*os.environ.get("CUSTOMSLOTS_TEST_CYTHON_FLAGS", "-O0 -g0").split(), "-Wno-all",
                "-UNDEBUG")

#: So it is for what is built with the flags of the interpreter and the environment, by setuptools,
#: pyximport, the demo and the like; modules of these tests have flags of their own behind these.
if "CUSTOMSLOTS_TEST_FLAGS_SET" not in os.environ:      # workers and children inherit them
    os.environ.update(CUSTOMSLOTS_TEST_FLAGS_SET="1", CFLAGS=" ".join(
        [*os.environ.get("CFLAGS", "").split(), *CYTHON_FLAGS[:-1]]))

#: What C code that includes our headers must bear without a warning.
STRICT_FLAGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
PYPY = sys.implementation.name == "pypy"
if PYPY:                # whose own headers are not ISO C99, and whose macros cast away const
    STRICT_FLAGS = ("-Wall", "-Wextra", "-Werror")


ABI3 = sys.version_info >= (3, 11) and not FREE_THREADED and not PYPY
has_abi3 = pytest.mark.skipif(not ABI3, reason="the limited API with buffers begins with CPython 3.11, and has a GIL")
has_abi3t = pytest.mark.skipif(sys.version_info < (3, 15) or PYPY, reason="abi3t begins with CPython 3.15")


def only_on_cpython(why):
    """A mark of tests of what PyPy has not."""
    return pytest.mark.skipif(PYPY, reason=why)


def thoroughly(cases, plain=1, thorough=None):
    """The cases of a parametrized test: a plain run takes the first ones only, one of what is thorough some of the
    next ones, if their number is said, and .ci/nightly the rest."""
    parts = (cases[:plain], ()), (cases[plain:][:thorough], [pytest.mark.thorough]), (
        cases[plain:][thorough:] if thorough is not None else [], [pytest.mark.nightly])
    return [pytest.param(*(case if type(case) is tuple else (case,)), marks=marks)
            for part, marks in parts for case in part]


@functools.lru_cache(maxsize=None)
def toolchain(of_cython=False):
    """The one that is found; or, for C that Cython wrote, clang where it is there, which takes two fifths
    of the time that gcc takes for it, unless the environment names a compiler."""
    command = os.environ.get("CUSTOMSLOTS_TEST_CYTHON_CC")
    if not command and not os.environ.get("CC") and not PYPY and shutil.which("clang"):
        command = "clang"
    with pytest.MonkeyPatch.context() as patch:
        if of_cython and command:
            patch.setenv("CC", command)
        return building.find_toolchain()


def cache_directory(*what):
    """The directory for what is built by this interpreter with these flags."""
    key = hashlib.sha256(repr((toolchain().identity, sys.executable, what)).encode())
    return CACHE / f"{sys.implementation.cache_tag}-{key.hexdigest()[:12]}"


#: The runtime that modules carry takes longer to compile than what they have besides.  So the tests'
#: modules leave it out, and link one copy that is compiled once.  Where nothing refers to it (another
#: module is to provide it, the limited API), the linker takes nothing from the archive.
LEFT_OUT = ("-D_Pycs_SEPARATE",)


@functools.lru_cache(maxsize=None)
def carried_runtime():
    """The archive that has what modules carry, compiled for this interpreter with the flags of the tests."""
    tools = toolchain()
    directory = cache_directory("runtime", C_FLAGS)
    directory.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(directory / "lock"):
        made = building.compile_runtime(directory, toolchain=tools,
                                        cflags=(*C_FLAGS, '-DPyExtensibleType_MODULE_NAME=""'))
        archive = made.with_suffix(".a")
        if not archive.exists():
            # A cross compiler has an archiver of its own.
            ar = subprocess.run([*tools.cc, "-print-prog-name=ar"], stdout=subprocess.PIPE, check=True,
                                text=True).stdout
            subprocess.run([ar.strip(), "rcs", directory / "new.a", made], check=True)
            os.replace(directory / "new.a", archive)
    return archive


def build(module, directory, cythonize=generated_c.cythonize, carries=False):
    """Build a building.Module into *directory*, once for all workers; its file's path.

    *carries*: compile the runtime as a part of it, as users do, for tests of what that does.
    """
    directory.mkdir(parents=True, exist_ok=True)
    if not carries and not PYPY:            # whose modules carry none
        module = dataclasses.replace(module, cflags=(*module.cflags, *LEFT_OUT),
                                     ldflags=(str(carried_runtime()), *module.ldflags))
    of_cython = all(Path(source).suffix in {".pyx", ".py"} for source in module.sources)
    with filelock.FileLock(directory / f"{module.name}.lock"):
        return building.build(
            module, directory, toolchain=toolchain(of_cython),
            parallel=1 if THREADS_MAKE_IMMORTAL else None,
            cythonize=functools.partial(cythonize, GENERATED)).path


def write_source(path, text):
    """Write a source that is built in a cache directory; half of it is never seen."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False,
                                         encoding="utf-8") as file:
            file.write(text)
        os.replace(file.name, path)
    return path


def build_c(name, *sources, cflags=(), include_dirs=(), ldflags=(), directory=None, carries=False):
    """Build the extension module *name* from C or C++ files; the path of the file."""
    module = building.Module(
        name, [Path(source) for source in sources],
        include_dirs=[cython_customslots.get_include(), *include_dirs],
        cflags=(*C_FLAGS, *cflags), ldflags=ldflags)
    return build(module, directory or cache_directory(name, module.cflags, module.ldflags), carries=carries)


def build_cython(path, layer=True, *, name=None, cplus=False, cython_args=(), cflags=(),
                 include_dirs=(), directory=None, carries=False):
    """Build a .pyx through the compiler layer, or with plain Cython; the file's path."""
    module = cython_module(path, layer, name=name, cplus=cplus, cython_args=cython_args,
                           cflags=cflags, include_dirs=include_dirs)
    return build(module, directory or cache_directory(
        module.name, layer, cplus, str(Path(path).parent), tuple(cython_args), module.cflags),
        carries=carries)


#: What Cython's modules for the limited API are compiled with.
LIMITED_CYTHON = "-DPy_LIMITED_API=0x030B0000", "-DCYTHON_LIMITED_API=1"

#: How a consumer in Cython is built: by plain Cython, with the layer, by plain Cython for the limited API.
CONSUMERS = ["plain", "layer", pytest.param("limited", marks=has_abi3)]


def build_consumer(path, way):
    """Build a .pyx in one of these ways; the file's path."""
    if way == "limited":
        pytest.importorskip("Cython", "3.1", reason="Cython 3.0's limited API is not finished")
    return build_cython(path, way == "layer", name=f"{Path(path).stem}_{way}",
                        cflags=LIMITED_CYTHON if way == "limited" else ())


def cython_module(path, layer=True, *, name=None, cflags=(), **options):
    return building.Module(name or Path(path).stem, [Path(path)], layer=layer,
                           cflags=(*CYTHON_FLAGS, *cflags), **options)


def load(path, name=None):
    """Import an extension module from its file and leave it in sys.modules."""
    path = Path(path)
    name = name or path.name.partition(".")[0]
    if name in sys.modules:
        return sys.modules[name]
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@functools.lru_cache(maxsize=None)
def probe_path(name="probe"):
    """The C module behind most tests; any other name gives a second, separate build."""
    sources = sorted((TESTS / "core").glob("probe*.c"))
    return build_c(name, *sources, cflags=(f"-DPROBE_NAME={name}", "-std=c99",
                                           *STRICT_FLAGS, "-Wno-unused-function"))


def probe(name="probe"):
    return load(probe_path(name))


def limited_consumer():
    """A reader under the limited API."""
    return load(build_c("limited_consumer", TESTS / "c" / "limited_consumer.c", cflags=STRICT_FLAGS))


def finding(modules):
    """Code after which these can be imported by name."""
    return "import sys\n" + "".join(f"sys.path.insert(0, {str(Path(path).parent)!r})\n" for path in modules)


def run_child(code, *arguments, cwd=None, env=None, modules=(), timeout=300):
    """Run *code* in a fresh interpreter outside the checkout; a CompletedProcess.

    *modules*: paths of extension modules that the child may import by name.  Warnings
    are errors in the child, too, and a crash leaves a Python traceback on stderr.
    """
    environment = dict(os.environ, PYTHONIOENCODING="utf-8", PYTHONFAULTHANDLER="1")
    environment.pop("PYTHONWARNINGS", None)
    environment.update(env or {})
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", finding(modules) + textwrap.dedent(code), *map(str, arguments)],
        cwd=cwd or CACHE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8", errors="backslashreplace", timeout=timeout)


def check_child(code, *arguments, **options):
    """run_child() that must succeed; its output, without the final newline."""
    return output_of(run_child(code, *arguments, **options))


def output_of(done):
    """The output, without the final newline, of a CompletedProcess that must have succeeded."""
    assert done.returncode == 0, (
        f"child ended with {done.returncode}\n--- stdout\n{done.stdout}\n"
        f"--- stderr\n{done.stderr}")
    return done.stdout.rstrip("\n")


def run_in_new_interpreter(code, target=None, legacy=False, modules=()):
    """Run *code* in a sub-interpreter, with a GIL of its own from CPython 3.12 on, or a *legacy* one.

    The code finds `target` as a string, and imports *modules* by name.  What it raises is raised here as a
    RuntimeError.
    """
    try:
        import _interpreters
        number = _interpreters.create("legacy" if legacy else "isolated")
    except ImportError:
        import _xxsubinterpreters as _interpreters
        number = _interpreters.create(isolated=not legacy)
    try:
        failure = _interpreters.run_string(
            number, f"target = {str(target)!r}\n" + finding(modules) + textwrap.dedent(code))
        if failure is not None:
            raise RuntimeError(getattr(failure, "errdisplay", None) or str(failure))
    finally:
        _interpreters.destroy(number)


# ------------------------------------------------------------------------- threads --

@contextlib.contextmanager
def running(threads, done):
    """These threads, which the event *done* ends behind the block."""
    threads = list(threads)
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def run_all(threads):
    """All of them, to the end."""
    with running(threads, threading.Event()):
        pass


# ---------------------------------------------------------------- slots and types --


def slot_id(idea, version=0, registrar=0x01):
    """PyCustomSlots_ID(), of the registrar for what is never released."""
    return registrar << 24 | idea << 8 | version << 1 | 1


def same_key(cls, number, other):
    """The ID with which the class *other* has the key in the process's table that *cls* has with
    *number*."""
    mask = sys.maxsize * 2 + 1
    stride = 0x9E3779B1 * pow(0x85EBCA77, -1, mask + 1)
    return number + ((id(cls) >> 4) - (id(other) >> 4)) * stride & mask


#: Static slot IDs for tests.  EMPTY and SKIP are the special ones.
A, B, C, D, E = (slot_id(idea) for idea in range(1, 6))
EMPTY, SKIP = 0, 1


def need_mortal_classes():
    """Skip where CPython lets no class die any more: see THREADS_MAKE_IMMORTAL."""
    if sys.getrefcount(type("Mortal", (), {})) > 1 << 30:
        pytest.skip("this CPython makes all classes immortal once a thread was started")


#: 3.13t corrupts its heap when an allocation fails in type(), for plain classes, too.
TYPE_SURVIVES_NO_MEMORY = not FREE_THREADED or sys.version_info >= (3, 14)


@functools.cache
def setdefault_survives_no_memory():
    """Whether dict.setdefault() does so; 3.13.0 counts an entry that it could not store.

    PyType_Ready() stores the methods of a type by it, and crashes in a later one.
    """
    return run_child("""
        from probe import call_failing
        for n in range(9):
            entries = dict.fromkeys(map(str, range(5)))          # the next one needs memory
            result, _ = call_failing(lambda: entries.setdefault("next", 1), n, False)
            assert (result, len(entries)) in ((MemoryError, 5), (1, 6)), result
        """, modules=[probe_path()]).returncode == 0


def static_type(probe, name, bases=(), slots=(), *, room=None, metaclass=None):
    """A static type readied by PyExtensibleType_Ready(); *room*: entries of its array."""
    room = 64 if room is None else room
    draft = probe.draft(f"static.{name}", tuple(bases), list(slots), room, metaclass)
    return probe.draft_ready(draft, room)


def with_slots(probe, cls, *slots):
    """The class itself, with these slots of its own; usable as a decorator."""
    probe.set_slots(cls, list(slots))
    return cls


def stamp_place():
    """Where the upper half of tp_flags is in a type object."""
    return object.__basicsize__ + 19 * struct.calcsize("P") + 4 * (sys.byteorder == "little")


def write_stamp(cls, value):
    ctypes.c_uint32.from_address(id(cls) + stamp_place()).value = value


def need(name):
    """The library, or a skip: they have wheels for some interpreters only, and the nox
    session `interop` runs where they have."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError:
        if os.environ.get("CUSTOMSLOTS_INTEROP"):
            raise
        pytest.skip(f"{name} is not installed; pyproject.toml has it in an extra")


# ------------------------------------------------------------------------ dialects --

#: The C and C++ standards that our headers compile under.  CI tries all of them once for each
#: compiler and kind of CPython, see noxfile.py; elsewhere C++11 suffices, because test modules of
#: C are C99.
DIALECTS = tuple(os.environ.get("CUSTOMSLOTS_TEST_DIALECTS", "c++11").split())


@functools.lru_cache(maxsize=None)
def _flags_to_check(compiler):
    """What makes a compiler warn of all that it would warn of, without the machine code, which is half
    of the time.

    clang's warnings are those of its front end.  Those of gcc come from behind it, too: with
    -fsyntax-only there are none of functions that are unused, end without a value or fall through, or
    of variables that may be unset.  All of them have come when it writes what -flto leaves for later.
    """
    def run(*arguments):
        return subprocess.run([*compiler, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, encoding="utf-8", errors="backslashreplace", timeout=300)

    macros = run("-dM", "-E", "-x", "c", os.devnull).stdout
    if "#define __clang__ " in macros:
        return ["-fsyntax-only"]
    if "#define __GNUC__ " in macros:
        flags = ["-c", "-flto", "-fno-fat-lto-objects"]
        with tempfile.TemporaryDirectory() as directory:
            source = Path(directory, "unused.c")
            source.write_text("static int unused(int x) { if (x) return 1; }\n")
            done = run("-Wall", *flags, str(source), "-o", f"{source}.o")
        if done.returncode == 0 and "-Wunused-function" in done.stdout and "-Wreturn-type" in done.stdout:
            return flags
    return ["-c"]


def compile_strictly(source, dialect, output, *extra, include_dirs=(), headers=True, check_only=False):
    """Compile one file under a standard, warnings being errors; a CompletedProcess.

    None of the interpreter's own flags are used; Python.h counts as a system header,
    whose warnings are CPython's business.  *headers*: those of this package are on the include path.
    *check_only*: *output* is not used for anything, and may not be an object of machine code.
    """
    cplus = dialect.startswith("c++")
    tools = toolchain()
    compiler = tools.cxx if cplus else tools.cc
    assert compiler, f"a {'C++' if cplus else 'C'} compiler is needed for this test"
    command = [*compiler, *(["-x", "c++"] if cplus else []), f"-std={dialect}", "-O0", "-fPIC",
               *STRICT_FLAGS, *extra,
               *([f"-I{cython_customslots.get_include()}"] if headers else []),
               *(f"-I{path}" for path in include_dirs),
               *(f"-isystem{path}" for path in tools.include_dirs),
               *(_flags_to_check(compiler) if check_only else ["-c"]), str(source), "-o", str(output)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="backslashreplace", timeout=300)


def compile_all_strictly(sources, dialect, directory, *extra, **options):
    """Objects of several files, two at a time; fails with the compiler's words."""
    outputs = [Path(directory) / f"{Path(source).stem}.o" for source in sources]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(
            lambda pair: compile_strictly(pair[0], dialect, pair[1], *extra, **options),
            zip(sources, outputs)))
    for source, done in zip(sources, results):
        assert done.returncode == 0 and not done.stdout, (
            f"{source} as {dialect}:\n{done.stdout}")
    return outputs
