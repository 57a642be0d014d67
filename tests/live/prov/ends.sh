# How tracing ends otherwise. The columns for the CPU and of a process's number are taken out.
# @@status: 2 3 5 7
t() {
	printf "%s " "--- $*" | tr -d "\t" | tr "\n" " "; echo
	status=0
	$DTRACE "$@" >out 2>&1 || status=$?
	sed 's/^ *[0-9]* \( *[0-9]* \)/  *\1/; s/pid [0-9]*/pid N/' out
	echo "status $status"
}
t -n 'BEGIN { exit(2); trace(1); } BEGIN { trace(2); } END { trace(3); } END { trace(4); }'
t -qn 'BEGIN { exit(2); exit(3); } END { printf("end\n"); }'
t -qn 'BEGIN { exit(2); } END { printf("end\n"); exit(7); } END { printf("and\n"); }'
t -qn 'BEGIN { if (1) { printf("yes\n"); exit(0); } } BEGIN { printf("no\n"); }'
t -qn 'BEGIN { if (0) { exit(1); } } BEGIN { printf("second\n"); exit(0); }'
t -qn 'syscall::exit_group:entry /pid == $target/ { printf("%s\n", execname); }
	END { printf("end\n"); }' -c true
t -n 'END { printf("end"); }' -c 'sh -c "exit 3"'
t -n 'END { printf("end"); }' -c 'sh -c "kill -9 $$"'
t -qn 'END { printf("end\n"); }' -c false
t -x keepcmd -qn 'syscall::getppid:entry /pid == $target/ { exit(5); }' \
	-c 'calls -o made -n 20 -d 1000'
# A command that may go on does.
until [ -e made ]; do sleep 0.1; done
