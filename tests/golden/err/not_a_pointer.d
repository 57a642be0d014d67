int v;
BEGIN { trace(v->b); }
