// The same as ../sums_c.c, whose functions are called here.
use pyo3::{ffi, prelude::*, AsPyPointer};
use std::os::raw::c_int;

extern "C" {
    fn sums_total(things: *mut ffi::PyObject) -> f64;
    fn sums_apply(function: *mut ffi::PyObject, numbers: *mut ffi::PyObject, typed: *mut c_int) -> i64;
}

/// The sum of the areas of all that have one.
#[pyfunction]
fn total(py: Python<'_>, things: &PyAny) -> PyResult<f64> {
    let sum = unsafe { sums_total(things.as_ptr()) };
    PyErr::take(py).map_or(Ok(sum), Err)
}

/// The sum of f(x) for x in an array, and whether f was called as C.
#[pyfunction]
fn apply(py: Python<'_>, function: &PyAny, numbers: &PyAny) -> PyResult<(i64, bool)> {
    let mut typed = 0;
    let sum = unsafe { sums_apply(function.as_ptr(), numbers.as_ptr(), &mut typed) };
    PyErr::take(py).map_or(Ok((sum, typed != 0)), Err)
}

#[pymodule]
fn sums_pyo3(_py: Python<'_>, module: &PyModule) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(total, module)?)?;
    module.add_function(wrap_pyfunction!(apply, module)?)
}
