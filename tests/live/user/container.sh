# SPDX-License-Identifier: GPL-2.0-or-later
# -x cgroup: pid*: and provider*: search only what the processes of the group have mapped, and paths
# below their roots; no process needs to be named. In namespaces, as containers are.
# @@needs: cmd:gcc cmd:unshare
# @@status: 1
# @@stderr: ^dtrace: (failed to (match|set -x cgroup)|warning: |invalid probe specifier |-x cgroup: )
mkdir tree box
mount -t cgroup2 none tree 2>/dev/null || { echo "needs cgroup2"; exit 77; }
id=$(printf '%016x' $$ $$ 21 22) top=dt_user_$$ started=
short=$(echo "$id" | cut -c 1-12)
end() {
	for pid in $started; do kill -KILL "$pid" 2>/dev/null || :; done
	wait
	while [ -e "tree/$top" ]; do # processes leave it when they have ended
		rmdir "tree/$top/docker-$id.scope/below" "tree/$top/docker-$id.scope" \
			"tree/$top/empty.service" "tree/$top" 2>/dev/null || sleep 0.1
	done
	umount tree
}
mkdir -p "tree/$top/docker-$id.scope/below" "tree/$top/empty.service" || {
	umount tree
	echo "needs control groups that can be made"
	exit 77
}
trap end EXIT
user=-r # not in a chroot
unshare -r true 2>/dev/null || user=

echo 'provider shop { probe go(int); };' >shop.d
cat >work.c <<'C'
#include <unistd.h>
#include "shop.h"
__attribute__((noinline)) int WORK(int n) { __asm__ volatile(""); SHOP_GO(n); return n; }
int main(void) { for (int i = 0; i < 3000; i++) { WORK(i); usleep(10000); } return 0; }
C
$DTRACE -h -s shop.d
gcc -O1 -DWORK=dt_work_inside -c work.c -o in.o
$DTRACE -G -s shop.d in.o -o shop.o
gcc in.o shop.o -o same
gcc -O1 -DWORK=dt_work_outside -c work.c -o out.o
gcc out.o shop.o -o other

# One that shares its file with one outside, and one that has its file from mounts of its own.
cat >join <<'S'
echo $$ >"$1/cgroup.procs"
shift
exec "$@"
S
sh join "tree/$top/docker-$id.scope" ./same & started="$started $!"
sh join "tree/$top/docker-$id.scope/below" unshare -p -m $user -f --mount-proc --kill-child \
	sh -c 'mount -t tmpfs none box && cp same box/own && exec "$PWD/box/own"' \
	& started="$started $!" own=$!
./same & started="$started $!"
./other & started="$started $!"
until grep -qs '^own$' \
	$(sed 's,.*,/proc/&/comm,' "tree/$top/docker-$id.scope/below/cgroup.procs"); do
	kill -0 $own || { echo "the container has ended"; exit 1; }
	sleep 0.1
done

words() {
	sed "s,$PWD,HERE,g; s,$id,ID,g; s,$short,SHORT,; s,/$top,/TOP,
		s/nothing_$$/nothing_N/; s/shop[0-9][0-9]*/shopN/"
}
list() {
	echo "== $*" | words
	$DTRACE "$@" 2>err | awk 'NR > 1 { print $2, $3, $4, $5 }' | words | sort
	words <err
}
list -ln 'pid*:same:dt_work_*:entry, pid*:other:dt_work_*:entry'
list -x cgroup="$short" -ln 'pid*:*[ewr]*:dt_work_*:entry'
list -x cgroup="/$top/docker-$id.scope/below" -ln 'pid*:*[ewr]*:dt_work_*:entry'
list -x cgroup="$short" -ln 'shop*:::go'
list -x cgroup="$short" -ln "pid*:$PWD/box/own:dt_work_*:entry"
list -ln "pid*:$PWD/box/own:dt_work_*:entry"
list -x cgroup="$short" -ln 'pid*:other:dt_work_*:entry'
list -x cgroup=empty -ln 'shop*:::go'
list -x cgroup="nothing_$$" -ln 'pid*:other:dt_work_*:entry'

# What fires, and the numbers of its processes in the container.
$DTRACE -x cgroup="$short" \
	-qn "pid*:same:dt_work_*:entry, pid*:$PWD/box/own:dt_work_*:entry, shop*:::go
	{ @[execname, probename, container, pid != nspid, cgroup_path(cgroup)] = count(); }
	tick-1s { exit(0); } END { printa(\"%s %s %s %d %s\\n\", @); }" |
	words | sort | grep .
