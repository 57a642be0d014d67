/* The process's registers, in its own code and in system calls. */
/* @@trigger: victim 2 */
/* @@opts: -q */
pid$target:a.out:seven:entry
{
	printf("%d %d %A\n", uregs[R_PC] == uregs[R_RIP], uregs[R_SP] % 16, uregs[R_PC]);
	printf("%d %d %d\n", uregs[R_RDI], uregs[R_RSI], uregs[R_R9]);
}
pid$target:a.out:seven:return { printf("%d\n", uregs[R_R0]); }
syscall::write:entry
/pid == $target/
{
	printf("%d %d %d\n", uregs[R_RDI] == arg0, uregs[R_RDX] == arg2, uregs[R_SP] > 4096);
}
