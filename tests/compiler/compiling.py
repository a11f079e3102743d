# SPDX-License-Identifier: MIT
"""Compiles Cython source through the layer, in children, without a C compiler."""
import json
import re
import subprocess
import sys
import tempfile
import textwrap

import Cython
import pytest
import support
import warm_cython

_CHILD = r"""
import contextlib, io, json, os, sys, warnings

arguments = json.load(sys.stdin)
if arguments["layer"]:
    from cython_customslots.compiler import install
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")          # a Cython that we do not support
        install(extend_all=arguments["extend_all"], typed=arguments["typed"],
                metaclass=arguments["metaclass"], runtime=arguments["runtime"])
from Cython.Compiler.Main import CompilationOptions, compile_single, default_options

results = {}
for name, files in arguments["cases"].items():
    os.makedirs(name)
    for filename, text in files.items():
        with open(os.path.join(name, filename), "w", encoding="utf-8") as file:
            file.write(text)
    source = next(f for f in files if f.endswith((".pyx", ".py")))
    module = source.rpartition(".")[0]
    target = os.path.join(name, module + ".c")
    options = CompilationOptions(
        default_options, language_level=3, output_file=target, include_path=[name],
        cplus="language = c++" in files[source],
        compiler_directives={} if arguments["pickles"] else {"auto_pickle": False})
    captured = io.StringIO()
    with contextlib.redirect_stderr(captured):
        try:
            compile_single(os.path.join(name, source), options, module)
        except Exception as failure:
            if type(failure).__name__ != "CompileError":
                captured.write(f"\ncrashed.pyx:0:0: {type(failure).__name__}: {failure}\n")
    text = ""
    if os.path.exists(target):
        with open(target, encoding="utf-8") as file:
            text = file.read()
    results[name] = {"messages": captured.getvalue(), "c": text}
json.dump(results, sys.stdout)
"""

#: Errors of a class or C method, where Cython 3.0 says.
_OF_DECLARATIONS = re.compile(
    r"^'\w+' is (a metaclass|declared extern: only the .* extensible)|has the C method|"
    r"not allowed here$|is declared but not defined$|derives from itself$|be a dataclass|"
    r"cannot implement that of interface|which both have a body|cannot be static|has no C methods;|"
    r"cannot be (public|api): it has no|is declared in another way in the|has a body in the .pxd|"
    r"nothing else; declare '|is in the same module, whose body|cannot be extensible(, as .*)?: it has the name")

CYTHON = tuple(int(part) for part in Cython.__version__.split(".")[:2])

_MESSAGE = re.compile(r"^(?:\S*/)?([\w.]+):(\d+):(\d+): (?!warning: )(.*)$", re.MULTILINE)


class Compiled:
    """The result of one case: ``errors`` [(file, line, column, text)] and ``c``."""

    def __init__(self, messages, c):
        self.messages = messages
        self.errors = [(file, int(line), int(column), text)
                       for file, line, column, text in _MESSAGE.findall(messages)]
        self.c = c


def compile_all(cases, *, layer=True, extend_all=False, typed=False, metaclass=None, runtime=None, pickles=False):
    """Compile {case: {file name: text}} in one child; {case: Compiled}.

    Each case has a directory of its own, and one .pyx or .py in it.  *pickles*: with Cython's code that
    pickles instances, which takes as long as all the rest.
    """
    with tempfile.TemporaryDirectory() as directory:
        done = warm_cython.run(
            _CHILD, cwd=directory, stdin=json.dumps({
                "cases": cases, "layer": layer, "extend_all": extend_all, "typed": typed,
                "metaclass": metaclass, "runtime": runtime, "pickles": pickles}))
    assert done.returncode == 0, done.stderr
    return {name: Compiled(**result) for name, result in json.loads(done.stdout).items()}


def compile_each(cases):
    """{what: Compiled} of {what: (text of mod.pyx or {file: text}, options)}: a child for all with equal options."""
    results = {}
    for _, options in cases.values():
        alike = [what for what, (_, others) in cases.items() if others == options and what not in results]
        texts = [cases[what][0] for what in alike]
        done = compile_all({f"case{i}": {"mod.pyx": text} if isinstance(text, str) else text
                            for i, text in enumerate(texts)}, **options) if alike else {}
        results.update(zip(alike, done.values()))
    return results


def check(code, *arguments):
    """What support.check_child() does, where the child imports Cython."""
    return support.output_of(warm_cython.run(
        "import sys, warnings\nwarnings.simplefilter('error')\n" + source(code), *arguments,
        cwd=support.CACHE))


def uncompiled(code, directory):
    """The output of *code*, for which modules of pure-Python mode in that directory are plain Python."""
    pytest.importorskip("cython", reason="the shadow module comes with Cython")
    return support.check_child("""
        import types, cython, cython_customslots
        sys.modules["cython.cimports"] = cimports = types.ModuleType("cython.cimports")
        sys.modules["cython.cimports.cython_customslots"] = cimports.cython_customslots = cython_customslots
        sys.path.insert(0, sys.argv[1])
        sys.dont_write_bytecode = True
        """ + code, directory)


def command(*arguments, cwd):
    """What `cython-customslots ARGUMENTS...` does; a CompletedProcess."""
    return warm_cython.run_module("cython_customslots.compiler.commands.cli", *arguments, cwd=cwd)


def python(cwd, *arguments):
    """What `python ARGUMENTS...` does, as the user's shell runs it: (exit code, all that it says)."""
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", timeout=600)
    return done.returncode, done.stdout


def source(text):
    return textwrap.dedent(text).lstrip("\n")


def as_cython_says(errors, text):
    """Expected [(file, line, column, message)] in *text*, as this version puts it.

    Cython 3.0 points behind the word `cdef` and not at the beginning of a declaration or
    its first decorator, calls str unicode and has no int objects.
    """
    if CYTHON >= (3, 1):
        return errors
    lines, found = text.splitlines(), []
    for file, line, column, message in errors:
        message = message.replace("'str object'", "'unicode object'")
        message = re.sub(r"(an integer|_ID\(0x04, 5, 0\)), found 'int object'", r"\1, found 'Python object'", message)
        if _OF_DECLARATIONS.search(message):
            while not (start := re.match(r"\s*cp?def ", lines[line - 1])):
                line += 1
            column = start.end()
        found.append((file, line, column, message))
    return found


def plain_c(text):
    """Generated C without what differs between two runs of the same compiler."""
    return re.sub(r"(?s)\A/\* BEGIN: Cython Metadata.*?END: Cython Metadata \*/", "", text)
