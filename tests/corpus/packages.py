# SPDX-License-Identifier: MIT
"""The packages that are built from their sdists through the compiler layer."""

from dataclasses import dataclass, field

INPLACE = (("setup.py", "build_ext", "--inplace"),)
BACKEND = (("backend",),)      #: pyproject.toml's, whatever it is

SETUPTOOLS = "setuptools>=77"


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    requires: tuple      #: what building and testing it needs, besides Cython
    modules: tuple       #: compiled modules, whose classes are counted; or the package whose modules are replaced
    tests: tuple         #: arguments of pytest, in the unpacked sdist, or the copy; {source}: where the sdist is
    selections: tuple = ("all",)    #: which selections it belongs to
    steps: tuple = INPLACE          #: how it is built: setup.py, cython, backend, modules
    root: str = "."                 #: where its packages lie
    depends: tuple = ()             #: packages of this list that are built before it
    plain: tuple = ()               #: the same, but with plain Cython in both cases
    note: str = ""                  #: behind its name in the table
    metaclass: str = ""             #: what the option of that name says
    borrows: bool = False           #: --borrow-views, in place of --extend-all
    replaced: tuple = ()            #: .pyx whose modules take the place of the wheel's
    options: dict = field(default_factory=dict)     #: what cythonize() is told of them
    includes: tuple = ()            #: where their headers are, besides NumPy's


def large(name, version, package, replaced, tests, lies_in="", tests_in="", requires=(), **more):
    """A package that is not built: some of its modules, with typed memoryviews, take the place of the wheel's."""
    return Package(
        name, version, modules=(package,), requires=(f"{name}=={version}", "pytest", SETUPTOOLS, *requires),
        tests=tuple(f"{tests_in}{package}/{path}" for path in tests.split()), selections=("views",),
        steps=(("modules",),), note="borrowing", borrows=True,
        replaced=tuple(f"{lies_in}{package}/{module}.pyx" for module in replaced.split()), **more)


