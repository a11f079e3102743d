# SPDX-License-Identifier: MIT
"""What is beside the C: annotated HTML, and what a C file was made from."""
