BEGIN { x = self->nosuch; }
