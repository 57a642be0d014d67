BEGIN { pcap(NULL, 2); }
