# SPDX-License-Identifier: MIT
"""What types carry, for people: slots with names, C fields with values, interfaces, signatures.

    layout.py        where everything stands in memory (docs/abi.md)
    memory.py        reads it, through any function that reads memory: that of this process, which
                     survives wrong addresses, or a debugger's
    identifiers.py   what slot IDs mean
    records.py       what the functions below return: plain records, whose str() is a text
    looking.py       slots(), fields(), interfaces(), signatures(), explain()
    scanning.py      modules, files, expressions, all that is imported
    memory_picture.py  one type's memory as SVG
    command.py       python -m cython_customslots inspect

The first three need nothing but the standard library, and are what the gdb script works with.
"""
