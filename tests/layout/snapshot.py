# SPDX-License-Identifier: MIT
"""Where everything stands that modules of different ages share in one process.

`layout.txt` is the record: each struct with its members, their types and places on 64-bit and
32-bit platforms, and the constants.  It is made from the text of the headers, so that no member can
be forgotten; that compilers agree, with the headers of whichever interpreter runs the tests, is for
test_snapshot.py to see.  A change that is meant is recorded by

    python tests/layout/snapshot.py

which says what has to change with it.
"""
import difflib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORD = HERE / "layout.txt"

#: The table that other languages find in _customslots_runtime alone: no header that is installed.
TYPED = HERE.parents[1] / "cython_customslots" / "runtime" / "typed.h"

P = "_Pycs_"

#: {what it is: (the structs to begin with, what a change means)}.  What their members lead to
#: belongs to them.
GROUPS = {
    "type objects": (
        ["PyHeapExtensibleTypeObject", f"{P}Front"],
        "readers of every age look here: take a new PyCustomSlots_ABI_VERSION, and new constants "
        "behind etp_check that end in it"),
    "rendezvous": (
        [f"{P}API", f"{P}Met", f"{P}Impl"],
        "every client has this built in: take a new _Pycs_RENDEZVOUS_VERSION, a new "
        "_Pycs_ATTRIBUTE and _CAPSULE, and a new _Pycs_ROOT.  (A function "
        "behind the last one of _Pycs_Impl needs none of that: record it)"),
    "descriptions of fields": (
        ["PyExtensibleType_Field"],
        "arrays of these are in modules of every age: a member may be added at the end, where zero "
        "must mean what was before; anything else takes a new _Pycs_RENDEZVOUS_VERSION. "
        "_Pycs_FieldEntry holds one, so the state changes with it"),
    "interfaces": (
        ["PyCustomSlots_Interface", "PyExtensibleType_InterfaceSpec"],
        "tables of functions and declarations of every age lead to these: a member may be added at the "
        "end, where zero must mean what was before, and who reads it compares `size` first"),
    "state": (
        [f"{P}State", f"{P}Record", f"{P}Sidecar"],
        "implementations of every age work on this, those that were taken over, too: take a new "
        "_Pycs_STATE_VERSION, which implementations of another one do not take over"),
    "the process's table": (
        [f"{P}ProcessTable", f"{P}Name", f"{P}Entry", f"{P}InterfaceNode", f"{P}OverrideTable",
         f"{P}DefaultTable"],
        "this is the process's: take a new _Pycs_TABLE_KEY (and for entries a new _ENTRIES_KEY "
        "and _ENTRY_NAME)"),
    "typed records": (
        ["PyTypedMethodRecord", "PyTypedMethodNative", "PyTypedMethodClassCall", "PyTypedMethodArray"],
        "records are in modules of every age: take a new PyTypedMethod_ABI_VERSION (or, for "
        "PyTypedMethodNative and PyTypedMethodClassCall, a new version of the slot's ID; for "
        "PyTypedMethodArray new codes of arrays)"),
    "registered functions": (
        [f"{P}LayoutNode", "PyTypedMethodLayout"],
        "this is the process's: take a new _Pycs_TABLE_KEY, _Pycs_LAYOUTS_KEY and "
        "_LAYOUT_NAME"),
    "typed functions for other languages": (
        [f"{P}Functions"],
        "modules in other languages call these: take a new _Pycs_FUNCTIONS_CAPSULE.  (A "
        "function behind the last one needs none of that: record it)"),
}

#: What a constant is for is told by what it stands beside; those that nobody shares.
CONSTANTS = ("constants", "a module of another age goes by the value that is recorded: find the struct "
             "that it belongs to, and take the new number that a change of that takes")
UNSHARED = re.compile(rf"{P}([CTM]|EXPECT|TP)_|{P}PACKAGE$|"
                      rf"{P}(NUMPY_|RUNTIME_|NUMBER$|PADDING$|OTHER_ADVICE$)|"
                      rf"{P}(SUPPORTED|REMEMBERS|LONGEST_(REPR|LINE)|MOST_(SHOWN|EXTENDED)|MAX_ATOMS|PAUSE|STATE)$|"
                      r"PyExtensibleType_(RUNTIME_|MODULE_NAME)|PyCustomSlots_VERSION")

