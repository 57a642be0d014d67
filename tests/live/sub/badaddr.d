/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @@err: */
/*
 * Addresses where there is nothing, or nothing of ours; bases that are none; more than there is
 * room for.
 */
#pragma D option quiet

BEGIN { g = 2; s = "kept"; printf("%s\n", copyinstr(0x10)); }
BEGIN { printf("%s\n", copyinstr(0x20, 5)); }
BEGIN { printf("%s\n", strjoin("x", copyinstr(0x30, g))); }
BEGIN { printf("%d\n", *(char *)copyin(0x40, 8)); }
BEGIN { printf("%p\n", copyin(0x50, g)); }
BEGIN { this->p = (char *)alloca(8); copyinto(0x60, 8, this->p); }
BEGIN { copyinto(0, 8, (void *)0x70); }
BEGIN { this->p = (char *)alloca(8); bcopy((void *)0x80, this->p, 8); }
BEGIN { bcopy((char *)s, (void *)0x90, 4); }
BEGIN { bcopy((char *)s, (void *)0xa0, g); }
BEGIN { *(char *)0xb0 = 1; }
BEGIN { printf("%s\n", lltostr(1, 1)); }
BEGIN { printf("%s\n", lltostr(1, 37)); }
BEGIN { printf("%s\n", lltostr(1, g - 3)); }
BEGIN { printf("%d\n", strtoll("1", 0)); }
BEGIN { printf("%d\n", strtoll("1", g - 2)); }
BEGIN { this->p = (char *)alloca(g * 500000000000); }
BEGIN { this->p = (char *)alloca(g - 3); }
BEGIN { this->p = (char *)copyin(0, -g); }
BEGIN { this->p = (char *)alloca(8); bcopy((char *)s, this->p, 1000000); }
BEGIN { this->p = (char *)alloca(8); bcopy((char *)s, this->p + 0x10000000, 8); }
BEGIN { printf("the rest: %d %s\n", g, s); exit(0); }
