# SPDX-License-Identifier: MIT
"""What is written for a slice that has no memoryview: the memoryview where one is needed, and code that needs none."""

from Cython.Compiler import Buffer
from Cython.Compiler import ExprNodes as E

from ..shared.writing import utility

#: {attribute of a memoryview that its slice can tell: does it count the items, and their bytes?}
MEASURES = {"size": (True, False), "nbytes": (True, True), "itemsize": (False, True), "ndim": (False, False)}


class MaterialisedName(E.NameNode):
    """A variable that has a memoryview from here on, as if it had been made when the function was called.

    *unless*: C expressions; if all of them are true, it needs none.  None: there is no such way out.
    """

    def generate_result_code(self, code):
        super().generate_result_code(code)       # it may be unbound
        code.globalstate.use_utility_code(utility("Materialise", "Views.c"))
        slice_, type_ = self.result(), self.type
        information = Buffer.get_type_information_cname(code, type_.dtype)
        is_needed = f" && !({' && '.join(sorted(self.unless))})" if self.unless else ""
        code.putln(f"if (unlikely(__PYX_CUSTOMSLOTS_IS_LENT({slice_}.memview)){is_needed} && unlikely("
                   f"__Pyx_CustomSlots_Materialise(&{slice_}, &{information}, {type_.ndim}, "
                   f"{int(not type_.dtype.is_const)}, {int(not self.in_nogil_context)}) < 0)) "
                   f"{code.error_goto(self.pos)}")


class Measure(E.AttributeNode):
    """x.size and its like: from the slice, where Cython asks the memoryview."""

    subexprs = []

    def generate_result_code(self, code):
        view, (counts, sizes) = self.obj.arg, MEASURES[self.attribute]
        view.generate_evaluation_code(code)      # the variable may be unbound
        code.globalstate.use_utility_code(utility("Measure", "Views.c"))
        unit = (f"(Py_ssize_t) sizeof({view.type.dtype.empty_declaration_code()})" if sizes else
                1 if counts else view.type.ndim)
        code.putln(f"{self.result()} = __Pyx_CustomSlots_Measure(&{view.result()}, {view.type.ndim if counts else 0}, "
                   f"{unit}, {code.intern_identifier(self.attribute)}); "
                   f"{code.error_goto_if_null(self.result(), self.pos)}")
        self.generate_gotref(code)


class Transposed(E.AttributeNode):
    """x.T, by the number of dimensions of its type."""

    def generate_result_code(self, code):
        code.globalstate.use_utility_code(utility("Transpose", "Views.c"))
        code.putln(f"{self.result()} = {self.obj.result()};")
        code.put_incref_memoryviewslice(self.result(), self.type, have_gil=True)
        code.putln(f"__Pyx_CustomSlots_Transpose(&{self.result()}, {self.type.ndim});")


class Contiguity(E.SimpleCallNode):
    """x.is_c_contig() and x.is_f_contig()."""

    def generate_result_code(self, code):
        code.globalstate.use_utility_code(utility("IsContiguous", "Views.c"))
        type_ = self.function.obj.type
        code.putln(f"{self.result()} = __Pyx_CustomSlots_IsContiguous({self.args[0].result()}, "
                   f"'{self.function.attribute[3].upper()}', {type_.ndim}, "
                   f"(Py_ssize_t) sizeof({type_.dtype.empty_declaration_code()}));")


class CopiedSlice(E.MemoryCopySlice):
    """x[:] = y"""

    def _generate_assignment_code(self, src, code):
        code.globalstate.use_utility_code(utility("CopySlice", "Views.c"))
        code.putln(code.error_goto_if_neg(
            f"__Pyx_CustomSlots_CopySlice({src.result()}, {self.dst.result()}, {src.type.ndim}, {self.dst.type.ndim}, "
            f"(Py_ssize_t) sizeof({self.dst.type.dtype.empty_declaration_code()}))", self.dst.pos))