#: Structs that no module ever sees of another, and why: what nothing above leads to stands here.
PRIVATE = {
    # on the stack, or in the static memory, of one module's code
    f"{P}Mro", f"{P}Line", f"{P}FieldIter", "PyCustomSlots_Signature",
    f"{P}Method", f"{P}Birth", f"{P}Plan", f"{P}Finding", "PyTypedCallable",
    "PyTypedMethodCall", "PyTypedMethod_Pair", "PyTypedCallback", "PyTypedCallbackForm",
    "PyCustomSlots_Bridge", f"{P}Gil", f"{P}RecordPlace", f"{P}Types", f"{P}EntryAlign", f"{P}RecordAlign",
    # in a list of one module
    f"{P}CompletedTable",
    # behind a tensor whose deleter is its maker's, and of a class of one module
    "_Pycs_Exported", "_Pycs_Holder",
    # how complex numbers are passed: the platform's
    "PyTypedMethod_c8", "PyTypedMethod_c16", "PyTypedMethod_c32",
    "PyTypedArray", "PyTypedArray_Cursor", "PyTypedArray_Spec",
    # CPython's, DLPack's and NumPy's, which these keep
    "_Pycs_DebugOffsets", "_Pycs_ManagedBuffer",
    "DLDataType", "DLDevice", "DLManagedTensor", "DLManagedTensorVersioned", "DLPackExchangeAPI",
    "DLPackExchangeAPIHeader", "DLPackVersion", "DLTensor", "_Pycs_NumPy", "_Pycs_NumPyDescr",
    # what Cython's modules say in their slots, as its utility code has it
    f"{P}VtableData",
    # our words, as the limited API has them
    f"{P}Type",
}

WIDTHS = {
    "int": (4, 4), "unsigned": (4, 4), "char": (1, 1), "uint32_t": (4, 4), "int32_t": (4, 4), "uint16_t": (2, 2),
    "uint64_t": (8, 8), "long": (8, 4), "Py_ssize_t": (8, 4), "size_t": (8, 4), "uintptr_t": (8, 4),
    "getter": (8, 4), "setter": (8, 4), "PyGetSetDef": (40, 20),
    "PyHeapTypeObject": (0, 0),                 # CPython's; what stands behind it is counted from its end
    "PyTypedMethodError": (8, 8),
}
ALIGNMENTS = {"PyGetSetDef": (8, 4), "PyHeapTypeObject": (8, 4)}


def texts(include):
    """The headers, the implementation's included, without comments."""
    for path in sorted(Path(include).rglob("*.h")):
        text = re.sub(r"/\*.*?\*/", " ", path.read_text("ascii"), flags=re.DOTALL)
        yield path, in_full(text.replace("\\\n", " "))
    yield TYPED, re.sub(r"/\*.*?\*/", " ", typed_table(), flags=re.DOTALL)


def in_full(text):
    """The text with the pointers to functions, which a list macro makes, in their struct."""
    functions = re.findall(r"FUNCTION\(([^,]+), (\w+), \(([^()]*)\)\)", text)
    members = "".join(f"    {result}{'' if result.endswith('*') else ' '}(*{name})({' '.join(arguments.split())});\n"
                      for result, name, arguments in functions)
    return re.sub(r"(?m)^    _Pycs_FUNCTIONS\(_Pycs_POINTER\)\n", lambda match: members, text)


def typed_table():
    text = TYPED.read_text("ascii")
    return text[text.index("[typed.begin] */") + len("[typed.begin] */"):text.index("/* [typed.end]")]


