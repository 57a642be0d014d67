/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets: whose they are, their IP headers, the device. Headers are read from where they lie; of
 * a packet that the device or the kernel has yet to cut up, or has put together, there is one.
 */

/* Sockets ------------------------------------------------------------------------------------- */

/* Other ends of a socket for IPv6 may speak IPv4. */
inline int dt_sock_mapped[struct sock *S] = exists(S->__sk_common.skc_v6_daddr) ?
	S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[2] == htonl(0xffff) &&
	!S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[0] &&
	    !S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[1] : 0;
inline int dt_sock_v4[struct sock *S] = S->__sk_common.skc_family == 2 || dt_sock_mapped[S];
/* The port that it had: the number goes when it is closed. Requests for connections and what is
 * left of them are smaller than sockets, and begin like them. */
inline int dt_sock_whole[struct sock *S] = S && S->__sk_common.skc_state != 6 &&
    S->__sk_common.skc_state != 12;
inline uint16_t dt_sock_port[struct sock *S] =
	dt_sock_whole[S] ? ntohs(((struct inet_sock *)S)->inet_sport) : S->__sk_common.skc_num;
inline string dt_sock_local[struct sock *S] = dt_sock_v4[S] ?
    inet_ntoa(&S->__sk_common.skc_rcv_saddr) :
	exists(S->__sk_common.skc_v6_daddr) ? inet_ntoa6(&S->__sk_common.skc_v6_rcv_saddr) : "";
inline string dt_sock_remote[struct sock *S] = dt_sock_v4[S] ?
    inet_ntoa(&S->__sk_common.skc_daddr) :
	exists(S->__sk_common.skc_v6_daddr) ? inet_ntoa6(&S->__sk_common.skc_v6_daddr) : "";

typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
} conninfo_t;

translator conninfo_t < struct sock *S > {
	ci_local = S ? dt_sock_local[S] : "";
	ci_remote = S ? dt_sock_remote[S] : "";
	ci_protocol = !S ? "" : dt_sock_v4[S] ? "ipv4" : "ipv6";
};

typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

translator pktinfo_t < struct sk_buff *B > {
	pkt_addr = (uintptr_t)B;
};

typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	uint64_t cs_cookie;
	pid_t cs_pid;
	zoneid_t cs_zoneid;
} csinfo_t;

/* A connection has no process; but while one is at work on it, it holds the socket's lock. Whose it
 * was last is remembered. */
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = (uint64_t)S;
	cs_cookie = S ? S->__sk_common.skc_cookie.counter : 0;
	cs_pid = S ? dt_socket_pid(S, S->__sk_common.skc_portpair,
	    dt_sock_whole[S] && S->sk_lock.owned ? pid : 0) : 0;
	cs_zoneid = 0;
};

/* Headers ------------------------------------------------------------------------------------- */

inline int dt_ip_ver[struct iphdr *H] = *(uint8_t *)H >> 4;
inline int dt_ip_ihl[struct iphdr *H] = (*(uint8_t *)H & 15) << 2;
/* The protocol of what follows; -1 in a fragment that does not have the beginning of it. */
inline int dt_ip4_proto[struct iphdr *H] = H->frag_off & htons(0x1fff) ? -1 : H->protocol;
/* IPv6 of more than 64 KB, which is still to be cut up: the kernel puts an option before TCP. */
inline int dt_ip6_jumbo[struct ipv6hdr *H] = !H->nexthdr && !H->payload_len;
inline int dt_ip6_proto[struct ipv6hdr *H] = dt_ip6_jumbo[H] ? ((uint8_t *)H)[40] :
	H->nexthdr != 44 ? H->nexthdr : ((uint16_t *)H)[21] & htons(0xfff8) ? -1 :
	    ((uint8_t *)H)[40];
inline int dt_ip_proto[struct iphdr *H] = dt_ip_ver[H] == 4 ? dt_ip4_proto[H] :
    dt_ip6_proto[(struct ipv6hdr *)H];
inline uint64_t dt_ip_next[struct iphdr *H] =
	(uint64_t)H + (dt_ip_ver[H] == 4 ? dt_ip_ihl[H] :
	    ((struct ipv6hdr *)H)->nexthdr == 44 || dt_ip6_jumbo[(struct ipv6hdr *)H] ? 48 : 40);

/* Does a buffer hold a packet of IP? */
inline int dt_is_ip[struct sk_buff *B] = B->protocol == htons(0x800) ||
    B->protocol == htons(0x86dd);
/* Devices below a bridge, a bond or a team are handed packets that are none of IP's, or were seen
 * above. */
