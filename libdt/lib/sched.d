/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs, by number. */

typedef struct processor_info {
	int pi_state;
	string pi_processor_type;
	string pi_fputypes;
	int pi_clock;
} processor_info_t;

typedef id_t chipid_t;
typedef id_t lgrp_id_t;

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
	processor_info_t cpu_info;
} cpuinfo_t;

inline int P_OFFLINE = 1;
inline int P_ONLINE = 2;

translator processor_info_t < int CPU > {
	pi_state = P_ONLINE;
	pi_processor_type = dt_uts_machine;
	pi_fputypes = dt_uts_machine == "x86_64" ? "i387 compatible" : "";
	pi_clock = dt_sysstat(8); /* MHz */
};

translator cpuinfo_t < int CPU > {
	cpu_id = CPU;
	cpu_pset = 0;
	cpu_chip = dt_cpu_sysstat(0, CPU);
	cpu_lgrp = dt_cpu_sysstat(1, CPU);
	cpu_info = xlate <processor_info_t>(CPU);
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *>(cpu);
inline psetid_t pset = curcpu->cpu_pset;
inline chipid_t chip = curcpu->cpu_chip;
