/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets that pcap() recorded: into capture files, or to tshark for a line about each. */
#ifndef DT_CAPTURE_H
#define DT_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct capture;
struct consume;

/* What begins a packet: a PCAP_* of pcap.d, and the number that capture files have for it. */
struct capture_kind {
	const char *name;
	int proto;
	uint32_t linktype;
	bool network; /* the header of the network, not of the link */
};
extern const struct capture_kind capture_kinds[];	/* ends with a NULL name */
const struct capture_kind *capture_kind(int64_t proto); /* NULL: there is none */

struct packet {
	const struct capture_kind *kind;
	uint64_t ns; /* since 1970 */
	const uint8_t *bytes;
	uint32_t captured, length;
};

/* 0 or -errno of the output. */
int capture_print(struct consume *c, const struct packet *p);
void capture_free(struct capture *cap);

#endif