class Struct:
    """A struct or union: its name and members [(declaration, name, type, is pointer, length)]."""

    def __init__(self, name, kind, body):
        self.name, self.kind, self.members = name, kind, []
        self.narrow = set()                     # members on 32-bit platforms only
        narrow = False
        for piece in re.split(r"(?m)(^ *#.*$)|;", body):
            piece = " ".join((piece or "").split())
            if piece.startswith("#"):
                narrow = piece == "#if UINTPTR_MAX <= 0xFFFFFFFFu"
                if not narrow and piece != "#endif":
                    raise ValueError(f"{name}: found '{piece}' in a struct that modules share; it must "
                                     "be the same in every build, whatever is defined")
            elif piece:
                self.add(piece, narrow)

    def add(self, piece, narrow):
        pointer = re.match(r".*?\(\*(\w+)\)\(", piece)
        if pointer:
            declarators = [(piece, pointer[1], None, True, 1)]
        else:
            first, *more = piece.split(",")
            base, stars, name, length = re.match(
                r"(.*?\w)\s*((?:\*(?:\s*const)?\s*)*)\s*\b(\w+)(?:\[(\w+)\])?$", first).groups()
            kind = re.sub(r"\b(const|struct|unsigned(?= \w))\s+", "", base).strip()
            declarators = [(" ".join(first.split()), name, kind, bool(stars), length or 1)]
            for text in more:
                name, length = re.match(r"\s*\**\s*(\w+)(?:\[(\w+)\])?$", text).groups()
                spelled = f"{base} {'*' * text.count('*')}{name}"
                declarators.append((spelled, name, kind, "*" in text, length or 1))
        self.members += declarators
        if narrow:
            self.narrow.update(name for _, name, *_ in declarators)


def structs(include):
    """{name: Struct} of all headers."""
    found = {}
    for _, text in texts(include):
        for match in re.finditer(r"(?m)^(?:typedef )?(struct|union)\s*(\w*)\s*\{", text):
            end, depth = match.end(), 1
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            name = re.match(r"\s*(\w*)", text[end:])[1] or match[2]
            if name in WIDTHS:
                continue
            try:
                found[name] = Struct(name, match[1], text[match.end():end - 1])
            except AttributeError:
                found[name] = None              # nothing that can be shared, see reached()
    return found


def reached(known, names, others):
    """The structs that these, and their members, lead to; without what belongs to `others`."""
    order = []
    queue = list(names)
    while queue:
        name = queue.pop(0)
        if name in order or name in others:
            continue
        if known.get(name) is None:
            raise ValueError(f"{name}: found no definition that this script understands; write one "
                             "member a line, or teach it")
        order.append(name)
        queue += [word for declaration, *_ in known[name].members
                  for word in re.findall(r"\w+", declaration) if word in known and word not in queue]
    return order


