/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP. States have the numbers of Linux (net/tcp_states.h), so that what is compared with the
 * kernel's own fits; idle and bound are states that Linux does not have.
 */

inline int TCP_STATE_IDLE = -5;
inline int TCP_STATE_BOUND = -4;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_CLOSING = 11;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_NEW_SYN_RECEIVED = 12;

inline string tcp_state_string[int32_t state] =
	state == TCP_STATE_IDLE ? "state-idle" :
	state == TCP_STATE_BOUND ? "state-bound" :
	state == TCP_STATE_CLOSED ? "state-closed" :
	state == TCP_STATE_LISTEN ? "state-listen" :
	state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
	state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
	state == TCP_STATE_ESTABLISHED ? "state-established" :
	state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
	state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
	state == TCP_STATE_CLOSING ? "state-closing" :
	state == TCP_STATE_LAST_ACK ? "state-last-ack" :
	state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
	state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
	state == TCP_STATE_NEW_SYN_RECEIVED ? "state-new-syn-received" :
	"<unknown>";

/* Flags of a segment. */
inline int TH_FIN = 0x01;
inline int TH_SYN = 0x02;
inline int TH_RST = 0x04;
inline int TH_PUSH = 0x08;
inline int TH_PSH = TH_PUSH;
inline int TH_ACK = 0x10;
inline int TH_URG = 0x20;
inline int TH_ECE = 0x40;
inline int TH_CWR = 0x80;
inline int TCP_MIN_HEADER_LENGTH = 20;

/* Of a segment: its header. */
typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	struct tcphdr *tcp_hdr;
} tcpinfo_t;

inline uint8_t dt_tcp_flags[struct tcphdr *H] = ((uint8_t *)H)[13];
inline uint8_t dt_tcp_offset[struct tcphdr *H] = ((uint8_t *)H)[12] >> 4 << 2;

translator tcpinfo_t < struct tcphdr *H > {
	tcp_sport = H ? ntohs(H->source) : 0;
	tcp_dport = H ? ntohs(H->dest) : 0;
	tcp_seq = H ? ntohl(H->seq) : 0;
	tcp_ack = H ? ntohl(H->ack_seq) : 0;
	tcp_offset = H ? dt_tcp_offset[H] : 0;
	tcp_flags = H ? dt_tcp_flags[H] : 0;
	tcp_window = H ? ntohs(H->window) : 0;
	tcp_checksum = H ? ntohs(H->check) : 0;
	tcp_urgent = H ? ntohs(H->urg_ptr) : 0;
	tcp_hdr = H;
};

/*
 * Where there is a socket only: of the segment that it received and that makes its state change.
 */
translator tcpinfo_t < struct tcp_sock *T > {
	tcp_sport = T ? ntohs(dt_sock_of[T]->__sk_common.skc_dport) : 0;
	tcp_dport = T ? dt_sock_port[dt_sock_of[T]] : 0;
	tcp_seq = !T || this->dt_received & TH_RST ? 0 :
	    T->rcv_nxt - (this->dt_received & TH_SYN ? 1 : 0);
	tcp_ack = T ? T->snd_nxt : 0;
	tcp_offset = 0;
	tcp_flags = T ? this->dt_received : 0;
	tcp_window = 0;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = NULL;
};

/* And of the one that it sends again. */
translator tcpinfo_t < struct inet_sock *S > {
	tcp_sport = S ? dt_sock_port[&S->sk] : 0;
	tcp_dport = S ? ntohs(S->sk.__sk_common.skc_dport) : 0;
	tcp_seq = S ? this->dt_seq : 0;
	tcp_ack = S ? ((struct tcp_sock *)S)->rcv_nxt : 0;
	tcp_offset = 0;
	tcp_flags = S ? this->dt_received : 0;
	tcp_window = 0;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = NULL;
};

/*
 * The conditions of probes note for the arguments: where they see segments, header and connection;
 * where they see sockets only, the state that it is going to have, and the segment's flags and
 * number.
 */
this int dt_state;
this int dt_received;
this uint32_t dt_seq;
this int dt_again;
inline int dt_tcp_now[int state, int flags] =
    (this->dt_state = state, this->dt_received = flags, 1);
inline int dt_tcp_again[struct tcp_skb_cb *C] =
    (this->dt_received = C->tcp_flags, this->dt_seq = C->seq, this->dt_again = 1);
inline int dt_tcp_asks[struct tcp_sock *T] =
	dt_sock_of[T]->__sk_common.skc_state == TCP_STATE_SYN_SENT ||
	    dt_sock_of[T]->__sk_common.skc_state == TCP_STATE_SYN_RECEIVED;
/* Its oldest segment was not acknowledged: flags as far as the state shows them, and its number. */
inline int dt_tcp_unanswered[struct tcp_sock *T] =
	(this->dt_received = !dt_tcp_asks[T] ? TH_ACK :
	    dt_sock_of[T]->__sk_common.skc_state == TCP_STATE_SYN_SENT ? TH_SYN : TH_SYN | TH_ACK,
	this->dt_seq = T->snd_una, this->dt_again = 1);
