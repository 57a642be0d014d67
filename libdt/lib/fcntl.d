/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flags of open(2) and openat(2), and of the *at() calls. Those that differ between machines are
 * in lib.c. */

inline int O_RDONLY = 00;
inline int O_WRONLY = 01;
inline int O_RDWR = 02;
inline int O_ACCMODE = 03;
inline int O_CREAT = 0100;
inline int O_EXCL = 0200;
inline int O_NOCTTY = 0400;
inline int O_TRUNC = 01000;
inline int O_APPEND = 02000;
inline int O_ASYNC = 020000;
inline int O_FSYNC = 04010000; /* O_SYNC */
inline int O_NONBLOCK = 04000;
inline int O_DSYNC = 010000;
inline int O_NOATIME = 01000000;
inline int O_CLOEXEC = 02000000;
inline int O_PATH = 010000000;
inline int O_NDELAY = O_NONBLOCK;
inline int O_SYNC = 04000000 | O_DSYNC;
inline int O_RSYNC = O_SYNC;
inline int O_TMPFILE = 020000000 | O_DIRECTORY;

/* Names of the same in other systems' kernels. */
inline int FAPPEND = O_APPEND;
inline int FNDELAY = O_NONBLOCK;
inline int FSYNC = O_SYNC;

inline int AT_FDCWD = -100;
inline int AT_SYMLINK_NOFOLLOW = 0x100;
inline int AT_EACCESS = 0x200;
inline int AT_REMOVEDIR = 0x200;
inline int AT_SYMLINK_FOLLOW = 0x400;
inline int AT_EMPTY_PATH = 0x1000;

inline int SEEK_SET = 0;
inline int SEEK_CUR = 1;
inline int SEEK_END = 2;
inline int SEEK_DATA = 3;
inline int SEEK_HOLE = 4;
inline int F_DUPFD = 0;
inline int F_GETFD = 1;
inline int F_SETFD = 2;
inline int F_GETFL = 3;
inline int F_SETFL = 4;
inline int F_GETLK = 5;
inline int F_SETLK = 6;
inline int F_SETLKW = 7;
inline int F_GETLK64 = F_GETLK;
inline int F_SETLK64 = F_SETLK;
inline int F_SETLKW64 = F_SETLKW;
inline int F_OK = 0;
inline int R_OK = 4;
inline int W_OK = 2;
inline int X_OK = 1;

inline int S_IFMT = 0170000;
inline int S_IFSOCK = 0140000;
inline int S_IFLNK = 0120000;
inline int S_IFREG = 0100000;
inline int S_IFBLK = 060000;
inline int S_IFDIR = 040000;
inline int S_IFCHR = 020000;
inline int S_IFIFO = 010000;
inline int S_ISUID = 04000;
inline int S_ISGID = 02000;
inline int S_ISVTX = 01000;
inline int S_IRWXU = 0700;
inline int S_IRWXG = 070;
inline int S_IRWXO = 07;
inline int S_IRUSR = 0400;
inline int S_IWUSR = 0200;
inline int S_IXUSR = 0100;
inline int S_IRGRP = 040;
inline int S_IWGRP = 020;
inline int S_IXGRP = 010;
inline int S_IROTH = 04;
inline int S_IWOTH = 02;
inline int S_IXOTH = 01;
