/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mib: the counters of network protocols (RFC 4022, 4113, 4293 and those beside them), each time
 * one goes up; arg0 is by how much. A counter without a function or tracepoint is read from the
 * kernel's statistics each second; for the others the kernel's own numbers may differ where it
 * counts at other places.
 */
#include <string.h>

#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"

#define COUNTER(counter, what, condition, by)                                    \
	{                                                                        \
		.name = counter, .base = what, .predicate = condition, .args = { \
			{"uint64_t", by}                                         \
		}                                                                \
	}

/* clang-format off: texts are laid out as D */
#define CHANGES(counter, old, new)                          \
	COUNTER(counter, "rawtp:sock::inet_sock_set_state", \
		"args[0]->sk_protocol == IPPROTO_TCP && (" old ") && args[2] == " new, "1")
/* clang-format on */
#define OUT(counter, condition, by) COUNTER(counter, "rawtp:net::net_dev_queue", condition, by)
#define IN(counter, condition, by) COUNTER(counter, "rawtp:net::netif_receive_skb", condition, by)
/* Segments: what is to be cut up by the device, or was put together, counts as what it is on the
 * wire. */
#define SEGMENTS "dt_gso_segs[args[0]]"
#define DATA "dt_ip_plength[this->dt_ip] - dt_tcp_offset[this->dt_tcp]"
#define TCP_OUT(counter, condition, by) OUT(counter, "dt_tcp_sends[args[0]]" condition, by)
/* Segments that bring something again are in tcpRetransSegs instead. */
/* clang-format off: texts are laid out as D */
#define TCP_OUT_NEW(counter, condition, by) \
	TCP_OUT(counter, condition " && !dt_tcp_old[this->dt_tcp, dt_tcp_sock[this->dt_conn]]", by)
/* clang-format on */
#define FLAGS "dt_tcp_flags[this->dt_tcp]"
/* clang-format off: texts are laid out as D */
#define TCP_FBT(counter, function)                                                    \
	{                                                                             \
		.name = counter, .func = function, .base = "fbt::" function ":entry", \
		.predicate = "args[0]->pkt_type == 0", .args = {                      \
			{"uint64_t", SEGMENTS}                                        \
		}                                                                     \
	}
/* clang-format on */
/* Of what is established: where data begins and ends, and where it was expected to begin. */
#define ESTABLISHED(counter, condition, by) \
	COUNTER(counter, "rawtp:tcp::tcp_probe", "dt_tcp_data[args[1]] && " condition, by)
#define BEGINS "(int)(dt_tcp_block[args[1]]->seq - ((struct tcp_sock *)args[0])->rcv_nxt)"
#define ENDS "(int)(dt_tcp_block[args[1]]->end_seq - ((struct tcp_sock *)args[0])->rcv_nxt)"
/* clang-format off: texts are laid out as D */
#define AGAIN(counter, by) \
	COUNTER(counter, "rawtp:tcp::tcp_retransmit_skb", "exists(args[2]) ? args[2] == 0 : 1", by)

#define UDP_IN(counter)                                                                    \
	{.name = counter,                                                                  \
	 .base = "fbt::__udp_enqueue_schedule_skb:entry",                                  \
	 .args = {{"uint64_t", "1"}}},                                                     \
	{                                                                                  \
		.name = counter, .fallback = true, .base = "rawtp:net::netif_receive_skb", \
		.predicate = "dt_receives_proto[args[0], IPPROTO_UDP]", .args = {          \
			{"uint64_t", "1"}                                                  \
		}                                                                          \
	}
/* clang-format on */
#define UDP_OUT(counter) OUT(counter, "dt_sends_own[args[0], IPPROTO_UDP]", "1")

#define VERSION_4 " && dt_ip_ver[this->dt_ip] == 4"
#define LENGTH "dt_ip_length[this->dt_ip]"

