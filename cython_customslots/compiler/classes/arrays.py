# SPDX-License-Identifier: MIT
"""``@array``: a cdef class whose objects are arrays for NumPy and all others that ask by DLPack or a buffer.

    @customslots.array(data=self.data, shape=(self.rows, self.columns))
    cdef class Matrix: ...
                                       ->  cdef int fill(Matrix self, void *tensor, void *flags) except -1: ...
                                           PyTypedArray_PROVIDER(table, shim of fill)
                                           PyTypedArray_Provide(Matrix, &table), when it is ready

The expressions are the body of a C function of the module, so Cython analyses them like any others. Shape and strides
are kept in the object, in a member that we add to its struct; where other modules know the struct, from a .pxd or a C
header, shape and strides are part of each export instead.
"""

from Cython.Compiler import Nodes, PyrexTypes
from Cython.Compiler.Errors import error
from Cython.Compiler.ParseTreeTransforms import NormalizeTree
from Cython.Compiler.TreeFragment import TreeFragment

from ..shared.facts import ancestors, array_of, plain
from ..shared.statements import Composite, children, statements_of
from ..shared.writing import struct_of

MAX_NDIM = 8
_MEMBER = "__pyx_customslots_numbers"
_SIGNATURE = "cdef int fill(self, DLTensor *tensor, uint64_t *flags) except -1"

