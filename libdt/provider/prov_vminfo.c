/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vminfo: what the memory system counts, as it happens. arg0 is by how much, arg1 the address of
 * the current CPU's similar counter, or 0 where Linux has none or hides it.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

#define BY(e, event)                                           \
	{                                                      \
		{"uint64_t", e},                               \
		{                                              \
			"uint64_t *", "dt_vm_count[" event "]" \
		}                                              \
	}
#define UNCOUNTED(e)                                  \
	{                                             \
		{"uint64_t", e},                      \
		{                                     \
			"uint64_t *", "(uint64_t *)0" \
		}                                     \
	}
#define FAULTS "rawtp:exceptions::page_fault_user+rawtp:exceptions::page_fault_kernel"

/* Before 5.11 the tracepoint has the queue in front. REQ_OP_READ is 0, REQ_OP_WRITE 1; a flush
 * writes nothing. */
#define QUEUED "rawtp:block::block_bio_queue"
#define BIO "(exists(args[1]) ? (struct bio *)args[1] : (struct bio *)args[0])"
#define READS "(" BIO "->bi_opf & 0xff) == 0"
#define WRITES "(" BIO "->bi_opf & 0xff) == 1 && " BIO "->bi_iter.bi_size"
#define PAGES "(" BIO "->bi_iter.bi_size + dt_unix__pagesize - 1) >> dt_unix__pageshift"
#define OF_FILE "dt_bio_inode[" BIO "]"

#define SHRINK "sdt:vmscan::mm_vmscan_lru_shrink_inactive"
#define SWAP_IN "fbt::swap_read_folio:entry fbt::swap_readpage:entry"
#define SWAP_OUT "fbt::swap_writeout:entry fbt::swap_writepage:entry"

static const struct stable_probe rows[] = {
    {.name = "anonfree",
     .base = SHRINK,
     .predicate = "args->nr_reclaimed && args->reclaim_flags & 1",
     .args = UNCOUNTED("args->nr_reclaimed")},
    {.name = "anonpgin", .base = SWAP_IN, .args = BY("1", "PSWPIN")},
    {.name = "anonpgout", .base = SWAP_OUT, .args = BY("1", "PSWPOUT")},
    {.name = "as_fault",
     .place = "as_fault",
     .base = FAULTS,
     .predicate = "(int64_t)args[0] >= 0",
     .args = BY("1", "PGFAULT")},
    {.name = "as_fault",
     .fallback = true,
     .base = "cpc:::page_faults-all-1",
     .args = BY("1", "PGFAULT")},
    {.name = "cow_fault", .base = "fbt::wp_page_copy:entry", .args = UNCOUNTED("1")},
    /* Also where pages are written to that are shared, which is VM_SHARED. */
    {.name = "cow_fault",
     .fallback = true,
     .base = "fbt::do_wp_page:entry",
     .predicate = "!(args[0]->vma->vm_flags & 8)",
     .args = UNCOUNTED("1")},
    {.name = "dfree",
     .base = SHRINK,
     .predicate = "args->nr_reclaimed",
     .args = UNCOUNTED("args->nr_reclaimed")},
    {.name = "fsfree",
     .base = SHRINK,
     .predicate = "args->nr_reclaimed && args->reclaim_flags & 2",
     .args = UNCOUNTED("args->nr_reclaimed")},
    {.name = "fspgin", .base = QUEUED, .predicate = READS " && " OF_FILE, .args = UNCOUNTED(PAGES)},
    {.name = "fspgout",
     .base = QUEUED,
     .predicate = WRITES " && " OF_FILE,
     .args = UNCOUNTED(PAGES)},
    {.name = "kernel_asflt",
     .base = "rawtp:exceptions::page_fault_kernel",
     .predicate = "(int64_t)args[0] < 0",
     .args = UNCOUNTED("1")},
    {.name = "maj_fault", .base = "cpc:::major_faults-all-1", .args = BY("1", "PGMAJFAULT")},
    {.name = "pgin", .base = QUEUED, .predicate = READS, .args = UNCOUNTED("1")},
    {.name = "pgout", .base = QUEUED, .predicate = WRITES, .args = UNCOUNTED("1")},
    {.name = "pgpgin", .base = QUEUED, .predicate = READS, .args = BY(PAGES, "PGPGIN")},
    {.name = "pgpgout", .base = QUEUED, .predicate = WRITES, .args = BY(PAGES, "PGPGOUT")},
    {.name = "pgrec", .base = "rawtp:pagemap::mm_lru_activate", .args = BY("1", "PGACTIVATE")},
    {.name = "pgrrun",
     .base = "rawtp:vmscan::mm_vmscan_kswapd_wake",
     .args = BY("1", "PAGEOUTRUN")},
    {.name = "pgswapin", .base = SWAP_IN, .args = BY("1", "PSWPIN")},
    {.name = "pgswapout", .base = SWAP_OUT, .args = BY("1", "PSWPOUT")},
    {.name = "prot_fault", .base = FAULTS, .predicate = "args[2] & 1", .args = UNCOUNTED("1")},
    {.name = "scan",
     .base = "sdt:vmscan::mm_vmscan_lru_isolate",
     .predicate = "args->nr_scanned",
     .args = UNCOUNTED("args->nr_scanned")},
    {.name = "zfod",
     .base = "fbt::do_anonymous_page:entry rawfbt::do_anonymous_page*:entry",
     .args = UNCOUNTED("1")},

    LINUX_LACKS("execfree", "pages of programs are pages of files: fsfree"),
    LINUX_LACKS("execpgin", "pages of programs are pages of files: fspgin"),
    LINUX_LACKS("execpgout", "pages of programs are pages of files: fspgout"),
    LINUX_LACKS("pgfrec", "pages on its free lists keep no contents; pages that are used again "
			  "before they are freed are pgrec"),
    LINUX_LACKS("rev", "its page reclaim has no clock hand"),
    LINUX_LACKS("softlock", "it locks pages without a fault"),
    LINUX_LACKS("swapin", "it swaps pages, not processes: pgswapin"),
    LINUX_LACKS("swapout", "it swaps pages, not processes: pgswapout"),
    {0},
};

const struct provider provider_vminfo = {STABLE_PROVIDER("vminfo", rows), .counters = true};
