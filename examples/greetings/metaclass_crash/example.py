"""The crash, shown safely: what crashes is a child process.

Run with the argument "crash" this script is that child.
"""
import signal
import subprocess
import sys


def crash():
    try:  # it is meant to crash, so spare the user a core file
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except ImportError:
        pass
    import greetings

    print(greetings.Hello().greet())

    class FriendlyHello(greetings.Hello):
        pass

    print("type(Hello) =", type(greetings.Hello))
    print("type(FriendlyHello) =", type(FriendlyHello))
    print("Calling FriendlyHello().greet()...", flush=True)
    print(FriendlyHello().greet())


def main():
    code = subprocess.call([sys.executable, __file__, "crash"])
    if code < 0:  # on POSIX: killed by this signal
        number = signal.Signals(-code)
        print(f"The child process died: {number.name} ({signal.strsignal(number)})")
    elif code:  # on Windows: an NTSTATUS, 0xC0000005 is an access violation
        print(f"The child process died: exit code {code:#x}")
    else:
        print("The child process survived, which was not expected")
    return 0 if code else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["crash"]:
        crash()
    else:
        sys.exit(main())
