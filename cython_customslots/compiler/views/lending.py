# SPDX-License-Identifier: MIT
"""C functions of other modules: what a module says of its own functions, and asks about those that it calls.

A slice that has no memoryview may only be given to code that knows what stands there instead.  A module that is
compiled with the switch says in __pyx_capi__, where C functions are found, which of their arguments need no
memoryview; a module that calls them looks there when it is imported, and where nothing is said the slice gets
its memoryview before the call.  So no .pxd makes a promise that a module built otherwise would not keep.
"""

from Cython.Compiler import Naming, Options

from ..shared.facts import ModuleFacts
from ..shared.writing import utility


def exported(functions, env):
    """Yield (entry, node) of the C functions that other modules may import."""
    for entry in env.cfunc_entries:
        function = functions.c_functions.get(entry.func_cname)
        if function is not None and (entry.api or entry.defined_in_pxd or Options.cimport_from_pyx):
            yield entry, function


def generate_export(original, self, env, code):
    """Write what the module says, where its C functions are exported."""
    original(self, env, code)
    takes = ModuleFacts.known(env).takes
    if takes:
        code.globalstate.use_utility_code(utility("ExportTakers", "Views.c"))
        rows = ", ".join(f"{{(void (*)(void)) {entry.cname}, {arguments}ULL}}" for entry, arguments in takes.items())
        code.putln(f"{{ static const __Pyx_CustomSlots_Taker takers[] = {{{rows}, {{0, 0}}}};")
        export = f"__Pyx_CustomSlots_ExportTakers({Naming.module_cname}, takers)"
        code.putln(f"{code.error_goto_if_neg(export, self.pos)} }}")


def generate_import(original, self, module, env, code):
    """Write code that reads what another module says, where its C functions have been imported."""
    original(self, module, env, code)
    asked = [pair for pair in ModuleFacts.known(env).asked.items() if pair[0].scope is module]
    if asked:
        code.globalstate.use_utility_code(utility("ImportTakers", "Views.c"))
        for _, variable in asked:
            code.globalstate["decls"].putln(f"static unsigned PY_LONG_LONG {variable};")
        rows = ", ".join(f"{{(void (**)(void)) &{entry.cname}, &{variable}}}" for entry, variable in asked)
        code.putln(f"{{ const __Pyx_CustomSlots_Asked asked[] = {{{rows}, {{0, 0}}}};")
        import_ = f'__Pyx_CustomSlots_ImportTakers("{module.qualified_name}", asked)'
        code.putln(f"{code.error_goto_if_neg(import_, self.pos)} }}")
