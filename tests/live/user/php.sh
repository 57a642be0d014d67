# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's PHP: requests, functions with class, file and line, files that are compiled, exceptions.
# @@needs: file:/usr/bin/php8.2
[ -z "${SLOW:-}" ] || { echo 'an emulated machine takes minutes for it'; exit 77; }
cat >t.php <<'P'
<?php
function add($a, $b) { return $a + $b; }
class Box {
	static function sum() { return add(1, 2); }
}
Box::sum();
try { throw new Exception("no"); } catch (Exception $e) {}
P
cat >t.d <<'D'
php$target:::request-startup, php$target:::request-shutdown {
	printf("%s %s %s\n", probename, basename(copyinstr(arg0)), copyinstr(arg2)); }
php$target:::compile-file-entry { printf("compile %s\n", basename(copyinstr(arg0))); }
php$target:::function-entry, php$target:::function-return
{
	printf("%s %s%s%s %s:%d\n", probename, copyinstr(arg3), copyinstr(arg4),
	    copyinstr(arg0), basename(copyinstr(arg1)), arg2);
}
php$target:::exception-thrown /arg0/ { printf("thrown %s\n", copyinstr(arg0)); }
D
$DTRACE -x setenv=USE_ZEND_DTRACE=1 -q -s t.d -c '/usr/bin/php8.2 -n t.php'
