/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types and constants of other systems' scripts that neither D nor Linux has. */

typedef uint32_t major_t;
typedef uint32_t minor_t;
typedef id_t ctid_t;
typedef int32_t pri_t;
typedef int cpuid_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; long tv_usec; };
typedef struct timespec timespec_t;
typedef struct timespec timestruc_t;
typedef uint64_t pgcnt_t;
typedef long spgcnt_t;
typedef uint64_t pfn_t;
typedef int64_t daddr_t;
typedef int64_t diskaddr_t;
typedef uint64_t ino64_t;
typedef int64_t off64_t;
typedef int64_t blkcnt64_t;
typedef uint64_t fsblkcnt64_t;
typedef uint64_t u_offset_t;
typedef uint32_t in_addr_t;

inline int PR_MODEL_UNKNOWN = 0;
inline int PR_MODEL_ILP32 = 1;
inline int PR_MODEL_LP64 = 2;

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;
inline char SWAIT = 7;
