# SPDX-License-Identifier: MIT
"""Children run outside the checkout: what they import is the installed package."""
import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def cflags(environment):
    """The flags of the environment; the crash on purpose, strlen(NULL), is to stay a SIGSEGV."""
    own = environment.get("CFLAGS", "").split()
    if any(flag.startswith("-fsanitize=") for flag in own):
        own.append("-fno-sanitize=nonnull-attribute")
    return " ".join(own)


def run_python(*arguments, cwd, env=None, **more_env):
    """A child's CompletedProcess, stdout and stderr apart, as text."""
    environment = dict(os.environ if env is None else env, **more_env)
    environment.pop("PYTHONFAULTHANDLER", None)  # one of the examples crashes on purpose
    environment.setdefault("PYTHONIOENCODING", "utf-8")
    if "CFLAGS" in environment:
        environment["CFLAGS"] = cflags(environment)
    return subprocess.run([sys.executable, *map(str, arguments)], cwd=cwd, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", timeout=600)


def printed(*arguments, **options):
    """What a child prints that ends well and complains of nothing."""
    done = run_python(*arguments, **options)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout
