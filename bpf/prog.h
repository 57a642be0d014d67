/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program: its functions joined, loaded with BTF so that the verifier's log quotes D. */
#ifndef DT_PROG_H
#define DT_PROG_H

#include <linux/bpf.h>
#include <stdio.h>

#include "bpf/feat.h"
#include "bpf/ir.h"

struct prog {
	char name[16];
	enum bpf_prog_type type;
	enum bpf_attach_type attach_type; /* 0 where there is none */
	uint32_t attach_btf_id;
	bool may_sleep;	   /* BPF_F_SLEEPABLE */
	int attach_btf_fd; /* of the module's BTF which that id is of; 0: the kernel's */
	struct code *main;
	VEC(struct code *) funcs; /* routines it calls, directly or not; each once */
	int fd;			  /* -1 until loaded */
};

void prog_init(struct prog *p, const char *name, enum bpf_prog_type type);
/* Adds a function unless one of that name is there. */
void prog_add(struct prog *p, struct code *func);
/*
 * Creates the maps it refers to, joins, loads. 0 or -errno; log, when not NULL, gets the verifier's
 * log on failure (and on success too when verbose), with D lines in it. -ENOENT without a log: a
 * function that is called is missing. feats may be NULL: then everything is taken to be there.
 */
int prog_load(struct prog *p, struct feats *feats, struct strbuf *log, bool verbose);
/* How many maps it refers to. The kernel takes PROG_MAPS_MAX. */
enum { PROG_MAPS_MAX = 64 };
int prog_maps(const struct prog *p);
/*
 * Runs a raw tracepoint program once, in this process, with up to 12 arguments as its context. 0 or
 * -errno; result, when not NULL, gets the 32 bits that the kernel passes on, sign-extended.
 */
int prog_run(struct prog *p, const uint64_t *args, int nargs, int64_t *result);
/* How often the kernel did not run it because it was running already on that CPU: a firing that
 * interrupts another. 0 on kernels that do not count. */
uint64_t prog_misses(const struct prog *p);
/* The time (ns) for which it has run, and how often, while sys_count_time() is on. */
void prog_time(const struct prog *p, uint64_t *ns, uint64_t *runs);
/* What of that is the counting itself: ns of a program that does nothing; 0: not known. */
double prog_time_floor(void);
/* Closes the program and forgets its functions, which are the caller's. */
void prog_close(struct prog *p);

/*
 * What is loaded: the main function and those reachable from it.
 */
struct prog_func {
	const struct code *code;
	int start; /* its first instruction in insns */
};

struct prog_image {
	VEC(struct bpf_insn) insns;
	VEC(struct prog_func) funcs;
};

/*
 * Lays out the functions and resolves the calls among them. A RELOC_CALL on a ld_imm64 loads the
 * address of a (static) function, for bpf_loop(). -ENOENT when one is missing, -EINVAL for code
 * with an error.
 */
int prog_join(const struct prog *p, struct prog_image *img);
/* Creates the maps and puts their fds into the instructions. */
int prog_relocate(struct prog_image *img);
void prog_image_free(struct prog_image *img);

#endif
