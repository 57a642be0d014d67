/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/unit.h"

const struct time_unit time_units[TIME_UNITS] = {
    {"", 0},
    {"hz", 0},
    {"ns", 1},
    {"nsec", 1},
    {"us", 1000},
    {"usec", 1000},
    {"ms", 1000000},
    {"msec", 1000000},
    {"s", 1000000000},
    {"sec", 1000000000},
    {"m", 60000000000},
    {"min", 60000000000},
    {"h", 3600000000000},
    {"hour", 3600000000000},
    {"d", 86400000000000},
    {"day", 86400000000000},
};
