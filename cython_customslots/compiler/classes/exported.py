# SPDX-License-Identifier: MIT
"""Classes whose type object has a name in C: `cdef public class C [object O, type T]`, and api.

The generated header says `extern PyTypeObject T`, and other C code takes its address.  The
type object of an extensible class is longer than that, and in a place of its own:

    static PyTypeObject __pyx_type_mod_C      what Cython initialises, as for any class
    union { PyTypeObject; char room[...]; } T     what the symbol is: the class is made there

So in this module's C the class goes by the name that a private class would have.  T is to
be a PyTypeObject here as it is in the header, because C code in the module may name it:
where the compiler lets us, the union has another name in C and the same one for the
linker; elsewhere T is a macro for what it holds.

What an import has made in such memory, the next one uses again if that import failed
later, as it does with the type objects of plain Cython.  The bases of such a class in its
module must then be the same, too, so they have memory of this kind as well.
"""

import contextlib
from string import Template

from Cython.Compiler import Naming

from ..shared.facts import ClassFacts, ancestors, is_extensible, metaclass_of
from ..shared.writing import struct_of, utility


def _has_symbol(entry):
    return ((entry.visibility == "public" or entry.visibility == "private" and entry.api)
            and is_extensible(entry.type) and entry.type.scope is not None)


@contextlib.contextmanager
def own_symbols(env):
    """Within it, classes with a name in C have another one, and their memory has theirs."""
    before = [(entry, entry.visibility, entry.type.typeobj_cname)
              for entry in env.c_class_entries if _has_symbol(entry)]
    own = {entry.type for entry in env.c_class_entries
           if entry.visibility != "extern" and is_extensible(entry.type)}
    for entry, _, _ in before:
        for type_ in own.intersection(ancestors(entry.type)):
            ClassFacts.of(type_).memory = f"{Naming.pyrex_prefix}customslots_base_{type_.name}"
    for entry, visibility, name in before:
        facts = ClassFacts.of(entry.type)
        facts.memory, facts.is_public = name, visibility == "public"
        entry.type.typeobj_cname = env.mangle(Naming.typeobj_prefix, entry.name)
        entry.visibility = "private"
    try:
        yield
    finally:
        for entry, visibility, name in before:
            entry.visibility, entry.type.typeobj_cname = visibility, name


def memory_of(type_):
    """The C arguments that say where such a class is made: address and size."""
    return f"&{_storage(type_)}, sizeof({_memory_name('memory', type_)})"


def _is_public(type_):
    return ClassFacts.known(type_).is_public


def _memory_name(kind, type_):
    return f"{Naming.pyrex_prefix}customslots_{kind}_{ClassFacts.known(type_).memory}"


def _storage(type_):
    """The name that the memory has in C."""
    return _memory_name("storage", type_) if _is_public(type_) else ClassFacts.known(type_).memory


#: Where Cython would declare the type object.
_DECLARATION = Template("""\
#if __PYX_CUSTOMSLOTS_SYMBOL_IS_TYPE
typedef PyTypeObject $memory;
#else
typedef union $memory $memory;
#endif
#if __PYX_CUSTOMSLOTS_SYMBOL_HAS_LABEL
$extern DL_EXPORT(PyTypeObject) $symbol;
$extern DL_EXPORT($memory) $storage __PYX_CUSTOMSLOTS_LABEL($symbol);
#else
$extern DL_EXPORT($memory) $symbol;
#define $storage $symbol
#if !__PYX_CUSTOMSLOTS_SYMBOL_IS_TYPE
#define $symbol (*(PyTypeObject *)(void *)&$symbol)
#endif
#endif
""")

#: Where Cython would define it.
_DEFINITION = Template("""\
#if !CYTHON_USE_TYPE_SPECS
#if !__PYX_CUSTOMSLOTS_SYMBOL_IS_TYPE
__PYX_CUSTOMSLOTS_MEMORY($memory, sizeof($size));
#if !__PYX_CUSTOMSLOTS_SYMBOL_HAS_LABEL
#undef $symbol
#endif
#endif
DL_EXPORT($memory) $storage;
#if !__PYX_CUSTOMSLOTS_SYMBOL_IS_TYPE && !__PYX_CUSTOMSLOTS_SYMBOL_HAS_LABEL
#define $symbol (*(PyTypeObject *)(void *)&$symbol)
#endif
#endif
""")

#: What has no name for the linker: of an api, and bases.
_STATIC_DEFINITION = Template("""\
#if !CYTHON_USE_TYPE_SPECS
typedef __PYX_CUSTOMSLOTS_MEMORY($memory, sizeof($size)) $memory;
static $memory $storage;
#endif
""")


def generate_predeclaration(original, self, entry, code):
    original(self, entry, code)
    type_ = entry.type
    if _is_public(type_) and not ClassFacts.of(type_).is_declared:
        ClassFacts.of(type_).is_declared = True        # else Cython declares it again
        code.globalstate.use_utility_code(utility("CustomSlotsSymbol"))
        _put(code, _DECLARATION, type_)


def generate_definition(original, self, modname, entry, code):
    original(self, modname, entry, code)
    type_ = entry.type
    if ClassFacts.known(type_).memory is not None:
        code.globalstate.use_utility_code(utility("CustomSlotsMemory"))
        _put(code, _DEFINITION if _is_public(type_) else _STATIC_DEFINITION, type_)


def _put(code, template, type_):
    metaclass = metaclass_of(type_)
    size = struct_of(metaclass) if metaclass is not None else "PyHeapExtensibleTypeObject"
    code.put(template.substitute(
        symbol=ClassFacts.known(type_).memory, storage=_storage(type_), memory=_memory_name("memory", type_),
        extern=Naming.extern_c_macro, size=size))
