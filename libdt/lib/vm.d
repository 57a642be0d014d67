/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel counts for each CPU about memory: the count of the CPU at hand, where its
 * address is known. */
inline uint64_t *dt_vm_count[int event] =
	exists(&`vm_event_states) ?
	    (uint64_t *)&((struct vm_event_state *)&`vm_event_states)->event[event] :
	(uint64_t *)NULL;
