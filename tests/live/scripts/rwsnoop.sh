# In the manner of rwsnoop: a file's name by way of curthread.
printf "some text\n" >file
$DTRACE -n '
#pragma D option quiet
#pragma D option switchrate=10hz
inline int OPT_proj = 0;
syscall::*read:entry, syscall::*write:entry /progenyof($target) && execname == "dd"/ {
	self->ok = 1; }
syscall::*read:entry, syscall::*write:entry /self->ok/ { self->fd = arg0; }
syscall::*read:return, syscall::*write:return
/self->ok && (int)arg0 > 0/
{
	this->bytes = arg0;
	this->rw = probefunc == "read" || probefunc == "pread" ? "R" : "W";
	this->filep = curthread->t_procp->p_user.u_finfo.fi_list[self->fd].uf_file;
	this->vnodep = this->filep != 0 ? this->filep->f_vnode : 0;
	self->vpath = this->vnodep ? (this->vnodep->v_path != 0 ? cleanpath(this->vnodep->v_path) :
	    "<unknown>") : "<unknown>";
	OPT_proj ? printf("%5d ", curpsinfo->pr_projid) : printf("%5d ", uid);
	printf("%-12.12s %1s %7d %s\n", execname, this->rw, (int)this->bytes,
	    basename(self->vpath));
}
syscall::*read:return, syscall::*write:return { self->ok = 0; self->fd = 0; self->vpath = 0; }' \
	-c 'dd if=file of=copy bs=8 status=none' >out
grep -e ' file$' -e ' copy$' out