/* clang-format off: texts are laid out as D */
#define ICMP(message, type)                                                      \
	OUT("icmpOut" message, "dt_sends_own[args[0], IPPROTO_ICMP]" type, "1"), \
	    IN("icmpIn" message, "dt_receives_proto[args[0], IPPROTO_ICMP]" type, "1")
/* clang-format on */
#define TYPE(n) " && *(uint8_t *)dt_ip_next[this->dt_ip] == " #n

/* What only the kernel's books know: what has come to them, each second. dtrace reads them
 * (libdt/engine/sysstat.c). */
/* clang-format off: texts are laid out as D */
#define BOOKED_AS(name_of, counter)                                                            \
	{.name = #name_of,                                                                     \
	 .base = "profile:::tick-1sec",                                                        \
	 .args = {{"uint64_t", "this->dt_by"}},                                                \
	 .prologue = "uint64_t dt_was_" #name_of "; BEGIN { dt_was_" #name_of                  \
		     " = dt_net_sysstat(\"" #counter "\"); }",                                 \
	 .predicate = "((exists(this->dt_looked) ? this->dt_looked : 0) ? 0 : (this->dt_now =" \
		      " (uint64_t)dt_net_sysstat(\"" #counter "\"),"                           \
		      " this->dt_by = this->dt_now - dt_was_" #name_of ", dt_was_" #name_of    \
		      " = this->dt_now, this->dt_looked = 1),"                                 \
		      " this->dt_by != 0)"},
/* clang-format on */
#define BOOKED(counter) BOOKED_AS(counter, counter)
/* clang-format off: texts are laid out as D */
#define NEVER(counter)                                                                            \
	{                                                                                         \
		.name = counter, .unsupported = "Linux has no event for it and does not count it" \
	}
/* clang-format on */

