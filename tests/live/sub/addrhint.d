/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@err: */
/*
 * The kernel's memory is read where an address of a process is meant: the first message says so.
 * Addresses that no process has, and what copyin() reads, have no such hint.
 */
#pragma D option quiet

BEGIN { printf("%s\n", copyinstr(0x7f0000001000)); }
BEGIN { trace(*(int *)0x10); }
BEGIN { trace(*(int *)0xffff000000000000); }
BEGIN { this->s = stringof((char *)0x7f0000001000); }
BEGIN { trace(*(int *)0x7f0000001000); exit(0); }
BEGIN { exit(0); }
