# -x errfmt: errors and warnings as editors read them, and as programs do.
# @@needs: cmd:cpp
# @@status: 1
# @@stderr: ^([ab]\.d|c\.d|in\.h|<command line>):[0-9]+:[0-9]+: error: 
# @@stderr: ^[{]"type":"diagnostic",
# @@stderr: ^dtrace: (warning: syscall::open does not match|failed to set -x errfmt|could not enable tracing: Destructive)
told() {
	want=$1 status=$2
	shift 2
	got=$("$@" 2>&1 >/dev/null </dev/null) && rc=0 || rc=$?
	[ $rc = $status ] || { echo "$*: status $rc: $got"; exit 1; }
	[ "$got" = "$want" ] || { echo "$*: $got"; exit 1; }
}
printf '#include "in.h"\n#define NIX nixx\nBEGIN { trace(NIX); }\n' >a.d
printf '/* */\nstruct two { int a; int a; };\n' >in.h
printf 'BEGIN { trace(nixx); }\n' >b.d
undefined='failed to resolve nixx: Unknown variable name'
place='"line":1,"column":15,"length":4}'
told "b.d:1:15: error: $undefined [D_IDENT_UNDEF]" 1 $DTRACE -e -x errfmt=gcc -s b.d
told "<command line>:1:15: error: $undefined [D_IDENT_UNDEF]" 1 $DTRACE -e -x errfmt=gcc \
	-n 'BEGIN { trace(nixx); }'
# A header's place, as cpp reports it.
told "in.h:2:25: error: member a is declared twice [D_UNKNOWN]
a.d:3:15: error: $undefined [D_IDENT_UNDEF]" 1 $DTRACE -e -C -x errfmt=gcc -s a.d
: >in.h
got=$($DTRACE -e -C -x errfmt=gcc -s a.d 2>&1 || :)
case $got in "a.d:3:"*": error: $undefined [D_IDENT_UNDEF]") ;; *) echo "cpp: $got"; exit 1 ;; esac
got=$($DTRACE -e -x errfmt=gcc -s - <b.d 2>&1 || :)
[ "$got" = "<stdin>:1:15: error: $undefined [D_IDENT_UNDEF]" ] || { echo "stdin: $got"; exit 1; }
told "{\"type\":\"diagnostic\",\"severity\":\"error\",\"tag\":\"D_IDENT_UNDEF\",\
\"message\":\"$undefined\",\"where\":\"in action list\",\"file\":\"b.d\",$place" \
	1 $DTRACE -e -x errfmt=json -s b.d
# A script may set it for what follows, and the environment for all.
{ echo '#pragma D option errfmt=gcc'; cat b.d; } >c.d
told "c.d:2:15: error: $undefined [D_IDENT_UNDEF]" 1 $DTRACE -e -s c.d
told "b.d:1:15: error: $undefined [D_IDENT_UNDEF]" 1 env DTRACE_OPT_errfmt=gcc $DTRACE -e -s b.d
told 'dtrace: failed to set -x errfmt: Invalid value for specified option: errfmt is one of dtrace gcc json' \
	1 $DTRACE -x errfmt=xml
# What has no place.
denied='could not enable tracing: Destructive actions not allowed: raise( ) needs -w'
told "dtrace: $denied" 1 $DTRACE -q -x errfmt=gcc -n 'BEGIN { raise(9); }'
told "{\"type\":\"diagnostic\",\"severity\":\"error\",\"message\":\"$denied\"}" 1 \
	$DTRACE -q -x errfmt=json -n 'BEGIN { raise(9); }'
# Warnings. Other machines than this never had the call.
[ "$(uname -m)" = x86_64 ] || exit 0
hint='syscall::open does not match openat, which programs call instead; add -x compat'
told "dtrace: warning: $hint" 0 $DTRACE -e -x compat=off -x errfmt=gcc -n 'syscall::open:entry'
told "{\"type\":\"diagnostic\",\"severity\":\"warning\",\"message\":\"$hint\"}" 0 \
	$DTRACE -e -x compat=off -x errfmt=json -n 'syscall::open:entry'
