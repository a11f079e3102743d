# SPDX-License-Identifier: MIT
"""--borrow-views: slices that are handed to C functions of other modules, which may have been built without."""
import ast

import pytest
import support
from array_support import HERE
from test_borrowed_views import lending

pytestmark = [pytest.mark.interop, pytest.mark.cythons]

BUILT = {"plain": [], "borrowing": ["--borrow-views"]}
CHILD = """
    import re, sys, gc
    import numpy as np
    import views_taken
    key = "cython_customslots: takers of borrowed views, 1"
    says = getattr(views_taken, "__pyx_capi__")
    assert key not in says or sys.getrefcount(says[key]) == 2           # the module has it, and the call
    {before}
    held = sys.getrefcount(views_taken), sys.getrefcount(says)
    import views_given
    assert (sys.getrefcount(views_taken), sys.getrefcount(says)) == held
    def shown(value):
        if isinstance(value, tuple): return tuple(map(shown, value))
        return np.asarray(value).tolist() if "emoryview" in type(value).__name__ else re.sub("0x.*", "", repr(value))
    results, counts = [], []
    for name, function in sorted(vars(views_given).items()):
        for dtype, readonly in ("d", False), ("f", False), ("d", True):
            for number in range(-1, 3):
                a = np.arange(9, dtype=dtype) + 1
                if name == "gives_takes": a = a.reshape(3, 3)
                a.flags.writeable = not readonly
                before = sys.getrefcount(a)
                meanwhile = lambda: counts.append(sys.getrefcount(a) - before)
                second = {{"gives_calls": meanwhile, "gives_within": meanwhile, "gives_mixed": a[::-1].copy()}}
                second = second.get(name, number)
                if not name.startswith("gives_"): continue
                try: results.append((name, shown(function(a, second))))
                except TypeError:
                    try: results.append((name, shown(function(a))))
                    except Exception as error: results.append((name, repr(error)))
                except Exception as error: results.append((name, repr(error)))
                views_taken.forget()
                gc.collect()
                results.append((a.tolist(), sys.getrefcount(a) - before))
    print((results, max(counts)))
    """


@pytest.fixture(scope="module")
def paths(np):
    return {(name, way): support.build_cython(
        HERE / f"{name}.pyx", way == "borrowing", cython_args=BUILT[way], directory=support.cache_directory(name, way),
        include_dirs=[HERE]) for name in ("views_taken", "views_given") for way in BUILT}


def outcome(paths, taken, given, before=""):
    """What all functions return, raise and leave; the most references to an array while a callback runs."""
    return ast.literal_eval(support.check_child(
        CHILD.format(before=before), modules=[paths["views_taken", taken], paths["views_given", given]]))


def test_modules_that_were_built_with_and_without_the_switch_work_together(paths):
    """Each way the results, errors, items and references are those of plain Cython."""
    plain, most = outcome(paths, "plain", "plain")
    found = {(taken, given): outcome(paths, taken, given) for taken in BUILT for given in BUILT}
    assert len(plain) > 200 and [results == plain for results, _ in found.values()] == [True] * 4
    less = {ways for ways, (_, references) in found.items() if references < most}
    assert less == {("borrowing", "borrowing")}              # no memoryview holds the array


@pytest.mark.parametrize("before", ["del says[key]", "says[key] = 1", "says[key] = says['takes']", "says[key] = None"])
def test_a_slice_gets_its_memoryview_where_nothing_valid_is_said(paths, before):
    plain, most = outcome(paths, "plain", "plain")
    found, references = outcome(paths, "borrowing", "borrowing", before)
    assert found == plain and references >= most


def test_a_module_without_functions_is_refused_as_with_plain_cython(paths):
    for way in BUILT:
        done = support.run_child("import views_taken; del views_taken.__pyx_capi__; import views_given",
                                 modules=[paths["views_taken", "borrowing"], paths["views_given", way]])
        assert "__pyx_capi__" in done.stderr.splitlines()[-1], done.stderr


BASES = """
    import gc, sys
    import numpy as np
    import lending_views_True as third, views_given as given, views_taken as taken
    a, found = np.arange(9.0) + 1, []
    for make in given.made_given, taken.made_taken, third.doubles, third.view_of, lambda a: third.array_of((9,)):
        x = make(a)
        known, before = {id(a): "the array", id(x): "the argument"}, sys.getrefcount(x)
        for made in (given.gives_keeps(x), given.gives_perhaps(x, 1)[0], given.gives_mixed(x, x)[0],
                     given.gives_perhaps(x, 0)[1]):
            found += [known.get(id(made.base)), known.get(id(np.asarray(made).base)), type(made).__module__,
                      np.asarray(made).tolist(), sys.getrefcount(x) - before]
            del made
            gc.collect()
            found.append(sys.getrefcount(x) - before)
        found += [known.get(id(given.gives_perhaps(x, 1)[2])), given.gives_closes(x), given.gives_unlocked(x, 1),
                  given.gives_rebinds(x), given.gives_scales["double"](x), np.asarray(x).tolist()]
        taken.forget()
        gc.collect()
        found.append(sys.getrefcount(x) - before)
    print(found)
    """


def test_objects_that_c_functions_of_other_modules_make_have_the_bases_of_plain_cython(np, paths):
    """Whichever of the modules has made the memoryview, and whichever lends it."""
    found = [support.check_child(BASES, modules=[paths["views_taken", taken], paths["views_given", given],
                                                 lending().__file__]) for taken in BUILT for given in BUILT]
    assert found[0].count("the argument") > 15 and found == [found[0]] * 4
