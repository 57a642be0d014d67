/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that dtrace runs for itself (cpp, addr2line, tshark), and their environment. Through
 * sudo the environment may be another user's; that user must not choose the programs that run with
 * dtrace's rights, nor the files that they read and write.
 */
#ifndef DT_BASE_PROGRAM_H
#define DT_BASE_PROGRAM_H

/* Where programs are looked for when PATH is not to be trusted. */
#define PROGRAM_PATH "/usr/local/bin:/usr/bin:/bin"

enum env_owner {
	ENV_OWN,   /* the user's whose rights dtrace has */
	ENV_SUDO,  /* the same user's, through sudo: root became root */
	ENV_OTHER, /* another user's: SUDO_UID, a set-user-ID bit or a file's capabilities */
};
enum env_owner env_owner(void);

/* The path of the program: by PATH in our own environment, else by PROGRAM_PATH; a name with a
 * slash is one. The caller frees it; NULL: there is none. */
char *program_find(const char *name);
/* The environment for it: our own, else one with nothing but PATH and the C locale. */
char **program_environment(void);
/* The latter in any case, for programs that read untrusted files. */
char **program_clean_environment(void);

#endif
