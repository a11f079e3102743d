# SPDX-License-Identifier: MIT
"""Wheels of what is installed: pip finds in a folder what it would fetch, and the package under test."""
import zipfile
from importlib import metadata
from pathlib import PurePosixPath


def is_installed(name):
    try:
        return metadata.distribution(name) is not None
    except metadata.PackageNotFoundError:
        return False


def pack(name, directory):
    """Write the wheel of an installed package into a folder."""
    distribution = metadata.distribution(name)
    tags = [line.partition(": ")[2] for line in distribution.read_text("WHEEL").splitlines()
            if line.startswith("Tag: ")]
    python, abi, _ = tags[0].split("-")
    platform = ".".join(sorted({tag.split("-")[2] for tag in tags}))
    stem = f"{distribution.name.replace('-', '_')}-{distribution.version}"
    with zipfile.ZipFile(directory / f"{stem}-{python}-{abi}-{platform}.whl", "w") as wheel:
        for file in distribution.files:
            path = PurePosixPath(file)
            # Commands are written anew; what pip noted is of the other environment.
            if ".." not in path.parts and path.suffix != ".pyc" and path.name not in (
                    "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"):
                wheel.write(file.locate(), str(path))
    return directory
