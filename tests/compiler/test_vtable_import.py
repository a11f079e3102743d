# SPDX-License-Identifier: MIT
"""What an importer of a class does when the class's C methods are not those it knew."""
import ctypes
import textwrap
from pathlib import Path

import pytest
import support
from vtable_modules import HEAD, Importer, Paths, Version, run

GOLDEN = Path(__file__).parent / "vtable_errors"

#: (declaration, body) of the C methods of Shape, in the version that importers know.
SIDES = ("cdef int sides(self) noexcept", "return 3")
AREA = ("cdef double area(self) except? -1", "return 2.5")
SCALE = ("cdef double scale(self, int by) except? -1", "return 10.0 * by")
NAME = ("cpdef str name(self)", "return 'shape'")
ID = ("cdef int id(self) noexcept", "return 7")
NEW = ("cdef long long new(self) noexcept", "return 1000")
KNOWN = (SIDES, AREA, SCALE, NAME)


def classes(methods=KNOWN, base=(ID,), name="Shape", decorator="@customslots.extensible", of="Base"):
    """The declarations and definitions of a class with C methods and of its base; *base* None: that is
    there already."""
    pxd = pyx = ""
    for title, body in ((of, base), (f"{name}({of})", methods)):
        if body is None:
            continue
        pxd += f"{decorator}\ncdef class {title}:\n" + "".join(
            f"    {declaration}\n" for declaration, _ in body) + ("" if body else "    pass\n")
        pyx += f"cdef class {title}:\n" + "".join(
            f"    {declaration}:\n        {code}\n" for declaration, code in body)
        pyx += "    def python_method(self): pass\n"
    return pxd, pyx


def provider(*texts, head=HEAD, **options):
    return Version(head + "".join(pxd for pxd, _ in texts), "".join(pyx for _, pyx in texts), **options)


def changed(method, old, new):
    """The known methods, with one declaration changed."""
    assert old in method[0]
    return [(m[0].replace(old, new) if m is method else m[0], m[1]) for m in KNOWN]


INSERTED = [SIDES, NEW, AREA, SCALE, NAME]

#: {what is different: the methods of Shape, or those and the ones of its base}; what else a line of the description
#: has is in test_vtable_kinds.py.
BROKEN = {
    "inserted": INSERTED,
    "removed": [SIDES, AREA, NAME],
    "reordered": [AREA, SCALE, SIDES, NAME],
    "argument": changed(SCALE, "int by", "long by"),
    "exceptions": changed(AREA, "except? -1", "noexcept"),
    "base_appended": (KNOWN, (ID, NEW)),
    "renamed_and_changed": [AREA, SIDES, SCALE, NAME],
    "python_methods": ((), ()),
}
COMPATIBLE = {"appended": [*KNOWN, NEW], "renamed": KNOWN}


def others():
    """{what: its class and the base} and the texts of all these, classes of one module beside Shape: under
    its name a module finds one if a child has put it there."""
    names, texts = {}, []
    for what, methods in {**BROKEN, **COMPATIBLE}.items():
        name = "Form" if what == "renamed_and_changed" else what.title().replace("_", "")
        own_base = isinstance(methods, tuple) and methods is not KNOWN
        methods, base = methods if own_base else (methods, None)
        names[what] = name, f"{name}Base" if own_base else "Base"
        pxd, pyx = classes(methods, base, name, of=names[what][1])
        # As large as with a pointer to a table, or Cython would notice that itself.
        pxd = pxd.replace("pass", "cdef void *room", 1) if what == "python_methods" else pxd
        texts.append((pxd, pyx))
    return names, texts


OTHERS, TEXTS = others()

UNDECORATED = classes(decorator="")
UNDECORATED_TOO = classes(INSERTED, None, "Inserted", decorator="")

VERSIONS = {
    "known": provider(classes()),               # as importers see it
    "all": provider(classes(), *TEXTS),
    "appended": provider(classes([*KNOWN, NEW])),
    "inserted": provider(classes(INSERTED)),    # under its own name
    "undecorated": provider(UNDECORATED, head="", layer=False),
    "extended": provider(UNDECORATED, UNDECORATED_TOO, head="", cython_args=["--extend-all"]),
}

