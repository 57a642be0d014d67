struct q { string s; int i; };
struct q v;
BEGIN { v.s = "a"; }
