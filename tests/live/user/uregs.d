/* The process's registers, in its own code and in system calls. */
/* @@trigger: victim 2 */
/* @@needs: cmd:cpp */
/* @@opts: -q -C */
#ifdef __aarch64
#define PC (uregs[R_X30] != 0) /* the return address is in a register, not on the stack */
#define ENTRY_SP 0
#define FIRST R_X0
#define SECOND R_X1
#define THIRD R_X2
#define SIXTH R_X5
#define SHORT 1
#else
#define PC (uregs[R_PC] == uregs[R_RIP])
#define ENTRY_SP 8
#define FIRST R_RDI
#define SECOND R_RSI
#define THIRD R_RDX
#define SIXTH R_R9
/* Names of 32-bit programs elsewhere. */
#define SHORT (uregs[R_EAX] == uregs[R_RAX] && uregs[R_EBX] == uregs[R_RBX] && \
	uregs[R_ECX] == uregs[R_RCX] && uregs[R_EDX] == uregs[R_RDX] && \
	uregs[R_ESI] == uregs[R_RSI] && uregs[R_EDI] == uregs[R_RDI] && \
	uregs[R_EBP] == uregs[R_RBP] && uregs[R_ESP] == uregs[R_RSP] && \
	uregs[R_UESP] == uregs[R_RSP] && uregs[R_EIP] == uregs[R_RIP] && \
	uregs[R_EFL] == uregs[R_RFL])
#endif
pid$target:a.out:seven:entry
{
	printf("%d %d %d %A\n", SHORT, PC, uregs[R_SP] % 16 == ENTRY_SP, uregs[R_PC]);
	printf("%d %d %d\n", uregs[FIRST], uregs[SECOND], uregs[SIXTH]);
}
pid$target:a.out:seven:return { printf("%d\n", uregs[R_R0]); }
syscall::write:entry
/pid == $target/
{
	printf("%d %d %d\n", uregs[FIRST] == arg0, uregs[THIRD] == arg2, uregs[R_SP] > 4096);
}
