/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a detached session is in the BPF file system: ctl, ring, aggmem and aggrN_G, its maps as
 * far as dtrace uses them; end and progN, its programs; linkN, its attachments. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/pin.h"
#include "libdt/consumer/consume.h"
#include "libdt/detach/detach.h"
#include "libdt/engine/snapshot.h"
#include "libdt/engine/unwind.h"
#include "libdt/session.h"

static int save(const struct store *p, int fd, const char *name)
{
	char *path = store_pin(p, name);
	int rc = pin_save(fd, path);

	free(path);
	return rc;
}

static int save_nth(const struct store *p, int fd, const char *kind, int n)
{
	char *name = xasprintf("%s%d", kind, n);
	int rc = save(p, fd, name);

	free(name);
	return rc;
}

static int open_pin(const struct store *p, const char *name)
{
	char *path = store_pin(p, name);
	int fd = pin_open(path);

	free(path);
	return fd;
}

static int open_nth(const struct store *p, const char *kind, int n)
{
	char *name = xasprintf("%s%d", kind, n);
	int fd = open_pin(p, name);

	free(name);
	return fd;
}

static bool is_end(const struct program *pl)
{
	return pl->hook == HOOK_RUN && !pl->support && !strcmp(pl->probes.v[0]->name, "END");
}

static int save_programs(struct dt *dt, const struct store *p)
{
	int n = 0, rc = 0;

	for (int i = 0; i < dt->set->programs.n && !rc; i++) {
		const struct program *pl = dt->set->programs.v[i];

		if (pl->prog.fd < 0)
			continue;
		if (is_end(pl))
			rc = save(p, pl->prog.fd, "end");
		else if (pl->hook != HOOK_RUN)
			rc = save_nth(p, pl->prog.fd, "prog", n++);
	}
	return rc;
}

int pins_save(struct dt *dt, const struct store *p)
{
	struct program_set *set = dt->set;
	int rc = 0;

	for (int i = 0; i < dt->set->links.fds.n && !rc; i++)
		rc = save_nth(p, dt->set->links.fds.v[i], "link", i);
	if (!rc)
		rc = save_programs(dt, p);
	if (!rc && set->maps.ring.fd >= 0 && set->uses_ring)
		rc = save(p, set->maps.ring.fd, "ring");
	if (!rc && dt->aggrs->v.n)
		rc = save(p, set->maps.aggmem.fd, "aggmem");
	for (int i = 0; i < dt->aggrs->v.n && !rc; i++)
		rc = snapshot_pin(dt->set->counts.v.v[i], p->pins);
	return rc ? rc : save(p, set->maps.ctl.fd, "ctl");
}

/* A map of which memory is mapped, at least so much. */
static int open_memory(const struct store *p, const char *name, struct map *m, size_t least)
{
	int fd = open_pin(p, name), rc;

	rc = fd < 0 ? fd : map_adopt(m, fd, true);
	return rc ? rc : m->value_size < least ? -EINVAL : 0;
}

static int open_ring(const struct store *p, struct map *m)
{
	int fd = open_pin(p, "ring");

	if (fd == -ENOENT) { /* no clause records anything */
		m->fd = -1;
		return 0;
	}
	return fd < 0 ? fd : map_adopt(m, fd, false);
}

/* Aggregations count where their programs were made to; returns the bytes that those without keys
 * need. */
static size_t place_counts(struct dt *dt)
{
	struct aggr_memory *counts = &dt->set->counts;

	for (int i = 0; i < dt->aggrs->v.n; i++) {
		const struct aggr *ag = dt->aggrs->v.v[i];

		aggr_memory_add(counts, ag->func, ag->params, ag->key_size, ag->extra);
	}
	return aggr_memory_place(counts, &dt->set->maps.aggmem);
}

int pins_open(struct dt *dt, const struct store *p)
{
	struct program_set *set = dt->set;
	struct aggrs *as = dt->aggrs;
	int rc;

	program_set_cpus(set, as->ncpus);
	rc = open_memory(p, "ctl", &set->maps.ctl,
			 sizeof(struct ctl) + as->ncpus * sizeof(struct ctl_cpu));
	if (!rc)
		rc = open_ring(p, &set->maps.ring);
	if (!rc && as->v.n)
		rc = open_memory(p, "aggmem", &set->maps.aggmem, place_counts(dt));
	for (int i = 0; i < as->v.n && !rc; i++)
		rc = snapshot_open_pins(dt->set->counts.v.v[i], p->pins);
	return rc;
}

bool pins_exited(const struct store *p)
{
	struct map ctl;
	bool exited;

	if (open_memory(p, "ctl", &ctl, sizeof(struct ctl)) < 0)
		return false;
	exited = ((const struct ctl *)ctl.mem)->stopped == STOP_ENDED;
	map_close(&ctl);
	return exited;
}

int pins_open_end(const struct store *p)
{
	return open_pin(p, "end");
}

uint64_t pins_misses(const struct store *p)
{
	struct prog prog = {0};
	uint64_t sum = 0;

	for (int i = 0; (prog.fd = open_nth(p, "prog", i)) >= 0; i++) {
		sum += prog_misses(&prog);
		close(prog.fd);
	}
	return sum;
}

/* Descriptors keep the links until all names are gone, so that many are closed at once. */
int pins_detach(const struct store *p)
{
	struct hook_links links = {.slow = true};
	int fd, err = 0;

	for (int i = 0; (fd = open_nth(p, "link", i)) >= 0; i++)
		vec_push(&links.fds, fd);
	for (int i = 0; i < links.fds.n; i++) {
		char *name = xasprintf("link%d", i), *path = store_pin(p, name);

		if (unlink(path) && errno != ENOENT)
			err = -errno;
		free(name);
		free(path);
	}
	hook_detach(&links);
	return err;
}