#: What *dtype* may say: (code in C, bits).
_ITEMS_BY_NAME = {
    "bool": ("kDLBool", 8), **{f"int{bits}": ("kDLInt", bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": ("kDLUInt", bits) for bits in (8, 16, 32, 64)},
    **{f"float{bits}": ("kDLFloat", bits) for bits in (16, 32, 64)}, "bfloat16": ("kDLBfloat", 16),
    "complex64": ("kDLComplex", 64), "complex128": ("kDLComplex", 128)}


def arrays_of(env):
    """The classes of a module that have @array."""
    return [e.type for e in env.c_class_entries if e.visibility != "extern" and array_of(e.type) is not None]


# ------------------------------------------------------------------- what Cython analyses

def append_functions(module, types, env):
    """Behind all statements of a module: the functions that fill the tensors of these classes."""
    for type_ in types:
        array = array_of(type_)
        if module.is_pxd:
            error(array.pos, f"'{type_.name}' is declared here, and customslots.array says how its objects are made "
                             f"arrays; write it where the class is defined, in the .pyx")
        elif array.function is not None:
            array.cname = _cname_of_function(array, type_, env)
        else:
            _append_function(module, array, type_, env)
        array.table = f"__pyx_customslots_array_{type_.objstruct_cname}"
        array.address.text, array.buffer.text = f"(void *)(uintptr_t)&{array.table}", f"&{array.table}_buffer"
        if array.stable and type_.scope.lookup_here("__getbuffer__") is not None:
            error(array.pos, f"stable=True is said of the buffer that customslots.array gives a class, and "
                             f"'{type_.name}' has __getbuffer__() of its own; leave one of them out")


def _append_function(module, array, type_, env):
    name = f"__customslots_fill_{type_.name}"
    source = f"cdef int {name}({type_.name} self, void *tensor, void *flags) except -1:\n    return 0\n"
    fragment = TreeFragment(source, level="module", pipeline=[NormalizeTree(None)]).substitute(pos=array.pos)
    statement, = fragment.stats
    array.fill = Fill(array)
    statement.body.stats.insert(0, array.fill)
    # An attribute of None is an exception here, too.
    checked = Nodes.CompilerDirectivesNode(array.pos, body=fragment, directives={**env.directives, "nonecheck": True})
    checked.analyse_declarations(env)
    statement.entry.used = True
    array.cname = statement.entry.func_cname
    statements_of(module).append(checked)


def _cname_of_function(array, type_, env):
    """The C function that is named in place of expressions."""
    name = array.function.name if array.function.is_name else None
    entry = (type_.scope.lookup_here(name) or env.lookup(name)) if name else None
    found = ("an expression" if name is None else f"'{name}', which is not declared" if entry is None
             else f"'{name}' of type '{entry.type}'")
    if entry is None or not entry.is_cfunction or not entry.func_cname or not _fills(entry.type, type_):
        error(array.function.pos, f"customslots.array takes a C function or C method of this module, '{_SIGNATURE}', "
                                  f"found {found}")
        return None
    entry.used = True
    array.first = entry.type.args[0].type
    return entry.func_cname


def _fills(function, type_):
    return (len(function.args) == 3 and not function.optional_arg_count and not function.is_overridable
            and (function.args[0].type in ancestors(type_))
            and [arg.type.empty_declaration_code() for arg in function.args[1:]] == ["DLTensor *", "uint64_t *"]
            and function.return_type.empty_declaration_code() == "int"
            and (str(function.exception_value) == "-1" or function.exception_value is None
                 and not function.exception_check))


class Fill(Composite, Nodes.StatNode):
    """The body of the function: the expressions, and the tensor that they fill."""

    child_attrs = ["data", "shape", "strides", "dtype", "readonly"]

    def __init__(self, array):
        super().__init__(array.pos)
        self.shape_pos = array.nodes["shape"].pos
        self.ndim = 0
        self.items = None                        # (code, bits) in C
        for name in self.child_attrs:
            node = array.nodes.get(name)
            is_list = node is not None and name in ("shape", "strides") and node.is_sequence_constructor
            setattr(self, name, list(node.args) if is_list else node)

    def analyse_expressions(self, env):
        self.tensor, self.flags = (env.lookup_here(name).cname for name in ("tensor", "flags"))
        self.data = self.data.analyse_types(env)
        for name in "shape", "strides":
            setattr(self, name, self._analyse_numbers(getattr(self, name), env))
        self.ndim = _count(self.shape)
        if self.ndim > MAX_NDIM:
            error(self.shape_pos, f"customslots.array has at most {MAX_NDIM} dimensions, found {self.ndim}")
        elif self.strides is not None and _count(self.strides) != self.ndim:
            error(self.shape_pos, f"customslots.array has as many strides as its shape has numbers, found "
                             f"{_count(self.strides)} for {self.ndim}")
        if self.readonly is not None:
            self.readonly = self.readonly.analyse_types(env).coerce_to_boolean(env)
        self._analyse_data(env)
        return self

    def _analyse_numbers(self, nodes, env):
        """A list of C integers, or a node that is a C array of them."""
        if nodes is None:
            return None
        is_list = isinstance(nodes, list)
        nodes = [node.analyse_types(env) for node in (nodes if is_list else [nodes])]
        if not is_list and nodes[0].type.is_array and nodes[0].type.base_type.is_int and nodes[0].type.size:
            return nodes[0]
        return [node.coerce_to(PyrexTypes.c_py_ssize_t_type, env) for node in nodes]

    def _analyse_data(self, env):
        type_ = self.data.type
        if type_.is_error:
            return
        if not (type_.is_ptr or type_.is_array):
            error(self.data.pos, f"the data of customslots.array must be a C pointer or a C array, found '{type_}'")
            return
        if self.dtype is None:
            self.items = _items_of(plain(type_.base_type))
            if self.items is None:
                error(self.data.pos, f"the data of customslots.array is '{type_}', which does not say a type of "
                                     f"items; write dtype='float64' for example")
        elif self.dtype.is_string_literal:
            name = str(getattr(self.dtype, "unicode_value", None) or self.dtype.value)
            self.items = _ITEMS_BY_NAME.get(name)
            if self.items is None:
                error(self.dtype.pos, f"the dtype of customslots.array is {', '.join(_ITEMS_BY_NAME)}, or a "
                                      f"DLDataType, found {name!r}")
            self.dtype = None
        else:
            self.dtype = self.dtype.analyse_types(env)
            if not self.dtype.type.is_error and self.dtype.type.empty_declaration_code() != "DLDataType":
                error(self.dtype.pos, f"the dtype of customslots.array is a name in quotes, such as 'float64', or a "
                                      f"DLDataType, found '{self.dtype.type}'")

    def generate_execution_code(self, code):
        code.mark_pos(self.pos)
        tensor = f"((DLTensor *){self.tensor})"
        for node in children(self):
            node.generate_evaluation_code(code)
        code.putln(f"{tensor}->data = (void *)({self.data.result()});")
        code.putln(f"{tensor}->ndim = {self.ndim};")
        if self.dtype is not None:
            code.putln(f"{tensor}->dtype = {self.dtype.result()};")
        else:
            for member, value in zip(("code", "bits", "lanes"), (*self.items, 1)):
                code.putln(f"{tensor}->dtype.{member} = {value};")
        self._put_numbers(code, f"{tensor}->shape", self.shape)
        if self.strides is not None:
            self._put_numbers(code, f"{tensor}->strides", self.strides)
        else:                                    # in C's order; what is too large is found when the tensor is checked
            strides = f"{tensor}->strides"
            for i in reversed(range(self.ndim)):
                value = "1" if i == self.ndim - 1 else (
                    f"(int64_t)((uint64_t){strides}[{i + 1}] * (uint64_t){tensor}->shape[{i + 1}])")
                _put_number(code, f"{strides}[{i}]", value)
        is_const = getattr(self.data.type.base_type, "is_const", False)
        readonly = is_const and "1" or self.readonly and self.readonly.result()
        if readonly:
            code.putln(f"if ({readonly}) *(uint64_t *){self.flags} |= DLPACK_FLAG_BITMASK_READ_ONLY;")
        else:
            code.putln(f"(void){self.flags};")
        for node in children(self):
            node.generate_disposal_code(code)
            node.free_temps(code)

    def _put_numbers(self, code, target, numbers):
        for i in range(self.ndim):
            value = numbers[i].result() if isinstance(numbers, list) else f"({numbers.result()})[{i}]"
            _put_number(code, f"{target}[{i}]", f"(int64_t){value}")


def _put_number(code, target, value):
    """Another thread may have a view of the same object, and read the number: usually the new number is the same."""
    code.putln(f"if ({target} != {value}) {target} = {value};")


def _count(numbers):
    return len(numbers) if isinstance(numbers, list) else numbers.type.size


def _items_of(type_):
    """(code, bits) in C of a pointer's items, or None."""
    name = type_.empty_declaration_code()
    is_complex = type_.is_complex and type_.real_type in (PyrexTypes.c_double_type, PyrexTypes.c_float_type)
    code = (f"(({name})-1 < 1 ? kDLInt : kDLUInt)" if type_.is_int and type_ is not PyrexTypes.c_bint_type
            else "kDLFloat" if type_.is_float else "kDLComplex" if is_complex else None)
    return code and (code, f"(uint8_t)(8 * sizeof({name}))")


# ----------------------------------------------------------------------------- the C of it

def _keeps_numbers(type_):
    """Do the objects have a member for shape and strides?  Not where other modules know their struct."""
    array, entry = array_of(type_), type_.entry
    return (array is not None and array.function is None and array.fill.ndim and not entry.defined_in_pxd
            and entry.visibility == "private" and not entry.api)


def numbers_of(type_):
    """The member that keeps shape and strides, if there is one."""
    return f"  int64_t {_MEMBER}[{2 * array_of(type_).fill.ndim}];\n" if _keeps_numbers(type_) else ""


def put_providers(env, code):
    """The last thing before the module's init function: the tables, and the functions that fill a tensor."""
    for type_ in arrays_of(env):
        array, struct, keeps = array_of(type_), struct_of(type_), _keeps_numbers(type_)
        table = array.table
        code.putln(f"static int {table}_fill(PyObject *object, DLTensor *tensor, uint64_t *flags) {{")
        if keeps:
            code.putln("if (tensor->shape == NULL) {")
            code.putln(f"tensor->shape = (({struct} *)object)->{_MEMBER};")
            code.putln(f"tensor->strides = tensor->shape + {array.fill.ndim};")
            code.putln("}")
        taken = struct if array.function is None else struct_of(array.first)
        code.putln(f"return {array.cname}(({taken} *)object, tensor, flags);")
        code.putln("}")
        has_room = not keeps and array.function is None and array.fill.ndim
        code.putln(f"PyTypedArray_PROVIDER{'_WITH_ROOM' if has_room else ''}({table}, {table}_fill)")
        if array.stable:
            code.putln(f"PyTypedArray_STABLE({table}_buffer, {table}_fill)")
