/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables of other systems' kernels that scripts look at: `name, also unix`name and
 * genunix`name, means dt_unix_name here unless Linux has a variable of that name. What does not
 * change while the system runs is in system.d, a text that is made when it is wanted
 * (libdt/lang/system.c); the rest dtrace keeps up to date, each second (libdt/engine/sysstat.c).
 */

/* Load averages over 1, 5 and 15 minutes, in fixed point with 16 fractional bits; avenrun[] of
 * theirs has 8. */
inline int dt_unix_hp_avenrun[int i] = dt_sysstat(i);

/* Pages: free; available without swapping; of swap space in all, and taken. */
inline uint64_t dt_unix_freemem = dt_sysstat(3);
inline uint64_t dt_unix_availrmem = dt_sysstat(4);
inline uint64_t dt_unix_swapfs_minfree = 0;
inline uint64_t dt_unix_swapfs_reserve = 0;
inline uint64_t dt_unix_pages_locked = 0; /* they are not counted */
struct dt_k_anoninfo {
	uint64_t ani_max;
	uint64_t ani_free;
	uint64_t ani_phys_resv;
	uint64_t ani_mem_resv;
	uint64_t ani_locked_swap;
};
translator struct dt_k_anoninfo < int X > {
	ani_max = dt_sysstat(5);
	ani_free = dt_sysstat(5) - dt_sysstat(6);
	ani_phys_resv = dt_sysstat(6);
	ani_mem_resv = 0;
	ani_locked_swap = 0;
};
inline struct dt_k_anoninfo dt_unix_k_anoninfo = xlate <struct dt_k_anoninfo>(0);

inline pid_t dt_unix_mpid = dt_sysstat(7); /* the last process id given out */
inline int dt_unix_nswapped = 0; /* Linux swaps pages, not processes */
inline int64_t dt_unix_lbolt = dt_monotonic / 10000000;
inline int64_t dt_unix_hz = 100;

struct dt_utsname {
	string sysname;
	string nodename;
	string release;
	string version;
	string machine;
};
translator struct dt_utsname < int X > {
	sysname = dt_uts_sysname;
	nodename = dt_uts_nodename;
	release = dt_uts_release;
	version = dt_uts_version;
	machine = dt_uts_machine;
};
inline struct dt_utsname dt_unix_utsname = xlate <struct dt_utsname>(0);
inline string dt_unix_platform = dt_uts_machine;
inline string dt_unix_architecture = dt_uts_machine;
