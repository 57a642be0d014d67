/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints and notices on what the programs name. */
#ifndef DT_ADVISE_H
#define DT_ADVISE_H

struct dt;

/* Adds a program's text, without its comments, to those whose words count against widening. */
void advise_upcoming(struct dt *dt, const char *text);
/* What dt->input->compat has widened is to be said. */
void advise_widened(struct dt *dt);
/* When all programs are compiled: warns of what is seen otherwise than it may be meant, and of
 * what never fires. */
void advise(struct dt *dt);

#endif
