# SPDX-License-Identifier: GPL-2.0-or-later
# A stack in one line: what joins its frames is another character in the names of files.
cp "$(command -v calls)" 'we;ird'
for form in csv openmetrics folded; do
	$DTRACE -x oformat=$form -qn 'syscall::getppid:entry /pid == $target/ {
		@a[ustack()] = count(); }' -c "'./we;ird'" >out
	echo "$form $(grep -c 'we:ird`' out) $(grep -c 'we;ird' out)"
done
