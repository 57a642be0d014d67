/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that the kernel calls itself each time it runs a program: to get there, and for what
 * programs ask of it. A probe on one cannot fire then, for a CPU runs one such program at a time;
 * the kernel counts a miss instead. With fbt:::entry, where one firing of any function brings two
 * misses of these, they are most of what there is to do. So a glob that has other functions
 * leaves these out. Named, they are traced like any other.
 *
 * Only functions with hardly any other callers, or too small to matter: not the spin locks, for
 * example, although hash tables take one. The kernel itself excludes those in kernel/trace/.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/base/mem.h"
#include "libdt/provider/func.h"

/* Sorted. */
static const char *const names[] = {
    "__bpf_get_stack",
    "__bpf_get_stackid",
    "__bpf_ringbuf_reserve",
    "__htab_map_lookup_elem",
    "__htab_percpu_map_update_elem",
    "__pcpu_freelist_pop",
    "__pcpu_freelist_push",
    "__rcu_read_lock",
    "__rcu_read_unlock",
    "__unwind_start",
    "alloc_htab_elem",
    "array_map_lookup_elem",
    "array_map_update_elem",
    "array_of_map_lookup_elem",
    "bpf_get_current_comm",
    "bpf_get_current_pid_tgid",
    "bpf_get_current_uid_gid",
    "bpf_get_numa_node_id",
    "bpf_get_smp_processor_id",
    "bpf_get_stack",
    "bpf_ktime_get_ns",
    "bpf_local_storage_lookup",
    "bpf_local_storage_update",
    "bpf_map_delete_elem",
    "bpf_map_lookup_elem",
    "bpf_map_update_elem",
    "bpf_mem_cache_alloc",
    "bpf_mem_cache_free",
    "bpf_ringbuf_commit",
    "bpf_ringbuf_discard",
    "bpf_ringbuf_notify",
    "bpf_ringbuf_reserve",
    "bpf_ringbuf_submit",
    "bpf_selem_alloc",
    "bpf_task_storage_get",
    "bpf_task_storage_get_recur",
    "bpf_user_rnd_u32",
    "copy_from_kernel_nofault",
    "copy_from_kernel_nofault_allowed",
    "copy_from_user_nofault",
    "free_htab_elem",
    "get_callchain_entry",
    "get_perf_callchain",
    "htab_lock_bucket",
    "htab_map_delete_elem",
    "htab_map_hash",
    "htab_map_lookup_elem",
    "htab_map_update_elem",
    "htab_percpu_map_lookup_elem",
    "htab_percpu_map_update_elem",
    "htab_unlock_bucket",
    "lookup_elem_raw",
    "lookup_nulls_elem_raw",
    "migrate_disable",
    "migrate_enable",
    "pcpu_copy_value",
    "pcpu_init_value",
    "percpu_array_map_lookup_elem",
    "perf_callchain_kernel",
    "perf_callchain_user",
    "put_callchain_entry",
    "rcu_read_unlock_strict",
    "strncpy_from_kernel_nofault",
    "strncpy_from_user_nofault",
    "unit_alloc",
    "unit_free",
    "unwind_get_return_address",
    "unwind_next_frame",
};

static int by_name(const void *key, const void *name)
{
	return strcmp(key, *(const char *const *)name);
}

bool func_is_recursive(const char *name)
{
	return bsearch(name, names, ARRAY_SIZE(names), sizeof(*names), by_name);
}