CALLS = """
    from provider cimport Shape
    def call(Shape s):
        return s.sides(), s.area(), s.scale(3), s.name()
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
    return Paths("import", VERSIONS, IMPORTERS)


def renaming(what):
    """What gives a child this class of the provider under the name of the known one; *what*: the known
    one itself, or a version whose only one it is."""
    return "" if what not in OTHERS else "import provider; provider.Shape, provider.Base = " + ", ".join(
        f"provider.{name}" for name in OTHERS[what])


def attempt(paths, what, importer="importer", code=None, version=None):
    code = textwrap.dedent(code or f"import {importer}, provider\nprint({importer}.call(provider.Shape()))")
    return run(paths, version or "all", [importer], renaming(what) + "\n" + code)


#: {what is different: the lines that say so}
SHOWN = {
    "inserted": ["  + i8 new(object) noexcept"],
    "removed": ["  - f8 scale(object, i4) except? -1"],
    "reordered": ["  - i4 sides(object) noexcept", "  + i4 sides(object) noexcept"],
    "argument": ["  - f8 scale(object, i4) except? -1", "  + f8 scale(object, i8) except? -1"],
    "exceptions": ["  - f8 area(object) except? -1", "  + f8 area(object) noexcept"],
    "base_appended": ["  + i8 new(object) noexcept"],
    "renamed_and_changed": ["  - i4 sides(object) noexcept", "  + i4 sides(object) noexcept"],
    "python_methods": [f"  - {line}" for line in (
        "i4 id(object) noexcept", "i4 sides(object) noexcept", "f8 area(object) except? -1",
        "f8 scale(object, i4) except? -1", "str name(object) skip_dispatch except NULL")],
}


def golden(name, importer="importer", now=None):
    """What is said in full; *now*: the class that is there under the name of the known one."""
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
    text = text.replace("'deriving'" if name == "derived" else "'importer'", f"'{importer}'")
    there = f"'provider.Shape' (which is now 'provider.{now}') are" if now else "'provider.Shape' are"
    return text.replace("'provider.Shape' are", there)


RESULT = "(3, 2.5, 30.0, 'shape')"


@pytest.mark.parametrize("what", ["known", "appended", "renamed"])
def test_methods_that_stand_where_they_stood_are_compatible(paths, what):
    assert attempt(paths, what) == RESULT


def test_a_module_may_derive_from_the_class_it_was_compiled_for(paths):
    assert attempt(paths, "known", "deriving", """
        import deriving, provider
        s = deriving.Square()
        print(deriving.corners(s), s.name(), isinstance(s, provider.Shape))
        """) == "40 square True"


@pytest.mark.parametrize("what", BROKEN)
def test_other_methods_are_an_import_error_with_both_layouts(paths, what):
    text = attempt(paths, what)
    if what == "argument" and ctypes.sizeof(ctypes.c_long) == ctypes.sizeof(ctypes.c_int):
        assert text == RESULT
        return
    lines, known = text.splitlines(), golden("inserted", now=what != "python_methods" and OTHERS[what][0]).splitlines()
    assert lines[:2] + lines[-2:] == known[:2] + known[-2:]          # where it has no C methods, it is not looked at
    assert [line for line in lines[2:-2] if line[2] in "-+"] == SHOWN[what]


def test_a_provider_of_another_version_is_an_import_error_with_both_layouts(paths):
    assert attempt(paths, None, version="inserted") == golden("inserted")


@pytest.mark.thorough
def test_a_missing_method_is_an_import_error_of_the_newer_importer(paths):
    text = attempt(paths, "known", "newer")
    assert "\n  - i8 new(object) noexcept\n" in text and "Rebuild 'newer'" in text
    assert attempt(paths, "appended", "newer", "import newer, provider\nprint(newer.new(provider.Shape()))") == "1000"


def test_appended_methods_are_an_import_error_of_a_module_with_derived_classes(paths):
    assert attempt(paths, "appended", "deriving") == golden("derived", "deriving", "Appended")


@pytest.mark.thorough
def test_classes_that_derive_from_derived_ones_are_checked_too(paths):
    def attempted(what, code="import last, middle\nprint(last.call(middle.Square()))"):
        return run(paths, "all", ["last", "middle"], renaming(what) + "\n" + code)

    assert attempted("known") == "(7, 4, 40)"
    assert SHOWN["base_appended"][0] in attempted("base_appended").splitlines()
    assert attempted("appended", "import middle") == golden("derived", "middle", "Appended")


def test_a_failed_import_names_the_module_and_fails_again(paths):
    assert attempt(paths, None, version="inserted", code="""
        import sys
        seen = []
        for attempt in range(3):
            try:
                import importer
            except ImportError as error:
                seen.append((error.name, type(error), str(error)))
        import provider
        print(len(seen), len(set(seen)), *seen[0][:2], "importer" in sys.modules, provider.Shape().name())
        """) == "3 1 importer <class 'ImportError'> False shape"


@pytest.mark.parametrize("what", ["known", *BROKEN])
def test_a_module_that_calls_none_of_them_is_not_refused(paths, what):
    """Instances have their size and their fields; Cython itself checks those."""
    assert attempt(paths, what, "looking", """
        import looking, provider
        print(looking.look(provider.Shape()))
        """) == "(True, True, None)"


@pytest.mark.thorough
def test_a_class_without_a_slot_is_imported_as_by_plain_cython(paths):
    assert attempt(paths, "known", "extending", version="undecorated") == RESULT


def test_a_class_that_has_lost_its_slot_is_an_import_error(paths):
    """It was built without the decorator since: its methods may stand anywhere."""
    text = attempt(paths, "known", version="undecorated")
    assert "class 'provider.Shape' does not say where its C methods are, found no slot" in text
    assert "'importer' expects" in text and "Rebuild 'importer'" in text
    assert attempt(paths, "known", version="extended") == RESULT


def test_a_class_that_the_provider_made_extensible_on_its_own_is_checked(paths):
    assert attempt(paths, "known", "extending", version="extended") == RESULT
    assert attempt(paths, "inserted", "extending", version="extended") == golden("inserted", "extending", "Inserted")


def test_a_replacement_that_is_no_class_with_c_methods_is_refused(paths):
    """A Python subclass under the class's name: it has no table of its own."""
    assert attempt(paths, "known", code="""
        import provider
        class Shape(provider.Shape): __slots__ = ()
        provider.Shape = Shape
        import importer
        """).startswith("the C methods of class 'provider.Shape' are not those that 'importer'")


