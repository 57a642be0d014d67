BEGIN { self->x = (int *)arg0; self->x = arg1; }
