# SPDX-License-Identifier: GPL-2.0-or-later
# Files cannot be opened, and output not written: with FAIL_STEP=1 every call of the kind.
# @@needs: cmd:strace
# @@once:
. "$FIXTURE/failing"
fail_calls openat EMFILE 7 "${FAIL_STEP:-4}"
fail_calls write ENOSPC 1 1
