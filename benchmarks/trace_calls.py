# SPDX-License-Identifier: MIT
"""Through how many functions and files does it go?  That much a reader has to follow for one operation.

The runtime and the test module `probe` are compiled without optimising, so that functions of headers are
calls, too, and with -finstrument-functions.  For each operation, done twice before with other values, so that
nothing is done for the first time, and really changes: the functions of the project that ran, the files that
these are in, how often a call or a return goes to another file, and all calls.

    python benchmarks/trace_calls.py [--list OPERATION]        with gcc or clang, and nm
"""
import ctypes
import gc
import importlib.util
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUNTIME, INCLUDE = ROOT / "cython_customslots" / "runtime", ROOT / "cython_customslots" / "include"
COMPILER = [*sysconfig.get_config_var("CC").split(), "-std=gnu99", "-O0", "-DNDEBUG", "-fPIC", "-w",
            f"-I{sysconfig.get_path('include')}"]
MOST = 1 << 20

HOOKS = f"""
long trace_log[{MOST}];
int trace_count = {MOST};
void __cyg_profile_func_enter(void *function, void *caller) {{
    if (trace_count < {MOST}) trace_log[trace_count++] = (char *)function - (char *)trace_log;
}}
void __cyg_profile_func_exit(void *function, void *caller) {{
    if (trace_count < {MOST}) trace_log[trace_count++] = 0;
}}
"""

PROLOGUE = """
meta, = probe.rich_metaclasses()[:1]
one, two = meta("One", (), {"level": 1}), meta("Two", (), {"level": 2})
leaf, parent, moving = type("Leaf", (one,), {}), type("Parent", (one,), {}), type("Moving", (one,), {})
six = [type("Sub", (parent,), {}) for _ in range(6)]
"""
OPERATIONS = {
    "class X(Base, level=3)": "class X(one, level=3): pass",
    "class X(Base)": "class X(one): pass",
    "field read": "leaf.level",
    "field set on a leaf": "leaf.level = turn",
    "field set above six": "parent.level = turn",
    "__bases__ assigned": "moving.__bases__ = (two,) if turn % 2 else (one,)",
    "set_slots": "probe.set_slots(leaf, [(257, turn)])",
}


def build(directory):
    (directory / "hooks.c").write_text(HOOKS)
    subprocess.run([sys.executable, ROOT / "cython_customslots" / "tools" / "headers.py",
                    directory / "customslots_runtime.h"], check=True)
    objects = []
    for path in [directory / "hooks.c", *(ROOT / "tests" / "core").glob("probe*.c")]:
        objects.append(directory / f"{path.stem}.o")
        subprocess.run([
            *COMPILER, f"-I{INCLUDE}", f"-I{directory}", "-D_Pycs_SEPARATE",
            *([] if path.stem == "hooks" else ["-finstrument-functions"]), "-c", path, "-o", objects[-1]], check=True)
    subprocess.run([*COMPILER, "-shared", "-Wl,-Bsymbolic", *objects, "-o", directory / "probe.so"], check=True)
    return directory / "probe.so"


def functions(shared):
    """{distance from trace_log: (function, file)} of the project's functions."""
    files = {name: path.name for path in [*INCLUDE.rglob("*.h"), *RUNTIME.glob("*.[ch]")]
             for name in re.findall(r"^(\w+)\(", path.read_text(), re.M)}
    files.update((f"_Pycs_to_{name}", "core.c")         # trampolines, which a macro defines
                 for name in re.findall(r"^_Pycs_TO\([^,]*, (\w+)", (RUNTIME / "core.c").read_text(), re.M))
    symbols = re.findall(r"^(\w+) \w (\w+)$", subprocess.run(["nm", shared], capture_output=True, text=True,
                                                             check=True).stdout, re.M)
    log, = [int(at, 16) for at, name in symbols if name == "trace_log"]
    return {int(at, 16) - log: (name, files[name]) for at, name in symbols if name in files}


def trace(library, known, run):
    """The calls of the project's functions: [(function, file)]; and how often the file changes on the way."""
    log = (ctypes.c_long * MOST).in_dll(library, "trace_log")
    count = ctypes.c_int.in_dll(library, "trace_count")
    count.value = 0
    run()
    end, count.value = count.value, MOST
    calls, stack, changes = [], [None], 0
    for at in log[:end]:
        here = stack[-1]
        if at == 0:
            stack.pop()
        else:
            stack.append(known.get(at))
            if stack[-1] is not None:
                calls.append(stack[-1])
        changes += None not in (here, stack[-1]) and here[1] != stack[-1][1]
    return calls, changes


def main():
    with tempfile.TemporaryDirectory() as directory:
        shared = build(Path(directory))
        known, library = functions(shared), ctypes.PyDLL(str(shared))
        spec = importlib.util.spec_from_file_location("probe", shared)
        namespace = {"probe": importlib.util.module_from_spec(spec)}
        spec.loader.exec_module(namespace["probe"])
        exec(PROLOGUE, namespace)
        gc.disable()
        print(f"{'':26}{'functions':>10}{'files':>7}{'changes':>9}{'calls':>7}")
        for name, code in OPERATIONS.items():
            compiled = compile(code, name, "exec")
            for namespace["turn"] in range(1, 4):
                calls, changes = trace(library, known, lambda: exec(compiled, namespace))
            print(f"{name:26}{len(set(calls)):>10}{len({file for _, file in calls}):>7}{changes:>9}{len(calls):>7}")
            if sys.argv[1:] == ["--list", name]:
                for function, file in dict.fromkeys(calls):
                    print(f"    {file:20} {function}  ({calls.count((function, file))})")


if __name__ == "__main__":
    main()