class Layout:
    """Sizes and places by the rules that all compilers follow."""

    def __init__(self, known, defined):
        self.known, self.defined = known, defined

    def width(self, kind, pointer, column):
        """(size, alignment) of a type."""
        if pointer:
            return (8, 8) if column == 0 else (4, 4)
        if kind in WIDTHS:
            size = WIDTHS[kind][column]
            return size, ALIGNMENTS.get(kind, WIDTHS[kind])[column]
        size, alignment, _ = self.places(kind, column)
        return size, alignment

    def places(self, name, column):
        """(size, alignment, {member: (offset, size)})."""
        struct, end, most, places = self.known[name], 0, 1, {}
        for _, member, kind, pointer, length in struct.members:
            if member in struct.narrow and column == 0:
                continue
            size, alignment = self.width(kind, pointer, column)
            size *= int(self.defined.get(length, length), 0) if isinstance(length, str) else length
            at = 0 if struct.kind == "union" else -(-end // alignment) * alignment
            places[member] = at, size
            end, most = max(end, at + size), max(most, alignment)
        return -(-end // most) * most, most, places


def constants(include):
    """[(name, value as it is written)], a name twice where the platform decides."""
    found = []
    for _, text in texts(include):
        found += re.findall(r'(?m)^ *# *define +((?:Py(?:CustomSlots|ExtensibleType|TypedMethod)|_Pycs)_\w+) +'
                            r'((?:\(+\w+\))?\(?-?\w*\d\w*\)*|"[^"\n]*") *$', text)
    return [(name, value) for name, value in found if not UNSHARED.match(name) and re.search(r'^"|(?<!\w)\d', value)]


def record(include):
    """{group: lines} of what the headers say."""
    known, defined = structs(include), dict(constants(include))
    layout, lines, told = Layout(known, defined), {}, set()
    roots = {name for names, _ in GROUPS.values() for name in names}
    for group, (names, _) in GROUPS.items():
        lines[group] = []
        for name in reached(known, names, told | roots - set(names)):
            told.add(name)
            wide, narrow = (layout.places(name, column) for column in (0, 1))
            lines[group].append(f"{known[name].kind} {name}: {wide[0]}, {narrow[0]}")
            for declaration, member, *_ in known[name].members:
                places = [places.get(member, ("-", "-")) for _, _, places in (wide, narrow)]
                lines[group].append("    {:>5} {:>4}   {:>5} {:>4}   ".format(*places[0], *places[1]) + declaration)
    lines[CONSTANTS[0]] = [f"{name} {value}" for name, value in sorted(set(constants(include)))]
    return lines


def unexplained(include):
    """Structs of the headers that are neither recorded nor said to be private."""
    recorded = {re.match(r"\w+ (\w+):", line)[1] for lines in record(include).values()
                for line in lines if re.match(r"(struct|union) ", line)}
    return sorted(set(structs(include)) - recorded - PRIVATE)


HEAD = """\
# Where everything stands that modules of different ages share in one process; see snapshot.py.
#
# A struct has its size in bytes, a member its offset and its size, on 64-bit platforms and on
# 32-bit ones.  What stands behind PyHeapTypeObject is counted from its end.
"""


def text_of(lines):
    return HEAD + "".join(f"\n[{group}]\n" + "\n".join(lines[group]) + "\n" for group in lines)


def recorded():
    """{group: lines} of the record."""
    lines = {}
    for line in RECORD.read_text("ascii").splitlines():
        if line.startswith("["):
            lines[line[1:-1]] = group = []
        elif line and not line.startswith("#"):
            group.append(line)
    return lines


def changes(include):
    """What differs from the record, and what to do about it; "" if nothing does."""
    before, now, told = recorded(), record(include), []
    advice = {group: text for group, (_, text) in GROUPS.items()} | dict([CONSTANTS])
    for group in advice:
        difference = list(difflib.unified_diff(
            before.get(group, []), now.get(group, []), "recorded", "now", lineterm="", n=1))
        if difference:
            told.append(f"{group} changed; {advice[group]}.\n" + "\n".join(difference[2:]))
    if told:
        told.append("If that is done, or nothing but a name or a comment changed, record it: "
                    "python tests/layout/snapshot.py")
    return "\n\n".join(told)


def program(lines):
    """The text of a C file that compiles where everything stands as it is recorded."""
    rows = ['#include "extensibletype.h"\n#include "typedmethod.h"\n#include "pin.h"\n', typed_table()]
    for line in (line for group in GROUPS for line in lines[group]):
        match = re.match(r"(?:struct|union) (\w+): (\d+), (\d+)", line)
        if match:
            struct, wide, narrow = match.groups()
            extra = " - sizeof(PyHeapTypeObject)" if struct.startswith("PyHeap") else ""
            rows.append(f"IS(sizeof({struct}){extra}, {wide}, {narrow});\n")
            continue
        places, declaration = line.split()[:4], line[29:]
        member = re.search(r"\(\*(\w+)\)\(|(\w+)(?:\[\w+\])?$", declaration)
        member = member[1] or member[2]
        if member == "etp_heaptype":
            continue                    # CPython's, and the first
        rows.append(f"IS(offsetof({struct}, {member}){extra}, {places[0]}, {places[2]});\n"
                    f"IS(sizeof((({struct} *)0)->{member}), {places[1]}, {places[3]});\n")
        if places[0] == "-":
            rows[-1] = "#if UINTPTR_MAX <= 0xFFFFFFFFu\n" + rows[-1].replace("-,", "0,") + "#endif\n"
    return "".join(rows)


if __name__ == "__main__":
    import cython_customslots
    include = cython_customslots.get_include()
    print(changes(include) if RECORD.exists() else "a first record", file=sys.stderr)
    RECORD.write_text(text_of(record(include)), "ascii")
