/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * udp: datagrams that this machine sends, and those that come in. Where functions can be traced,
 * received ones are seen when a socket gets them; otherwise when the device delivers their packet,
 * also without a receiver.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

/* clang-format off: texts are laid out as D */
#define DATAGRAM(buf, sock, header)                                                 \
	{"pktinfo_t *", "xlate <pktinfo_t *>(" buf ")"},                            \
	    {"csinfo_t *", "xlate <csinfo_t *>(" sock ")"},                         \
	    {"ipinfo_t *", "xlate <ipinfo_t *>(this->dt_ip)"},                      \
	    {"udpsinfo_t *", "xlate <udpsinfo_t *>((struct sock *)" sock ")"},      \
	{                                                                           \
		"udpinfo_t *", "xlate <udpinfo_t *>((struct udphdr *)(" header "))" \
	}
/* clang-format on */

static const struct stable_probe rows[] = {
    {.name = "send",
     .base = "rawtp:net::net_dev_queue",
     .predicate = "dt_sends_own[args[0], IPPROTO_UDP]",
     .args = {DATAGRAM("args[0]", "(struct udp_sock *)args[0]->sk", "dt_ip_next[this->dt_ip]")}},
    {.name = "receive",
     .func = "__udp_enqueue_schedule_skb",
     .base = "fbt::__udp_enqueue_schedule_skb:entry",
     .predicate = "dt_ip_in[args[1]] != NULL",
     .args = {DATAGRAM("args[1]", "args[0]", "args[1]->head + args[1]->transport_header")}},
    {.name = "receive",
     .fallback = true,
     .base = "rawtp:net::netif_receive_skb",
     .predicate = "dt_receives_proto[args[0], IPPROTO_UDP]",
     .args = {DATAGRAM("args[0]", "(struct sock *)NULL", "dt_ip_next[this->dt_ip]")}},
    {0},
};

const struct provider provider_udp = {STABLE_PROVIDER("udp", rows)};
