# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""1. A plain cdef class: its C fields belong to the instance."""


cdef class Hello:
    cdef str name

    def __init__(self, name: str = "World"):
        self.name = name

    def greet(self) -> str:
        return f"Hello {self.name}!"
