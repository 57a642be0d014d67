/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How stable a program is. */
#ifndef DT_STABILITY_H
#define DT_STABILITY_H

struct dt;

/* -x amin: ends the compilation when a clause is less stable than it says. */
void stability_check(struct dt *dt);

#endif
