/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/map.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/base/mem.h"

void map_init(struct map *m, const char *name, enum bpf_map_type type, uint32_t key_size,
	      uint32_t value_size, uint32_t max_entries)
{
	memset(m, 0, sizeof(*m));
	sys_name(m->name, name);
	m->type = type;
	m->key_size = key_size;
	m->value_size = value_size;
	m->max_entries = max_entries;
	m->fd = -1;
}

void map_init_memory(struct map *m, const char *name, uint32_t size)
{
	map_init(m, name, BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), size, 1);
	m->memory = true;
}

void map_init_task_storage(struct map *m, const char *name, uint32_t value_size)
{
	map_init(m, name, (enum bpf_map_type)SYS_MAP_TASK_STORAGE, sizeof(int), value_size, 0);
	m->task_storage = true;
}

/* The ids that task_storage_types() gives. */
enum { BTF_KEY = 1, BTF_CHAR, BTF_BYTES, BTF_VALUE };

static int task_storage_types(struct btf *btf, uint32_t value_size)
{
	bool ok;

	ok = btf__add_int(btf, "int", sizeof(int), BTF_INT_SIGNED) == BTF_KEY &&
	     btf__add_int(btf, "char", 1, 0) == BTF_CHAR &&
	     btf__add_array(btf, BTF_KEY, BTF_CHAR, value_size) == BTF_BYTES &&
	     btf__add_struct(btf, "value", value_size) == BTF_VALUE &&
	     !btf__add_field(btf, "bytes", BTF_BYTES, 0, 0);
	return ok ? 0 : -ENOMEM;
}

/* Local storage is refused without types: an int key, a value of the right size. Returns an fd. */
static int task_storage_btf(uint32_t value_size)
{
	struct btf *btf = btf__new_empty();
	union bpf_attr attr;
	const void *data;
	uint32_t size;
	int rc;

	if (!btf || libbpf_get_error(btf))
		return -ENOMEM;
	rc = task_storage_types(btf, value_size);
	data = rc ? NULL : btf__raw_data(btf, &size);
	if (data) {
		memset(&attr, 0, sizeof(attr));
		attr.btf = sys_ptr(data);
		attr.btf_size = size;
		rc = sys_bpf_make(BPF_BTF_LOAD, &attr, sizeof(attr));
	}
	btf__free(btf);
	return data ? rc : -ENOMEM;
}

static uint32_t create_flags(const struct map *m)
{
	return m->flags | (m->memory ? BPF_F_MMAPABLE : 0) | (m->rdonly ? BPF_F_RDONLY_PROG : 0) |
	       (m->task_storage || m->on_demand ? BPF_F_NO_PREALLOC : 0);
}

/* Makes the kernel's map only: its fd or -errno. */
static int create_fd(const struct map *m, int inner_fd)
{
	union bpf_attr attr;
	int btf_fd = -1, rc;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = m->type;
	attr.key_size = m->key_size;
	attr.value_size = m->value_size;
	attr.max_entries = m->max_entries;
	attr.map_flags = create_flags(m);
	memcpy(attr.map_name, m->name, sizeof(m->name));
	if (inner_fd >= 0)
		attr.inner_map_fd = inner_fd;
	if (m->task_storage) {
		btf_fd = task_storage_btf(m->value_size);
		if (btf_fd < 0)
			return btf_fd;
		attr.btf_fd = btf_fd;
		attr.btf_key_type_id = BTF_KEY;
		attr.btf_value_type_id = BTF_VALUE;
	}
	rc = sys_bpf_make(BPF_MAP_CREATE, &attr, sizeof(attr));
	if (btf_fd >= 0)
		close(btf_fd);
	return rc;
}

/* The kernel looks at the template only while the outer map is made, so ours lives no longer. */
static int create_outer(const struct map *m)
{
	int inner, rc;

	if (m->inner->inner)
		return -EINVAL;
	if (m->inner->fd >= 0)
		return create_fd(m, m->inner->fd);
	inner = create_fd(m->inner, -1);
	if (inner < 0)
		return inner;
	rc = create_fd(m, inner);
	close(inner);
	return rc;
}

static int freeze(struct map *m)
{
	uint32_t zero = 0;

	if (m->init && bpf_map_update_elem(m->fd, &zero, m->init, BPF_ANY))
		return -errno;
	return bpf_map_freeze(m->fd) ? -errno : 0;
}

