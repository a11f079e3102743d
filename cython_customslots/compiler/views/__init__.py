# SPDX-License-Identifier: MIT
"""Arguments that are typed memoryviews, and need no memoryview object."""
