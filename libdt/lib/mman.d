/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mmap(2) and mprotect(2). */

inline int PROT_NONE = 0x0;
inline int PROT_READ = 0x1;
inline int PROT_WRITE = 0x2;
inline int PROT_EXEC = 0x4;
inline int MAP_SHARED = 0x1;
inline int MAP_PRIVATE = 0x2;
inline int MAP_SHARED_VALIDATE = 0x3;
inline int MAP_TYPE = 0xf;
inline int MAP_FIXED = 0x10;
inline int MAP_ANONYMOUS = 0x20;
inline int MAP_ANON = 0x20;
inline int MAP_GROWSDOWN = 0x100;
inline int MAP_DENYWRITE = 0x800;
inline int MAP_LOCKED = 0x2000;
inline int MAP_NORESERVE = 0x4000;
inline int MAP_POPULATE = 0x8000;
inline int MAP_NONBLOCK = 0x10000;
inline int MAP_STACK = 0x20000;
inline int MAP_HUGETLB = 0x40000;
inline int MAP_SYNC = 0x80000;
inline int MAP_FIXED_NOREPLACE = 0x100000;
/* Flags of other systems that Linux has not: no call has them. */
inline int MAP_ALIGN = 0;
inline int MAP_TEXT = 0;
inline int MAP_INITDATA = 0;
