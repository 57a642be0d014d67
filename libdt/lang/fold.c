/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic on constants. */
#include "libdt/lang/sema_parts.h"

int64_t int_fit(const struct type *t, uint64_t size, int64_t v)
{
	bool is_signed = type_is_signed(t);

	if (type_base(t)->flags & TF_BOOL)
		return v != 0;
	switch (size) {
	case 1:
		return is_signed ? (int64_t)(int8_t)v : (int64_t)(uint8_t)v;
	case 2:
		return is_signed ? (int64_t)(int16_t)v : (int64_t)(uint16_t)v;
	case 4:
		return is_signed ? (int64_t)(int32_t)v : (int64_t)(uint32_t)v;
	default:
		return v;
	}
}

static bool apply_div(enum op op, bool is_signed, int64_t a, int64_t b, int64_t *r)
{
	if (!b)
		return false;
	if (!is_signed)
		*r = op == OP_DIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b;
	else if (b == -1) /* INT64_MIN / -1 overflows in C */
		*r = op == OP_DIV ? (int64_t)(0 - (uint64_t)a) : 0;
	else
		*r = op == OP_DIV ? a / b : a % b;
	return true;
}

bool int_apply(enum op op, bool is_signed, int64_t a, int64_t b, int64_t *r)
{
	uint64_t ua = a, ub = b;

	switch (op) {
	case OP_ADD:
		*r = ua + ub;
		break;
	case OP_SUB:
		*r = ua - ub;
		break;
	case OP_MUL:
		*r = ua * ub;
		break;
	case OP_DIV:
	case OP_MOD:
		return apply_div(op, is_signed, a, b, r);
	case OP_AND:
		*r = ua & ub;
		break;
	case OP_OR:
		*r = ua | ub;
		break;
	case OP_XOR:
		*r = ua ^ ub;
		break;
	case OP_SHL:
		*r = ua << (ub & 63);
		break;
	case OP_SHR:
		*r = is_signed ? a >> (ub & 63) : (int64_t)(ua >> (ub & 63));
		break;
	case OP_EQ:
		*r = a == b;
		break;
	case OP_NE:
		*r = a != b;
		break;
	case OP_LT:
		*r = is_signed ? a < b : ua < ub;
		break;
	case OP_LE:
		*r = is_signed ? a <= b : ua <= ub;
		break;
	case OP_GT:
		*r = is_signed ? a > b : ua > ub;
		break;
	case OP_GE:
		*r = is_signed ? a >= b : ua >= ub;
		break;
	case OP_LAND:
		*r = a && b;
		break;
	case OP_LOR:
		*r = a || b;
		break;
	case OP_LXOR:
		*r = !a != !b;
		break;
	default:
		return false;
	}
	return true;
}
