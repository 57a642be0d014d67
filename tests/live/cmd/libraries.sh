# Files of -L are read and checked whole, whether or not the program uses their names.
# @@status: 1
# @@stderr: ^dtrace:
mkdir lib
fails() {
	$DTRACE -x errtags -L lib -e -n 'BEGIN { exit(0); }' 2>err && exit 1 || [ $? = 1 ]
	grep -q "$1" err
}
echo 'inline int faulty = no_such_name;' >lib/a.d
fails 'D library lib/a.d: \[D_IDENT_UNDEF\] line 1'
echo 'struct in { int i; }; translator struct in < int *p > { i = *p; j = 1; };' >lib/a.d
fails 'D_XLATE_MEMB'
echo 'inline int = ;' >lib/a.d
fails 'D_SYNTAX'
echo '#pragma D depends_on library b.d' >lib/a.d
fails 'requires library b.d, which is not there'
echo '#pragma D depends_on library a.d' >lib/b.d
fails 'D library a.d depends on itself'
rm lib/b.d
echo 'inline int twice[int x] = 2 * x; inline int first = arg0;
	translator psinfo_t < int *p > { pr_pid = *p; };' >lib/a.d
[ "$($DTRACE -L lib -qn 'BEGIN { printf("%d", twice[4]); exit(0); }')" = 8 ]
