/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mounts, and with which rights they were made. */
#ifndef DT_MOUNT_H
#define DT_MOUNT_H

#include <stdbool.h>
#include <sys/types.h>

/* Did a process with CAP_SYS_ADMIN in the initial user namespace mount what the file is on? This is
 * known of mounts in our mount namespace and in that of the process pid (0: not looked at), when
 * the initial user namespace owns it. The descriptor may be one of O_PATH. False when not known. */
bool mount_is_privileged(int fd, pid_t pid);
/* Is the file on FUSE? Its server is not asked. The descriptor may be one of O_PATH. */
bool mount_is_fuse(int fd);
/* May an unprivileged user decide when the file's data can be read: is it on FUSE, on an overlay
 * that is not privileged, or on a mount of neither our mount namespace nor that of the process?
 * Nothing is asked of the file system. The descriptor may be one of O_PATH. */
bool mount_may_wait(int fd, pid_t pid);

#endif
