# SPDX-License-Identifier: GPL-2.0-or-later
# Containers as systemd-nspawn, podman and docker make them, of those that are installed and run
# here: -x cgroup finds a container by its name or ID, container is the same, and pid*: and
# provider*: find the program in its root, with symbols in stacks.
# @@needs: cmd:gcc file:/usr/include/x86_64-linux-gnu/sys/sdt.h
fail() { echo "$*"; exit 1; }
engines='' tree=$PWD/tree top=dt_engines_$$
pod() { # their directories are the test's
	podman --root "$PWD/podman" --runroot "$PWD/podman.run" --tmpdir "$PWD/podman.tmp" \
		--runtime runc --cgroup-manager cgroupfs --storage-driver vfs "$@"
}
dock() { docker -H "unix://$PWD/docker/socket" "$@"; }
cleanup() {
	[ ! -s id.podman ] || pod rm -f -t 0 "$(cat id.podman)"
	[ ! -s id.docker ] || dock rm -f "$(cat id.docker)"
	[ ! -e pid.nspawn ] || kill -KILL "$(cat pid.nspawn)" || :
	[ ! -e docker/pid ] || kill "$(cat docker/pid)"
	wait
	while [ -e tree/$top ]; do # processes leave it when they have ended
		find tree/$top -depth -type d -exec rmdir {} + || sleep 0.1
	done
	# empty groups that these engines leave
	find /sys/fs/cgroup -depth -type d -newer root.tar \
		\( -path '*/libpod_parent*' -o -name docker \) -exec rmdir {} + || :
	sed -n "s,^[^ ]* \($PWD/[^ ]*\) .*,\1,p" /proc/mounts | xargs -r -n 1 umount
}
trap 'cleanup >cleaned 2>&1' EXIT

# A program that exists in the root of the container alone.
cat >work.c <<'C'
#include <sys/sdt.h>
#include <unistd.h>
__attribute__((noinline)) int dt_work_inside(int n)
{
	DTRACE_PROBE1(shop, go, n);
	return n;
}
int main(void)
{
	for (int i = 0; i < 12000; i++) {
		dt_work_inside(i);
		usleep(10000);
	}
	return 0;
}
C
for d in bin dev etc proc root run sys tmp usr var; do mkdir -p root/$d; done
gcc -O1 -static -o root/bin/dtwork work.c

# Each starts it in the background: the process's ID to pid.ENGINE, the container's to id.ENGINE.
wait_for() { # ENGINE CGROUP'S-NAME
	for _ in $(seq 100); do
		grep -l "$2" /proc/[0-9]*/cgroup 2>/dev/null | cut -d/ -f3 >found || :
		for pid in $(cat found); do
			[ "$(cat /proc/$pid/comm 2>/dev/null)" = dtwork ] || continue
			echo $pid >pid.$1
			return
		done
		sleep 0.1
	done
	return 1
}
# Without systemd there is no service that it could be in: the group has that name all the same.
start_nspawn() {
	mkdir tree && mount -t cgroup2 none tree || return
	group="tree/$top/systemd-nspawn@dtn$$.service"
	mkdir -p "$group" || return
	echo dtn$$ >id.nspawn
	sh -c "echo \$\$ >$group/cgroup.procs; exec systemd-nspawn -q --register=no --keep-unit \
		-M dtn$$ -D root /bin/dtwork" </dev/null >log.nspawn 2>&1 &
	wait_for nspawn "dtn$$"
}
# Neither needs an image of a registry, nor limits that it may not raise.
limits='--ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --network none'
start_podman() {
	pod run -d $limits --rootfs "$PWD/root" /bin/dtwork >id.podman 2>log.podman || return
	wait_for podman "$(cat id.podman)"
}
start_docker() {
	mkdir docker
	dockerd --data-root $PWD/docker/data --exec-root $PWD/docker/exec --iptables=false \
		--bridge none --storage-driver vfs --pidfile $PWD/docker/pid \
		-H unix://$PWD/docker/socket >docker/log 2>&1 &
	for _ in $(seq 100); do
		[ ! -S docker/socket ] || break
		kill -0 $! 2>/dev/null || return
		sleep 0.1
	done
	dock import root.tar dt >/dev/null 2>>docker/log &&
		dock run -d $limits dt /bin/dtwork >id.docker 2>>docker/log || return
	wait_for docker "$(cat id.docker)"
}
tar -C root -cf root.tar .
for engine in nspawn:systemd-nspawn podman:podman docker:dockerd; do
	command -v ${engine#*:} >/dev/null || continue
	engine=${engine%:*}
	if start_$engine; then
		engines="$engines $engine"
	else
		echo "$engine does not run here: $(tail -n 1 log.$engine docker/log 2>/dev/null)"
	fi
done >does_not
[ -n "$engines" ] || { echo "needs containers: $(cat does_not)"; exit 77; }

for engine in $engines; do
	name=$(cut -c 1-12 id.$engine)
	[ $engine != nspawn ] || name=$(cat id.nspawn)
	for given in $name $(cat id.$engine); do
		$DTRACE -x cgroup=$given -ln 'pid*:dtwork:dt_work_*:entry, shop*:::go' \
			>listed 2>err || fail "$engine: $(cat err)"
		[ "$(awk 'NR > 1 { print $2, $5 }' listed)" = "pid* entry
shop$(cat pid.$engine) go" ] || fail "$engine $given lists $(cat listed)"
	done
	$DTRACE -x cgroup=$name -qn 'pid*:dtwork:dt_work_inside:entry, shop*:::go, syscall:::entry
		{ @[container, execname, nspid, pid, probefunc, probename] = count(); }
		pid*:dtwork:dt_work_inside:entry { @stacks[ustack()] = count(); }
		tick-1s { exit(0); }
		END { printa("%s %s %d %d %s %s\n", @); printa("%k", @stacks); }' \
		>fired 2>err || fail "$engine: $(cat err)"
	[ "$(grep "^$name dtwork 1 $(cat pid.$engine) " fired | cut -d' ' -f 5- | sort)" = \
		"clock_nanosleep entry
dt_work_inside entry
dt_work_inside go" ] && ! grep "dtwork 1 " fired | grep -v "^$name " >&2 ||
		fail "$engine: $(cat fired)"
	grep -A 1 'dtwork`dt_work_inside' fired | grep -q 'dtwork`main+' ||
		fail "$engine: $(cat fired)"
	# Its process is the only one that fires.
	grep '^[^ ]* [^ ]* [0-9]* [0-9]* ' fired | grep -v "^$name dtwork 1 " >&2 &&
		fail "$engine: others fire" || :
done
