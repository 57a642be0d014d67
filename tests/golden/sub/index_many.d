/* SPDX-License-Identifier: GPL-2.0-or-later */
BEGIN { trace(index("a", "b", 1, 2)); }
