translator T < U * P > { a = P->b; };
BEGIN { xlate < T > (arg0); xlate <T *> (arg0)->a; }
provider p { probe q(int, char *) : (short); };
