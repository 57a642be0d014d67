BEGIN { self->x = 1; x = &self->x; }
