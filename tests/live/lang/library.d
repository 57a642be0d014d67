/* The D library that is built in. A program's own declarations count. */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
#pragma D option quiet

inline int ECHILD = 1000;
int SIGQUIT;
this int ENOSYS;

BEGIN
{
	SIGQUIT = 77;
	this->ENOSYS = 5;
	EXDEV = "mine";
	printf("%d %d %d %d %d\n", EPERM, ENOTSUP, ECHILD, this->ENOSYS, EHWPOISON);
	printf("%d %d %d %s\n", SIGINT, SIGQUIT, CLD_EXITED, EXDEV);
	printf("%o %o %d\n", O_CREAT | O_EXCL, O_SYNC, O_DIRECTORY != 0);
	printf("%d %d %d %d\n", AF_INET6, IPPROTO_UDP, SOCK_STREAM, PROT_READ | PROT_WRITE);
	printf("%s %s %d\n", tcp_state_string[1], tcp_state_string[99], TCP_STATE_LISTEN);
	printf("%x %x %d\n", TH_SYN | TH_ACK, B_READ | B_WRITE, DTRACEFLT_DIVZERO);
	x = 13;
	printf("%s %d\n", x == EACCES ? "EACCES" : "?", sizeof (major_t));
	this->m = (pri_t)-1;
	printf("%d %d\n", this->m, SONPROC);
	EPERM == 1 ? printf("folded\n") : printf("%s\n", 5);
}

BEGIN
{
	this->v = *(int *)0;
}

ERROR
/arg4 == DTRACEFLT_BADADDR/
{
	printf("bad address\n");
	exit(0);
}
