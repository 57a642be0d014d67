/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/mount.h"

/* The inode of the initial user namespace (PROC_USER_INIT_INO, include/linux/proc_ns.h). */
#define INITIAL 0xeffffffd

/* Of a descriptor; -1 when not known. */
static int mount_id(int fd)
{
	char path[64], line[256];
	int id = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	f = fopen(path, "re");
	while (f && id < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "mnt_id: %d", &id);
	if (f)
		fclose(f);
	return id;
}

/* The mount namespace of a process when the initial user namespace owns it; otherwise 0. */
static ino_t initial_namespace(int proc)
{
	int ns = openat(proc, "ns/mnt", O_RDONLY | O_CLOEXEC),
	    owner = ns < 0 ? -1 : ioctl(ns, NS_GET_USERNS);
	struct stat st, user;
	bool known = owner >= 0 && !fstat(ns, &st) && !fstat(owner, &user);

	if (owner >= 0)
		close(owner);
	if (ns >= 0)
		close(ns);
	return known && user.st_ino == INITIAL ? st.st_ino : 0;
}

/* The line of a mount in the list of a process, to be freed; NULL when there is none. */
static char *find_mount(int proc, int id)
{
	int fd = openat(proc, "mountinfo", O_RDONLY | O_CLOEXEC), found;
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	bool has = false;
	char *line = NULL;
	size_t size = 0;

	while (f && !has && getline(&line, &size, f) > 0)
		has = sscanf(line, "%d ", &found) == 1 && found == id;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	if (has)
		return line;
	free(line);
	return NULL;
}

static bool has_mount(int proc, int id)
{
	char *line = find_mount(proc, id);

	free(line);
	return line;
}

/* Only mounts of which the initial user namespace is the owner can be added to a namespace that it
 * owns. The process may enter another one meanwhile. */
static bool is_in_namespace_of(const char *process, int id)
{
	int proc = open(process, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ino_t ns = proc < 0 ? 0 : initial_namespace(proc);
	bool in = ns && has_mount(proc, id) && initial_namespace(proc) == ns;

	if (proc >= 0)
		close(proc);
	return in;
}

/* The line of the file's mount in the list of a process (/proc/PID), to be freed; NULL when there
 * is none. */
static char *mount_of(int fd, const char *process)
{
	int id = mount_id(fd), proc = open(process, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char *line = id < 0 || proc < 0 ? NULL : find_mount(proc, id);

	if (proc >= 0)
		close(proc);
	return line;
}

/* Is that the type of the mount, or its beginning ("fuse", "fuseblk", "fuse.sshfs")? */
static bool has_type(const char *line, const char *type)
{
	const char *at = strstr(line, " - "); /* blanks in names are escaped */

	return at && !strncmp(at + 3, type, strlen(type));
}

bool mount_is_fuse(int fd)
{
	char *line = mount_of(fd, "/proc/self");
	bool is = line && has_type(line, "fuse");

	free(line);
	return is;
}

bool mount_may_wait(int fd, pid_t pid)
{
	char process[32], *line = mount_of(fd, "/proc/self");
	bool may;

	snprintf(process, sizeof(process), "/proc/%d", (int)pid);
	if (!line)
		line = mount_of(fd, process);
	may = !line || has_type(line, "fuse") ||
	      (has_type(line, "overlay") && !mount_is_privileged(fd, pid));
	free(line);
	return may;
}

bool mount_is_privileged(int fd, pid_t pid)
{
	int id = mount_id(fd);
	char process[32];

	if (id < 0)
		return false;
	snprintf(process, sizeof(process), "/proc/%d", (int)pid);
	return is_in_namespace_of("/proc/self", id) || (pid && is_in_namespace_of(process, id));
}