/* When its timer expires: where the other side's window is closed that is probed, unless the
 * socket is closed (SOCK_DEAD). */
inline int dt_tcp_timeout[struct tcp_sock *T] =
	T->packets_out && !(exists(T->fastopen_rsk) ? (uintptr_t)T->fastopen_rsk : 0) &&
	(T->snd_wnd || dt_tcp_asks[T] || dt_sock_of[T]->__sk_common.skc_flags & 1) &&
	    dt_tcp_unanswered[T];
inline int dt_tcp_sends[struct sk_buff *B] =
	dt_sends_own[B, IPPROTO_TCP] &&
	(this->dt_tcp = (struct tcphdr *)dt_ip_next[this->dt_ip], this->dt_conn = B->sk,
	    this->dt_conn = dt_tcp_conn[this->dt_conn], 1);
inline int dt_tcp_in[struct sk_buff *B, struct sock *S] =
	(dt_ip_in[B], this->dt_tcp = (struct tcphdr *)(B->head + B->transport_header),
	    this->dt_conn = S, 1);
/* The kernel's notes on a segment; dt_len is of its data, where its header comes first in the
 * buffer. */
inline struct tcp_skb_cb *dt_tcp_block[struct sk_buff *B] = (struct tcp_skb_cb *)B->cb;
inline int dt_tcp_data[struct sk_buff *B] =
    (this->dt_len = B->len - dt_tcp_offset[(struct tcphdr *)B->data]);

/* Of a connection. */
typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	int tcps_active;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int32_t tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_irs;
	uint32_t tcps_suna;
	uint32_t tcps_snxt;
	uint32_t tcps_rack;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
	uint32_t tcps_rtt;
	uint32_t tcps_rtt_sd;
} tcpsinfo_t;

inline struct sock *dt_sock_of[struct tcp_sock *T] = (struct sock *)T;
/* The control sockets, which answer where there is no connection, are raw ones. */
inline struct sock *dt_tcp_conn[struct sock *S] =
	!S || S->__sk_common.skc_state == TCP_STATE_NEW_SYN_RECEIVED ||
	    S->__sk_common.skc_state == TCP_STATE_TIME_WAIT ||
	S->sk_type == SOCK_STREAM ? S : NULL;
inline struct tcp_sock *dt_tcp_sock[struct sock *S] = dt_sock_whole[S] ? (struct tcp_sock *)S :
    NULL;
inline struct inet_connection_sock *dt_tcp_icsk[struct sock *S] = (struct inet_connection_sock *)S;
inline int dt_sock_same[struct sock *S] = dt_sock_v4[S] ?
	S->__sk_common.skc_daddr == S->__sk_common.skc_rcv_saddr ||
	    (ntohl(S->__sk_common.skc_daddr) >> 24) == 127 :
	exists(S->__sk_common.skc_v6_daddr) ?
	*(uint64_t *)&S->__sk_common.skc_v6_daddr ==
	    *(uint64_t *)&S->__sk_common.skc_v6_rcv_saddr &&
	((uint64_t *)&S->__sk_common.skc_v6_daddr)[1] ==
	    ((uint64_t *)&S->__sk_common.skc_v6_rcv_saddr)[1] : 0;
/* Is all that a segment has sent again? A new one is handed to the device before its connection
 * counts it. */
inline uint32_t dt_tcp_new[struct tcphdr *H] =
	dt_ip_plength[this->dt_ip] - dt_tcp_offset[H] + !!(dt_tcp_flags[H] & TH_SYN) +
	    !!(dt_tcp_flags[H] & TH_FIN);
inline int dt_tcp_old[struct tcphdr *H, struct tcp_sock *T] =
	T && this->dt_conn->__sk_common.skc_state != TCP_STATE_LISTEN && dt_tcp_new[H] &&
	(int)(ntohl(H->seq) + dt_tcp_new[H] - T->snd_nxt) <= 0;
/* Windows of segments are counted in bytes on other systems. */
inline uint32_t dt_tcp_bytes[struct tcp_sock *T, uint32_t segments] =
	segments >= 0x7fffffff / (T->mss_cache | 1) ? 0x7fffffff : segments * T->mss_cache;
/* As the kernel makes it of the time that answers take, before it is in ticks; the first is of one
 * second. */
inline uint32_t dt_tcp_rto[struct tcp_sock *T] =
	(T->srtt_us ? (T->srtt_us >> 3) + T->rttvar_us : 1000000) / 1000 <<
	    T->inet_conn.icsk_backoff;

