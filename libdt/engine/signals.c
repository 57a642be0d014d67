/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A signal becomes a firing when dtrace comes to it in its loop, which sleeps until one is there:
 * a handler would have to run a program wherever dtrace happens to be. What the script has no
 * probe for does what it always does.
 */
#include "libdt/engine/signals.h"

#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "libdt/image/program.h"

static const struct {
	const char *name;
	int number;
} signals[] = {{"SIGUSR1", SIGUSR1}, {"SIGUSR2", SIGUSR2}};

int signals_open(const struct program_set *set)
{
	sigset_t mask;
	bool any = false;

	sigemptyset(&mask);
	for (int i = 0; i < set->probes.n; i++)
		for (unsigned s = 0; s < ARRAY_SIZE(signals); s++)
			if (!strcmp(set->probes.v[i]->prov, "dtrace") &&
			    !strcmp(set->probes.v[i]->name, signals[s].name)) {
				sigaddset(&mask, signals[s].number);
				any = true;
			}
	if (!any)
		return -1;
	sigprocmask(SIG_BLOCK, &mask, NULL);
	return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

const char *signals_next(int fd, uint64_t args[2])
{
	struct signalfd_siginfo info;

	if (fd < 0 || read(fd, &info, sizeof(info)) != sizeof(info))
		return NULL;
	args[0] = info.ssi_pid;
	args[1] = info.ssi_uid;
	for (unsigned s = 0; s < ARRAY_SIZE(signals); s++)
		if ((int)info.ssi_signo == signals[s].number)
			return signals[s].name;
	return NULL;
}
