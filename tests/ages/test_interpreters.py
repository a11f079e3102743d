# SPDX-License-Identifier: MIT
"""Taking over is a matter of one interpreter."""
import textwrap

import ages
import pytest
import support

pytestmark = pytest.mark.thorough


def check(code, *names, **options):
    paths = [support.TESTS / "support.py", *(ages.build(name) for name in names)]
    ages.check("import support\npath = sys.path[:]\n" + textwrap.dedent(code), *names, modules=paths, **options)


ELSEWHERE = """
    import sys
    sys.path[:] = {path!r}
    import age_old
    Rich = age_old.rich_metaclasses
    def classes():
        class Base(metaclass=age_old.import_metaclass()):
            def __init_subclass__(cls):
                assert age_old.find_type(cls, 257) == 1
        age_old.set_slots(Base, [(257, 1)])
        class Sub(Base):
            pass
        age_old.set_slots(Sub, [(513, 2)])
        class Other(metaclass=age_old.import_metaclass()):
            pass
        age_old.set_slots(Other, [(769, 3)])
        class Below(Sub):
            pass
        assert dict(age_old.table_type(Below)) == {{257: 1, 513: 2}}
        Sub.__bases__ = (Other,)
        assert dict(age_old.table_type(Below)) == {{769: 3, 513: 2}}
        return Base, Sub, Other, Below
    kept = classes()
"""


@pytest.mark.parametrize("newer", support.thoroughly(["new", "field"], thorough=0))
def test_it_is_taken_over_in_one_interpreter_only(newer, tmp_path):
    code = textwrap.dedent(ELSEWHERE) + textwrap.dedent("""
        {more}
        kept = [kept, classes()]
        with open(target, "a") as file:
            file.write(age_old.serving() + "\\n")
        """)
    old, new = "age_old 0.0.9", ages.named(newer)
    check(f"""
        import age_old, exercise
        target = {str(tmp_path / "rows")!r}
        def elsewhere(more=""):
            support.run_in_new_interpreter({code!r}.format(path=path, more=more), target)
        elsewhere()
        for _ in range(3):
            elsewhere("import age_{newer}")
            assert age_old.serving() == {old!r}
        exercise.together("age_old")
        import age_{newer}
        elsewhere()
        elsewhere("import age_{newer}")
        assert age_old.serving() == age_{newer}.serving() == {new!r}
        exercise.together("age_old", "age_{newer}")
        assert open(target).read().splitlines() == {[old, *[new] * 3, old, new]!r}
        """, "old", newer)


def test_it_is_taken_over_elsewhere_while_a_class_is_made_here(tmp_path):
    """One thread, in two interpreters: what it is doing in one is not the other's."""
    code = textwrap.dedent(ELSEWHERE) + textwrap.dedent("""
        import age_new
        kept = [kept, classes()]
        """)
    check(f"""
        import age_old
        Rich = age_old.rich_metaclasses()[0]
        class Base(metaclass=Rich):
            level, label = 1, "base"
            def __init_subclass__(cls):
                assert cls.level == 5
                support.run_in_new_interpreter({code!r}.format(path=path))
                assert cls.level == 5
        class S(Base, level=5):
            label = "mine"
        assert (S.level, S.label) == (5, "mine") and age_old.serving() == "age_old 0.0.9"
        import age_new
        class T(Base, level=5):
            label = "mine"
        assert (T.level, T.label) == (5, "mine") and age_old.serving() == "age_new 9.2.0"
        """, "old", "new")
