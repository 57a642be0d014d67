/* @@kernel: */
BEGIN { pcap(NULL, PCAP_IP); }
