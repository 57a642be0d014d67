# SPDX-License-Identifier: GPL-2.0-or-later
# Headers of the system declare structures that the D library has, too.
# @@needs: cmd:gcc
for h in sys/types.h sys/time.h sys/stat.h sys/socket.h netinet/in.h netinet/ip.h signal.h \
	stdlib.h pthread.h time.h sched.h; do
	cat >a.d <<D
#include <$h>
BEGIN { trace(curpsinfo->pr_pid > 0); }
tcp:::send { trace(args[2]->ip_saddr); trace(args[4]->tcp_sport); }
D
	$DTRACE -C -es a.d || { echo "$h"; exit 1; }
done