static const struct stable_probe rows[] = {
    CHANGES("tcpActiveOpens", "args[1] == TCP_STATE_CLOSED", "TCP_STATE_SYN_SENT"),
    CHANGES("tcpPassiveOpens", "args[1] == TCP_STATE_LISTEN", "TCP_STATE_SYN_RECEIVED"),
    CHANGES("tcpAttemptFails", "args[1] == TCP_STATE_SYN_SENT || args[1] == TCP_STATE_SYN_RECEIVED",
	    "TCP_STATE_CLOSED"),
    CHANGES("tcpEstabResets", "args[1] == TCP_STATE_ESTABLISHED || args[1] == TCP_STATE_CLOSE_WAIT",
	    "TCP_STATE_CLOSED"),
    TCP_OUT_NEW("tcpOutSegs", "", SEGMENTS),
    TCP_OUT_NEW("tcpOutDataSegs", " && " DATA " > 0", SEGMENTS),
    TCP_OUT_NEW("tcpOutDataBytes", " && " DATA " > 0", DATA),
    TCP_OUT("tcpOutAck", " && " DATA " == 0 && " FLAGS " == TH_ACK", "1"),
    TCP_OUT("tcpOutControl", " && " FLAGS " & (TH_SYN | TH_FIN | TH_RST)", "1"),
    TCP_OUT("tcpOutRsts", " && " FLAGS " & TH_RST", "1"),
    AGAIN("tcpRetransSegs", "dt_tcp_block[args[1]]->tcp_gso_segs"),
    AGAIN("tcpRetransBytes", "args[1]->len"),
    TCP_FBT("tcpInSegs", "tcp_v6_rcv"),
    TCP_FBT("tcpInSegs", "tcp_v4_rcv"),
    {.name = "tcpInSegs",
     .fallback = true,
     .base = "rawtp:net::netif_receive_skb",
     .predicate = "dt_receives_proto[args[0], IPPROTO_TCP]",
     .args = {{"uint64_t", SEGMENTS}}},
    ESTABLISHED("tcpInDataInorderSegs", BEGINS " == 0", "dt_gso_segs[args[1]]"),
    ESTABLISHED("tcpInDataInorderBytes", BEGINS " == 0", "this->dt_len"),
    ESTABLISHED("tcpInDataUnorderSegs", BEGINS " > 0", "dt_gso_segs[args[1]]"),
    ESTABLISHED("tcpInDataUnorderBytes", BEGINS " > 0", "this->dt_len"),
    ESTABLISHED("tcpInDataDupSegs", ENDS " <= 0", "dt_gso_segs[args[1]]"),
    ESTABLISHED("tcpInDataDupBytes", ENDS " <= 0", "this->dt_len"),
    ESTABLISHED("tcpInDataPartDupSegs", BEGINS " < 0 && " ENDS " > 0", "dt_gso_segs[args[1]]"),
    ESTABLISHED("tcpInDataPartDupBytes", BEGINS " < 0 && " ENDS " > 0", "-" BEGINS),
    UDP_IN("udpInDatagrams"),
    UDP_IN("udpHCInDatagrams"),
    UDP_OUT("udpOutDatagrams"),
    UDP_OUT("udpHCOutDatagrams"),
    COUNTER("udpInErrors", "rawtp:udp::udp_fail_queue_rcv_skb", NULL, "1"),
    COUNTER("udpInOverflows", "rawtp:udp::udp_fail_queue_rcv_skb", NULL, "1"),
    IN("ipInReceives", "dt_ip_receives[args[0]]" VERSION_4, "1"),
    IN("ipIfStatsHCInReceives", "dt_ip_receives[args[0]]", "1"),
    IN("ipIfStatsHCInOctets", "dt_ip_receives[args[0]]", LENGTH),
    OUT("ipOutRequests", "dt_ip_sends[args[0]] && !args[0]->skb_iif" VERSION_4, "1"),
    OUT("ipForwDatagrams", "dt_ip_sends[args[0]] && args[0]->skb_iif" VERSION_4, "1"),
    OUT("ipIfStatsHCOutRequests", "dt_ip_sends[args[0]] && !args[0]->skb_iif", "1"),
    OUT("ipIfStatsHCOutForwDatagrams", "dt_ip_sends[args[0]] && args[0]->skb_iif", "1"),
    OUT("ipIfStatsHCOutTransmits", "dt_ip_sends[args[0]]", "1"),
    OUT("ipIfStatsHCOutOctets", "dt_ip_sends[args[0]]", LENGTH),
    COUNTER("ipIfStatsOutDiscards", "rawtp:skb::kfree_skb",
	    "dt_is_ip[args[0]] && !args[0]->skb_iif && (dt_ip_ver[dt_ip_in[args[0]]] & 5) == 4",
	    "1"),
    ICMP("Msgs", ""),
    ICMP("Echos", TYPE(8)),
    ICMP("EchoReps", TYPE(0)),
    ICMP("DestUnreachs", TYPE(3)),
    ICMP("Redirects", TYPE(5)),
    ICMP("TimeExcds", TYPE(11)),
    ICMP("SrcQuenchs", TYPE(4)),
    ICMP("ParmProbs", TYPE(12)),
    ICMP("Timestamps", TYPE(13)),
    ICMP("TimestampReps", TYPE(14)),
    ICMP("AddrMasks", TYPE(17)),
    ICMP("AddrMaskReps", TYPE(18)),
#define NETCOUNT(name, group, field) BOOKED(name)
#include "libdt/abi/netstat.def"
#undef NETCOUNT
    /* Other names of some. */
    BOOKED_AS(ipInDiscards, ipIfStatsInDiscards) BOOKED_AS(ipIfStatsInHdrErrors, ipInHdrErrors)
	BOOKED_AS(ipIfStatsInAddrErrors, ipInAddrErrors)
	    BOOKED_AS(ipIfStatsInUnknownProtos, ipInUnknownProtos)
		BOOKED_AS(ipIfStatsHCInDelivers, ipInDelivers)
		    BOOKED_AS(ipIfStatsOutNoRoutes, ipOutNoRoutes)
			BOOKED_AS(ipIfStatsOutFragOKs, ipFragOKs)
			    BOOKED_AS(ipIfStatsOutFragFails, ipFragFails)
				BOOKED_AS(ipIfStatsOutFragCreates, ipFragCreates)
				    BOOKED_AS(ipIfStatsReasmReqds, ipReasmReqds)
					BOOKED_AS(ipIfStatsReasmOKs, ipReasmOKs)
					    BOOKED_AS(ipIfStatsReasmFails, ipReasmFails)
    /* Counters that scripts of other systems read, and Linux has not. */
    NEVER("ipIfStatsInTooBigErrors"),
    NEVER("ipIfStatsInNoRoutes"),
    NEVER("ipIfStatsInTruncatedPkts"),
    NEVER("ipIfStatsInWrongIPVersion"),
    NEVER("ipIfStatsOutWrongIPVersion"),
    NEVER("ipInIPv6"),
    NEVER("ipOutIPv6"),
    NEVER("tcpInAckBytes"),
    NEVER("tcpInAckSegs"),
    NEVER("tcpInAckUnsent"),
    NEVER("tcpInClosed"),
    NEVER("tcpInDataPastWinBytes"),
    NEVER("tcpInDataPastWinSegs"),
    NEVER("tcpInDupAck"),
    NEVER("tcpInWinProbe"),
    NEVER("tcpInWinUpdate"),
    NEVER("tcpOutAckDelayed"),
    NEVER("tcpOutFastRetrans"),
    NEVER("tcpOutSackRetransSegs"),
    NEVER("tcpOutUrg"),
    NEVER("tcpOutWinProbe"),
    NEVER("tcpOutWinUpdate"),
    NEVER("tcpTimKeepalive"),
    NEVER("tcpTimKeepaliveDrop"),
    NEVER("tcpTimKeepaliveProbe"),
    NEVER("rawipInCksumErrs"),
    NEVER("rawipInErrors"),
    NEVER("rawipInOverflows"),
    NEVER("rawipOutErrors"),
    NEVER("tcpHalfOpenDrop"),
    NEVER("tcpRttUpdate"),
    NEVER("tcpRttNoUpdate"),
    NEVER("rawipInDatagrams"),
    NEVER("rawipOutDatagrams"),
    {0},
};

