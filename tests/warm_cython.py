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
import contextlib
import gc
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import traceback

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

_SIZE = struct.Struct("!I")


def run(code, *arguments, cwd, stdin="", python=sys.executable, hash_seed="random", timeout=600):
    """Run *code* as `python -c CODE ARGUMENTS...` would; a subprocess.CompletedProcess.

    *python*: the interpreter, which has Cython and this package; *hash_seed*: its
    PYTHONHASHSEED.
    """
    arguments = ["-c", *map(str, arguments)]
    if not hasattr(os, "fork") or sys.implementation.name == "pypy":     # where forks are slow
        return subprocess.run([python, "-c", code, *arguments[1:]], cwd=cwd, input=stdin,
                              env=dict(os.environ, PYTHONHASHSEED=hash_seed),
                              encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              errors="backslashreplace", timeout=timeout)
    job = {"code": code, "argv": arguments, "cwd": str(cwd)}
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8",
                                                            errors="backslashreplace"))
                 for _ in range(3)]
        files[0].write(stdin)
        for file in files:
            file.flush()
            os.lseek(file.fileno(), 0, os.SEEK_SET)
        status = _server(python, hash_seed).submit(job, [file.fileno() for file in files], timeout)
        output = []
        for file in files[1:]:
            file.seek(0)
            output.append(file.read())
    return subprocess.CompletedProcess([python, *arguments], status, *output)


def run_module(name, *arguments, cwd, **options):
    """The same for `python -m NAME ARGUMENTS...`."""
    return run(_RUN_MODULE, name, *arguments, cwd=cwd, **options)


_servers, _lock = {}, threading.Lock()


def _server(python, hash_seed):
    with _lock:
        # The child of a fork has its parent's server, whose answers it would steal.
        key = python, hash_seed, os.getpid()
        if key not in _servers:
            _servers[key] = _Server(python, hash_seed)
            atexit.register(_servers[key].close)
        return _servers[key]


class _Server:
    """The process that has imported Cython, as its clients see it."""

    def __init__(self, python, hash_seed):
        ours, theirs = socket.socketpair()
        environment = dict(os.environ, PYTHONIOENCODING="utf-8:backslashreplace",
                           PYTHONHASHSEED=hash_seed)
        for name in ("LD_PRELOAD", "PYTHONMALLOC", "PYTHONWARNINGS"):
            environment.pop(name, None)     # for C of ours, which is not run there
        with theirs:
            self.process = subprocess.Popen(
                [python, __file__, str(theirs.fileno())], stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()], env=environment, cwd=os.path.dirname(__file__))
        self.socket, self.lock = ours, threading.Lock()

    def submit(self, job, files, timeout):
        """Run a job with these descriptors as its standard ones; its exit status."""
        answer, theirs = socket.socketpair()
        with answer:
            with theirs, self.lock:
                text = json.dumps(job).encode()
                socket.send_fds(self.socket, [_SIZE.pack(len(text))],
                                [*files, theirs.fileno()])
                self.socket.sendall(text)
            answer.settimeout(timeout)
            status = answer.recv(_SIZE.size)
        if len(status) != _SIZE.size:
            raise RuntimeError(f"{__file__}: the process that runs Cython ended without an "
                               f"answer (its exit status: {self.process.poll()})")
        return struct.unpack("!i", status)[0]

    def close(self):
        self.socket.close()
        self.process.wait(30)


# ------------------------------------------------------------------------- the server --


def _serve(number):
    del sys.path[0]                         # this file's directory
    exec(IMPORTS, {})
    gc.freeze()                             # the forks need not look at it,
    gc.disable()                            # nor for garbage: they end soon
    waiting = set()
    with socket.socket(fileno=number) as requests:
        while True:
            size, descriptors, _, _ = socket.recv_fds(requests, _SIZE.size, 4)
            waiting = {pid for pid in waiting if not os.waitpid(pid, os.WNOHANG)[0]}
            if not size:
                break
            text = b""
            while len(text) < _SIZE.unpack(size)[0]:
                text += requests.recv(_SIZE.unpack(size)[0] - len(text))
            pid = os.fork()
            if pid == 0:
                requests.close()
                _wait_for(json.loads(text), descriptors)
            waiting.add(pid)
            for descriptor in descriptors:
                os.close(descriptor)
    for pid in waiting:
        os.waitpid(pid, 0)


def _wait_for(job, descriptors):
    """In a fork: do the job in another one, and tell how it ended."""
    child = os.fork()
    if child == 0:
        os._exit(_do(job, descriptors))
    _, status = os.waitpid(child, 0)
    os.write(descriptors[3], struct.pack("!i", os.waitstatus_to_exitcode(status)))
    os._exit(0)


def _do(job, descriptors):
    for number, descriptor in enumerate(descriptors[:3]):
        os.dup2(descriptor, number)
    for descriptor in descriptors:
        os.close(descriptor)
    status = 0
    try:
        os.chdir(job["cwd"])
        sys.argv[:] = job["argv"]
        sys.path.insert(0, "")
        exec(compile(job["code"], "<string>", "exec"), {"__name__": "__main__"})
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
    _serve(int(sys.argv[1]))
