# SPDX-License-Identifier: GPL-2.0-or-later
# freopen() with -x oformat=json: the lines of the records that follow go to the file, whole, until
# freopen("").
# @@stderr: ^dtrace: allowing destructive actions$
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
$DTRACE -w -x oformat=json -n 'BEGIN { printf("a"); } BEGIN { freopen("%s/there", $$1); }
	BEGIN { printf("b"); } BEGIN { freopen(""); }
	BEGIN { printf("c"); exit(0); }' "$PWD" >here
texts() {
	sed -n 's/.*"message":"\([^"]*\)".*/\1/p' "$1" | tr '\n' ' '
	sed '/^{.*}$/d' "$1" | wc -l
}
texts here
texts there
