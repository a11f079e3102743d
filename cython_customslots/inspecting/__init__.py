# SPDX-License-Identifier: MIT
"""What types carry, for people: slots with names, C fields with values, interfaces, signatures.

    layout.py        where everything is in memory (docs/abi.md)
    memory.py        reads it, through any function that reads memory: that of this process, which
                     survives wrong addresses, or a debugger's
    identifiers.py   what slot IDs mean
    records.py       the results: plain records, whose str() is a text
    seeing.py        from memory to records
    looking.py       slots(), fields(), interfaces(), signatures(), explain()
    scanning.py      modules, files, expressions, all that is imported
    memory_picture.py  one type's memory as SVG
    palette.py       the colours of that picture, and of all others
    command.py       python -m cython_customslots inspect
    customslots_gdb.py  the same in gdb, for living processes and core files

The first five need nothing but the standard library, and are what the gdb script works with.
"""
