/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/pin.h"

#include <string.h>
#include <sys/vfs.h>

#include "bpf/sys.h"

enum { BPFFS_MAGIC = (int)0xcafe4a11 };

bool pin_is_bpffs(const char *dir)
{
	struct statfs fs;

	return !statfs(dir, &fs) && (int)fs.f_type == BPFFS_MAGIC;
}

int pin_save(int fd, const char *path)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = sys_ptr(path);
	attr.bpf_fd = fd;
	return sys_bpf(BPF_OBJ_PIN, &attr, sizeof(attr));
}

int pin_open(const char *path)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.pathname = sys_ptr(path);
	return sys_bpf(BPF_OBJ_GET, &attr, sizeof(attr));
}
