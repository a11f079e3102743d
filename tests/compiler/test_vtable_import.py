# SPDX-License-Identifier: MIT
"""What an importer of a class does when the class's C methods are not those it knew."""
import ctypes
from pathlib import Path

import pytest
import support
from vtable_modules import HEAD, Importer, Version, build_all, run

GOLDEN = Path(__file__).parent / "vtable_errors"

#: (declaration, body) of the C methods of Shape, in the version that importers know.
SIDES = ("cdef int sides(self) noexcept", "return 3")
AREA = ("cdef double area(self) except? -1", "return 2.5")
SCALE = ("cdef double scale(self, int by) except? -1", "return 10.0 * by")
NAME = ("cpdef str name(self)", "return 'shape'")
ID = ("cdef int id(self) noexcept", "return 7")
NEW = ("cdef long long new(self) noexcept", "return 1000")
KNOWN = (SIDES, AREA, SCALE, NAME)


def classes(methods=KNOWN, base=(ID,), name="Shape", decorator="@customslots.extensible"):
    """The .pxd and the .pyx of a provider."""
    pxd, pyx = HEAD if decorator else "", ""
    for title, body in (("Base", base), (f"{name}(Base)", methods)):
        pxd += f"{decorator}\ncdef class {title}:\n" + "".join(
            f"    {declaration}\n" for declaration, _ in body) + ("" if body else "    pass\n")
        pyx += f"cdef class {title}:\n" + "".join(
            f"    {declaration}:\n        {code}\n" for declaration, code in body)
        pyx += "    def python_method(self): pass\n"
    return pxd, pyx


def alias(version):
    return version[0], version[1] + "Shape = Form\n"


def changed(method, old, new):
    """The known methods, with one declaration changed."""
    assert old in method[0]
    return [(m[0].replace(old, new) if m is method else m[0], m[1]) for m in KNOWN]


BROKEN = {
    "inserted": classes([SIDES, NEW, AREA, SCALE, NAME]),
    "removed": classes([SIDES, AREA, NAME]),
    "reordered": classes([AREA, SCALE, SIDES, NAME]),
    "argument": classes(changed(SCALE, "int by", "long by")),
    "argument_class": classes(changed(SCALE, "int by", "Base by")),
    "result": classes(changed(SIDES, "int", "unsigned int")),
    "exceptions": classes(changed(AREA, "except? -1", "noexcept")),
    "nogil": classes(changed(SIDES, "noexcept", "noexcept nogil")),
    "cpdef": classes(changed(AREA, "cdef", "cpdef")),
    "optional": classes(changed(SCALE, "int by", "int by=2")),
    "base_appended": classes(base=(ID, NEW)),
    "renamed_and_changed": alias(classes([AREA, SIDES, SCALE, NAME], name="Form")),
    "python_methods": classes(methods=(), base=()),
}
BROKEN["optional"] = (BROKEN["optional"][0].replace("by=2", "by=*"), BROKEN["optional"][1])
# As large as with a pointer to a table, or Cython would notice that itself.
BROKEN["python_methods"] = (BROKEN["python_methods"][0].replace("pass", "cdef void *room", 1),
                            BROKEN["python_methods"][1])

UNDECORATED = classes(decorator="")

VERSIONS = {
    "known": Version(*classes()),
    "appended": Version(*classes([*KNOWN, NEW])),
    "renamed": Version(*alias(classes(name="Form"))),
    "undecorated": Version(*UNDECORATED, layer=False),
    "undecorated_inserted": Version(*classes([SIDES, NEW, AREA, SCALE, NAME], decorator=""),
                                    layer=False),
    "extended": Version(*UNDECORATED, cython_args=["--extend-all"]),
    "extended_inserted": Version(*classes([SIDES, NEW, AREA, SCALE, NAME], decorator=""),
                                 cython_args=["--extend-all"]),
    **{name: Version(*texts) for name, texts in BROKEN.items()},
}

CALLS = """
    from provider cimport Shape
    def call(Shape s):
        return s.sides(), s.area(), s.scale(3), s.name()
    def call_base(Shape s):
        return s.id()
    """

DERIVED = """
    from provider cimport Shape
    cdef class Square(Shape):
        cdef int sides(self) noexcept: return 4
        cpdef str name(self): return 'square'
        cdef int corners(self) noexcept: return 40
    def corners(Square s):
        return s.corners()
    """

MIDDLE = DERIVED.replace("from provider cimport Shape", "")

IMPORTERS = [
    Importer("importer", "known", CALLS),
    Importer("deriving", "known", DERIVED),
    # Declares Square in a .pxd, for the next one to derive from.
    Importer("middle", "known", MIDDLE, HEAD + """
from provider cimport Shape
@customslots.extensible
cdef class Square(Shape):
    cdef int corners(self) noexcept
"""),
    Importer("last", "known", """
    from middle cimport Square
    def call(Square s):
        return s.id(), s.sides(), s.corners()
    """),
    Importer("newer", "appended", CALLS + """def new(Shape s):
        return s.new()
    """),
    Importer("layered", "undecorated", CALLS.replace("    from", "    cimport cython_customslots\n    from", 1)),
    Importer("unconcerned", "undecorated", CALLS),
    Importer("extending", "undecorated", CALLS, cython_args=["--extend-all"]),
    Importer("looking", "known", """
    from provider cimport Base, Shape
    cdef Shape kept = None
    def look(thing):
        global kept
        kept = thing
        return isinstance(thing, Base), type(Shape()) is Shape, kept.python_method()
    """),
]


@pytest.fixture(scope="module")
def paths():
    return build_all("import", VERSIONS, IMPORTERS)


