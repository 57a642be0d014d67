#pragma D option pcapsize=65k
BEGIN { pcap(NULL, PCAP_IP); }
