# d_path(), getf(), cwd, root, execargs: what the kernel knows of a process's files.
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
mkdir -p a/bc
echo x >a/bc/file
here=$(pwd -P)
cat >x.pl <<'P'
chdir "a/bc"; open(F, "<", "file"); pipe(R, W);
open(D, "<", "/dev/null");
getppid();
P
$DTRACE -x strsize=200 -qn 'syscall::getppid:entry /pid == $target/ {
	printf("%s\n%s\n%s\n", cwd, root, execargs);
	printf("%s\n", d_path(&((struct file *)getf(3))->f_path));
	printf("%s %s\n", d_path(&getf(5)->f_path), d_path(&getf(6)->f_path));
	printf("%d %d %d\n", getf(-1) == NULL, getf(99) == NULL, getf(1 << 30) == NULL);
	@[basename(cwd), d_path(&getf(6)->f_path)] = count(); printa("%s %s %@d\n", @); }' \
	-c 'perl x.pl one "two  three"' >out 2>err
# The tests themselves may run below another root.
base=$($DTRACE -qn 'BEGIN { printf("%s\n", root); exit(0); }' | sed -n 1p)
cat >want <<E2
$here/a/bc
$base
perl x.pl one two  three
$here/a/bc/file
<none> /dev/null
1 1 1
bc /dev/null 1

E2
diff want out || { cat err; exit 1; }
# Cut in front.
$DTRACE -x strsize=16 -qn 'syscall::getppid:entry /pid == $target/ { printf("%s\n", cwd); }' \
	-c 'perl x.pl' >out
case $(sed -n 1p out) in
...*a/bc) [ "$(sed -n 1p out | wc -c)" -le 16 ] ;;
*) cat out; exit 1 ;;
esac
# The task's root ends a path; "root" does not.
mkdir -p jail
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { printf("%s %s\n", cwd, root); }' \
	-c "perl -e 'chroot(q(jail)) && chdir(q(/)); getppid();'" >out
printf '/ %s/jail\n\n' "${base%/}$here" | diff - out
# A bad address is a fault.
$DTRACE -qn 'BEGIN { printf("%s\n", d_path((struct path *)0x10)); }
	ERROR { printf("%d\n", arg4); exit(0); }' >out 2>err
printf '1\n\n' | diff - out
