/* SPDX-License-Identifier: MIT
 *
 * stable_abi.h - between stable_abi.c and stable_abi_run.c.
 */
extern const BenchNamedLoop stable_loops[];

/* Before a loop: the callable that is called, or None, and the name of the slot that is looked for. */
extern int stable_prepare(PyObject *callable, const char *name);
