# SPDX-License-Identifier: MIT
"""What docs/abstract-classes.md says of protocols, which differs between versions of CPython."""
import pages
import pytest
import support

pytestmark = pytest.mark.interpreters

PAGE = "abstract-classes.md"


@pytest.fixture(scope="module")
def built():
    examples = pages.Examples(PAGE)
    return examples.build(examples.write(support.cache_directory("pages", PAGE)))


def test_a_protocol_with_a_field_asks_the_class_and_with_an_instance_it_depends_on_the_version(built):
    support.check_child("""
        import sys, typing
        from sized import Sized

        @typing.runtime_checkable
        class HasSize(typing.Protocol):
            size: int

        @typing.runtime_checkable
        class HasBytes(typing.Protocol):
            def bytes(self) -> int: ...

        class Python(Sized, size=3):
            pass

        for cls in Sized, Python:
            assert isinstance(cls, HasSize) and not hasattr(cls(), "size")
            assert isinstance(cls(), HasSize) is (sys.version_info >= (3, 12))
            assert isinstance(cls(), HasBytes) and issubclass(cls, HasBytes)
    """, modules=built)
