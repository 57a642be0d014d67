/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this kernel's BPF can do. Each feature is probed on first use and remembered in the session's
 * table; never by version. -x nofeat=a,b forces features off, so that fallbacks are tested on new kernels.
 */
#ifndef DT_FEAT_H
#define DT_FEAT_H

#include <stdbool.h>
#include <stdio.h>

enum feat {
#define FEAT(word, text) FEAT_##word,
#include "bpf/feat.def"
#undef FEAT
	FEAT_COUNT
};

struct feats; /* of one session */

struct feats *feats_new(void);
void feats_free(struct feats *f);
bool feat(struct feats *f, enum feat which);
/* Forces off a comma-separated list of names (lower case). -EINVAL with an unknown name. */
int feats_disable(struct feats *f, const char *names);
/* For dtrace -Vv: a line each. */
void feats_report(struct feats *f, FILE *out);

#endif
