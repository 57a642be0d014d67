/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of the system that programs cannot read everywhere, and which dtrace keeps up to date for them: dt_figure(n). */
#ifndef DT_FIGURES_H
#define DT_FIGURES_H

#include <stdint.h>

/* Writes all of them (FIGURES words, libdt/lang/gen.h) to where the programs read. */
void figures_refresh(uint64_t *to);

#endif