def attempt(paths, provider, importer="importer", code=None):
    return run(paths, provider, [importer],
               code or f"import {importer}, provider\nprint({importer}.call(provider.Shape()))")


def golden(name):
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


RESULT = "(3, 2.5, 30.0, 'shape')"


# ---------------------------------------------------------------------- what is compatible

@pytest.mark.parametrize("provider", ["known", "appended", "renamed"])
def test_methods_that_stand_where_they_stood_are_compatible(paths, provider):
    assert attempt(paths, provider) == RESULT


def test_a_module_may_derive_from_the_class_it_was_compiled_for(paths):
    assert attempt(paths, "known", "deriving", """
        import deriving, provider
        s = deriving.Square()
        print(deriving.corners(s), s.name(), isinstance(s, provider.Shape))
        """) == "40 square True"


# -------------------------------------------------------------------------- what is not

@pytest.mark.parametrize("provider", BROKEN)
def test_other_methods_are_an_import_error_with_both_layouts(paths, provider):
    if provider == "argument" and ctypes.sizeof(ctypes.c_long) == ctypes.sizeof(ctypes.c_int):
        assert attempt(paths, provider) == RESULT
    else:
        assert attempt(paths, provider) == golden(provider)


def test_a_missing_method_is_an_import_error_of_the_newer_importer(paths):
    assert attempt(paths, "known", "newer") == golden("too_old")


def test_appended_methods_are_an_import_error_of_a_module_with_derived_classes(paths):
    assert attempt(paths, "appended", "deriving") == golden("derived")


def test_classes_that_derive_from_derived_ones_are_checked_too(paths):
    code = "import last, middle\nprint(last.call(middle.Square()))"
    assert run(paths, "known", ["last", "middle"], code) == "(7, 4, 40)"
    assert run(paths, "base_appended", ["last", "middle"], code) == golden("in_between")
    assert run(paths, "appended", ["last", "middle"], "import middle") == golden(
        "derived").replace("'deriving'", "'middle'")


def test_the_import_error_names_the_module_that_has_to_be_rebuilt(paths):
    assert attempt(paths, "inserted", code="""
        try:
            import importer
        except ImportError as error:
            print(error.name, type(error) is ImportError)
        """) == "importer True"


def test_a_failed_import_can_be_repeated_and_fails_again(paths):
    assert attempt(paths, "inserted", code="""
        import sys
        texts = []
        for attempt in range(3):
            try:
                import importer
            except ImportError as error:
                texts.append(str(error))
        import provider
        print(len(texts), len(set(texts)), "importer" in sys.modules, provider.Shape().name())
        """) == "3 1 False shape"


def test_a_module_that_is_imported_again_is_checked_against_the_same_class(paths):
    assert attempt(paths, "known", code="""
        import importlib, importer, provider
        importlib.reload(importer)
        print(importer.call(provider.Shape()))
        """) == RESULT


# ------------------------------------------------------------------ who calls none of them

@pytest.mark.parametrize("provider", ["known", *BROKEN])
def test_a_module_that_calls_none_of_them_is_not_refused(paths, provider):
    """Instances have their size and their fields; Cython itself checks those."""
    assert attempt(paths, provider, "looking", """
        import looking, provider
        print(looking.look(provider.Shape()))
        """) == "(True, True, None)"


# ------------------------------------------------------------------------- who opted in

@pytest.mark.parametrize("importer", ["layered", "extending"])
def test_a_class_without_a_slot_is_imported_as_by_plain_cython(paths, importer):
    assert attempt(paths, "undecorated", importer) == RESULT


@pytest.mark.parametrize("importer", ["layered", "extending"])
def test_a_class_that_the_provider_made_extensible_on_its_own_is_checked(paths, importer):
    assert attempt(paths, "extended", importer) == RESULT
    assert attempt(paths, "extended_inserted", importer) == golden(
        "inserted").replace("'importer'", f"'{importer}'")


def test_a_module_with_nothing_of_ours_is_not_touched(paths):
    assert attempt(paths, "extended", "unconcerned") == RESULT
    generated = (paths["unconcerned"].parent / ".build" / "unconcerned" / "unconcerned.c")
    assert "CustomSlots" not in generated.read_text(encoding="utf-8")


def test_a_class_that_is_gone_is_an_error_of_cython(paths):
    text = attempt(paths, "known", code="import provider; del provider.Shape; import importer")
    assert text.startswith("AttributeError: ") and "Shape" in text


def test_a_replacement_that_is_no_class_with_c_methods_is_refused(paths):
    """A Python subclass under the class's name: it has no table of its own."""
    assert attempt(paths, "known", code="""
        import provider
        class Shape(provider.Shape): __slots__ = ()
        provider.Shape = Shape
        import importer
        """).startswith("the C methods of class 'provider.Shape' are not those that 'importer'")


def test_a_slot_that_is_too_small_to_be_a_description_is_refused(paths):
    """Its size comes first, so that nothing behind it is read."""
    probe = support.probe_path()
    assert run({**paths, "probe": probe}, "known", ["importer", "probe"], """
        import ctypes, probe, provider
        size = ctypes.c_size_t(8)
        slot = (probe.intern(b"cython.vtable:provider.Shape"), ctypes.addressof(size))
        probe.set_slots(provider.Shape, [slot])
        import importer
        """) == (
        "the C methods of class 'provider.Shape' are described in 8 bytes, expected "
        f"{6 * ctypes.sizeof(ctypes.c_void_p)} or more; rebuild the module that defines it with "
        "a current cython-customslots")