/*
 * A map that programs may only read is filled by the update call and frozen before it is mapped:
 * the verifier takes its loads for constants only when it can no longer be written, and the kernel
 * refuses both to map it for writing and to freeze what is so mapped.
 */
static int map_memory(struct map *m)
{
	long page = sysconf(_SC_PAGESIZE);
	void *mem;
	int rc;

	rc = m->rdonly ? freeze(m) : 0;
	if (rc)
		return rc;
	m->mem_size = ALIGN_UP((size_t)m->value_size, (size_t)page);
	mem = mmap(NULL, m->mem_size, m->rdonly ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
		   m->fd, 0);
	if (mem == MAP_FAILED)
		return -errno;
	m->mem = mem;
	if (m->init && !m->rdonly)
		memcpy(mem, m->init, m->value_size);
	return 0;
}

/* What the kernel's allocator gives for so many bytes. */
static uint64_t allocated(uint64_t size)
{
	uint64_t power = 64;

	while (power < size)
		power *= 2;
	return power > 64 && power <= 256 && size <= power / 4 * 3 ? power / 4 * 3 : power;
}

uint64_t map_memory_size(const struct map *m)
{
	enum { HASH_HEAD = 48, BUCKET = 16, LINK = 8 }; /* of an element, of a list of them */
	uint64_t n = m->max_entries, value = ALIGN_UP((uint64_t)m->value_size, 8), buckets = 1,
		 elem;

	if (m->type == BPF_MAP_TYPE_RINGBUF)
		return n;
	if (m->task_storage)
		return 0;
	if (m->type != BPF_MAP_TYPE_HASH && m->type != BPF_MAP_TYPE_LRU_HASH)
		return n * value;
	while (buckets < n)
		buckets *= 2;
	elem = HASH_HEAD + ALIGN_UP((uint64_t)m->key_size, 8) + value;
	return n * (m->on_demand ? allocated(elem + LINK) : elem) + buckets * BUCKET;
}

int map_create(struct map *m)
{
	int rc;

	if (m->fd >= 0)
		return 0;
	rc = m->inner ? create_outer(m) : create_fd(m, -1);
	if (rc < 0)
		return rc;
	m->fd = rc;
	rc = m->memory ? map_memory(m) : 0;
	if (rc)
		map_close(m);
	return rc;
}

int map_adopt(struct map *m, int fd, bool memory)
{
	struct bpf_map_info info = {0};
	uint32_t size = sizeof(info);
	int rc;

	map_init(m, "", BPF_MAP_TYPE_UNSPEC, 0, 0, 0);
	m->fd = fd;
	m->memory = memory;
	rc = bpf_obj_get_info_by_fd(fd, &info, &size) ? -errno : 0;
	if (!rc) {
		sys_name(m->name, info.name);
		m->type = info.type;
		m->key_size = info.key_size;
		m->value_size = info.value_size;
		m->max_entries = info.max_entries;
		rc = memory ? map_memory(m) : 0;
	}
	if (rc)
		map_close(m);
	return rc;
}

void map_close(struct map *m)
{
	if (m->mem)
		munmap(m->mem, m->mem_size);
	if (m->fd >= 0)
		close(m->fd);
	m->mem = NULL;
	m->fd = -1;
}

