// Compiles ../sums_c.c with the headers of the cython-customslots of $PYO3_PYTHON, for the limited API of CPython 3.11.
use std::{env, process::Command};

fn main() {
    let python = env::var("PYO3_PYTHON").unwrap_or_else(|_| "python3".into());
    let said = Command::new(&python)
        .args(["-c", "import sysconfig, cython_customslots as c; print(c.get_include(), sysconfig.get_path('include'))"])
        .output().expect("a Python that runs");
    assert!(said.status.success(), "found no cython-customslots in {python}, expected it there; install it, or set PYO3_PYTHON");
    let paths = String::from_utf8(said.stdout).unwrap();
    cc::Build::new().includes(paths.split_whitespace()).define("Py_LIMITED_API", "0x030B0000").warnings(false)
        .file("../sums_c.c").compile("sums");
    println!("cargo:rerun-if-changed=../sums_c.c");
}
