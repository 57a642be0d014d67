# @@needs: kprobe
# The thread that has just taken a lock, or is about to leave it, holds it: a mutex by its owner, a
# semaphore by its count, for writing or for reading.
$DTRACE -qn 'fbt::mutex_lock:entry /pid == $target/ { self->m = (struct mutex *)arg0; }
	fbt::mutex_lock:return /self->m/ { @n["mutex_lock"] = count();
		@good["mutex_lock"] = sum(mutex_owned(self->m) &&
			(uintptr_t)mutex_owner(self->m) == (uintptr_t)curthread); self->m = 0; }
	lockstat:::adaptive-acquire, lockstat:::adaptive-release /pid == $target/ {
		@n[probename] = count(); @good[probename] = sum(mutex_owned(args[0]) &&
			(uintptr_t)mutex_owner(args[0]) == (uintptr_t)curthread); }
	lockstat:::rw-acquire, lockstat:::rw-release /pid == $target/ {
		this->what = strjoin(probename, args[1] == RW_WRITER ? " to write" :
			args[1] == RW_READER ? " to read" : "?");
		@n[this->what] = count(); @good[this->what] = sum(args[1] == RW_WRITER ?
			rw_write_held(args[0]) : rw_read_held(args[0])); }
	END { printa("%s %@d %@d\n", @n, @good); }' -c 'doings crowds' >out
awk 'NF { good = $(NF - 1) == $NF; NF -= 2; print $0 (good ? "" : " is not held") }' out | sort
