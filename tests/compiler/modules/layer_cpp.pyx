# cython: freethreading_compatible=True
# distutils: language = c++
# Fields that are C++ objects.
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype
from libcpp.string cimport string
from libcpp.vector cimport vector

cdef extern from *:
    """
    #include <new>
    #include <stdexcept>

    // Counts itself; copying fails when it is told to.
    struct layer_counted {
        static int &alive() { static int n = 0; return n; }
        static int &fail() { static int n = 0; return n; }
        int value;
        layer_counted() : value(0) { alive()++; }
        layer_counted(int v) : value(v) { alive()++; }
        layer_counted(const layer_counted &other) : value(other.value) {
            if (fail() == 1) throw std::bad_alloc();
            if (fail() == 2) throw std::runtime_error("layer_counted is told to fail");
            alive()++;
        }
        layer_counted &operator=(const layer_counted &) = default;
        ~layer_counted() { alive()--; }
    };
    static int layer_alive() { return layer_counted::alive(); }
    static void layer_fail(int how) { layer_counted::fail() = how; }
    """
    cdef cppclass counted "layer_counted":
        counted()
        counted(int)
        int value
    int layer_alive()
    void layer_fail(int)

cdef class Meta(extensibletype):
    cdef public string text
    cdef public vector[int] numbers
    cdef counted own
    cdef readonly object label

@customslots.metaclass(Meta, text=b"a text that is too long to be stored in place",
                       numbers=[1, 2, 3], own=counted(5), label="label")
cdef class Base: pass

cdef class Under(Base): pass

@customslots.metaclass(Meta, text=b"short")
cdef class Other(Base): pass

def fields(cls):
    cdef Meta c = cls
    return c.text, c.numbers, c.own.value, c.label

def push(cls, int number):
    """Change the object in the class itself."""
    (<Meta>cls).numbers.push_back(number)

def alive():
    return layer_alive()

def fail(how):
    layer_fail(how)
