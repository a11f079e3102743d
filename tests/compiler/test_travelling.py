# SPDX-License-Identifier: MIT
"""Classes of __main__ that cloudpickle and dill write by value, in a process that has imported nothing."""
import os

import pytest
import support
from layer_modules import build, from_texts

#: kind: (the class C, what is then True where it arrives; its bases are imported by then)
CLASSES = {
    "a class that --extend-all extended": ("""
        import layer_base, layer_automatic      # the same metaclass; the other process lacks the first
        class C(layer_automatic.Plain):
            def twice(self): return 2 * self.x
        """, "C(3).twice() == 6 and type(C) is type(C.__base__)"),
    "own values of fields": ("""
        import layer_abc
        class C(layer_abc.Both, level=7): label = ["own"]
        """, "sys.modules['layer_abc'].level(C) == 7 and C.label == ['own'] and type(C) is type(C.__base__)"),
    "an overridden method of an interface": ("""
        import interface_drawing
        class C(interface_drawing.Line):
            def draw(self, canvas): return 100
        """, "sys.modules['interface_drawing'].draw(C(), []) == 100"),
    "an interface implemented in Python": ("""
        import interface_shapes      # which declares it under the name "tests.Drawable"
        class C(interface_shapes.Drawable):
            def draw(self, canvas): return 40
        """, "__import__('interface_drawing').draw(C(), []) == 40 and type(C) is type(C.__base__)"),
    "objects of two classes": ("""
        import layer_abc
        class B(layer_abc.Circle): pass
        class C(B):
            def asked(self): return __class__, super().__init__(), self.own
        C, c, B.later = B, C(), lambda self: self.asked()
        c.own = 6
        C = c
        """, "C.later() == (type(C), None, 6) and type(type(C)) is type(type(C).__mro__[2])"),
    "a combination that no library has": ("""
        import abc, layer_automatic
        from cython_customslots import combine
        class C(layer_automatic.Plain, metaclass=combine(layer_automatic.Plain, abc.ABC)):
            @abc.abstractmethod
            def area(self): pass
        """, "C.__abstractmethods__ == {'area'} and type(C) is cython_customslots.combine(C.__base__, abc.ABC)"),
    "slots of Python": ("""
        import abc
        from cython_customslots import Slotted, combine
        class C(metaclass=Slotted):
            __customslots__ = {"travelling.a": (5, 1)}
            called = combine(Slotted, abc.ABC)("Called", (), {"__customslots__": {"travelling.a": 6}})
        """, "[(p, data) for c in (C, C.called) for p, _, data in cython_customslots.table(c)]"
             " == [(0, 0), (1, 5), (0, 6)]"),
}
#: What needs the package where it is made does so where it arrives.
NEED_THE_PACKAGE = "a combination that no library has", "slots of Python"


@pytest.fixture(scope="module")
def modules():
    return [build("layer_automatic_foreign.pyx", layer=False), build("layer_automatic.pyx", "--extend-all"),
            *(build(f"{name}.pyx") for name in (
                "layer_base", "layer_abc", "interface_shapes", "interface_drawing"))]


@pytest.mark.parametrize("pickler", ["cloudpickle", pytest.param("dill", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("kind", CLASSES)
def test_it_arrives_with_the_metaclass_of_the_process(modules, kind, pickler):
    made, arrived = CLASSES[kind]
    sent = support.check_child(f"{made}\n        import {pickler}; print({pickler}.dumps(C).hex())", modules=modules)
    absent = ["layer_base"]
    if kind not in NEED_THE_PACKAGE:
        absent += ["cython_customslots", "_customslots_runtime"]
    assert support.check_child(f"""
        import {pickler}
        sys.modules.update(dict.fromkeys({absent}))
        C = {pickler}.loads(bytes.fromhex("{sent}"))
        import abc
        if {kind in NEED_THE_PACKAGE}: import cython_customslots
        print({arrived})
        """, modules=modules) == "True"


#: Two classes of __main__, and the texts of what sends them and an object.
TWO = """
        import os, warnings
        import layer_abc
        class C(layer_abc.Abstract):
            def must(self): return "C"
        class D(C, layer_abc.Shape): pass
        def of_classes(): return [cls().must() for cls in (C, D)]
        def of(thing): return thing.must()
        if __name__ == "__main__":"""
LIBRARIES = {
    "joblib": """
            import joblib
            with joblib.Parallel(n_jobs=2) as workers:
                print(workers([joblib.delayed(of_classes)(), joblib.delayed(of)(D())]))
        """,
    "dask.distributed": """
            from dask.distributed import Client
            with Client(n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
                print([client.submit(of_classes).result(), client.submit(of, D()).result()])
        """,
    "ray": """
            warnings.simplefilter("ignore")         # of what ray itself imports
            import ray, tempfile
            with tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True) as short:      # for sockets
                ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, _temp_dir=short)
                print(ray.get([ray.remote(of_classes).remote(), ray.remote(of).remote(D())]))
                ray.shutdown()
        """,
}


@pytest.mark.parametrize("library", support.thoroughly(list(LIBRARIES), plain=0, thorough=1))
def test_libraries_send_them_to_their_workers(modules, library):
    support.need(library)
    paths = os.pathsep.join(str(path.parent) for path in modules)
    assert support.check_child(TWO + LIBRARIES[library], modules=modules, env={
        **os.environ, "PYTHONPATH": paths, "RAY_AUTH_MODE": "disabled"}).splitlines()[-1] == "[['C', 'C'], 'C']"


PROVIDER = """
# cython: freethreading_compatible=True
from cython_customslots.provider cimport extensibletype
cimport cython_customslots as customslots
cdef class Meta(extensibletype):
    {field}
@customslots.metaclass(Meta)
cdef class {name}:
    pass
"""


def provider(field="cdef public double ratio", name="Plugin"):
    return from_texts("travelling", {"plugins.pyx": PROVIDER.format(field=field, name=name)})


@pytest.mark.thorough
def test_another_version_of_the_provider_is_an_error_that_says_so():
    sent = support.check_child("""
        import cloudpickle, plugins
        class C(plugins.Plugin, ratio=2.5): pass
        print(cloudpickle.dumps(C).hex())
        """, modules=[provider()])
    no_field = ["class 'C' has no C field 'ratio' that Python may set, for which the dict or the pickle"]
    for others, expected in [
            ([], ["No module named 'plugins'"]),
            ([provider(name="Other")], ["'Plugin'", "module 'plugins'"]),
            ([provider("cdef public long level")], no_field),
            ([provider("cdef double ratio")], no_field),
            ([provider("cdef public str ratio")],
             ["field 'ratio' of class 'C' (metaclass 'plugins.Meta'): found 2.5, expected str: Expected ",
              ", got float"])]:                 # before 3.1 Cython calls it unicode
        done = support.run_child(f"import cloudpickle; cloudpickle.loads(bytes.fromhex('{sent}'))", modules=others)
        assert done.returncode == 1, done.stdout
        assert all(text in done.stderr.splitlines()[-1] for text in expected), done.stderr
