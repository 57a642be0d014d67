struct out { string s; int n; };
translator struct out < int i > { n = i; s = probename; };
BEGIN { trace(xlate <struct out>(1).s); x = xlate <struct out>(1); }