translator tcpsinfo_t < struct sock *S > {
	tcps_addr = (uintptr_t)S;
	tcps_local = S ? dt_sock_same[S] : 0;
	tcps_active = 0;
	tcps_lport = S ? dt_sock_port[S] : 0;
	tcps_rport = S ? ntohs(S->__sk_common.skc_dport) : 0;
	tcps_laddr = S ? dt_sock_local[S] : "";
	tcps_raddr = S ? dt_sock_remote[S] : "";
	tcps_state = this->dt_state ? this->dt_state : S ? S->__sk_common.skc_state :
	    TCP_STATE_CLOSED;
	tcps_iss = 0;
	tcps_irs = dt_tcp_sock[S] && dt_tcp_sock[S]->rcv_nxt ?
	    dt_tcp_sock[S]->rcv_nxt - dt_tcp_sock[S]->bytes_received - 1 : 0;
	tcps_suna = dt_tcp_sock[S] ? dt_tcp_sock[S]->snd_una : 0;
	tcps_snxt = dt_tcp_sock[S] ? dt_tcp_sock[S]->snd_nxt : 0;
	tcps_rack = dt_tcp_sock[S] ? dt_tcp_sock[S]->rcv_wup : 0;
	tcps_rnxt = dt_tcp_sock[S] ? dt_tcp_sock[S]->rcv_nxt : 0;
	tcps_swnd = dt_tcp_sock[S] ? dt_tcp_sock[S]->snd_wnd : 0;
	tcps_snd_ws = dt_tcp_sock[S] ? dt_tcp_sock[S]->rx_opt.snd_wscale : 0;
	tcps_rwnd = dt_tcp_sock[S] ? dt_tcp_sock[S]->rcv_wnd : 0;
	tcps_rcv_ws = dt_tcp_sock[S] ? dt_tcp_sock[S]->rx_opt.rcv_wscale : 0;
	tcps_cwnd = dt_tcp_sock[S] ? dt_tcp_bytes[dt_tcp_sock[S], dt_tcp_sock[S]->snd_cwnd] : 0;
	tcps_cwnd_ssthresh = dt_tcp_sock[S] ?
	    dt_tcp_bytes[dt_tcp_sock[S], dt_tcp_sock[S]->snd_ssthresh] : 0;
	tcps_sack_fack = !dt_tcp_sock[S] ? 0 : dt_tcp_sock[S]->sacked_out &&
	    dt_tcp_sock[S]->highest_sack ?
		((struct tcp_skb_cb *)dt_tcp_sock[S]->highest_sack->cb)->seq :
		    dt_tcp_sock[S]->snd_una;
	tcps_sack_snxt = 0;
	tcps_rto = dt_tcp_sock[S] ? dt_tcp_rto[dt_tcp_sock[S]] : 0;
	tcps_mss = dt_tcp_sock[S] ? dt_tcp_sock[S]->mss_cache : 0;
	tcps_retransmit = dt_tcp_sock[S] ? this->dt_again || dt_tcp_sock[S]->retrans_out ||
	    dt_tcp_sock[S]->inet_conn.icsk_retransmits : 0;
	tcps_rtt = dt_tcp_sock[S] ? dt_tcp_sock[S]->srtt_us >> 3 : 0;
	tcps_rtt_sd = dt_tcp_sock[S] ? dt_tcp_sock[S]->mdev_us >> 2 : 0;
};

/* Where there is no connection, as what refuses one is sent: its two ends are those of the
 * segment, whose IP header is in dt_ip. */
inline int dt_ip_same[struct iphdr *H] = dt_ip_ver[H] == 4 ? H->saddr == H->daddr ||
    (ntohl(H->daddr) >> 24) == 127 :
	*(uint64_t *)&((struct ipv6hdr *)H)->saddr == *(uint64_t *)&((struct ipv6hdr *)H)->daddr &&
	((uint64_t *)&((struct ipv6hdr *)H)->saddr)[1] ==
	    ((uint64_t *)&((struct ipv6hdr *)H)->daddr)[1];

translator tcpsinfo_t < struct tcphdr *H > {
	tcps_addr = 0;
	tcps_local = dt_ip_same[this->dt_ip];
	tcps_active = 0;
	tcps_lport = ntohs(H->source);
	tcps_rport = ntohs(H->dest);
	tcps_laddr = dt_ip_saddr[this->dt_ip];
	tcps_raddr = dt_ip_daddr[this->dt_ip];
	tcps_state = TCP_STATE_CLOSED;
	tcps_iss = 0;
	tcps_irs = 0;
	tcps_suna = 0;
	tcps_snxt = 0;
	tcps_rack = 0;
	tcps_rnxt = 0;
	tcps_swnd = 0;
	tcps_snd_ws = 0;
	tcps_rwnd = 0;
	tcps_rcv_ws = 0;
	tcps_cwnd = 0;
	tcps_cwnd_ssthresh = 0;
	tcps_sack_fack = 0;
	tcps_sack_snxt = 0;
	tcps_rto = 0;
	tcps_mss = 0;
	tcps_retransmit = 0;
	tcps_rtt = 0;
	tcps_rtt_sd = 0;
};

/* The state that a connection had before. */
typedef struct tcplsinfo {
	int32_t tcps_state;
} tcplsinfo_t;

translator tcplsinfo_t < int state > {
	tcps_state = state;
};
