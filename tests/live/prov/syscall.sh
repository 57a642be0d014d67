# System calls: arguments by number and by name, return values, errno, names that other systems
# use, globs.
t() { $DTRACE -q "$@"; }
touch here
t -n 'syscall::openat:entry /pid == $target/ { self->p = args->filename; self->d = args[0]; }
	syscall::openat:return /self->p && strstr(stringof(self->p), "here") != NULL/ {
		printf("%s %d: %d %d %d, %d\n", stringof(self->p), self->d,
		    args[0] > 2 ? 3 : args[0], arg0 == args[0], arg1 == arg0, errno); }
	syscall::openat:return { self->p = 0; }' -c 'cat here nowhere' 2>/dev/null
echo "--- failing"
t -n 'syscall::lseek:return /pid == $target/ {
	printf("%d %d %d %d\n", args[0], arg0, arg1, errno); }' -c 'calls -- 1'
t -x syscallret=raw -n 'syscall::lseek:return /pid == $target/ {
	printf("%d %d %d %d\n", args[0], arg0, arg1, errno); }' -c 'calls -- 1'
echo "--- arguments"
t -n 'syscall::lseek:entry /pid == $target/ {
	printf("%d %d %d, %d %d %d, %d %d %d, %d\n", args[0], args[1], args[2],
	    args->fd, args->offset, args->whence,
	    (int)arg0, arg1, arg2, arg9); }' -c 'calls -- 1 -2 0x123456789abc'
echo "--- names"
t -n 'syscall::newuname:entry, syscall::uname:entry /pid == $target/ { printf("%s\n", probefunc); }
	syscall::exece:return /pid == $target/ {
		printf("%s %s %d %d\n", probefunc, execname, arg0, errno); }' \
	-c 'sh -c "exec /bin/uname"' >names
grep -v Linux names
echo "--- globs"
t -n 'syscall::*get*pid:entry, syscall::[l]see?:return /pid == $target/ {
	@[probefunc, probename] = count(); }' -c 'calls -n 4'
t -n 'syscall::*get*pid:entry, syscall::[l]see?:return /pid == $target/ {
	@[probefunc, probename] = count(); }' -c 'calls -n 4 7 8'
echo "--- clauses in order, one program for many probes"
t -n 'syscall::lseek:, syscall::getppid: /pid == $target/ { this->n = 1;
	printf("%s:%s ", probefunc, probename); }
	syscall::lseek:entry /pid == $target/ { this->n += 10; printf("lseek "); }
	syscall:::return /pid == $target && (probefunc == "lseek" || probefunc == "getppid")/ {
		this->n += 100; printf("return "); }
	syscall::*see*:, syscall::getppid: /pid == $target/ { printf("%d\n", this->n); }' \
	-c 'calls -n 2'
t -n 'syscall::lseek:, syscall::getppid: /pid == $target/ { this->n = 1;
	printf("%s:%s ", probefunc, probename); }
	syscall::lseek:entry /pid == $target/ { this->n += 10; printf("lseek "); }
	syscall:::return /pid == $target && (probefunc == "lseek" || probefunc == "getppid")/ {
		this->n += 100; printf("return "); }
	syscall::*see*:, syscall::getppid: /pid == $target/ { printf("%d\n", this->n); }' \
	-c 'calls 9'