inline int dt_dev_port[struct net_device *D] = D->priv_flags & (IFF_BRIDGE_PORT | IFF_TEAM_PORT);
inline int dt_dev_below[struct sk_buff *B] = dt_dev_port[B->dev] || B->dev->flags & 0x800 ||
	(exists(B->vlan_all) ? B->vlan_all : B->vlan_present);
/* What a program hands to the device by itself (AF_PACKET) was never the stack's. */
inline int dt_handmade[struct sk_buff *B] = B->sk && B->sk->__sk_common.skc_family == 17;

/*
 * The condition of probes that see packets where they are handed to a device, or come from one:
 * notes in dt_ip where the header is, for the arguments, and in dt_skb in which buffer.
 */
this struct sk_buff *dt_skb;
inline int dt_ip_sends[struct sk_buff *B] =
	(this->dt_skb = B, this->dt_ip = (struct iphdr *)(B->head + B->network_header),
	    dt_is_ip[B] && !dt_dev_below[B] && !dt_handmade[B]);
inline int dt_ip_receives[struct sk_buff *B] =
	(this->dt_skb = B, this->dt_ip = (struct iphdr *)B->data,
	    dt_is_ip[B] && B->pkt_type != 3 && !dt_dev_port[B->dev]);
/* Where it is known that there is a packet, from the buffer's own notes. */
inline struct iphdr *dt_ip_in[struct sk_buff *B] =
    (this->dt_skb = B, this->dt_ip = (struct iphdr *)(B->head + B->network_header));
/* What the machine sends itself never came in. */
inline int dt_sends_own[struct sk_buff *B, int proto] =
	dt_ip_sends[B] && !B->skb_iif && dt_ip_proto[this->dt_ip] == proto;
inline int dt_receives_proto[struct sk_buff *B, int proto] = dt_ip_receives[B] &&
    dt_ip_proto[this->dt_ip] == proto;

/* How many packets are in one that is to be cut up, or was put together. */
inline struct skb_shared_info *dt_skb_info[struct sk_buff *B] =
    (struct skb_shared_info *)(B->head + B->end);
inline uint64_t dt_gso_segs[struct sk_buff *B] = dt_skb_info[B]->gso_segs ?
    dt_skb_info[B]->gso_segs : 1;
/* Of more than 64 KB the header has no length: it is that of the buffer, without the option. */
inline uint32_t dt_ip_field[struct iphdr *H] = dt_ip_ver[H] == 4 ?
	ntohs(H->tot_len) : ntohs(((struct ipv6hdr *)H)->payload_len);
inline uint32_t dt_ip_rest[struct iphdr *H] = !this->dt_skb ? 0 :
	this->dt_skb->len + (uint64_t)this->dt_skb->data - (uint64_t)H -
	    (dt_ip_ver[H] == 6 && dt_ip6_jumbo[(struct ipv6hdr *)H] ? 8 : 0);
inline uint32_t dt_ip_length[struct iphdr *H] = !dt_ip_field[H] ? dt_ip_rest[H] :
	dt_ip_field[H] + (dt_ip_ver[H] == 4 ? 0 : 40);

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

inline uint32_t dt_ip_plength[struct iphdr *H] =
	dt_ip_length[H] - (dt_ip_ver[H] == 4 ? dt_ip_ihl[H] : 40);
inline string dt_ip_saddr[struct iphdr *H] =
	dt_ip_ver[H] == 4 ? inet_ntoa(&H->saddr) : inet_ntoa6(&((struct ipv6hdr *)H)->saddr);
inline string dt_ip_daddr[struct iphdr *H] =
	dt_ip_ver[H] == 4 ? inet_ntoa(&H->daddr) : inet_ntoa6(&((struct ipv6hdr *)H)->daddr);

translator ipinfo_t < struct iphdr *H > {
	ip_ver = H ? dt_ip_ver[H] : 0;
	ip_plength = H ? dt_ip_plength[H] : 0;
	ip_saddr = H ? dt_ip_saddr[H] : "";
	ip_daddr = H ? dt_ip_daddr[H] : "";
};

/* Where there is a socket only: what it receives. */
translator ipinfo_t < struct sock *S > {
	ip_ver = !S ? 0 : dt_sock_v4[S] ? 4 : 6;
	ip_plength = 0;
	ip_saddr = S ? dt_sock_remote[S] : "";
	ip_daddr = S ? dt_sock_local[S] : "";
};

/* And what it sends. */
translator ipinfo_t < struct inet_sock *S > {
	ip_ver = !S ? 0 : dt_sock_v4[&S->sk] ? 4 : 6;
	ip_plength = 0;
	ip_saddr = S ? dt_sock_local[&S->sk] : "";
	ip_daddr = S ? dt_sock_remote[&S->sk] : "";
};

typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	uintptr_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

