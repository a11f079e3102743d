# SPDX-License-Identifier: MIT
"""What a look-up does to the loop around it, read in the compiler's output.

In `x = f(x)` the vtable loop keeps x in a register from one call to the next.  A look-up
that may call a function in any turn makes compilers keep x in memory, which doubles the
time (see _customslots/compilers.h); benchmarks/bench_natural.py measures that, and
here nothing is measured.
"""
import platform
import re
import shutil
import subprocess
import sys

import cython_customslots
import generated_c
import pytest
import support

BENCHMARKS = support.ROOT / "benchmarks"
LANGUAGES = {"C": "natural.c", "C++": "natural.cpp", "Cython": "natural.pyx"}
COMPILERS = [("gcc", "C"), ("g++", "C++"), ("gcc", "Cython"),
             ("clang", "C"), ("clang++", "C++"), ("clang", "Cython")]

pytestmark = [pytest.mark.compilers, pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or sys.maxsize < 2**32,
    reason="reads the assembly of x86-64 only")]


def assembly(compiler, language, directory):
    """(instructions, index of the instruction behind each label) of the benchmark's loops,
    -O2.  CFLAGS are not heeded: sanitizers keep everything in memory."""
    if language == "Cython" and (support.FREE_THREADED or support.DEBUG_BUILD):
        pytest.skip("Cython's loop over a list calls functions of this build in each turn")
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not on this machine")
    source = BENCHMARKS / LANGUAGES[language]
    if language == "Cython":
        module = support.cython_module(source, layer=False)
        source = directory / "natural.c"
        generated_c.cythonize(support.GENERATED, module, module.sources[0], source)
    done = subprocess.run(
        [compiler, "-O2", "-DNDEBUG", "-w", "-S", "-o", "-",
         f"-I{cython_customslots.get_include()}", f"-I{BENCHMARKS}",
         *(f"-I{path}" for path in support.toolchain().include_dirs), source],
        stdout=subprocess.PIPE, encoding="utf-8", check=True)
    instructions, labels = [], {}
    for line in done.stdout.splitlines():
        line = line.partition("#")[0].strip()
        if label := re.fullmatch(r"([\w.$]+):", line):
            labels[label[1]] = len(instructions)
        elif line and not line.startswith("."):
            instructions.append(line)
    return instructions, labels


class Function:
    """The ways through a function that call nothing but what the loop is there to call."""

    def __init__(self, assembly, language, name):
        self.instructions, self.labels = assembly
        label = {"C": name, "C++": f"_ZL{len(name)}{name}PP7_objectl",  # (PyObject **, long)
                 "Cython": rf"__pyx_pw_7natural_\d+{name}"}[language]
        start, = (index for text, index in self.labels.items() if re.fullmatch(label, text))
        self.reached = self.reach(start)

    def next_of(self, index):
        name, _, operand = self.instructions[index].partition("\t")
        if name.startswith("ret") or self.is_call(index):
            return []
        after = [] if name.startswith("jmp") else [index + 1]
        return after + ([self.labels[operand]] if name[0] == "j" and operand in self.labels else [])

    def is_call(self, index):
        """A call of a function by its name, as that of a look-up's slow path."""
        return bool(re.match(r"call[ql]?\t[^*]", self.instructions[index]))

    def reach(self, index):
        """All that may be executed after this instruction, itself only if it is in a loop."""
        seen, waiting = set(), [index]
        while waiting:
            for following in self.next_of(waiting.pop()):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        return seen

    def loop(self):
        """The instructions of the loop around the call through a pointer."""
        calls = [index for index in self.reached
                 if re.match(r"call[ql]?\t\*", self.instructions[index])]
        turns = [index for call in calls for index in self.reach(call)
                 if call in self.reach(index)]
        assert turns, f"found no loop with a call through a pointer in {calls}"
        return [self.instructions[index] for index in sorted(set(turns))]

    def in_memory(self):
        """What moves floating-point values to and from the stack in that loop."""
        return [text for text in self.loop() if "%xmm" in text and re.search(r"\(%r[sb]p\)", text)]


@pytest.mark.thorough
@pytest.mark.parametrize("compiler, language", support.thoroughly(COMPILERS), ids=map(" ".join, COMPILERS))
def test_loops_around_lookups_keep_their_value_in_a_register(compiler, language, tmp_path):
    text = assembly(compiler, language, tmp_path)
    slots = {name: Function(text, language, name)
             for name in ("chained_slot", "chained_slot_any", "if_slot", "chained_typed")}
    for name, function in slots.items():
        assert any(map(function.is_call, function.reached)), f"{name}: found no slow path"
    in_memory = {name: function.in_memory() for name, function in slots.items()}
    assert in_memory == dict.fromkeys(slots, [])
    # The yardsticks.  What one call returns and the next one takes can stay in a register; a
    # sum cannot, as calls overwrite all of these: that is how it looks if it is seen.
    assert Function(text, language, "chained_vtable").in_memory() == []
    assert Function(text, language, "summed_vtable").in_memory()
