/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Macro variables of programs. */
#ifndef DT_MACRO_H
#define DT_MACRO_H

/* The text of a macro variable; as struct parse's macro_arg, with the session. */
const char *macro_text(void *dt, const char *name);

#endif
