/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tcp: segments, and what becomes of connections.
 *
 * Sent segments are seen where their packets are handed to a device; received ones where TCP has
 * found their connection (whether that was found early, at the device, depends on the device: not
 * for the loopback's), and on kernels whose functions cannot be traced where the device delivers
 * them. When a segment opens or refuses a connection, the probe fires at that segment; other
 * changes are seen by the socket's state, and of the segment that caused them the probe has what
 * the socket keeps.
 */
#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

/* clang-format off: texts are laid out as D */
#define SEGMENT(buf, sock, header)                                      \
	{                                                               \
		{"pktinfo_t *", "xlate <pktinfo_t *>(" buf ")"},        \
		    {"csinfo_t *", "xlate <csinfo_t *>(" sock ")"},     \
		    {"ipinfo_t *", "xlate <ipinfo_t *>(this->dt_ip)"},  \
		    {"tcpsinfo_t *", "xlate <tcpsinfo_t *>(" sock ")"}, \
		    {"tcpinfo_t *", "xlate <tcpinfo_t *>(" header ")"}, \
	}
/* clang-format on */
#define SENT SEGMENT("args[0]", "this->dt_conn", "this->dt_tcp")
/* Without a segment: the connection that received one. */
/* clang-format off: texts are laid out as D */
#define CONNECTION                                                                      \
	{                                                                               \
		{"pktinfo_t *", "xlate <pktinfo_t *>((struct sk_buff *)NULL)"},         \
		    {"csinfo_t *", "xlate <csinfo_t *>((struct sock *)args[0])"},       \
		    {"ipinfo_t *", "xlate <ipinfo_t *>((struct sock *)args[0])"},       \
		    {"tcpsinfo_t *", "xlate <tcpsinfo_t *>((struct sock *)args[0])"},   \
		    {"tcpinfo_t *", "xlate <tcpinfo_t *>((struct tcp_sock *)args[0])"}, \
	}
/* clang-format on */

/* A connection and the oldest segment that was not acknowledged. */
/* clang-format off: texts are laid out as D */
#define TIMEOUT                                                                          \
	{                                                                                \
		{"pktinfo_t *", "xlate <pktinfo_t *>((struct sk_buff *)NULL)"},          \
		    {"csinfo_t *", "xlate <csinfo_t *>((struct sock *)args[0])"},        \
		    {"ipinfo_t *", "xlate <ipinfo_t *>((struct inet_sock *)args[0])"},   \
		    {"tcpsinfo_t *", "xlate <tcpsinfo_t *>((struct sock *)args[0])"},    \
		    {"tcpinfo_t *", "xlate <tcpinfo_t *>((struct inet_sock *)args[0])"}, \
	}
/* clang-format on */

#define SENDS "dt_tcp_sends[args[0]]"
#define FLAGS "dt_tcp_flags[this->dt_tcp]"
#define CHANGES "rawtp:sock::inet_sock_set_state"
#define IS_TCP "args[0]->sk_protocol == IPPROTO_TCP && "
/* The connection's state is about to change, for a segment with these flags. */
#define BECOMES(old, new, flags) \
	IS_TCP "args[1] == " old " && args[2] == " new " && dt_tcp_now[" new ", " flags "]"
/* Received segments, with the socket that TCP found for them: a function's argument. */
/* clang-format off: texts are laid out as D */
#define RECEIVE(function, condition, sock)                                              \
	{                                                                               \
		.name = "receive", .func = function, .base = "fbt::" function ":entry", \
		.predicate = condition "dt_tcp_in[args[1], " sock "]",                  \
		.args = SEGMENT("args[1]", "this->dt_conn", "this->dt_tcp")             \
	}
/* clang-format on */

static const struct stable_probe rows[] = {
    {.name = "send", .base = "rawtp:net::net_dev_queue", .predicate = SENDS, .args = SENT},
    /* Nothing; the rest of a connection in TIME_WAIT; a connection, or a listening socket. */
    RECEIVE("tcp_v6_send_reset", "!args[0] && ", "(struct sock *)NULL"),
    RECEIVE("tcp_v4_send_reset", "!args[0] && ", "(struct sock *)NULL"),
    RECEIVE("tcp_timewait_state_process", "", "(struct sock *)args[0]"),
    RECEIVE("security_sock_rcv_skb",
	    "args[0]->sk_protocol == IPPROTO_TCP && args[0]->sk_type == SOCK_STREAM && ",
	    "args[0]"),
    {.name = "receive",
     .fallback = true,
     .base = "rawtp:net::netif_receive_skb",
     .predicate = "dt_receives_proto[args[0], IPPROTO_TCP]",
     .args = SEGMENT("args[0]", "(struct sock *)NULL", "(struct tcphdr *)dt_ip_next[this->dt_ip]")},
    /* The first SYN of a connection that has sent no segment twice. */
    {.name = "connect-request",
     .base = "rawtp:net::net_dev_queue",
     .predicate = SENDS " && (" FLAGS " & 0x12) == TH_SYN && this->dt_conn"
			" && this->dt_conn->__sk_common.skc_state == TCP_STATE_SYN_SENT && "
			"!((struct tcp_sock *)this->dt_conn)->total_retrans",
     .args = SENT},
    {.name = "connect-established",
     .base = CHANGES,
     .predicate = BECOMES("TCP_STATE_SYN_SENT", "TCP_STATE_ESTABLISHED", "TH_SYN | TH_ACK"),
     .args = CONNECTION},
    {.name = "connect-refused",
     .base = "rawtp:tcp::tcp_receive_reset",
     .predicate = "args[0]->__sk_common.skc_state == TCP_STATE_SYN_SENT && "
		  "dt_tcp_now[TCP_STATE_SYN_SENT, TH_RST | TH_ACK]",
     .args = CONNECTION},
    {.name = "accept-established",
     .base = CHANGES,
     .predicate = BECOMES("TCP_STATE_SYN_RECEIVED", "TCP_STATE_ESTABLISHED", "TH_ACK"),
     .args = CONNECTION},
    /* The answer to a SYN for a port without a listener: a reset that answers anything else has a
     * sequence number of its own. */
    {.name = "accept-refused",
     .base = "rawtp:net::net_dev_queue",
     .predicate = SENDS " && (" FLAGS " & 0x16) == (TH_RST | TH_ACK) && !this->dt_tcp->seq",
     .args = {{"pktinfo_t *", "xlate <pktinfo_t *>(args[0])"},
	      {"csinfo_t *", "xlate <csinfo_t *>(this->dt_conn)"},
	      {"ipinfo_t *", "xlate <ipinfo_t *>(this->dt_ip)"},
	      {"tcpsinfo_t *", "xlate <tcpsinfo_t *>(this->dt_tcp)"},
	      {"tcpinfo_t *", "xlate <tcpinfo_t *>(this->dt_tcp)"}}},
    {.name = "state-change",
     .base = CHANGES,
     .predicate = IS_TCP "dt_tcp_now[args[2], 0]",
     .args = {{"pktinfo_t *", "xlate <pktinfo_t *>((struct sk_buff *)NULL)"},
	      {"csinfo_t *", "xlate <csinfo_t *>((struct sock *)args[0])"},
	      {"ipinfo_t *", "xlate <ipinfo_t *>((struct iphdr *)NULL)"},
	      {"tcpsinfo_t *", "xlate <tcpsinfo_t *>((struct sock *)args[0])"},
	      {"tcpinfo_t *", "xlate <tcpinfo_t *>((struct tcphdr *)NULL)"},
	      {"tcplsinfo_t *", "xlate <tcplsinfo_t *>((int)args[1])"}}},
    /* The segment is not built yet: there are its numbers and flags. */
    {.name = "retransmit",
     .base = "rawtp:tcp::tcp_retransmit_skb",
     .predicate = "(exists(args[2]) ? args[2] == 0 : 1) && dt_tcp_again[dt_tcp_block[args[1]]]",
     .args = {{"pktinfo_t *", "xlate <pktinfo_t *>((struct sk_buff *)args[1])"},
	      {"csinfo_t *", "xlate <csinfo_t *>((struct sock *)args[0])"},
	      {"ipinfo_t *", "xlate <ipinfo_t *>((struct inet_sock *)args[0])"},
	      {"tcpsinfo_t *", "xlate <tcpsinfo_t *>((struct sock *)args[0])"},
	      {"tcpinfo_t *", "xlate <tcpinfo_t *>((struct inet_sock *)args[0])"}}},
    /* The timer of what is not acknowledged, but for probes of a closed window. Where
	 * functions cannot be traced: what follows, unless the connection is given up. */
    {.name = "rto",
     .base = "fbt::tcp_retransmit_timer:entry",
     .predicate = "dt_tcp_timeout[(struct tcp_sock *)args[0]]",
     .args = TIMEOUT},
    {.name = "rto",
     .fallback = true,
     .base = "rawtp:tcp::tcp_cong_state_set",
     .predicate = "args[1] == 4 && dt_tcp_unanswered[(struct tcp_sock *)args[0]]",
     .args = TIMEOUT},
    /* of FreeBSD */
    LINUX_LACKS("debug-drop", "dropped packets are in sdt:skb::kfree_skb"),
    LINUX_LACKS("debug-input", "segments that come are in receive"),
    LINUX_LACKS("debug-output", "segments that go are in send"),
    LINUX_LACKS("debug-user", "requests of programs are in syscall"),
    {0},
};

const struct provider provider_tcp = {STABLE_PROVIDER("tcp", rows)};
