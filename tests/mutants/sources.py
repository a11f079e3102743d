# SPDX-License-Identifier: MIT
"""Small bugs in C, Python and Cython: what may be changed in a text, and whether a compiler sees the change."""
import collections
import re
import subprocess
import sysconfig
from typing import NamedTuple

#: Left as they are: comments, texts, and in C what is a directive but no macro, or checks what cannot be.
LEFT = {
    "c": r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#[ \t]*(?!define)\w*(?:\\\n|[^\n])*'
         r'|\b\w*(?:assert|ASSERT)\w*\(.*?\);',
    "py": r'[rfbu]*""".*?"""|#[^\n]*|[rfbu]*"(?:\\.|[^"\\\n])*"|[rfbu]*\'(?:\\.|[^\'\\\n])*\'|^ *@[^\n]*'
          r'|^ *(?:from|import)\b[^\n]*|^ *assert\b[^\n]*'}
#: (what is found, what comes in its place)
BOTH = [(r"==", "!="), (r"!=", "=="), (r"<=", "<"), (r">=", ">"), (r"(?<= )<(?= )", "<="), (r"(?<= )>(?= )", ">="),
        (r"(?<= )<(?= )", ">="), (r"(?<= )>(?= )", "<="), (r"(?<= )\+(?= )", "-"), (r"(?<= )-(?= )", "+"),
        (r"(?<= )\|(?= )", "&"), (r"(?<= )&(?= )", "|"), (r"\bbreak\b", "continue"), (r"\bcontinue\b", "break"),
        (r"(?<![\w.])0(?![\w.])", "1"), (r"(?<![\w.])1(?![\w.])", "2"), (r"(?<![\w.])1(?![\w.])", "0"),
        (r"(?<![\w.])[2-9](?![\w.])", "1"), (r" [+-] 1\b", ""), (r"(?<= )\+=", "-="), (r"\|=", "&=")]
RULES = {
    "c": [(r"&&", "||"), (r"\|\|", "&&"), (r"!(?=[\w(])", ""), (r"\bif \((?=.)", "if (0 && "),
          (r"\bif \((?=.)", "if (1 || "), (r" && [^&|;(){}]+(?=[)&])", ""), (r" \|\| [^&|;(){}]+(?=[)|])", ""),
          (r"\+\+", "--"),
          (r"(?<=[;{}]\n)^( +)(?!return\b|sizeof)[\w>.\[\]()*-]+(?: [|&+-]?= |\()[^;{}]*;$", r"\1;")],
    "py": [(r"\band\b", "or"), (r"\bor\b", "and"), (r"\bnot (?!in\b)", ""), (r"\bis not\b", "is"),
           (r"\bis\b(?! not)", "is not"), (r"(?<!for )\bnot in\b", "in"), (r"\bTrue\b", "False"),
           (r"\bFalse\b", "True"), (r"\b(if|while|elif) (?=\S.*:$)", r"\1 not "),
           (r"^( +)(?!return\b|def\b|class\b|if\b|for\b|while\b|else\b|elif\b|try\b|except\b|with\b|pass\b|raise\b"
            r"|global\b|nonlocal\b|finally\b|c?p?def\b|cdef\b)\w[^\n]*[^,:(\[{\n+]$", r"\1pass"),
           (r"(?<![\w.])all\(", "any("), (r"(?<![\w.])any\(", "all("), (r"\breturn (?=[^\n]+$)", "return None and ")]}


class Change(NamedTuple):
    start: int
    end: int
    text: str

    def apply(self, text):
        return text[:self.start] + self.text + text[self.end:]

    def shown(self, text):
        """The lines as they were and are."""
        first, last = text.rfind("\n", 0, self.start) + 1, text.find("\n", self.end)
        was, now = text[first:last], text[first:self.start] + self.text + text[self.end:last]
        return " -> ".join(" ".join(part.split()) for part in (was, now))


def changes(path, text):
    """{line: what may be changed in it}"""
    language = "py" if path.suffix in (".py", ".pyx", ".pxd") else "c"
    # What is left becomes spaces, or, in the middle of a line, something that no rule has.
    masked = re.sub(LEFT[language], lambda left: re.sub(r"[^\n]", "\0", left[0]), text, flags=re.M | re.S)
    found = collections.defaultdict(list)
    for rule, new in [*BOTH, *RULES[language]]:
        for match in re.finditer(rule, masked, re.M):
            was, change = text[match.start():match.end()], Change(match.start(), match.end(), match.expand(new))
            if new.endswith("pass") and any(was.count(a) != was.count(b) for a, b in ("()", "[]", "{}")):
                continue
            found[text.count("\n", 0, match.start())].append(change)
    return found


def compiled(tree, path):
    """What a compiler makes of the product, as far as this file is a part of it; None if it does not take it."""
    if path.suffix in (".pyx", ".pxd") or "utility" in path.parts:      # only the tests know
        return path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        try:
            compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        except SyntaxError:
            return None
        return path.read_text(encoding="utf-8")
    top = tree / "cython_customslots"
    headers = [path.name for path in sorted((top / "include").glob("*.h"))]
    runtime = [f"runtime/{unit.name}" for unit in sorted((top / "runtime").glob("*.c"))]
    texts = []
    for language, names in (("c", headers), ("c++", [*headers, "typedmethod.hpp", "typedarray.hpp"]),
                            ("c", ["typed/_typed.c"]), ("c", runtime)):
        runtime_is = 'MODULE_NAME=""' if names == runtime else "RUNTIME_INSTALLED"
        command = ["cc", "-x", language, "-", f"-DPyExtensibleType_{runtime_is}", *(
            f"-I{each}" for each in (top / "include", top, sysconfig.get_path("include")))]
        unit = "".join(f'#include "{name}"\n' for name in names).encode()
        texts.append(subprocess.run([*command, "-E", "-P"], input=unit, capture_output=True).stdout)
        if subprocess.run([*command, "-w", "-fsyntax-only"], input=unit, capture_output=True).returncode:
            return None
    return texts
