# SPDX-License-Identifier: MIT
"""What is for a compiler that is not here, with its words defined: at least it means something."""
import re
import subprocess
from pathlib import Path

import cython_customslots
import pytest
import support

PROGRAM = r"""
#include <stddef.h>
#include <stdint.h>
#define __int64 long long
#define __int32 int
static int loads, stores;
static unsigned __int64 __ldar64(unsigned __int64 volatile *p) { loads++; return *p; }
static unsigned __int32 __ldar32(unsigned __int32 volatile *p) { loads++; return *p; }
static void __stlr64(unsigned __int64 volatile *p, unsigned __int64 v) { stores++; *p = v; }
static void __stlr32(unsigned __int32 volatile *p, unsigned __int32 v) { stores++; *p = v; }
@MACROS@
int main(void)
{
    int target = 0;
    int *pointer = NULL;
    const void *constant = &target;
    uintptr_t word = 0;
    uint32_t flags = 0;
    _Pycs_STORE(int *, &pointer, &target);
    _Pycs_STORE(uintptr_t, &word, ~(uintptr_t)0);
    _Pycs_STORE(uint32_t, &flags, 0x80000001u);
    _Pycs_STORE(const void *, &constant, NULL);
    return !(_Pycs_LOAD(int *, &pointer) == &target
             && _Pycs_LOAD(uintptr_t, &word) == ~(uintptr_t)0
             && _Pycs_LOAD(uint32_t, &flags) == 0x80000001u
             && _Pycs_LOAD(const void *, &constant) == NULL
             && loads == 4 && stores == 4);
}
"""


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_loads_and_stores_of_msvc_on_arm64_are_ordered_ones(suffix, tmp_path):
    header = Path(cython_customslots.get_include(), "_customslots/compilers.h").read_text()
    macros = re.search(r"_M_ARM64EC\)\n(.*?)#  else", header, re.DOTALL)[1]
    source = tmp_path / f"program.{suffix}"
    source.write_text(PROGRAM.replace("@MACROS@", macros))
    tools = support.toolchain()
    assert suffix == "c" or tools.cxx, "a C++ compiler is needed for this test"
    subprocess.run([*(tools.cxx if suffix == "cpp" else tools.cc), "-w", source, "-o",
                    tmp_path / "program"], check=True)
    subprocess.run([tmp_path / "program"], check=True)
