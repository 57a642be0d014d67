/* SPDX-License-Identifier: GPL-2.0-or-later */
BEGIN { copyinto(0, 8); }
