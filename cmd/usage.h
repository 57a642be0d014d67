/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CMD_USAGE_H
#define CMD_USAGE_H

#include <stdio.h>

void usage(FILE *out);

#endif
