BEGIN { prinf("a"); }