def test_a_longer_description_of_a_vtable_serves(paths):
    paths["probe"] = support.probe_path()
    assert run(paths, "all", ["importer", "probe"], """
        import ctypes, probe, provider
        number, size = probe.intern(b"cython.vtable:provider.Shape"), 6 * ctypes.sizeof(ctypes.c_void_p)
        longer = ctypes.create_string_buffer(
            ctypes.string_at(probe.find_type(provider.Shape, number), size) + b"\\x08" * 64)
        ctypes.c_size_t.from_buffer(longer).value = size + 64
        probe.set_slots(provider.Shape, [(number, ctypes.addressof(longer))])
        import importer
        print(importer.call(provider.Shape()))
        """) == RESULT


def test_a_slot_that_is_too_small_to_be_a_description_is_refused(paths):
    """Its size comes first, so that nothing behind it is read."""
    paths["probe"] = support.probe_path()
    assert run(paths, "all", ["importer", "probe"], """
        import ctypes, probe, provider
        size = ctypes.c_size_t(8)
        slot = (probe.intern(b"cython.vtable:provider.Shape"), ctypes.addressof(size))
        probe.set_slots(provider.Shape, [slot])
        import importer
        """) == (
        "the C methods of class 'provider.Shape' are described in 8 bytes, expected "
        f"{6 * ctypes.sizeof(ctypes.c_void_p)} or more; rebuild the module that defines it with "
        "a current cython-customslots")
