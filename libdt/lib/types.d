/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types and constants of other systems' scripts that neither D nor Linux has. */

typedef uint32_t major_t;
typedef uint32_t minor_t;
typedef id_t ctid_t;
typedef int32_t pri_t;
typedef int cpuid_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; long tv_usec; };
typedef enum uio_rw { UIO_READ, UIO_WRITE } uio_rw_t;
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
typedef uint32_t socklen_t;
typedef uint32_t useconds_t;
typedef int index_t;
typedef int bool_t;
typedef int sysid_t;
typedef uint_t model_t;
typedef uint_t zone_status_t;
typedef ulong_t len_t;
typedef short cnt_t;
typedef long lgrpid_t;
typedef ushort_t o_mode_t;
typedef short o_dev_t;
typedef dev_t l_dev_t;
typedef uchar_t unchar;
typedef long blksize_t;
typedef int64_t quad_t;
typedef uint64_t u_quad_t;
typedef uint64_t fsblkcnt_t;
typedef uint64_t fsfilcnt_t;
typedef ulong_t fsid_t;
typedef ulong_t rlim_t;
typedef uint64_t rlim64_t;
typedef uint64_t pgno_t;
typedef uint64_t paddr_t;
typedef uint64_t kt_did_t;
typedef id_t lwpid_t;
typedef uint64_t nsec_t;
typedef long register_t;
typedef long greg_t;
typedef int t_scalar_t;
typedef uint_t t_uscalar_t;
typedef uint32_t caddr32_t;
typedef uint64_t user_addr_t;
typedef uint64_t user_size_t;
typedef int64_t user_ssize_t;
typedef uint64_t user_ulong_t;
typedef int64_t user_long_t;
typedef uint32_t size32_t;
typedef int32_t clock32_t;
typedef int32_t time32_t;
typedef int32_t pid32_t;
typedef uint32_t uid32_t;
typedef uint32_t gid32_t;
typedef uintptr_t taskqid_t;

inline int PR_MODEL_UNKNOWN = 0;
inline int PR_MODEL_ILP32 = 1;
inline int PR_MODEL_LP64 = 2;

/* How a readers-writer lock is taken: arguments of lockstat's rw-* probes. */
inline int RW_WRITER = 0;
inline int RW_READER = 1;

inline int PR_STOPPED = 0x1;
inline int PR_IDLE = 0x2; /* PF_IDLE */
inline int PR_ISTOP = 0; /* nothing on Linux distinguishes why a thread stops */
inline int PR_DSTOP = 0;
inline int PR_ISSYS = 0x200000; /* of pr_flag, which is the kernel's: PF_KTHREAD */

/* pr_stype: of a thread that sleeps SOBJ_MUTEX, where the kernel notes that it waits for a mutex,
 * else SOBJ_CV (a wait queue). */
inline char SOBJ_NONE = 0;
inline char SOBJ_MUTEX = 1;
inline char SOBJ_RWLOCK = 2;
inline char SOBJ_CV = 3;
inline char SOBJ_SEMA = 4;
inline char SOBJ_USER = 5;
inline char SOBJ_USER_PI = 6;
inline char SOBJ_SHUTTLE = 7;

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;
inline char SWAIT = 7;

/* "shop*", what probes of all processes are called, with the process's number; other names as they
 * are. */
inline string dt_provider_here = index(dt_probeprov, "*") < 0 ? dt_probeprov
	: strjoin(substr(dt_probeprov, 0, index(dt_probeprov, "*")), lltostr(pid));
