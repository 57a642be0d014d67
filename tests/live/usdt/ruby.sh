# Older names of Ruby's probes, in a program that has them as Ruby does.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
echo '#include <sys/sdt.h>' | gcc -E - >/dev/null 2>&1 || { echo 'no <sys/sdt.h>'; exit 77; }
cat >stub.c <<'C'
#include <sys/sdt.h>
#include <unistd.h>
int main(void)
{
	char class[] = "Kernel", method[] = "puts", file[] = "a.rb";

	DTRACE_PROBE4(ruby, method__entry, class, method, file, 3);
	DTRACE_PROBE4(ruby, method__return, class, method, file, 4);
	DTRACE_PROBE3(ruby, object__create, class, file, 5);
	DTRACE_PROBE(ruby, gc__mark__begin);
	DTRACE_PROBE(ruby, gc__mark__end);
	return 0;
}
C
gcc -o stub stub.c
$DTRACE -qn 'ruby$target:::function-entry, ruby$target:::function-return
	{ printf("%s %s::%s %s:%d\n", probename, copyinstr(arg0), copyinstr(arg1),
		basename(copyinstr(arg2)), arg3); }
	ruby$target:::object-create-start {
		printf("%s %s %d\n", probename, copyinstr(arg0), arg2); }
	ruby$target:::gc-begin, ruby$target:::gc-end { printf("%s\n", probename); }' -c ./stub
! $DTRACE -x compat=off -qn 'ruby$target:::function-entry { }' -c ./stub 2>err || exit 1
grep -q 'function-entry is called method-entry now; with -x compat=on' err
