# cython: language_level=3
"""The interfaces, for Python: geometry.Shape, geometry.Region, geometry.Labelled."""
