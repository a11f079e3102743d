# SPDX-License-Identifier: MIT
# A consumer of a declaration that belongs to no module.
from interface_copy cimport Form

def is_form(obj):
    return isinstance(obj, Form)

def label(Form form):
    return form.label()

def label_unchecked(obj):
    return (<Form>obj).label()

def area_unchecked(obj):
    cdef Form form = <Form>obj
    cdef double area
    with nogil:
        area = form.area()
    return area
