# SPDX-License-Identifier: MIT
"""Every allocation fails once: the n-th one alone, for every n, and then all from the n-th on.

For child processes; call_failing() is that of a test module with probe_memory.c.
"""
import os
import sys
import traceback

LIMIT = 3000


class Attempt:
    """attempt(act): act() with this failure: what it returns, or the class of its exception."""

    def __init__(self, call_failing, n, forever):
        self.call_failing, self.n, self.forever = call_failing, n, forever
        self.reached = self.failed = False

    def __call__(self, act):
        sys._getframe()             # CPython loses an exception if it cannot make the object of this frame then
        result, reached = self.call_failing(act, self.n, self.forever)
        self.reached |= reached
        self.failed |= isinstance(result, type) and issubclass(result, BaseException)
        return result

    def __repr__(self):
        return f"allocation {self.n}{' and all behind it' * self.forever}"


def attempts(call_failing, least=1, limit=LIMIT, step=1):
    """Yield an Attempt for each allocation that may fail, until none is reached; at least so many must have failed."""
    for forever in False, True:
        failures = 0
        for n in range(forever * (step - 1), limit, step):
            attempt = Attempt(call_failing, n, forever)
            yield attempt
            failures += attempt.failed
            if not attempt.reached:
                break
        else:
            raise SystemExit("the failures never end")
        assert failures >= least, f"{failures} allocations failed"


def in_processes(call_failing, work, least=1):
    """work(attempt) for each of them, in a process of its own: for what is done once in a process."""
    unreached, worked, failed = range(10, 13)

    def code_of(attempt):
        try:
            work(attempt)
            return failed if attempt.failed else worked if attempt.reached else unreached
        except BaseException:
            print(attempt, flush=True)
            traceback.print_exc()
            return 1

    for attempt in attempts(call_failing, least):
        pid = os.fork()
        if pid == 0:
            os._exit(code_of(attempt))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert code in (unreached, worked, failed), (attempt, code)
        attempt.reached, attempt.failed = code != unreached, code == failed
