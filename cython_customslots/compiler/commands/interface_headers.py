# SPDX-License-Identifier: MIT
"""``python -m cython_customslots interface FILE.pxd -o shape.h``: interfaces for C, C++ and plain Cython.

From the same declarations as the compiler layer reads come a C header, with a struct for the
functions, a checked cast, inline calls and what a provider needs, and a .pxd for it that Cython
without the layer accepts.  Signatures, and therefore hashes, are the layer's (signatures.py).
"""

import argparse
import os
import pathlib
import re
import sys

_USAGE = """\
usage: python -m cython_customslots interface FILE.pxd -o HEADER.h [--pxd FILE.pxd] [-I DIR ...]

Writes the interfaces that a .pxd declares for code that does not use the compiler layer: a header for C
and C++, which needs nothing but customslots.h, and a .pxd for it that plain Cython accepts.

  -o HEADER.h     the header to write
  --pxd FILE.pxd  the .pxd to write
                  (files that are there and that this command did not write stay as they are)
  -I DIR          where other .pxd files are looked for; may be repeated
"""


def write_interface_headers(arguments):
    parser = argparse.ArgumentParser(prog="python -m cython_customslots interface", add_help=False)
    parser.add_argument("file", nargs="?")
    parser.add_argument("-o", dest="header")
    parser.add_argument("--pxd")
    parser.add_argument("-I", dest="include", action="append", default=[])
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args(arguments)
    if options.help:
        print(_USAGE, end="")
        return 0
    missing = "FILE.pxd" if options.file is None else "-o HEADER.h" if options.header is None else None
    if missing:
        print(f"{_USAGE}\ninterface: {missing} is missing", file=sys.stderr)
        return 2
    if options.pxd is not None and os.path.realpath(options.pxd) == os.path.realpath(options.header):
        print(f"interface: found {options.pxd} for -o and for --pxd, expected two files", file=sys.stderr)
        return 2
    try:
        scope = _analyse_pxd(options.file, options.include)
        if scope is None:                        # Cython has said why
            return 1
        header = Header(scope, os.path.basename(options.file))
        written = {options.header: header.text()}
        if options.pxd is not None:
            written[options.pxd] = header.pxd(os.path.basename(options.header))
        for name in written:
            _check_overwriting(name)
        for name, text in written.items():
            _write_file(name, text)
    except OSError as failure:
        print(f"interface: found {failure.filename!r}: {failure.strerror}; expected a file that can be read or written",
              file=sys.stderr)
        return 1
    except (Unsuitable, Refused, RuntimeError) as failure:
        print(f"interface: {failure}", file=sys.stderr)
        return 1
    return 0


#: The end of the first line of a file that this command writes.
_WRITTEN_BY = "by: python -m cython_customslots interface"


class Refused(Exception):
    """A file that is not to be overwritten, and why."""


def _check_overwriting(name):
    """Refused if there is a file, and this command did not write it."""
    if not os.path.isfile(name):                 # a terminal or a pipe may be written to
        return
    with open(name, encoding="utf-8", errors="replace") as file:
        first = file.readline()
    if not first.rstrip().endswith(_WRITTEN_BY):
        raise Refused(f"found {name}, which this command did not write (its first line does not end with "
                      f"'{_WRITTEN_BY}'), and left it as it is; move it, or name another file")


