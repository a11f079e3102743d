#!/usr/bin/env -S python3 -IS
# SPDX-License-Identifier: MIT
"""A C compiler that compiles what it has not compiled before: a link to this file has the compiler's name.

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


def main(path, arguments):
    here, name = os.path.split(path)
    paths = os.pathsep.join(each for each in os.environ["PATH"].split(os.pathsep) if each != here)
    command = [shutil.which(name, path=paths), *(word for word in arguments if word != "-Werror")]
    if "-c" not in command or "-o" not in command or command[-1] == "-":
        os.execv(command[0], command)
    kept = os.environ["CUSTOMSLOTS_MUTANTS_OBJECTS"]
    at = command.index("-o")
    output = command[at + 1]
    plain = [*command[:at], *command[at + 2:]]
    done = subprocess.run([*(word for word in plain if word != "-c"), "-E", "-P"], stdout=subprocess.PIPE)
    if done.returncode:
        return done.returncode
    flags = [word for word in plain if word.startswith("-") and not word.startswith(("-I", "-M"))]
    path = os.path.join(kept, hashlib.sha256(repr((command[0], flags)).encode() + done.stdout).hexdigest())
    if not os.path.exists(path):
        done = subprocess.run(command, stderr=subprocess.PIPE)
        sys.stderr.buffer.write(done.stderr)
        if done.returncode or done.stderr:          # a warning has to be said again
            return done.returncode
        with tempfile.NamedTemporaryFile(dir=kept, delete=False) as copy:
            copy.close()
            shutil.copyfile(output, copy.name)
            os.replace(copy.name, path)
    else:
        shutil.copyfile(path, output)
    return 0


sys.exit(main(sys.argv[0], sys.argv[1:]))
