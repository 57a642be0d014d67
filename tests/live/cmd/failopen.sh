# SPDX-License-Identifier: GPL-2.0-or-later
# Files cannot be opened, output not written, the kernel's symbols not read to their end: with
# FAIL_STEP=1 every call of the kind.
# @@needs: cmd:strace
# @@once:
. "$FIXTURE/failing"
fail_calls openat EMFILE 7 "${FAIL_STEP:-4}"
fail_calls write ENOSPC 1 1
fail_calls read EIO 1 "${FAIL_STEP:-300}" /proc/kallsyms
