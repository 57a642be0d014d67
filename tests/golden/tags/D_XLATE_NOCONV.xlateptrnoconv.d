struct out { int a; int b; };
translator struct out < int i > { a = i; };
BEGIN { this->p = xlate <struct out *>(1); trace(this->p->b); }
