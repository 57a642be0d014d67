/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/modbtf.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/sys.h"

/* struct bpf_btf_info as 5.11 made it. */
struct btf_info {
	uint64_t btf;
	uint32_t btf_size, id;
	uint64_t name;
	uint32_t name_len, kernel_btf;
};

/* Is it the kernel's own BTF of that name? Programs' BTF can have any. */
static bool is_module(int fd, const char *module)
{
	char name[64] = "";
	struct btf_info info = {.name = sys_ptr(name), .name_len = sizeof(name)};
	uint32_t size = sizeof(info);

	return !bpf_obj_get_info_by_fd(fd, &info, &size) && info.kernel_btf &&
	       !strcmp(name, module);
}

/* There is no way but to look at all of them. */
static int find(const char *module)
{
	uint32_t id = 0;
	int fd;

	while (!bpf_btf_get_next_id(id, &id)) {
		fd = bpf_btf_get_fd_by_id(id);
		if (fd < 0 && errno != ENOENT)
			return -errno;
		if (fd < 0)
			continue;
		if (is_module(fd, module))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

int modbtf_fd(struct modbtf *m, const char *module)
{
	struct modbtf_entry e = {.fd = 0};

	if (!strcmp(module, "vmlinux"))
		return 0;
	for (int i = 0; i < m->open.n; i++)
		if (!strcmp(m->open.v[i].name, module))
			return m->open.v[i].fd;
	e.fd = find(module);
	e.name = xstrdup(module);
	vec_push(&m->open, e);
	return e.fd;
}

void modbtf_free(struct modbtf *m)
{
	for (int i = 0; i < m->open.n; i++) {
		free(m->open.v[i].name);
		if (m->open.v[i].fd >= 0)
			close(m->open.v[i].fd);
	}
	vec_free(&m->open);
}
