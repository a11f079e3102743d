# SPDX-License-Identifier: MIT
"""What jitted code calls of C, for export.py and search.py.  They import it when numba is used: it needs numba."""
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

__all__ = ["borrowed", "enter", "leave", "lent"]


@intrinsic
def lent(context, array):
    """The address of an array's PyTypedMethodArray, which lives as long as the call."""
    def generate(context, builder, signature, values):
        made = context.make_array(array)(context, builder, values[0])
        stride, = cgutils.unpack_tuple(builder, made.strides)
        struct = cgutils.pack_struct(builder, [builder.bitcast(made.data, cgutils.voidptr_t), made.nitems, stride])
        return builder.bitcast(cgutils.alloca_once_value(builder, struct), cgutils.voidptr_t)
    return types.voidptr(array), generate


def borrowed(kind):
    """A function that gives the array of that numba type at the address of a PyTypedMethodArray, for the call."""
    @intrinsic
    def borrowed(context, address):
        def generate(context, builder, signature, values):
            word, items = cgutils.intp_t, context.get_data_type(kind.dtype)
            struct = ir.LiteralStructType([cgutils.voidptr_t, word, word])
            data, length, stride = cgutils.unpack_tuple(
                builder, builder.load(builder.bitcast(values[0], struct.as_pointer())))
            made = context.make_array(kind)(context, builder)
            populate_array(made, builder.bitcast(data, items.as_pointer()), [length], [stride],
                           context.get_constant(types.intp, context.get_abi_sizeof(items)), None)
            return made._getvalue()
        return kind(address), generate
    return borrowed


@intrinsic
def enter(context):
    """Before a call that may raise: takes the GIL."""
    def generate(context, builder, signature, values):
        state = context.get_python_api(builder).gil_ensure()        # where it is, on the stack of jitted code
        return builder.bitcast(state, cgutils.voidptr_t)
    return types.voidptr(), generate


@intrinsic
def leave(context, state):
    """Behind it: lets the GIL go when sys.unraisablehook has got what was raised; was something?"""
    def generate(context, builder, signature, values):
        api = context.get_python_api(builder)
        has_raised = cgutils.is_not_null(builder, api.err_occurred())
        with builder.if_then(has_raised, likely=False):
            api.err_write_unraisable(api.borrow_none())
        api.gil_release(builder.bitcast(values[0], api.gil_state.as_pointer()))
        return has_raised
    return types.boolean(state), generate
