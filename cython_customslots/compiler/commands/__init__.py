# SPDX-License-Identifier: MIT
"""What users and build scripts call."""
