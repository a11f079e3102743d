# SPDX-License-Identifier: MIT
"""Cython in forks of a process that has imported it.

Starting and importing Cython takes most of a second, compiling a test's module a tenth of
that, and the tests do both some hundred times.  One process imports Cython, compiles
nothing, and forks for each job: what the fork does is what a new process would do, and
leaves nothing behind for the next.

    done = run("import Cython; print(Cython.__version__)", cwd=directory)
    done = run_module("cython", "-3", "thing.pyx", cwd=directory)   # both a subprocess.CompletedProcess

Where there is no fork(), and on PyPy, run() starts a new process each time.
"""
import atexit
import functools
import gc
import json
import os
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path

#: What takes the time.  Nothing of it is changed by being imported early: the layer does
#: what it does in install(), whenever that is called.
IMPORTS = """
import Cython.Compiler.Main, Cython.Compiler.Pipeline, Cython.Compiler.ParseTreeTransforms
import Cython.Compiler.Optimize, Cython.Compiler.CythonScope, Cython.Compiler.CmdLine
import Cython.Compiler.Scanning, Cython.Compiler.AnalysedTreeTransforms, Cython.Build.Dependencies
import Cython.Compiler.AutoDocTransforms, Cython.Compiler.CodeGeneration, Cython.Compiler.FlowControl
import Cython.Compiler.TypeInference, Cython.CodeWriter, Cython.Utility, html.entities
import importlib, pkgutil, cython_customslots.compiler as layer
for module in pkgutil.walk_packages(layer.__path__, layer.__name__ + "."):
    # `python -m` runs one command; the others are for setuptools, which may be missing.
    if ".commands." not in module.name:
        importlib.import_module(module.name)
"""

#: Runs a module as `python -m` would; in a fork, its process cannot be told from others.
_RUN_MODULE = "import runpy, sys; del sys.argv[0]; runpy.run_module(sys.argv[0], None, '__main__', True)"


def run(code, *arguments, cwd, stdin="", python=sys.executable, hash_seed="random", timeout=600):
    """Run *code* as `python -c CODE ARGUMENTS...` would; a subprocess.CompletedProcess.

    *python*: the interpreter, which has Cython and this package; *hash_seed*: its
    PYTHONHASHSEED.
    """
    arguments = ["-c", *map(str, arguments)]
    text = {"encoding": "utf-8", "errors": "backslashreplace"}
    if not hasattr(os, "fork") or sys.implementation.name == "pypy":     # where forks are slow
        return subprocess.run([python, "-c", code, *arguments[1:]], cwd=cwd, input=stdin, **text,
                              env=dict(os.environ, PYTHONHASHSEED=hash_seed),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    with tempfile.TemporaryDirectory() as directory:
        files = [Path(directory, name) for name in ("stdin", "stdout", "stderr")]
        files[0].write_text(stdin, **text)
        # The child of a fork has its parent's server, whose answers it would steal.
        status = _server(python, hash_seed, os.getpid()).submit(timeout, code, arguments, str(cwd),
                                                                list(map(str, files)))
        output = [file.read_text(**text) for file in files[1:]]
    return subprocess.CompletedProcess([python, *arguments], status, *output)


def run_module(name, *arguments, cwd, **options):
    """The same for `python -m NAME ARGUMENTS...`."""
    return run(_RUN_MODULE, name, *arguments, cwd=cwd, **options)


class _Server:
    """The process that has imported Cython, as its clients see it: one job after another, a line for each."""

    def __init__(self, python, hash_seed):
        environment = dict(os.environ, PYTHONIOENCODING="utf-8:backslashreplace",
                           PYTHONHASHSEED=hash_seed)
        for name in ("LD_PRELOAD", "PYTHONMALLOC", "PYTHONWARNINGS"):
            environment.pop(name, None)     # for C of ours, which is not run there
        self.process = subprocess.Popen([python, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment, cwd=os.path.dirname(__file__))
        self.lock = threading.Lock()
        atexit.register(self.close)

    def submit(self, timeout, *job):
        """Run a job; its exit status."""
        with self.lock:
            watch = threading.Timer(timeout, self.process.kill)
            watch.start()
            print(json.dumps(job), file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
            watch.cancel()
        if not answer:
            _server.cache_clear()           # the next job gets another one
            raise RuntimeError(f"{__file__}: the process that runs Cython ended without an answer in {timeout} "
                               f"seconds (its exit status: {self.process.wait()})")
        return int(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)


_server = functools.lru_cache(maxsize=None)(lambda python, hash_seed, of_process: _Server(python, hash_seed))


# ------------------------------------------------------------------------- the server --


def _serve():
    del sys.path[0]                         # this file's directory
    exec(IMPORTS, {})
    gc.freeze()                             # the forks need not look at it,
    gc.disable()                            # nor for garbage: they end soon
    for line in iter(sys.stdin.readline, ""):
        child = os.fork()
        if child == 0:
            os._exit(_do(*json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _do(code, argv, cwd, files):
    for number, file in enumerate(files):
        opened = os.open(file, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    status = 0
    try:
        os.chdir(cwd)
        sys.argv[:] = argv
        sys.path.insert(0, "")
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as error:
        status = error.code
        if status is None or not isinstance(status, int):
            if status is not None:
                print(status, file=sys.stderr)
            status = int(status is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return status & 0xFF


if __name__ == "__main__":
    _serve()