static bool is_percpu(const struct map *m)
{
	return m->type == BPF_MAP_TYPE_PERCPU_HASH || m->type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       m->type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

size_t map_value_step(const struct map *m)
{
	int cpus;

	if (!is_percpu(m))
		return m->value_size;
	cpus = libbpf_num_possible_cpus();
	return ALIGN_UP((size_t)m->value_size, 8) * MAX(cpus, 1);
}

/*
 * event or a kprobe run on that CPU. A kernel that preempts system calls may preempt us in the
 * middle of one, and events of the threads that run meanwhile are lost: 4% of the calls of two busy
 * threads, measured. So on such kernels we ask not to be preempted during the call. Without the
 * permission to ask we go on.
 */
struct unpreempted {
	bool asked;
	int policy;
	struct sched_param param;
};

static struct unpreempted bufpolicy_cpu(void)
{
	struct sched_param first = {.sched_priority = 1};
	struct unpreempted u = {0};
	struct utsname name;

	if (uname(&name) || !strstr(name.version, "PREEMPT"))
		return u;
	u.policy = sched_getscheduler(0);
	if (u.policy < 0 || u.policy == SCHED_FIFO || u.policy == SCHED_RR ||
	    sched_getparam(0, &u.param))
		return u;
	u.asked = !sched_setscheduler(0, SCHED_FIFO, &first);
	return u;
}

/* Returns with the errno that it came with. */
static void let_cpu_go(const struct unpreempted *u)
{
	int error = errno;

	if (u->asked)
		sched_setscheduler(0, u->policy, &u->param);
	errno = error;
}

/* libbpf before 1.0 returned -1, later ones -errno; all set errno. */
static int result(int rc)
{
	return rc < 0 ? -errno : 0;
}

int map_update(struct map *m, const void *key, const void *value, uint64_t flags)
{
	return result(bpf_map_update_elem(m->fd, key, value, flags));
}

static bool lacks_batch(int rc)
{
	return rc == -EINVAL || rc == -EOPNOTSUPP || rc == -SYS_ENOTSUPP;
}

int map_update_all(struct map *m, const void *keys, const void *values, uint32_t n)
{
	uint32_t count = n;
	/* old versions of libbpf ask for pointers to what they may write, and do not */
	int rc = result(bpf_map_update_batch(m->fd, (void *)keys, (void *)values, &count, NULL));

	if (!lacks_batch(rc))
		return rc;
	rc = 0;
	for (uint32_t i = 0; i < n && !rc; i++)
		rc = map_update(m, (const char *)keys + (size_t)i * m->key_size,
				(const char *)values + (size_t)i * m->value_size, BPF_ANY);
	return rc;
}

struct map_filling {
	struct map *m;
	void *keys, *values;
	uint32_t n;
	bool thread_runs;
	pthread_t thread;
	int rc;
};

static void *fill(void *arg)
{
	struct map_filling *f = arg;

	f->rc = map_update_all(f->m, f->keys, f->values, f->n);
	return NULL;
}

/* It takes no signals, which are for the caller's threads. */
static bool start_thread(struct map_filling *f)
{
	enum { STACK = 256 << 10 };
	sigset_t all, old;
	pthread_attr_t attr;
	bool ok;

	if (pthread_attr_init(&attr))
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ok =
	    !pthread_attr_setstacksize(&attr, STACK) && !pthread_create(&f->thread, &attr, fill, f);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return ok;
}

struct map_filling *map_fill(struct map *m, const void *keys, const void *values, uint32_t n)
{
	struct map_filling *f = xcalloc(1, sizeof(*f));

	f->m = m;
	f->n = n;
	f->keys = memcpy(xmalloc((size_t)n * m->key_size), keys, (size_t)n * m->key_size);
	f->values = memcpy(xmalloc((size_t)n * m->value_size), values, (size_t)n * m->value_size);
	f->thread_runs = start_thread(f);
	if (!f->thread_runs)
		fill(f);
	return f;
}

int map_filled(struct map_filling *f)
{
	int rc;

	if (f->thread_runs)
		pthread_join(f->thread, NULL);
	rc = f->rc;
	free(f->keys);
	free(f->values);
	free(f);
	return rc;
}

int map_lookup(struct map *m, const void *key, void *value)
{
	return result(bpf_map_lookup_elem(m->fd, key, value));
}

int map_delete(struct map *m, const void *key)
{
	return result(bpf_map_delete_elem(m->fd, key));
}

/* 1 when the element was read and removed, 0 when it was gone already. */
static int take_one(struct map *m, const void *key, void *value)
{
	int rc = result(bpf_map_lookup_and_delete_elem(m->fd, key, value));

	if (rc == -EINVAL || rc == -EOPNOTSUPP || rc == -SYS_ENOTSUPP) {
		rc = map_lookup(m, key, value);
		if (!rc)
			rc = map_delete(m, key);
	}
	return rc == -ENOENT ? 0 : rc ? rc : 1;
}

/*
 * One at a time. The key after the one to be removed is asked for first, since the walk would start
 * again from the front at a key that is gone. When another program removed that one it does, which
 * costs time but loses nothing.
 */
static int drain_each(struct map *m, char *keys, char *values, uint32_t max)
{
	size_t step = map_value_step(m);
	char *next = xmalloc(m->key_size);
	uint32_t n = 0;
	int end, rc = 0;

	end = result(bpf_map_get_next_key(m->fd, NULL, next));
	while (!end && n < max) {
		char *key = keys + (size_t)n * m->key_size;

		memcpy(key, next, m->key_size);
		end = result(bpf_map_get_next_key(m->fd, key, next));
		rc = take_one(m, key, values + n * step);
		if (rc < 0)
			break;
		n += rc;
	}
	free(next);
	if (rc < 0 && !n)
		return rc;
	return end && end != -ENOENT && !n ? end : (int)n;
}

static int drain_batch(struct map *m, bool started, void *token, void *keys, void *values,
		       uint32_t max)
{
	uint32_t n = max;
	int rc;

	rc = result(bpf_map_lookup_and_delete_batch(m->fd, started ? token : NULL, token, keys,
						    values, &n, NULL));
	/* At the end the kernel says ENOENT, with what it found before the end. */
	return rc && rc != -ENOENT ? rc : (int)n;
}

static int drain(struct map *m, bool *started, void *token, void *keys, void *values, uint32_t max)
{
	int rc;

	while (!m->no_batch) {
		rc = drain_batch(m, *started, token, keys, values, max);
		if (!*started && lacks_batch(rc)) {
			m->no_batch = true;
			break;
		}
		if (rc != -ENOSPC) {
			*started = true;
			return rc;
		}
		/*
		 * A bucket has more than max: take some in no order, then the batch goes on where
		 * it was.
		 */
		rc = drain_each(m, keys, values, max);
		if (rc)
			return rc;
	}
	return drain_each(m, keys, values, max);
}

int map_drain(struct map *m, bool *started, void *token, void *keys, void *values, uint32_t max)
{
	struct unpreempted u;
	int rc;

	if (!max || max > INT32_MAX)
		return -EINVAL;
	u = bufpolicy_cpu();
	rc = drain(m, started, token, keys, values, max);
	let_cpu_go(&u);
	return rc;
}

int map_each(struct map *m, int (*fn)(void *arg, const void *key, const void *value), void *arg)
{
	char *key = xmalloc(m->key_size), *next = xmalloc(m->key_size),
	     *value = xmalloc(map_value_step(m));
	int rc = result(bpf_map_get_next_key(m->fd, NULL, next));

	while (!rc) {
		memcpy(key, next, m->key_size);
		rc = map_lookup(m, key, value);
		if (!rc)
			rc = fn(arg, key, value);
		if (!rc)
			rc = result(bpf_map_get_next_key(m->fd, key, next));
	}
	free(key);
	free(next);
	free(value);
	return rc == -ENOENT ? 0 : rc;
}

/*
 * Waiting for programs. Every program that matters here runs inside rcu_read_lock(), so a grace
 * period is what is needed. The kernel offers user space two: an update of a map of maps, which
 * waits so that "all programs use the new map", and membarrier(MEMBARRIER_CMD_GLOBAL). Measured
 * on 6.18 with two CPUs the first took 5 to 9 ms, the second 8 to 16 ms; and membarrier returns at
 * once on a machine with one CPU, where a program may still be preempted, and is refused where CPUs
 * run without ticks (nohz_full). So it is the map.
 */
struct sync {
	struct map outer, inner;
};

struct sync *sync_new(void)
{
	struct sync *s = xcalloc(1, sizeof(*s));
	int rc;

	map_init(&s->inner, "dt_sync_in", BPF_MAP_TYPE_ARRAY, 4, 4, 1);
	map_init(&s->outer, "dt_sync", BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 1);
	s->outer.inner = &s->inner;
	rc = map_create(&s->inner);
	if (!rc)
		rc = map_create(&s->outer);
	if (rc) {
		sync_free(s);
		errno = -rc;
		return NULL;
	}
	return s;
}

void sync_free(struct sync *s)
{
	if (!s)
		return;
	map_close(&s->outer);
	map_close(&s->inner);
	free(s);
}

int sync_wait(struct sync *s)
{
	struct unpreempted u = bufpolicy_cpu();
	uint32_t zero = 0;
	int rc = map_update(&s->outer, &zero, &s->inner.fd, BPF_ANY);

	let_cpu_go(&u);
	return rc;
}
