# SPDX-License-Identifier: GPL-2.0-or-later
# -C with the C library's and the kernel's headers: types are as large as C has them, constants the
# same, D's own names stay.
# @@needs: cmd:gcc cmd:cpp file:/usr/include/linux/tcp.h
# @@status: 1
cat >all.h <<'H'
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <sys/un.h>
#include <errno.h>
#include <signal.h>
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <pthread.h>
#include <ucontext.h>
#include <byteswap.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <net/ethernet.h>
#include <linux/types.h>
#include <linux/tcp.h>
#include <linux/ip.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <stddef.h>
#undef stdin
struct bytes { char c; int n; long l; } __attribute__((packed));
struct __attribute__ ((__packed__)) bits {
	char c; unsigned a : 5, b : 30; short s; struct { char d; int e; } in;
};
typedef union { char c[3]; int n; } __attribute__((packed)) either_t;
struct lines { char c; struct bytes b[2] __attribute__((unused)); int last; };
struct old { char c; int n __attribute__((aligned(8),
	deprecated("see http://x"), /* aligned(64) */
	packed)); char d; char e[sizeof(struct { char c; int n; } __attribute__((packed)))];
} __attribute__((aligned(32), aligned(16)));
#pragma pack(push, 2)
struct two { char c; long l;; unsigned a : 9, b : 20; int n __attribute__((aligned(8))); };
#pragma pack(pop)
struct room { char c; int n __attribute__((aligned(4 * sizeof(int)))); char d; };
typedef struct { char c; long l; } __attribute__((packed, aligned(2))) tight_t;
typedef unsigned long __attribute__((__aligned__(4))) half_t;
struct halves { int n; half_t h; char c; long p __attribute__((packed)); };
enum chain { CHAIN_A = 4, CHAIN_B = CHAIN_A, CHAIN_C = CHAIN_B + 1, };
H
for i in 1 2 3 4 5 6 7 8 9 10; do
	printf '#pragma pack(push, %d)\n' 1 2
done >>all.h
printf '#pragma pack(push, 1)\n#pragma pack(pop)\nstruct deep { char c; long l; };\n' >>all.h
cat >values <<'V'
sizeof (struct stat)
sizeof (struct sockaddr_storage)
sizeof (struct sockaddr_un)
sizeof (struct epoll_event)
sizeof (struct rusage)
sizeof (siginfo_t)
sizeof (pthread_mutex_t)
sizeof (ucontext_t)
sizeof (struct ether_header)
sizeof (struct iphdr)
sizeof (struct perf_event_attr)
sizeof (struct bytes)
sizeof (struct bits)
sizeof (either_t)
sizeof (struct lines)
sizeof (struct room)
sizeof (struct two)
sizeof (struct deep)
sizeof (struct old)
sizeof (tight_t)
sizeof (struct halves)
offsetof (struct epoll_event, data)
offsetof (struct stat, st_mtim)
offsetof (struct bits, s)
offsetof (struct bits, in)
offsetof (struct lines, last)
offsetof (struct room, n)
offsetof (struct halves, h)
offsetof (struct halves, p)
PTHREAD_MUTEX_NORMAL
NLMSGERR_ATTR_MAX
CHAIN_B + CHAIN_C
LOCK_EX
AF_INET6
SIGTERM
O_CREAT
S_IFDIR
ENOENT
EWOULDBLOCK
IPPROTO_UDP
offsetof (struct tcphdr, window)
PROT_EXEC
V
{
	cat all.h && sed \
		's/.*/	V(&)/; 1i #define V(x) printf("%d\\n", (int) (x));\nint main(void) {' \
		values && echo 'return 0; }'
} >c.c
{
	cat all.h && sed 's/.*/	V(&)/; 1i #define V(x) printf("%d\\n", (int) (x));\nBEGIN {' \
		values && echo 'exit(errno); }'
} >d.d
gcc -w -o c c.c
./c >want
$DTRACE -qC -s d.d | grep . >got
diff want got
echo "$(grep -c . want) values"
printf 'static int f(int x)\n{\n\treturn x;\n}\nBEGIN { }\n' >f.h
for text in '#include "f.h"' 'int f(void) __attribute__((noreturn)) { for (;;) ; } BEGIN { }'; do
	$DTRACE -C -n "$text" 2>&1 && exit 1
done
exit 0
