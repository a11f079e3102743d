# SPDX-License-Identifier: MIT
"""What jitted code calls in C, and C in jitted code, for export.py and search.py.  They import this module when numba
is used, because it needs numba.
"""
import functools

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

__all__ = ["borrowed", "enter", "leave", "lent", "raising_cfunc"]


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
    """After that call: gives what was raised to sys.unraisablehook, then releases the GIL; says
    whether something was raised."""
    def generate(context, builder, signature, values):
        api = context.get_python_api(builder)
        has_raised = cgutils.is_not_null(builder, api.err_occurred())
        with builder.if_then(has_raised, likely=False):
            api.err_write_unraisable(api.borrow_none())
        api.gil_release(builder.bitcast(values[0], api.gil_state.as_pointer()))
        return has_raised
    return types.boolean(state), generate


def raising_cfunc(signature, function):
    """A compiled cfunc, which keeps its code, whose errors are exceptions for the C code that calls it.

    numba.cfunc() prints them and returns an undefined value.  Here the exception stays set in the thread (the wrapper
    takes the GIL for that), and the result is -1, if there is one.
    """
    with global_compiler_lock:
        context = cpu_target.target_context
        # Copies of the context, which numba works with, have the attribute, too.  Functions that
        # *function* calls are compiled at the same time, and get numba's own wrappers.
        context.create_cfunc_wrapper = functools.partial(
            _create_wrapper, context, context.create_cfunc_wrapper, function.__qualname__)
        try:
            return numba.cfunc(signature)(function)
        finally:
            del context.create_cfunc_wrapper


def _create_wrapper(context, otherwise, qualname, library, fndesc, env, call_helper):
    """As CPUContext.create_cfunc_wrapper(), but for what it does after an error."""
    if fndesc.qualname != qualname:
        return otherwise(library, fndesc, env, call_helper)
    module = context.create_module("cfunc_wrapper")
    callee = ir.Function(module, context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes),
                         fndesc.llvm_func_name)
    result_type = context.get_value_type(fndesc.restype)
    wrapper = ir.Function(
        module, ir.FunctionType(result_type, [context.get_value_type(kind)
                                              for kind in fndesc.argtypes]),
        fndesc.llvm_cfunc_wrapper_name)
    builder = ir.IRBuilder(wrapper.append_basic_block("entry"))
    status, out = context.call_conv.call_function(
        builder, callee, fndesc.restype, fndesc.argtypes, wrapper.args)
    with builder.if_then(status.is_error, likely=False):
        api = context.get_python_api(builder)
        gil = api.gil_ensure()
        context.call_conv.raise_error(builder, api, status)
        api.gil_release(gil)
        builder.ret(ir.Constant(result_type, -1 if fndesc.restype != types.void else None))
    builder.ret(out)
    library.add_ir_module(module)
