/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/machine/machine.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "libdt/base/mem.h"

static const struct machine *const machines[] = {&machine_x86_64, &machine_aarch64,
						 &machine_riscv64};

#if defined(__x86_64__)
const struct machine *const machine_here = &machine_x86_64;
#elif defined(__aarch64__)
const struct machine *const machine_here = &machine_aarch64;
#elif defined(__riscv) && __riscv_xlen == 64
const struct machine *const machine_here = &machine_riscv64;
#else
#error "dt has no file for this machine: HACKING.md says what a port needs"
#endif

const struct machine *machine_of(int elf)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i]->elf == elf)
			return machines[i];
	return NULL;
}

/*
 * The kernel takes all bits for signatures that user addresses do not have (but bit 55, which is
 * 0). The stack of the first thread begins less than 2^36 bytes below the end of these addresses,
 * so its own have the highest bit. (With addresses of 52 bits the kernel maps below 2^48, unless a
 * program asks for more, and only bits from 52 on are signatures.)
 */
int machine_signature_bits(void)
{
	uint64_t on_stack = getauxval(AT_EXECFN);

	return machine_here->unwind.is_signed && on_stack ? __builtin_clzll(on_stack) : 0;
}

bool machine_has_atomics(void)
{
	return !machine_here->atomics || getauxval(AT_HWCAP) & machine_here->atomics;
}

int args_on_stack(struct args_taken *taken, int nargs, uint64_t size, bool wide)
{
	int at;

	taken->words = wide ? ALIGN_UP(taken->words, 2) : taken->words;
	at = nargs + taken->words;
	taken->words = MIN(taken->words + (int)((MIN(size, 1u << 20) + 7) / 8), 1 << 24);
	return at;
}

bool operand_number(const char **text, int64_t *value)
{
	const char *digits = *text + (**text == '-' || **text == '+');
	char *end;

	if (!isdigit((unsigned char)*digits))
		return false;
	*value = (int64_t)strtoull(*text, &end, 0);
	*text = end;
	return true;
}