PACKAGES = (
    Package(
        "cytoolz", "1.2.0",
        requires=("toolz", "pytest", SETUPTOOLS, "setuptools-git-versioning>=2.0"),
        modules=("cytoolz.dicttoolz", "cytoolz.functoolz", "cytoolz.itertoolz",
                 "cytoolz.recipes", "cytoolz.utils"),
        tests=("cytoolz/tests",),
    ),
    Package(
        "cymem", "2.0.16",
        requires=("pytest", SETUPTOOLS),
        modules=("cymem.cymem",),
        tests=("cymem/tests",),
    ),
    Package(
        "murmurhash", "1.0.16",
        requires=("pytest", SETUPTOOLS),
        modules=("murmurhash.mrmr",),
        tests=("murmurhash/tests",),
        selections=(),              # it has no classes, but preshed cimports it
    ),
    Package(
        "preshed", "3.0.15",        # calls the C methods of cymem's class
        requires=("pytest", SETUPTOOLS),
        modules=("preshed.maps", "preshed.bloom", "preshed.counter"),
        tests=("preshed/tests",),
        depends=("cymem", "murmurhash"),
        selections=("ci", "all"),
    ),
    Package(
        "preshed", "3.0.15",        # extensible classes that hold one of plain Cython's
        requires=("pytest", SETUPTOOLS),
        modules=("preshed.maps", "preshed.bloom", "preshed.counter"),
        tests=("preshed/tests",),
        plain=("cymem", "murmurhash"), note="on plain cymem",
    ),
    Package(
        "fastrlock", "0.8.4",
        requires=("pytest", SETUPTOOLS),
        modules=("fastrlock.rlock",),
        tests=("fastrlock/tests",),
    ),
    Package(
        "msgpack", "1.2.4",
        requires=("pytest", SETUPTOOLS),
        modules=("msgpack._cmsgpack",),
        tests=("test",),
        steps=(("cython", "-3", "msgpack/_cmsgpack.pyx"), *INPLACE),
    ),
    Package(
        "propcache", "0.5.4",
        requires=("pytest", "pytest-codspeed", SETUPTOOLS, "expandvars"),
        modules=("propcache._helpers_c",),
        tests=("tests",),
        steps=BACKEND, root="src",
    ),
    Package(
        "frozenlist", "1.8.0",
        requires=("pytest", SETUPTOOLS, "expandvars"),
        modules=("frozenlist._frozenlist",),
        tests=("tests",),
        steps=BACKEND,
        selections=("ci", "all"),
    ),
    Package(
        "yarl", "1.25.1",
        requires=("pytest", "pytest-codspeed", "hypothesis", "idna", "multidict", "propcache",
                  SETUPTOOLS, "expandvars"),
        modules=("yarl._quoting_c",),
        tests=("tests",),
        steps=BACKEND,
    ),
    Package(
        "httptools", "0.9.0",
        requires=("pytest", SETUPTOOLS),
        modules=("httptools.parser.parser", "httptools.parser.url_parser"),
        tests=("tests",),
    ),
    Package(
        "quicktions", "1.24",
        requires=("pytest", SETUPTOOLS),
        modules=("quicktions",),
        tests=("src/test_fractions.py",),
        root="src",
    ),
    Package(
        "cftime", "1.6.6.1",
        requires=("pytest", "numpy", SETUPTOOLS),
        modules=("cftime._cftime",),
        tests=("test",),
        root="src",
    ),
    Package(
        "dtaidistance", "2.5.1",    # small calls with two arrays, fused functions
        requires=("pytest", "numpy", "scipy", SETUPTOOLS, "wheel"),
        modules=(),
        tests=("tests",),
        steps=(("setup.py", "--noopenmp", "build_ext", "--inplace"),), root="src",
        borrows=True, note="borrowing",
    ),
    Package(
        "lxml", "6.1.3",            # public classes, _Element among them, in chains
        requires=("pytest", SETUPTOOLS),
        modules=("lxml.etree", "lxml.objectify"),
        tests=("src/lxml/tests",),
        steps=(("setup.py", "build_ext", "--inplace", "--with-cython"),), root="src",
        selections=(),              # it needs the headers of libxml2 and libxslt
    ),
    Package(
        "SQLAlchemy", "2.1.9",      # pure Python mode; classes under Python classes
        requires=("pytest", "pytest-xdist", "typing-extensions", "greenlet", SETUPTOOLS),
        modules=("sqlalchemy.engine._processors_cy", "sqlalchemy.engine._row_cy",
                 "sqlalchemy.sql._cache_key_cy", "sqlalchemy.sql._util_cy",
                 "sqlalchemy.util._collections_cy", "sqlalchemy.util._immutabledict_cy"),
        tests=("test/base", "test/engine/test_processors.py", "test/sql/test_resultset.py"),
        root="lib",
        # RowMapping derives from its BaseRow and an abstract base class: a metaclass conflict,
        # see docs/design.md, "Limits".
        metaclass="sqlalchemy.engine._row_cy.BaseRow=abc.ABCMeta",
    ),
    large(
        "scikit-learn", "1.9.1", "sklearn",
        """_isotonic decomposition/_cdnmf_fast decomposition/_online_lda_fast linear_model/_cd_fast
        linear_model/_sag_fast manifold/_utils metrics/cluster/_expected_mutual_info_fast
        preprocessing/_csr_polynomial_expansion utils/_isfinite utils/arrayfuncs utils/sparsefuncs_fast""",
        """tests/test_isotonic.py decomposition/tests/test_nmf.py decomposition/tests/test_online_lda.py
        linear_model/tests/test_coordinate_descent.py linear_model/tests/test_least_angle.py
        metrics/cluster/tests/test_supervised.py preprocessing/tests/test_polynomial.py utils/tests/test_arrayfuncs.py
        utils/tests/test_sparsefuncs.py""",
        options={"compiler_directives": {"boundscheck": False, "wraparound": False, "initializedcheck": False,
                                         "cdivision": True}},
    ),
    large(
        "scipy", "1.17.1", "scipy",
        """cluster/_hierarchy cluster/_optimal_leaf_ordering cluster/_vq interpolate/_ppoly signal/_max_len_seq_inner
        signal/_peak_finding_utils signal/_sosfilt signal/_upfirdn_apply spatial/_hausdorff spatial/_voronoi
        spatial/transform/_rotation_cy""",
        """cluster/tests signal/tests/test_max_len_seq.py signal/tests/test_peak_finding.py signal/tests/test_upfirdn.py
        spatial/tests/test_hausdorff.py spatial/tests/test_spherical_voronoi.py
        spatial/transform/tests/test_rotation.py""",
        requires=("hypothesis",),
    ),
    large(
        "pandas", "3.1.1", "pandas",
        "_libs/groupby _libs/join _libs/reshape _libs/sparse _libs/window/aggregations _libs/window/indexers",
        """tests/arrays/sparse tests/groupby/test_libgroupby.py tests/libs/test_join.py tests/reshape/test_qcut.py
        tests/window/test_rolling.py""",
        includes=("pandas/_libs/include",), requires=("hypothesis",),
    ),
    large(
        "scikit-image", "0.26.0", "skimage",
        """feature/_canny_cy feature/_texture feature/corner_cy filters/rank/bilateral_cy filters/rank/core_cy
        filters/rank/core_cy_3d filters/rank/generic_cy filters/rank/percentile_cy measure/_moments_cy measure/_pnpoly
        transform/_warps_cy""",
        """feature/test_canny.py feature/test_texture.py feature/test_corner.py filters/rank/test_rank.py
        measure/test_moments.py measure/test_pnpoly.py transform/test_warps.py""",
        lies_in="src/", tests_in="{source}/tests/", requires=("pytest-pretty",),
    ),
)
