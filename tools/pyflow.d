#!/usr/sbin/dtrace -s
/*
 * pyflow: calls of Python functions, indented
 *
 * Usage: dtrace -x tool=pyflow
 *
 * Requires -c or -p and a Python with static probes, as Debian's 3.11. Modules of the
 * interpreter that start before the program are shown, too.
 *
 * Example:
 *	# dtrace -x tool=pyflow -c '/usr/bin/python3.11 prog.py'
 *	CPU FUNCTION
 *	  1      ->                                   <module> prog.py:0
 *	  1        ->                                 outer prog.py:3
 *	  1          ->                               inner prog.py:1
 *	  1          <-                               inner prog.py:2
 *	  1        <-                                 outer prog.py:4
 *	  1      <-                                   <module> prog.py:5
 */
#pragma D option flowindent

/* Python 3.11 fires the probes of all functions only while lines are traced, too. */
python$target:::line
/0/
{
}

python$target:::function-entry,
python$target:::function-return
/copyinstr(arg0) != "<frozen importlib._bootstrap>" &&
    copyinstr(arg0) != "<frozen importlib._bootstrap_external>"/
{
	printf("%s %s:%d", copyinstr(arg1), basename(copyinstr(arg0)), arg2);
}
