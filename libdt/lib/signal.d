/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals, of asm-generic/signal.h, and why a child changed: si_code of SIGCHLD. */

inline int SIGHUP = 1;
inline int SIGINT = 2;
inline int SIGQUIT = 3;
inline int SIGILL = 4;
inline int SIGTRAP = 5;
inline int SIGABRT = 6;
inline int SIGIOT = 6;
inline int SIGBUS = 7;
inline int SIGFPE = 8;
inline int SIGKILL = 9;
inline int SIGUSR1 = 10;
inline int SIGSEGV = 11;
inline int SIGUSR2 = 12;
inline int SIGPIPE = 13;
inline int SIGALRM = 14;
inline int SIGTERM = 15;
inline int SIGSTKFLT = 16;
inline int SIGCHLD = 17;
inline int SIGCONT = 18;
inline int SIGSTOP = 19;
inline int SIGTSTP = 20;
inline int SIGTTIN = 21;
inline int SIGTTOU = 22;
inline int SIGURG = 23;
inline int SIGXCPU = 24;
inline int SIGXFSZ = 25;
inline int SIGVTALRM = 26;
inline int SIGPROF = 27;
inline int SIGWINCH = 28;
inline int SIGIO = 29;
inline int SIGPOLL = 29;
inline int SIGPWR = 30;
inline int SIGSYS = 31;
inline int SIGCLD = SIGCHLD;
inline int SIGRTMIN = 32; /* the kernel's; the C library keeps some for itself */
inline int SIGRTMAX = 64;

inline int CLD_NOOP = 0;
inline int CLD_EXITED = 1;
inline int CLD_KILLED = 2;
inline int CLD_DUMPED = 3;
inline int CLD_TRAPPED = 4;
inline int CLD_STOPPED = 5;
inline int CLD_CONTINUED = 6;

inline int SI_USER = 0;
inline int SI_KERNEL = 128;
inline int SI_QUEUE = -1;
inline int SI_TIMER = -2;
inline int SI_MESGQ = -3;
inline int SI_ASYNCIO = -4;
inline int SI_SIGIO = -5;
inline int SI_TKILL = -6;
