# SPDX-License-Identifier: MIT
"""packaging/ready.py, which looks before an upload."""
import shutil
import subprocess

import pytest
import support


@pytest.mark.skipif(not shutil.which("git"), reason="git is not on this machine")
def test_an_sdist_of_another_commit_is_noticed(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(support.ROOT / "packaging"))
    import ready
    monkeypatch.setattr(ready, "ROOT", tmp_path / "tree")

    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@y.z", *arguments], cwd=ready.ROOT, check=True)
    ready.ROOT.mkdir()
    git("init", "-q")
    for text in "first", "second":
        (ready.ROOT / "source.c").write_text(text)
        git("add", "-A")
        git("commit", "-qm", text)
        git("archive", "-o", tmp_path / f"{text}.tar.gz", "--prefix=package-1/", "HEAD")
    assert ready.other_than_committed(tmp_path / "second.tar.gz") == []
    assert ready.other_than_committed(tmp_path / "first.tar.gz") == ["source.c"]
