# Libraries of the user's: -L, libdir, syslibdir, nolibs; and what is wrong with one is reported.
# @@status: 1
mkdir one two broken
cat >one/a.d <<'END'
#pragma D depends_on library b.d
#pragma D binding "1.0" first
#pragma D attributes Evolving/Evolving/Common first
inline int first = second + 1; /* of two/b.d: ; { */
typedef struct { int x; enum inner { RED, GREEN = 7, } color; } pair_t;
struct thing;
typedef struct thing *thingp_t;
translator pair_t < int i > { x = i; color = GREEN; };
provider app { probe go(int a) : (pair_t *a); };
inline string text[int a, int b] = a == '"' ? "quote;" : b == '}' ? "brace" : "none";
int counted[string];
END
cat >two/b.d <<'END'
inline int second = 41;
inline int EPERM = 4711;
END
cat >broken/c.d <<'END'
inline int third = 3;

inline int fourth = = 4;
END
cat >broken/d.d <<'END'
#pragma D depends_on module no_such_module
inline int fifth = 5;
END
cat >broken/e.d <<'END'
#pragma D option quiet
inline int sixth = 6;
END
printf 'inline int seventh = 7;\nBEGIN { }\n' >broken/f.d

$DTRACE -q -L one -x libdir=two -n 'BEGIN { counted["a"]++;
	printf("%d %d %d %d\n", first, EPERM, ENOENT, counted["a"]);
	printf("%d %d %d\n", xlate <pair_t>(5).x, xlate <pair_t>(5).color, GREEN);
	printf("%s %s %d\n", text[34, 0], text[0, 125], sizeof (thingp_t)); exit(0); }'
for file in c d e f; do
	mkdir broken_$file
	mv broken/$file.d broken_$file
	[ $file != d ] || continue
	$DTRACE -L broken_$file -n 'BEGIN { trace(ENOENT); }' 2>&1 && exit 1
done
# What depends on a module or provider that is not there is left out, until the program uses it.
printf '#pragma D depends_on library d.d\ninline int eighth = fifth;\n' >broken_d/a.d
printf '\n# pragma D depends_on provider nothing\ntranslator pair_t < unknown_t *p > { };\n' \
	>broken_d/g.d
printf '%s\n' '#pragma D depends_on module vmlinux' '#pragma D depends_on provider syscall' \
	'inline int ninth = 9;' >broken_d/h.d
$DTRACE -q -L broken_d -n 'BEGIN { printf("%d %d\n", ENOENT, ninth); exit(0); }'
$DTRACE -L broken_d -n 'BEGIN { trace(eighth); }' 2>&1 && exit 1
$DTRACE -L nowhere -n 'BEGIN { }' 2>&1 && exit 1
$DTRACE -L one -n 'BEGIN { trace(first); }' 2>&1 && exit 1
$DTRACE -q -x syslibdir=two -n 'BEGIN { printf("%d\n", EPERM); exit(0); }'
$DTRACE -x syslibdir=two -n 'BEGIN { trace(ENOENT); }' 2>&1 && exit 1
$DTRACE -x nolibs -L two -n 'BEGIN { trace(second); }' 2>&1 && exit 1
mkdir odd && mkdir odd/dir.d
$DTRACE -q -L odd -n 'BEGIN { printf("%d\n", ENOENT); exit(0); }'
ln -s nothing odd/link.d
$DTRACE -L odd -n 'BEGIN { trace(ENOENT); }' 2>&1 && exit 1
$DTRACE -ve -L one -L two -n 'BEGIN { trace(first); }' | tail -4
exit 0