translator ifinfo_t < struct net_device *D > {
	if_name = D ? stringof(D->name) : "";
	if_local = D && D->flags & 8;
	if_ipstack = D ? (uintptr_t)D->nd_net.net : 0;
	if_addr = (uintptr_t)D;
};

inline string dt_ip_protostr[int P] =
	P == 6 ? "TCP" : P == 17 ? "UDP" : P == 1 ? "ICMP" : P == 58 ? "ICMPv6" : P == 2 ? "IGMP" :
	    P == 4 ? "IP" :
	P == 8 ? "EGP" : P == 41 ? "IPv6" : P == 43 ? "ROUTE" : P == 44 ? "FRAGMENT" :
	    P == 47 ? "GRE" : P == 50 ? "ESP" :
	P == 51 ? "AH" : P == 59 ? "NONE" : P == 60 ? "DSTOPTS" : P == 89 ? "OSPF" :
	    P == 103 ? "PIM" : P == 132 ? "SCTP" :
	P == 136 ? "UDPLITE" : P == 255 ? "RAW" : lltostr(P);

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

translator ipv4info_t < struct iphdr *H > {
	ipv4_ver = H ? dt_ip_ver[H] : 0;
	ipv4_ihl = H ? dt_ip_ihl[H] : 0;
	ipv4_tos = H ? H->tos : 0;
	ipv4_length = H ? ntohs(H->tot_len) : 0;
	ipv4_ident = H ? ntohs(H->id) : 0;
	ipv4_flags = H ? ntohs(H->frag_off) >> 12 : 0;
	ipv4_offset = H ? (ntohs(H->frag_off) & 0x1fff) << 3 : 0;
	ipv4_ttl = H ? H->ttl : 0;
	ipv4_protocol = H ? H->protocol : 0;
	ipv4_protostr = H ? dt_ip_protostr[H->protocol] : "";
	ipv4_checksum = H ? ntohs(H->check) : 0;
	ipv4_src = H ? H->saddr : 0;
	ipv4_dst = H ? H->daddr : 0;
	ipv4_saddr = H ? inet_ntoa(&H->saddr) : "";
	ipv4_daddr = H ? inet_ntoa(&H->daddr) : "";
	ipv4_hdr = H;
};

inline int IPH_DF = 4; /* of ipv4_flags */
inline int IPH_MF = 2;

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	struct in6_addr *ipv6_src;
	struct in6_addr *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

translator ipv6info_t < struct ipv6hdr *H > {
	ipv6_ver = H ? *(uint8_t *)H >> 4 : 0;
	ipv6_tclass = H ? ntohl(*(uint32_t *)H) >> 20 : 0;
	ipv6_flow = H ? ntohl(*(uint32_t *)H) & 0xfffff : 0;
	ipv6_plen = H ? ntohs(H->payload_len) : 0;
	ipv6_nexthdr = H ? H->nexthdr : 0;
	ipv6_nextstr = H ? dt_ip_protostr[H->nexthdr] : "";
	ipv6_hlim = H ? H->hop_limit : 0;
	ipv6_src = H ? &H->saddr : NULL;
	ipv6_dst = H ? &H->daddr : NULL;
	ipv6_saddr = H ? inet_ntoa6(&H->saddr) : "";
	ipv6_daddr = H ? inet_ntoa6(&H->daddr) : "";
	ipv6_hdr = H;
};

/* Why a packet was dropped: args[6] of drop-in and drop-out, by the names that this kernel has. */
inline string ip_drop_string[int reason] =
	reason == 0 ? "" : (exists(SKB_DROP_REASON_MAX) ?
	    (uint32_t)reason < (uint32_t)SKB_DROP_REASON_MAX : 0) ?
	dt_drop_reason(reason) : lltostr(reason);
/*
 * Is a packet that came in and is freed lost? Not where a socket had it in its queue already (a
 * FIN in a connection that is closed), and not a packet for another machine.
 */
inline int dt_ip_discards[struct sk_buff *B, int reason] =
	!(dt_function("sock_rfree") && (uint64_t)B->destructor == dt_function("sock_rfree")) &&
	!(exists(SKB_CONSUMED) ? reason == SKB_CONSUMED : 0) &&
	!(exists(SKB_DROP_REASON_SOCKET_CLOSE) ? reason == SKB_DROP_REASON_SOCKET_CLOSE : 0) &&
	!(exists(SKB_DROP_REASON_QUEUE_PURGE) ? reason == SKB_DROP_REASON_QUEUE_PURGE : 0) &&
	!(exists(SKB_DROP_REASON_OTHERHOST) ? reason == SKB_DROP_REASON_OTHERHOST :
	    B->pkt_type == 3);
