/* Of an action that Linux lacks, what is wrong in D is reported first. */
BEGIN { self->id = speculation(); speculate(self->id); breakpoint(); }
