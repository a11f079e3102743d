#!/usr/bin/env -S python3 -IS
# SPDX-License-Identifier: MIT
"""A C compiler that compiles what it has not compiled before: CC="cc.py gcc".

An object is kept under a hash of what the preprocessor makes of its source, in the directory that
CUSTOMSLOTS_MUTANTS_OBJECTS names: most mutants leave most modules as they are.  Warnings are no errors here, since a
mutant is to be found by a test.
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile


def main(command):
    command = [word for word in command if word != "-Werror"]
    kept = os.environ.get("CUSTOMSLOTS_MUTANTS_OBJECTS")
    if not kept or "-c" not in command or "-o" not in command or command[-1] == "-":
        os.execvp(command[0], command)
    at = command.index("-o")
    output = command[at + 1]
    plain = [*command[:at], *command[at + 2:]]
    done = subprocess.run([*(word for word in plain if word != "-c"), "-E", "-P"], stdout=subprocess.PIPE)
    if done.returncode:
        return done.returncode
    flags = [word for word in plain if word.startswith("-") and not word.startswith(("-I", "-M"))]
    path = os.path.join(kept, hashlib.sha256(repr((command[0], flags)).encode() + done.stdout).hexdigest())
    if not os.path.exists(path):
        if code := subprocess.run(command).returncode:
            return code
        with tempfile.NamedTemporaryFile(dir=kept, delete=False) as copy:
            copy.close()
            shutil.copyfile(output, copy.name)
            os.replace(copy.name, path)
    else:
        shutil.copyfile(path, output)
    return 0


sys.exit(main(sys.argv[1:]))
