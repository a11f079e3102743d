# SPDX-License-Identifier: MIT
"""What types carry, for people: slots with names, C fields with values, interfaces, signatures.

    classes.py          slots(), fields(), interfaces(), explain(): of a class of this process
    _classes.c          what C sees of it
    records.py          the results: plain records, whose str() is a text
    targets.py          modules, files, expressions, all that is imported
    picture.py          one type's memory as SVG
    palette.py          the colours of that picture, and of all others
    command.py          python -m cython_customslots inspect
    customslots_gdb.py  the gdb script, for other processes and core files; it stands alone
"""
