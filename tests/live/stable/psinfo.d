/* curpsinfo, curlwpsinfo, curcpu, zonename: every member, of a process whose facts are known. */
/* @@trigger: setsid env -i A=1 B=22 nice -n 5 sleep 0.01 */
#pragma D option quiet
syscall::clock_nanosleep:entry
/pid == $target/
{
	this->p = curpsinfo;
	this->l = curlwpsinfo;
	printf("pid %d %d %d nlwp %d\n", this->p->pr_pid == pid, this->p->pr_ppid == ppid,
	    this->p->pr_lwp.pr_lwpid == tid,
	    this->p->pr_nlwp);
	printf("group %d session %d\n", this->p->pr_pgid == pid, this->p->pr_sid == pid);
	printf("ids %d %d %d %d\n", this->p->pr_uid, this->p->pr_euid, this->p->pr_gid,
	    this->p->pr_egid);
	printf("addr %d %d\n", this->p->pr_addr == (uintptr_t)curthread,
	    this->l->pr_addr == this->p->pr_addr);
	printf("size %d %d\n", this->p->pr_size > 1000 && this->p->pr_size < 1000000,
	    this->p->pr_rssize <= this->p->pr_size);
	printf("pct %d %d tty %d\n", this->p->pr_pctcpu <= 0x8000, this->p->pr_pctmem < 0x1000,
	    this->p->pr_ttydev != 0);
	this->age = walltimestamp / 1000000000 - this->p->pr_start.tv_sec;
	printf("start %d %d\n", this->age >= 0 && this->age < 20,
	    this->l->pr_start.tv_sec == this->p->pr_start.tv_sec);
	printf("time %d %d %d\n", this->p->pr_time.tv_sec < 5 && this->p->pr_time.tv_nsec > 0,
	    this->l->pr_time.tv_nsec == this->p->pr_time.tv_nsec,
	    this->p->pr_ctime.tv_sec + this->p->pr_ctime.tv_nsec);
	printf("%s: %s: %s\n", this->p->pr_fname, this->p->pr_psargs, this->l->pr_name);
	printf("wstat %d argc %d %s %s\n", this->p->pr_wstat, this->p->pr_argc,
	    copyinstr(*(uintptr_t *)copyin(this->p->pr_argv + 8, 8)),
	    copyinstr(*(uintptr_t *)copyin(this->p->pr_envp + 8, 8)));
	printf("model %d, %d %d %d %d %d %d\n", this->p->pr_dmodel == PR_MODEL_LP64,
	    this->p->pr_taskid, this->p->pr_projid,
	    this->p->pr_nzomb, this->p->pr_poolid, this->p->pr_zoneid, this->p->pr_contract);
	printf("flag %d %d wchan %d %d state %d %c\n", this->p->pr_flag & 0x200000,
	    this->l->pr_flag & 0x200000, this->l->pr_wchan,
	    this->l->pr_stype, this->l->pr_state == SONPROC, this->l->pr_sname);
	printf("nice %d pri %d %d cpu %d %d syscall %d\n", this->l->pr_nice - 20,
	    this->l->pr_pri, this->l->pr_oldpri,
	    this->l->pr_cpu <= 128, this->l->pr_pctcpu <= 0x8000, this->l->pr_syscall);
	printf("%s on %d bound %d %d %d\n", this->l->pr_clname, this->l->pr_onpro == cpu,
	    this->l->pr_bindpro, this->l->pr_bindpset,
	    this->l->pr_lgrp);
	printf("%s %d %d %d %d %d %d\n", zonename, curcpu->cpu_id == cpu, curcpu->cpu_pset,
	    curcpu->cpu_chip, curcpu->cpu_lgrp,
	    curcpu->cpu_info.pi_state == P_ONLINE, curcpu->cpu_info.pi_clock >= 0);
}
