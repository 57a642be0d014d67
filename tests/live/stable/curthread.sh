# curthread as scripts of other systems follow it: what is found there is what the builtin
# variables say.
# @@needs: btf
# @@status: 1
here=$(pwd -P)
echo text >file
cat >chains.d <<'E'
#pragma D option quiet
syscall::read:entry
/pid == $target && fds[arg0].fi_name == "file" && !n++/
{
	this->p = curthread->t_procp;
	this->filep = this->p->p_user.u_finfo.fi_list[arg0].uf_file;
	this->vnodep = this->filep != 0 ? this->filep->f_vnode : 0;
	self->vpath = this->vnodep ? (this->vnodep->v_path != 0 ? cleanpath(this->vnodep->v_path) :
	    "<unknown>") : "<unknown>";
	printf("file %d %s %d\n", self->vpath == fds[arg0].fi_pathname, basename(self->vpath),
	    this->vnodep->v_type == VREG);
	printf("nothing %d %d\n", this->p->p_user.u_finfo.fi_list[-1].uf_file == NULL,
		this->p->p_user.u_finfo.fi_list[1000000].uf_file == NULL);
	printf("ids %d %d %d %d\n", this->p->p_pidp->pid_id == pid, this->p->p_ppid == ppid,
	    curthread->t_tid == tid,
		this->p->p_cred->cr_uid == uid);
	printf("parent %s %d\n", this->p->p_parent->p_user.u_comm,
	    this->p->p_parent->p_pidp->pid_id == ppid);
	printf("grandparent %d\n",
	    this->p->p_parent->p_ppid == this->p->p_parent->p_parent->p_pidp->pid_id);
	printf("self %s %s %d\n", this->p->p_user.u_comm, this->p->p_user.u_psargs,
	    this->p->p_lwpcnt);
	printf("cwd %d exec %d\n", this->p->p_user.u_cdir->v_path == cwd,
	    this->p->p_exec->v_path == $$1);
	printf("cpu %d pri %d\n", curthread->t_cpu->cpu_id == cpu,
	    curthread->t_pri == curlwpsinfo->pr_pri);
	printf("started %d stack %d\n", this->p->p_mstart > 0 &&
	    this->p->p_mstart < timestamp, this->p->p_stksize > 0);
	printf("zone %s %d task %d project %d\n", this->p->p_zone->zone_name,
	    this->p->p_zone->zone_id, this->p->p_task->tk_tkid,
		this->p->p_task->tk_proj->kpj_id);
	printf("ours %s\n", stringof(curthread->comm));
	/* fi_list + n, in elements and in bytes, is fi_list[n]; a path is a pointer to text */
	this->e = this->p->p_user.u_finfo.fi_list + arg0;
	printf("added %d", this->e->uf_file->f_vnode->v_path == self->vpath);
	this->e = (uf_entry_t *)((uint64_t)curthread->t_procp->p_user.u_finfo.fi_list +
	    arg0 * sizeof (uf_entry_t));
	printf(" %d", this->e->uf_file->f_vnode->v_path == self->vpath);
	this->v = (char *)this->e->uf_file->f_vnode->v_path;
	printf(" %d %d %c %c\n", this->v + 1 == substr(self->vpath, 1),
	    strlen(this->vnodep->v_path + 1) == strlen(self->vpath) - 1,
		*(char *)(this->v + (strlen(self->vpath) - 4)), *(this->vnodep->v_path + 0));
	/* a cast to what is nowhere in memory is a view */
	self->pp = (proc_t *)curpsinfo->pr_addr;
	printf("cast %d %d %s %d %d\n", self->pp->p_ppid == ppid,
	    ((kthread_t *)curlwpsinfo->pr_addr)->t_tid == tid,
		((proc_t *)curpsinfo->pr_addr)->p_zone->zone_name,
		    ((cred_t *)curthread->cred)->cr_uid == uid,
		((proc_t *)(void *)curthread)->p_user.u_comm == execname);
	printf("ticks %d\n", this->p->p_mstart / (1000000000 / `hz) == this->p->p_user.u_ticks &&
	    this->p->p_utime < 1000 && this->p->p_stime < 1000);
	self->pp = (proc_t *)0;
}
E
$DTRACE -s chains.d -c "cat file" "$(readlink -f "$(command -v cat)")" | grep -v '^text$'
# Samples of each CPU: one that idles has priority -1, and there is never less than no thread that
# waits.
$DTRACE -qn 'profile-97 /curthread->t_pri == -1/ { @idle = sum(pid != 0); }
	profile-97 /curthread->t_pri != -1/ { @busy = sum(pid == 0); }
	profile-97 { @wait = min(curthread->t_cpu->cpu_disp->disp_nrunnable >= 0); }
	tick-500ms { exit(0); }
	END { printa("idle %@d\n", @idle); printa("busy %@d\n", @busy);
		printa("queue %@d\n", @wait); }' |
	grep -v -e '^idle 0$' -e '^busy 0$'
$DTRACE -qn 'BEGIN { trace(curthread->t_nothing); }' 2>&1 | sed 's/.*: //'
