/* SPDX-License-Identifier: MIT
 *
 * intrin.h - MSVC's, for platforms that have none: words.h declares what we use of it.
 */
