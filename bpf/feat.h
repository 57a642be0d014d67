/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this kernel's BPF can do. Each feature is probed on first use and remembered in the
 * session's table; never by version. -x nofeat=a,b forces features off, so that fallbacks are
 * tested on new kernels.
 */
#ifndef DT_FEAT_H
#define DT_FEAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum feat {
#define FEAT(word, text, since) FEAT_##word,
#include "bpf/feat.def"
#undef FEAT
	FEAT_COUNT
};

struct feats; /* of one session */
struct strbuf;

/* Also silences what libbpf prints, which is a setting of the whole process. */
struct feats *feats_new(void);
void feats_free(struct feats *f);
/* Returns the BTF id of a function or tracepoint, 0 when there is none. For callers that have read
 * the running kernel's BTF; with NULL libbpf reads it again, which takes 10 ms. */
typedef uint32_t feats_id(void *arg, const char *name, bool tracepoint);
void feats_ask(struct feats *f, feats_id *id, void *arg);
bool feat(struct feats *f, enum feat which);
/*
 * Forces off a comma-separated list of names (lower case). -EINVAL with an unknown name, and then
 * nothing changes. "all" is what some supported kernel lacks: all but what each has (BPF itself,
 * ring buffers, loops, the kernel's types, reading its memory).
 */
int feats_disable(struct feats *f, const char *names);
/* A feature as feats_each() describes it. */
struct feat_state {
	const char *name;
	bool available, disabled; /* disabled: forced off */
	const char *text;	  /* what it is */
	const char *since;	  /* the first version of Linux that has it, or NULL */
};
/* Probes each feature and calls fn with its state. */
void feats_each(struct feats *f, void (*fn)(void *arg, const struct feat_state *state), void *arg);
/* For dtrace -Vv: a line each. */
void feats_report(struct feats *f, FILE *out);
/*
 * Reports in one line a feature that no program can do without and that is missing, with the first
 * version of Linux that has it. Without probing it looks only at those that are forced off. False
 * when there is none, then nothing is added.
 */
bool feats_why_unsupported(struct feats *f, bool probe, struct strbuf *why);
/* Is it forced off? */
bool feat_is_off(const struct feats *f, enum feat which);
/*
 * Says in one line why BPF cannot be used and what to do about it. False when it can be used, then
 * nothing is added. For the message after FEAT_BPF was found missing; reads files of /proc and
 * /sys.
 */
/* Does lockdown=confidentiality forbid to read the kernel's memory? */
bool feat_locked_down(void);
bool feat_why_no_bpf(struct strbuf *why);

#endif
