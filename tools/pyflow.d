#!/usr/sbin/dtrace -Fs
/*
 * Functions of a Python program as they call each other, with file and line; needs a Python with static probes (Debian's 3.11).
 *
 *	dtrace -Fs pyflow.d -c '/usr/bin/python3.11 prog.py'
 *
 * Sample (the FUNCTION column is empty where the interpreter is stripped; 1,000 lines of its own start before these):
 *	CPU FUNCTION
 *	  1      ->                                   <module> prog.py:0
 *	  1        ->                                 outer prog.py:3
 *	  1          ->                               inner prog.py:1
 *	  1          <-                               inner prog.py:2
 *	  1        <-                                 outer prog.py:4
 *	  1      <-                                   <module> prog.py:5
 */

/* Python 3.11 tells of all functions only while somebody traces lines. */
python$target:::line
/0/
{
}

python$target:::function-entry,
python$target:::function-return
/copyinstr(arg0) != "<frozen importlib._bootstrap>" && copyinstr(arg0) != "<frozen importlib._bootstrap_external>"/
{
	printf("%s %s:%d", copyinstr(arg1), basename(copyinstr(arg0)), arg2);
}
