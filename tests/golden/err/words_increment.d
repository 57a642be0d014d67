BEGIN { @calls[pid, execname]++; }
