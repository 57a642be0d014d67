/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that the compiler is given of the builtins. */
#include <stddef.h>

#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen.h"

static const struct def *const tables[] = {
    defs_var,	   defs_args,	 defs_str,	 defs_kern,	 defs_net,
    defs_mem,	   defs_num,	 defs_act,	 defs_act_print, defs_act_pcap,
    defs_act_proc, defs_act_agg, defs_act_spec,	 defs_stack,	 defs_uregs,
    defs_ustack,   defs_agg,	 defs_agg_quant, NULL,
};

/* What D has and we do not: not at all on Linux, or not yet. Of actions also the prototype, as
 * wrong uses of them have errors of their own. */
static const struct def_missing missing[] = {
    {"breakpoint", "has no counterpart on Linux: BPF programs cannot enter a kernel debugger",
     "void()"},
    {"panic", "is not supported: BPF programs cannot stop the kernel", "void()"},
    {"msgsize", "has no counterpart on Linux: there are no STREAMS messages", NULL},
    {"msgdsize", "has no counterpart on Linux: there are no STREAMS messages", NULL},
    {"ddi_pathname", "has no counterpart on Linux: devices have no path in a tree of instances",
     NULL},
    {0},
};

static const struct def_routine routines[] = {
    {"dt_machinery", gen_machinery_routine},
    {"dt_process", gen_process_routine},
    {"dt_spec_claim", gen_spec_claim_routine},
    {"dt_speculation", gen_speculation_routine},
    {"dt_speculating", gen_speculating_routine},
    {"dt_spec_end", gen_spec_end_routine},
    {0},
};

const struct builtins builtins = {
    .tables = tables,
    .missing = missing,
    .routines = routines,
    .describe_maps = spec_describe_maps,
    .finish = gen_machinery_table,
};
