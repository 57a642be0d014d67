# SPDX-License-Identifier: GPL-2.0-or-later
# Probes of several providers at one function: their clauses run in the order of the program,
# whichever of them comes first.
# @@needs: kprobe
for first in fbt rawfbt; do
	[ $first = fbt ] && second=rawfbt || second=fbt
	for name in entry return; do
		echo "$first $second $name"
		$DTRACE -qn "$first::vfs_read:$name /pid == \$target && !n/ { printf(\"1\\n\");
			self->n = 1; }
			$second::vfs_read:$name /pid == \$target && !n/ {
				printf(\"%d\\n\", ++self->n); n = 1; }" -c 'cat /dev/null'
	done
done