def _write_file(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


class Unsuitable(Exception):
    """A declaration that cannot be written in C."""


def _analyse_pxd(filename, include=()):
    """The scope of a .pxd file; None if there was an error, which Cython has printed."""
    from .. import install
    install()
    from Cython.Compiler import Errors
    from Cython.Compiler.Main import CompilationOptions, Context, default_options
    path = pathlib.Path(filename).resolve()
    if path.suffix != ".pxd" or not path.is_file():
        raise Unsuitable(f"found {'' if path.exists() else 'no file '}{filename!r}, expected a .pxd file")
    if not path.stem.isidentifier():
        raise Unsuitable(f"found {filename!r}, expected a file that is named as a module can be; rename it")
    root, names = path.parent, [] if path.stem == "__init__" else [path.stem]
    while any((root / f"__init__.{suffix}").exists() for suffix in ("py", "pxd", "pyx")):
        names.insert(0, root.name)
        root = root.parent
    options = CompilationOptions(default_options, language_level=3,
                                 include_path=[str(root), *include])
    context = Context.from_options(options)
    Errors.init_thread()
    Errors.open_listing_file(None)
    scope = context.find_module(".".join(names), need_pxd=1)
    return scope if Errors.get_errors_count() == 0 else None


def _identifier(text):
    return re.sub(r"\W", "_", text)


class Header:
    """The texts for the interfaces of one .pxd."""

    def __init__(self, scope, source):
        from ..shared.facts import ModuleFacts
        self.source = source
        self.interfaces = [type_ for _, type_ in ModuleFacts.known(scope).own_interfaces]
        if not self.interfaces:
            raise Unsuitable(f"{source} declares no interface; write @customslots.interface(b\"package.Name\") "
                             f"above a cdef class")
        for interface in self.interfaces:
            for part in interface.full_name.split("."):
                if not re.match("[A-Za-z_]", part) or part in _WORDS:
                    raise Unsuitable(f"{source}: found {part!r} in the name of interface "
                                     f"'{interface.full_name}', which a header makes names of C and C++ of; "
                                     f"expected parts that begin with a letter and are no words of theirs")
        self.module, self.prefix = scope.qualified_name, _identifier(scope.qualified_name)
        self.renamed = {}                        # what the C of Cython calls a type or value: what we do
        self.cython_names = {}                   # what C calls a type of others: what Cython does
        self.types, self.cython_types, self.includes, self.cimports = [], [], [], []

    # ------------------------------------------------------------------------ types

    def c_type(self, type_):
        """The C of a value's type: what stands before the name."""
        if getattr(type_, "is_cv_qualified", False) or getattr(type_, "is_const", False):
            base = getattr(type_, "cv_base_type", None) or type_.const_base_type
            text = self.c_type(base)
            return f"{text} const" if text.endswith("*") else f"const {text}"
        if type_.is_void:
            return "void"
        if type_.is_pyobject:
            return "PyObject *"
        if type_.is_typedef:                     # it may name any type below
            return self._typedef(type_)
        if type_.is_array or type_.is_ptr:
            if type_.base_type.is_array or type_.base_type.is_cfunction:
                what, where = (("a pointer to a function", "") if type_.base_type.is_cfunction else
                               ("an array of arrays", " in a cdef extern block"))
                raise Unsuitable(f"{self.source}: {what}, '{type_}', has no name in C; give it one with "
                                 f"ctypedef{where}")
            return f"{self.c_type(type_.base_type)} *".replace("* *", "**")
        if type_.is_complex:
            self.renamed[type_.empty_declaration_code()] = name = self._complex(self.c_type(type_.real_type))
            return name
        if type_.is_memoryviewslice:
            raise Unsuitable(f"{self.source}: a memoryview, '{type_}', is Cython's own; of C, methods take a "
                             f"pointer and a length")
        if type_.is_ctuple:
            raise Unsuitable(f"{self.source}: a C tuple, '{type_}', has no name in C; declare a struct")
        if type_.is_struct_or_union or type_.is_enum:
            return self._named(type_)
        return type_.empty_declaration_code().replace("PY_LONG_LONG", "long long")

    def _complex(self, part):
        """C++ has C's complex numbers only as an extension, for which a typedef may stand."""
        name = f"CUSTOMSLOTS_complex_{_identifier(part)}"
        if name not in self.cython_names:
            self.cython_names[name] = f"{part} complex"
            self._define(name, "#ifdef __GNUC__\n__extension__\n#endif\n"
                               f"typedef {part} _Complex {name};")
        return name

    def _typedef(self, type_):
        base = type_.typedef_base_type
        if not type_.typedef_is_external and base.is_ptr and base.base_type.is_cfunction:
            return self._callback(type_, base.base_type)
        if not type_.typedef_is_external:
            self.renamed[type_.typedef_cname] = text = self.c_type(base)
            return text
        entry = getattr(type_, "entry", None)
        if entry is None:                        # Cython's own: size_t, Py_ssize_t
            return type_.typedef_cname
        if self._external(entry, type_.typedef_cname):
            # What it really is does not matter to plain Cython, except that it may be called.
            self.cython_types.append(f"    ctypedef {self._declared(base, entry.name)}")
        return type_.typedef_cname

    def _callback(self, type_, function):
        """A pointer to a function, which has the name that the .pxd gives it."""
        if type_.typedef_cname not in self.renamed:
            entry = getattr(type_, "entry", None)
            module = entry.scope.qualified_name if entry is not None else self.module
            self.renamed[type_.typedef_cname] = name = f"{_identifier(module)}_{type_.typedef_name}"
            arguments = ", ".join(self.c_type(argument.type) for argument in function.args) or "void"
            self._define(name, f"typedef {self.c_type(function.return_type)} (*{name})({arguments});")
            self.cython_types.append(f"    ctypedef {self._declared(type_.typedef_base_type, name)}")
        return self.renamed[type_.typedef_cname]

    def _declared(self, type_, name):
        """A declaration as Cython writes it, also of a pointer to a function."""
        if type_.is_ptr and type_.base_type.is_cfunction:
            function = type_.base_type
            arguments = ", ".join(self.cython(self.c_type(argument.type)) for argument in function.args)
            return (f"{self.cython(self.c_type(function.return_type))} (*{name})({arguments}"
                    f"{self._exceptions(function)}")
        return f"{self.cython(self.c_type(type_))} {name}"

    def _external(self, entry, c_name):
        """Where C gets a type from; and whether we must describe it to Cython, which cannot cimport it."""
        self._include(entry)
        if c_name in self.cython_names:
            return False
        self.cython_names[c_name] = entry.name
        module, scope = entry.scope.qualified_name, entry.scope
        if scope.is_builtin_scope:
            return False
        if module == self.module or not getattr(scope, "is_module_scope", False) or self._has_interfaces(scope):
            return True
        self.cimports.append(f"from {module} cimport {entry.name}")
        return False

    def _include(self, entry):
        for include in getattr(entry.scope, "c_includes", {}).values():
            for piece in include.pieces.values():
                text = str(piece).strip()
                if text.startswith("#include") and text not in self.includes and (
                        "customslots" not in text):
                    self.includes.append(text)

    def _named(self, type_):
        entry, own = type_.entry, type_.empty_declaration_code()
        builtin = entry.scope.is_builtin_scope
        if builtin or entry.visibility == "extern" or entry.in_cinclude:
            if self._external(entry, own):
                self._say(type_, entry.name, entry.name)
            return own
        if own not in self.renamed:
            prefix = _identifier(entry.scope.qualified_name)
            self.renamed[own] = name = f"{prefix}_{type_.name}"
            if type_.is_enum:
                self._define(name, f"typedef enum {{ {self._values(type_, prefix)} }} {name};")
            else:
                self._define(f"{name}_", f"typedef {type_.kind} {name} {name};")
                body = " ".join(f"{self._field(field)};" for field in type_.scope.var_entries)
                self._define(name, f"{type_.kind} {name} {{ {body} }};")
            self._say(type_, name, prefix + "_")
        return self.renamed[own]

    def _field(self, entry):
        """The declaration of a field of a struct, in C."""
        type_, size = entry.type, ""
        while type_.is_array and not type_.is_typedef:
            size, type_ = f"{size}[{type_.size}]", type_.base_type
        return _declared(self.c_type(type_), f"{_checked(entry.name, self.source)}{size}")

    def _values(self, type_, prefix):
        """The values of an enum, in C."""
        ours, values = {}, []
        for value in type_.entry.enum_values:
            number = None if value.value_node is None else self._number_text(value.value_node, ours)
            ours[value.cname] = name = f"{prefix}_{value.name}"
            values.append(name if number is None else f"{name} = {number}")
        self.renamed.update(ours)
        return ", ".join(values)

    def _number_text(self, node, ours):
        """A constant expression of whole numbers, in C."""
        if node.is_literal:
            return str(node.value)
        if node.is_name and node.entry is not None:
            return ours.get(node.entry.cname, node.entry.cname)
        parts = [self._number_text(getattr(node, name), ours)
                 for name in ("operand", "operand1", "operand2") if hasattr(node, name)]
        if len(parts) == 1:
            return f"({node.operator}{parts[0]})"
        if len(parts) == 2:
            return f"({parts[0]} {node.operator} {parts[1]})"
        raise Unsuitable(f"{self.source}: the value of an enum is too complicated for a header; write a number")

    def _say(self, type_, name, prefix):
        """Describe a struct, union or enum to Cython."""
        if type_.is_enum:
            prefix = "" if prefix == name else prefix
            lines = [f"{prefix}{value.name}" for value in type_.entry.enum_values]
        else:
            lines = [self.cython(self._field(field)) for field in type_.scope.var_entries
                     ] if type_.scope is not None else []
        kind = "enum" if type_.is_enum else type_.kind
        defined = "" if self.cython_names.get(f"{kind} {name}") == name else "ctypedef "
        self.cython_types.append("\n        ".join([f"    {defined}{kind} {name}:", *(lines or ["pass"])]))

    def cython(self, text):
        """What Cython calls a type of the header."""
        text = text.replace("PyObject *", "object ")
        for ours, theirs in self.cython_names.items():
            text = re.sub(rf"(?<!\w){re.escape(ours)}(?!\w)", theirs, text)
        return text.strip()

    def _define(self, name, text):
        """Once, though several headers may need it."""
        self.types.append(f"#ifndef CUSTOMSLOTS_TYPE_{name}\n#define CUSTOMSLOTS_TYPE_{name}\n{text}\n#endif")

    def _number(self, expression):
        for theirs, ours in self.renamed.items():
            expression = re.sub(rf"(?<!\w){re.escape(theirs)}(?!\w)", ours, expression)
        return expression.replace("PY_LONG_LONG", "long long")

    # ------------------------------------------------------------------------ the header

    def text(self):
        bodies = [self._interface(interface) for interface in self.interfaces]
        guard = f"CUSTOMSLOTS_{self.prefix}_INTERFACES_H"
        types = "\n".join(self.types)
        return "\n".join([
            f"/* Made from {self.source} {_WRITTEN_BY}",
            " *",
            " * For each interface NAME:",
            " *   NAME_Init()             once in each C file that uses it, when the module is imported: 0,",
            " *                           or -1 with an exception",
            " *   NAME_Cast(obj, &ref)    0, and the object with its table in ref, which holds a reference",
            " *                           (NAME_Release()); or -1 with a TypeError, and ref as it was",
            " *   NAME_Check(obj)         1 or 0, no exception",
            " *   NAME_method(ref, ...)   the call; with the GIL or without, and with the exceptions, as the",
            " *                           declaration above says",
            " *   NAME_Provide(...)       for who implements it: see there",
            " * All but the calls need the GIL or, on free-threaded builds, an attached thread state. */",
            f"#ifndef {guard}", f"#define {guard}", "",
            '#include "customslots.h"', *self.includes, *self._headers_of_bases(), "",
            "#ifdef __cplusplus", 'extern "C" {', "#endif", "",
            types, *([""] if types else []), *bodies,
            "#ifdef __cplusplus", "}", "#endif", "",
            *map(self._cplusplus, self.interfaces),
            f"#endif /* {guard} */", ""])

    def _headers_of_bases(self):
        """The headers of interfaces that are declared elsewhere and extended here, named like their .pxd."""
        modules = {known.module_name for interface in self.interfaces for known in interface.chain()
                   if known not in self.interfaces}
        return [f'#include "{module.rpartition(".")[2]}.h"' for module in sorted(modules)]

    def _methods(self, interface):
        from ..interfaces.interface_type import methods_of
        for method in methods_of(interface):
            _checked(method.name, self.source)
            if method.name in _OURS or method.name == _identifier(interface.full_name.rpartition(".")[2]):
                raise Unsuitable(f"{self.source}: a header for interface '{interface.full_name}' has a function "
                                 f"'{method.name}' of its own, which a method cannot be named as; choose another "
                                 f"name")
        return [(method, self.c_type(method.type.return_type),
                 [self.c_type(argument.type) for argument in method.type.args[1:]],
                 [_argument(argument.name) or f"a{i}" for i, argument in enumerate(method.type.args[1:])])
                for method in methods_of(interface)]

    def _interface(self, interface):
        from ..interfaces.implementing import shown
        from ..interfaces.signatures import described, hashed
        from ..interfaces.interface_type import methods_of
        from ..interfaces.tables import name_of_bodies
        from ..shared.writing import c_string
        name = _identifier(interface.full_name)
        methods = self._methods(interface)
        lines, numbers = described(methods_of(interface), by_fields=True)
        numbers = list(map(self._number, numbers))
        identity = interface.interface_id
        find_id = (f"PyCustomSlots_Intern({c_string(identity.decode('utf-8'))})"
                   if isinstance(identity, bytes) else identity)
        hashes = ",\n        ".join(hashed(lines))
        base = _identifier(interface.base_type.full_name) if interface.base_type is not None else None
        extends = f" It extends {base}: the table serves both." if base else ""
        names = ", ".join(c_string(method.name) for method, *_ in methods)
        rest = f"{name}_numbers, {name}_names_, {c_string(interface.full_name)}, NULL, NULL, NULL"
        mine = f"{name}_bodies != NULL ? {name}_bodies : " * bool(interface.bodies) + f"&{name}_declared_"
        text = [f"/* ---- {interface.full_name} --", " *"]
        text += [f" *   {shown(method, interface).replace('*/', '* /')}" for method in methods_of(interface)]
        text += [f" *{extends}"]
        if interface.bodies:
            text += [" *   These have bodies, for what a class does not have because it is older, and for NULL in what",
                     f" *   {name}_Provide() gets, if {name}_Init() can import '{interface.module_name}':",
                     f" *   {', '.join(interface.bodies)}", " *"]
        text += [" */", "typedef struct {"]
        text += [f"    {_declared(result, f'(*{method.name})({_join(arguments)})')};"
                 for method, result, arguments, _ in methods]
        text += [f"}} {name}_Table;", "",
                 f"typedef struct {{ PyObject *object; const {name}_Table *table; }} {name}_Ref;", "",
                 f"static uintptr_t {name}_id;", f"static Py_ssize_t {name}_position;",
                 f"static uint64_t {name}_hashes[{len(lines)}];",
                 f"static const unsigned int {name}_numbers[] = {{{', '.join(numbers) or '0'}}};",
                 f"static const char *const {name}_names_[] = {{{names}}};",
                 f"static const PyCustomSlots_Interface {name}_declared_ = {{",
                 f"    sizeof(PyCustomSlots_Interface), {len(lines)}, {name}_hashes,",
                 f"    {c_string(''.join(lines))},",
                 f"    {rest}}};",
                 f"static void *{name}_completed;",
                 *([f"static const PyCustomSlots_Interface *{name}_bodies;"] if interface.bodies else []), "",
                 *_static(f"int\n{name}_Init(void)"), "{",
                 "    static const PyCustomSlots_Signature lines[] = {", f"        {hashes}}};"]
        if base:
            text += [f"    if ({base}_Init() < 0) return -1;"]
        text += [f"    if ({name}_id != 0) return 0;",
                 f"    PyCustomSlots_HashSignatures(lines, {len(lines)}, {name}_numbers, {name}_hashes);",
                 *([f"    {name}_bodies = PyCustomSlots_ImportBodies({c_string(interface.module_name)}, "
                    f"{c_string(name_of_bodies(interface))},",
                    f"        {len(lines)}, {name}_hashes[{len(lines) - 1}]);",
                    f"    if ({name}_bodies == NULL && PyErr_Occurred()) return -1;"] if interface.bodies else []),
                 f"    if (({name}_id = {find_id}) == 0) return -1;",
                 f"    return ({name}_position = PyCustomSlots_Position({name}_id)) < 0 ? -1 : 0;", "}", "",
                 *_static(f"const {name}_Table *\n{name}_Find(PyObject *obj)"), "{",
                 f"    const PyCustomSlot *slot = PyCustomSlots_FindAny(obj, {name}_id, {name}_position);",
                 "    const void *table = PyCustomSlots_CheckInterface(",
                 f"        slot, {len(lines)}, {name}_hashes[{len(lines) - 1}]);",
                 "    if (table == NULL) table = PyCustomSlots_CompleteInterface(",
                 f"        &{name}_completed, slot, {mine}, {len(lines)});",
                 f"    return (const {name}_Table *)table;",
                 "}", "",
                 *_static(f"int\n{name}_Check(PyObject *obj)"), "{",
                 f"    return {name}_Find(obj) != NULL;", "}", "",
                 *_static(f"int\n{name}_Cast(PyObject *obj, {name}_Ref *ref)"), "{",
                 f"    const {name}_Table *table = {name}_Find(obj);",
                 "    if (table == NULL) {",
                 f"        _Pycs_RefuseInterface(obj, {name}_id, {c_string(interface.full_name)}, &{name}_declared_);",
                 "        return -1;", "    }", "    Py_INCREF(obj);", "    ref->object = obj;",
                 "    ref->table = table;", "    return 0;", "}", "",
                 *_static(f"void\n{name}_Release({name}_Ref *ref)"), "{",
                 "    ref->table = NULL;", "    Py_CLEAR(ref->object);", "}", ""]
        for method, result, arguments, names in methods:
            given = "".join(f", {_declared(a, n)}" for a, n in zip(arguments, names))
            passed = "".join(f", {n}" for n in names)
            call = f"ref.table->{method.name}(ref.object{passed})"
            text += [*_static(_declared(result, f"\n{name}_{method.name}({name}_Ref ref{given})")), "{",
                     f"    {'' if result == 'void' else 'return '}{call};", "}", ""]
        return "\n".join(text + self._provider(interface, name, base, len(lines)))

    def _provider(self, interface, name, base, count):
        from ..interfaces.interface_type import methods_of
        inherited = [f"    {base}_PlaceSlots(slots, count, functions);"] if base else []
        chain = [_identifier(known.full_name) for known in interface.chain()]
        filled = []
        for i, method in enumerate(methods_of(interface)):
            if method.name in interface.bodies:
                filled += [f"    if (provided->functions.{method.name} == NULL && {name}_bodies != NULL) {{",
                           f"        memcpy(&provided->functions.{method.name}, &{name}_bodies->bodies[{i}], "
                           f"sizeof({name}_bodies->bodies[{i}]));", "    }"]
        if filled:                               # the table ends before functions without bodies
            filled += ["    count = " + " : ".join(f"provided->functions.{method.name} == NULL ? {i}" for i, method in
                                                   enumerate(methods_of(interface))) + f" : {count};",
                       f"    if (count < {count} && (shorter = (PyCustomSlots_Interface *)malloc(sizeof(*shorter))) "
                       f"!= NULL) {{",
                       f"        *shorter = {name}_declared_;", "        shorter->count = count;", "    }",
                       f"    provided->description = count < {count} ? shorter : &{name}_declared_;"]
        else:
            filled = [f"    provided->description = &{name}_declared_;"]
        registers = []
        for known in chain:
            registers += [f"    slot.id = {known}_id;",
                          "    if (PyCustomSlots_Register(type, &slot) < 0) return -1;"]
        return [
            "/* For classes that implement it:", " *",
            f" *     static {name}_Provided mine = {{NULL, {{my_{methods_of(interface)[0].name}, ...}}}};",
            " *     static PyCustomSlot slots[PyCustomSlots_MIN_CAPACITY];",
            f" *     {name}_Provide(&mine, slots, PyCustomSlots_MIN_CAPACITY);",
            " *", " * fills in the description and places the slots, which go with a type to",
            " * PyExtensibleType_Ready(), PyExtensibleType_FromSpec() or PyExtensibleType_SetSlots().",
            " * Other slots go into the same array by PyCustomSlots_PlaceSlot(slots, size, 0, id, data).",
            f" * {name}_Register() gives them to a type that has no room for slots, and to its",
            " * subclasses.  `mine` must live as long as the process. */",
            f"typedef struct {{ const PyCustomSlots_Interface *description; {name}_Table functions; }} "
            f"{name}_Provided;", "",
            *_static(f"void\n{name}_PlaceSlots(PyCustomSlot *slots, Py_ssize_t count, const void *functions)"),
            "{", *inherited,
            f"    PyCustomSlots_PlaceSlot(slots, count, {name}_position, {name}_id, functions);", "}", "",
            *_static(f"void\n{name}_Describe({name}_Provided *provided)"), "{",
            *(["    PyCustomSlots_Interface *shorter = NULL;", "    size_t count;",
               "    if (provided->description != NULL) return;"] if interface.bodies else []),
            *filled, "}", "",
            *_static(f"void\n{name}_Provide({name}_Provided *provided, PyCustomSlot *slots, Py_ssize_t count)"),
            "{", f"    {name}_Describe(provided);",
            f"    {name}_PlaceSlots(slots, count, &provided->functions);", "}", "",
            "/* 0, or -1 with an exception, as PyCustomSlots_Register(). */",
            *_static(f"int\n{name}_Register(PyTypeObject *type, {name}_Provided *provided)"), "{",
            "    PyCustomSlot slot;", f"    {name}_Describe(provided);",
            "    slot.data.pointer = (void *)&provided->functions;", *registers, "    return 0;", "}", ""]

    def _cplusplus(self, interface):
        """A class of C++ that holds an object and its table."""
        name = _identifier(interface.full_name)
        *spaces, class_name = (_identifier(part) for part in interface.full_name.split("."))
        methods = []
        for method, result, arguments, names in self._methods(interface):
            given = ", ".join(_declared(a, n) for a, n in zip(arguments, names))
            passed = "".join(f", {n}" for n in names)
            returns = "" if result == "void" else "return "
            methods.append(f"    {_declared(result, f'{method.name}({given})')} const "
                           f"{{ {returns}{name}_{method.name}(ref_{passed}); }}")
        return "\n".join([
            "#ifdef __cplusplus", *(f"namespace {space} {{" for space in spaces),
            "/* An object with its table; holds a reference.  Empty, `!s`, if the cast failed: then the",
            "   TypeError is set.  Methods report errors as those of the table do, and need the GIL where",
            "   those do. */",
            f"class {class_name} {{", f"    {name}_Ref ref_ = {{nullptr, nullptr}};", "public:",
            f"    {class_name}() = default;",
            f"    explicit {class_name}(PyObject *obj) {{ (void){name}_Cast(obj, &ref_); }}",
            f"    {class_name}({class_name} &&other) noexcept : ref_(other.ref_) "
            f"{{ other.ref_ = {{nullptr, nullptr}}; }}",
            f"    {class_name}(const {class_name} &other) : ref_(other.ref_) {{ Py_XINCREF(ref_.object); }}",
            f"    {class_name} &operator=({class_name} other) noexcept {{",
            f"        {name}_Ref held = ref_; ref_ = other.ref_; other.ref_ = held; return *this;", "    }",
            f"    ~{class_name}() {{ {name}_Release(&ref_); }}",
            "    explicit operator bool() const { return ref_.table != nullptr; }",
            "    PyObject *object() const { return ref_.object; }",
            f"    const {name}_Ref &ref() const {{ return ref_; }}", *methods, "};",
            *("}" for _ in spaces), "#endif", ""])

    # ------------------------------------------------------------------------ for plain Cython

    def _exceptions(self, function):
        from ..interfaces.implementing import exceptions
        return re.sub(r"\w+", lambda word: self.renamed.get(word[0], word[0]), exceptions(function))

    @staticmethod
    def _has_interfaces(scope):
        from ..shared.facts import ModuleFacts
        return bool(ModuleFacts.known(scope).own_interfaces)

    def pxd(self, header):
        blocks = []
        for interface in self.interfaces:
            name, methods = _identifier(interface.full_name), self._methods(interface)
            lines = [f"    # {interface.full_name}", f"    ctypedef struct {name}_Table:"]
            for method, result, arguments, names in methods:
                taken = ", ".join(["object self", *(f"{self.cython(a)} {n}" for a, n in zip(arguments, names))])
                lines.append(f"        {self.cython(result)} (*{method.name})({taken}{self._exceptions(method.type)}")
            lines += [f"    ctypedef struct {name}_Ref:", f"        const {name}_Table *table",
                      f"    ctypedef struct {name}_Provided:", f"        {name}_Table functions",
                      f"    int {name}_Init() except -1",
                      f"    bint {name}_Check(object obj) noexcept",
                      f"    int {name}_Cast(object obj, {name}_Ref *ref) except -1",
                      f"    void {name}_Release({name}_Ref *ref) noexcept",
                      f"    int {name}_Register(type type, {name}_Provided *provided) except -1"]
            for method, result, arguments, names in methods:
                taken = ", ".join([f"{name}_Ref ref", *(f"{self.cython(a)} {n}" for a, n in zip(arguments, names))])
                lines.append(f"    {self.cython(result)} {name}_{method.name}({taken}{self._exceptions(method.type)}")
            blocks.append("\n".join(lines))
        return "\n".join([
            f"# Made from {self.source} {_WRITTEN_BY}",
            "# The header says what the functions do.  Cython needs no compiler layer for this file.",
            *self.cimports, f'cdef extern from "{header}":', *self.cython_types, "\n\n".join(blocks), ""])


def _static(head):
    """The head of a function that a C file may use or not."""
    return ["_Pycs_UNUSED static inline " + head.replace(" \n", "\n").replace("*\n", "*\n")]


def _join(arguments):
    return ", ".join(["PyObject *self", *arguments])


#: Words of C and C++ that Cython takes for names; and macros that headers of C define, or compilers that were not
#: told a standard.
_WORDS = frozenset("""
    alignas alignof and_eq asm auto bitand bitor bool case catch char16_t char32_t char8_t class co_await
    co_return co_yield compl concept const_cast consteval constexpr constinit decltype default delete do
    double dynamic_cast explicit export extern false float friend goto int long mutable namespace new
    noexcept not_eq nullptr operator or_eq private protected public register reinterpret_cast requires
    restrict short signed sizeof static static_assert static_cast switch template this thread_local throw
    true typedef typeid typename union unsigned using virtual void volatile wchar_t xor xor_eq
    EOF NULL assert errno i386 linux offsetof stderr stdin stdout unix
    """.split())


#: What stands behind NAME_ in a header, and in the class of C++.
_OURS = frozenset("""
    Cast Check Describe Find Init PlaceSlots Provide Provided Ref Register Release Table bodies completed declared_
    hashes id names_ numbers object position ref ref_
    """.split())


def _argument(name):
    """Names of arguments are chosen here, and some are taken."""
    return f"{name}_arg" if name in _WORDS or name in ("ref", "ref_", "self") else name


def _checked(name, source):
    if name in _WORDS:
        raise Unsuitable(f"{source}: '{name}' is a word of C or C++, and so no name of a method or field in a "
                         f"header for them; choose another one")
    return name


def _declared(type_text, name):
    return f"{type_text}{'' if type_text.endswith('*') else ' '}{name}"
