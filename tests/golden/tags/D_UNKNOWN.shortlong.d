BEGIN { trace((long short)0); }
