# cython: freethreading_compatible=True
# cython: language_level=3
# Pure-Python mode: values of all kinds.  Runs uncompiled, too.
import cython
from cython.cimports import cython_customslots as customslots

if cython.compiled:
    from cython.cimports.cython_customslots.provider import extensibletype
else:
    from cython_customslots.provider import extensibletype

Point = cython.struct(x=cython.int, y=cython.double)

numbers = cython.declare(cython.long[3])
point = cython.declare(Point)


@cython.cclass
class Meta(extensibletype):
    number: cython.long
    real: cython.double
    text: cython.p_char
    address: cython.p_void
    obj: object
    label = cython.declare(str, visibility="public")


@customslots.slot(0x7F000301, pointer=cython.address(point))
@customslots.slot(0x7F000305, pointer=numbers)
@customslots.slot(0x7F000307, objoffset=cython.sizeof(Point))
@customslots.slot(0x7F000309, flags=cython.sizeof(cython.double), position=3)
@customslots.metaclass(Meta, number=cython.cast(cython.long, 5.75), real=cython.sizeof(cython.int),
                       text=b"text", address=cython.address(point), label="first",
                       obj=lambda x: (x, [n * n for n in range(3)]))
@cython.cclass
class Values:
    first: cython.int
    second: cython.int

    def plain(self):
        return "works"


@customslots.extensible
@customslots.metaclass(Meta, number=2 if cython.compiled else 3)
@cython.cclass
class Under(Values):
    pass


if cython.compiled:
    def fields(cls):
        meta: Meta = cls
        return (meta.number, meta.real, meta.text, meta.obj(1), meta.label,
                cython.cast(cython.size_t, meta.address) ==
                cython.cast(cython.size_t, cython.address(point)))

    def expected_slots():
        return {1: cython.cast(cython.size_t, cython.address(point)),
                5: cython.cast(cython.size_t, cython.address(numbers[0])), 7: cython.sizeof(Point), 9: 8}
