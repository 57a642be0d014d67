/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ip: packets, where they are handed to a network device and where they come from one, and those
 * that are thrown away. A packet that is still to be cut up by the device, or that was put
 * together from several, is one.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

/* Where the header lies has been noted by the condition: see ip.d. */
/* clang-format off: texts are laid out as D */
#define PACKET(buf, sock)                                                                       \
	{"pktinfo_t *", "xlate <pktinfo_t *>(" buf ")"},                                        \
	    {"csinfo_t *", "xlate <csinfo_t *>(" sock ")"},                                     \
	    {"ipinfo_t *", "xlate <ipinfo_t *>(this->dt_ip)"},                                  \
	    {"ifinfo_t *", "xlate <ifinfo_t *>(" buf "->dev)"},                                 \
	    {"ipv4info_t *", "xlate <ipv4info_t *>(dt_ip_ver[this->dt_ip] == 4 ? this->dt_ip :" \
			     " NULL)"},                                                         \
	{                                                                                       \
		"ipv6info_t *",                                                                 \
		    "xlate <ipv6info_t *>(dt_ip_ver[this->dt_ip] == 6 ? (struct ipv6hdr"        \
		    " *)this->dt_ip : NULL)"                                                    \
	}
/* clang-format on */

/* Dropped packets that had come in have the number of an interface; why they were dropped is
 * known since 5.17. */
#define REASON "(exists(args[2]) ? args[2] : 0)"
/* clang-format off: texts are laid out as D */
#define DROP(which, came_in)                                                                       \
	{                                                                                          \
		.name = which, .base = "rawtp:skb::kfree_skb",                                     \
		.predicate =                                                                       \
		    "dt_is_ip[args[0]] && " came_in " && (dt_ip_ver[dt_ip_in[args[0]]] & 5) == 4", \
		.args = {                                                                          \
			PACKET("args[0]", "args[0]->sk"),                                          \
			{"int", REASON}                                                            \
		}                                                                                  \
	}
/* clang-format on */

static const struct stable_probe rows[] = {
    {.name = "send",
     .base = "rawtp:net::net_dev_queue",
     .predicate = "dt_ip_sends[args[0]]",
     .args = {PACKET("args[0]", "args[0]->sk")}},
    {.name = "receive",
     .base = "rawtp:net::netif_receive_skb",
     .predicate = "dt_ip_receives[args[0]]",
     .args = {PACKET("args[0]", "(struct sock *)NULL")}},
    DROP("drop-in", "args[0]->skb_iif && dt_ip_discards[args[0], " REASON "]"),
    DROP("drop-out", "!args[0]->skb_iif"),
    {0},
};

const struct provider provider_ip = {STABLE_PROVIDER("ip", rows)};
