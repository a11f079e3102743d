# SPDX-License-Identifier: MIT
"""A numba cfunc whose errors are exceptions for the C code that calls it.

numba.cfunc() prints them and returns an undefined value.  Here the exception stays set in
the thread (the wrapper takes the GIL for that), and the result is -1, if there is one.
"""
import functools


def raising_cfunc(numba, signature, function):
    """The compiled cfunc, which keeps its code."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target
    with global_compiler_lock:
        context = cpu_target.target_context
        # Copies of the context, which numba works with, have the attribute, too.  What
        # *function* calls is compiled at the same time, and gets numba's own wrappers.
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
    from llvmlite import ir
    from numba.core import types
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
    return None
