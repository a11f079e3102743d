# SPDX-License-Identifier: MIT
"""What options and the comments at the top of a module say."""
