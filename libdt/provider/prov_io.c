/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io: requests to disks, from when they are handed to the driver until they are done. arg0 is the request. */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

/* Before 5.11 block_rq_issue has the queue in front. */
#define ISSUED "(exists(args[1]) ? args[1] : args[0])"
#define REQUEST(e)                                                                                                      \
	{                                                                                                                 \
		{"bufinfo_t *", "xlate <bufinfo_t *>(" e ")"}, {"devinfo_t *", "xlate <devinfo_t *>(" e ")"},              \
		{"fileinfo_t *", "xlate <fileinfo_t *>(" e ")"},                                                           \
	}

static const struct stable_probe rows[] = {
	{.name = "start", .under = "rawtp:block::block_rq_issue", .args = REQUEST(ISSUED)},
	{.name = "done", .under = "rawtp:block::block_rq_complete", .args = REQUEST("args[0]")},
	{0},
};

const struct provider provider_io = {STABLE_PROVIDER("io", rows)};
