# @@stderr: ^dtrace: description 'BEGIN ' matched 1 probe$
# How the text of -q ends: with an empty line in a file; into a pipe with the program's own last
# line, whose newline is added where it lacks one. Aggregations that nothing has printed follow an
# empty line in both. A recording is printed in the same way.
end() { # PROGRAM
	printf '== %s\n' "$1"
	rm -f file rec
	$DTRACE -qwn "$1" | sed 's/^/pipe:/'
	$DTRACE -qwn "$1" -o file
	sed 's/^/file:/' file
	$DTRACE -qwn "$1" -x record=rec
	$DTRACE -x replay=rec | sed 's/^/pipe:/' >again
	$DTRACE -qwn "$1" | sed 's/^/pipe:/' | cmp - again
}
end 'BEGIN { printf("line\n"); exit(0); }'
end 'BEGIN { printf("no newline"); exit(0); }'
end 'BEGIN { exit(0); }'
end 'BEGIN { @ = count(); printf("line\n"); exit(0); }'
end 'BEGIN { @ = count(); printa(@); exit(0); }'
end 'BEGIN { @ = count(); trunc(@); printf("line\n"); exit(0); }'
echo '== others'
$DTRACE -qwn 'BEGIN { printf("%s\n", "before"); system("echo command"); printf("x"); exit(0); }' |
	sed 's/^/pipe:/'
$DTRACE -n 'BEGIN { printf("line\n"); exit(0); }' 2>/dev/null | sed -n '3,$s/^/pipe:/p'
