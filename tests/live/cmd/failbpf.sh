# SPDX-License-Identifier: GPL-2.0-or-later
# bpf() fails, and perf_event_open(): with FAIL_STEP=1 every call of the kind.
# @@needs: cmd:strace
# @@once:
. "$FIXTURE/failing"
fail_calls bpf ENOMEM 5 "${FAIL_STEP:-17}"
fail_calls perf_event_open EMFILE 1 1