/*
 * Other systems have each counter in a function of its protocol (tcp_input_data): a function
 * field says which protocol. The name is that of another pattern then.
 */
static void mib_rewrite(struct pdesc *pd)
{
	static const struct {
		const char *func, *names;
	} protocols[] = {{"tcp", "tcp*"},
			 {"udp", "udp*"},
			 {"icmp", "icmp*"},
			 {"rawip", "rawip*"},
			 {"ip", "ip*"}};
	const char *func = pd->func + strspn(pd->func, "*");
	size_t len = strcspn(func, "_*");

	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++)
		if (len == strlen(protocols[i].func) && !strncmp(func, protocols[i].func, len) &&
		    strspn(pd->name, "*") == strlen(pd->name))
			pd->name = protocols[i].names;
	stable_rewrite(pd);
}

static bool is_row(const char *name)
{
	for (const struct stable_probe *row = rows; row->name; row++)
		if (!strcmp(row->name, name))
			return true;
	return false;
}

/* Of a counter and its twin of 64 bits (udpHCInDatagrams) a glob has the first, or a sum would be
 * twice as much. */
static bool mib_leaves_out(const struct pdesc *pd, const struct probe *p)
{
	static const char *const marks[] = {"HC", "IfStatsHC"};
	char name[64];

	if (pd->id || glob_is_literal(pd->name) || strspn(pd->name, "*") == strlen(pd->name))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		const char *at = strstr(p->name, marks[i]);

		if (!at)
			continue;
		snprintf(name, sizeof(name), "%.*s%s", (int)(at - p->name), p->name,
			 at + strlen(marks[i]));
		if (is_row(name) && glob_fits(pd->name, name))
			return true;
	}
	return false;
}

const struct provider provider_mib = {STABLE_PROVIDER_WITH("mib", rows, mib_rewrite),
				      .counters = true, .leaves_out = mib_leaves_out};
