/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/engine/follow.h"

int follow_begin(struct program_set *set)
{
	int err = 0;

	for (int i = 0; i < set->probes.n && !err; i++) {
		const struct target *t = &set->probes.v[i]->target;
		uint64_t pid = t->only;

		if (pid)
			err = map_update(&set->maps.followed, &pid, &pid, BPF_ANY);
	}
	return err;
}

pid_t follow_root(struct program_set *set, pid_t pid)
{
	uint64_t key = pid, root = pid;

	if (set->follows)
		map_lookup(&set->maps.followed, &key, &root);
	return (pid_t)root;
}
