# SPDX-License-Identifier: GPL-2.0-or-later
# The integers of D are C's: the same expressions, on variables and on constants, here and by the C
# compiler. What overflows an int is left out: C does not define it (and D computes it in 64 bits:
# lang/wide.d).
command -v cc >/dev/null || { echo "needs a C compiler"; exit 77; }
types='signed char,unsigned char,short,unsigned short,int,unsigned int,long,unsigned long'

cat >gen.awk <<'EOF'
# Prints expressions, a line each, which mean the same in C and in D.
function val(t, i) { return "(" ctype[t] ")" v[t, i] }
function out(e) { print e }
function fits(r) { return r >= -2147483648 && r <= 2147483647 }
# Are both of types that become int, and is the result none?
function overflows(t, a, u, b, op) {
	return t <= 5 && u <= 5 &&
	    !fits(op == "+" ? a + b : op == "-" ? a - b : op == "*" ? a * b : 0)
}
BEGIN {
	n = split(types, ctype, ",")
	split("-128 -3 0 7 127", a); for (i in a) v[1, i] = a[i]
	split("0 1 9 200 255", a); for (i in a) v[2, i] = a[i]
	split("-32768 -77 0 5 32767", a); for (i in a) v[3, i] = a[i]
	split("0 2 300 32768 65535", a); for (i in a) v[4, i] = a[i]
	split("-2147483647 -9 0 31 2147483647", a); for (i in a) v[5, i] = a[i]
	split("0 3 70000 2147483648U 4294967295U", a); for (i in a) v[6, i] = a[i]
	split("-9223372036854775807L -11L 0L 13L 9223372036854775807L", a)
	for (i in a) v[7, i] = a[i]
	split("0UL 4UL 4294967296UL 9223372036854775808UL 18446744073709551615UL", a)
	for (i in a) v[8, i] = a[i]
	nops = split("+ - * & | ^ == != < <= > >= && ||", op, " ")
	ndiv = split("/ %", div, " ")
	for (t = 1; t <= n; t++)
		for (i = 1; i <= 5; i++) {
			k++
			if (part == "unary" || part == "compound") {
				x = val(t, i)
				for (w = 0; w < 2; w++) {
					e = w ? "(" x ")" : "v" t i
					if (part == "unary") {
						out("-" e); out("~" e); out("+" e); out("!" e)
						out("sizeof (-" e ")"); out(e " ? 1 : 2")
						for (u = 1; u <= n; u++)
							out("(" ctype[u] ")" e)
						for (s = 0; s < 32; s += 7) {
							# Overflow of a signed shift is not C's
							# business.
							ok = t % 2 == 0 || t < 5 && v[t, i] !~ /^-/
							if (ok && (s < 15 || t == 8 || t == 6))
								out(e " << " s)
							out(e " >> " s)
							out(e " >> s" s)
						}
					}
				}
				if (part == "compound")
					for (u = 1; u <= n; u++) {
						for (o = 1; o <= 6; o++)
							out("(w" u " = " val(u, 2) \
							    ", w" u " " op[o] "= v" t i ")")
						if (v[t, i] + 0 != 0)
							for (o = 1; o <= ndiv; o++)
								out("(w" u " = " val(u, 4) \
								    ", w" u " " div[o] "= v" t i ")")
						out("(w" u " = v" t i ")")
						out("(w" u " = v" t i ", w" u "++)")
						out("(w" u " = v" t i ", ++w" u ")")
						out("(w" u " = v" t i ", w" u "--, w" u ")")
						out("(w" u " = v" t i ", --w" u ", w" u ")")
						out("(w" u " = v" t i ", w" u " >>= 3, w" u ")")
					}
			}
			if (part == "variables" || part == "constants")
				for (u = 1; u <= n; u++) {
					j = (k + u) % 5 + 1
					p = part == "variables"
					x = p ? "v" t i : "(" val(t, i) ")"
					y = p ? "v" u j : "(" val(u, j) ")"
					for (o = 1; o <= nops; o++)
						if (!overflows(t, v[t, i], u, v[u, j], op[o]))
							out(x " " op[o] " " y)
					if (v[u, j] + 0 != 0)
						for (o = 1; o <= ndiv; o++)
							out(x " " div[o] " " y)
					if (!overflows(t, v[t, i], u, v[u, j], "+"))
						out("sizeof (" x " + " y ")")
					out("(" x " < " y " ? " x " : " y ")")
				}
		}
}
EOF

awk -v types="$types" 'BEGIN {
	n = split(types, t, ",")
	for (i = 1; i <= n; i++) {
		for (j = 1; j <= 5; j++) print t[i] " v" i j ";"
		print t[i] " w" i ";"
	}
	for (s = 0; s < 32; s += 7) print "int s" s ";"
}' >decls
printf '%s\n' 'v11 = -128; v12 = -3; v13 = 0; v14 = 7; v15 = 127;' \
	'v21 = 0; v22 = 1; v23 = 9; v24 = 200; v25 = 255;' \
	'v31 = -32768; v32 = -77; v33 = 0; v34 = 5; v35 = 32767;' \
	'v41 = 0; v42 = 2; v43 = 300; v44 = 32768; v45 = 65535;' \
	'v51 = -2147483647; v52 = -9; v53 = 0; v54 = 31; v55 = 2147483647;' \
	'v61 = 0; v62 = 3; v63 = 70000; v64 = 2147483648U; v65 = 4294967295U;' \
	'v71 = -9223372036854775807L; v72 = -11L; v73 = 0L; v74 = 13L;' \
	'v75 = 9223372036854775807L;' \
	'v81 = 0UL; v82 = 4UL; v83 = 4294967296UL; v84 = 9223372036854775808UL;' \
	'v85 = 18446744073709551615UL;' \
	's0 = 0; s7 = 7; s14 = 14; s21 = 21; s28 = 28;' >values

failed=0
for part in variables constants unary compound; do
	# All of them, some thousands, with ALL=1. Otherwise as many as fit in a second or two: a
	# choice that looks random and is always the same.
	awk -v part=$part -v types="$types" -f gen.awk >all
	awk -v want="${ALL:+1000000}" -v few="${SLOW:+60}" -v n="$(wc -l <all)" '
		BEGIN { want = want ? want : few ? few : 400; if (want > n) want = n }
		{ seed = (seed * 1103515245 + 12345) % 2147483648;
			if (seed % (n - NR + 1) < want) { want--; print } }' all >exprs
	{
		echo '#include <stdio.h>'
		cat decls
		echo 'int main(void) {'
		cat values
		sed 's/.*/printf("%lld\\n", (long long)(&));/' exprs
		echo 'return 0; }'
	} >want.c
	cc -w -O0 -fwrapv -o want want.c
	./want >want.out
	rm -f x*
	split -l 600 exprs x
	: >got.out
	for x in x??; do
		{
			cat decls
			echo 'BEGIN {'
			cat values
			echo '}'
			split -l 50 $x "$x."
			for y in $x.*; do
				echo 'BEGIN {'
				sed 's/.*/printf("%d\\n", (long long)(&));/' $y
				echo '}'
			done
			echo 'BEGIN { exit(0); }'
		} >prog.d
		$DTRACE -q -s prog.d >one.out
		sed '$d' one.out >>got.out
	done
	paste -d'#' exprs want.out got.out | awk -F'#' '$2 != $3' >differ
	if [ -s differ ]; then
		echo "$part: expression#C#D"
		head -20 differ
		failed=1
	fi
	[ "$(wc -l <want.out)" = "$(wc -l <got.out)" ] || {
		echo "$part: not all was printed"
		failed=1
	}
done >&2
exit $failed
