/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets in pieces: buffers of a made-up layout, in this process's own memory. */
#include "tests/unit/rtfix.h"

enum { SIZE = 1000, STRSIZE = 1024, FRAGS = 3, SCALE = 64, PAGE = 4096 };

struct frag {
	uint64_t page;
	uint32_t len, off;
};

struct shared {
	uint8_t pad, nr_frags;
	struct buf *list;
	struct frag frags[FRAGS];
};

/* What struct sk_buff has, and its memory after it. */
struct buf {
	struct buf *next;
	uint32_t len, data_len, end;
	uint16_t mac_header, network_header;
	uint8_t *head, *data;
	uint8_t memory[512];
	struct shared shared;
};

static const struct rt_packet layout = {
    .next = offsetof(struct buf, next),
    .len = offsetof(struct buf, len),
    .data_len = offsetof(struct buf, data_len),
    .head = offsetof(struct buf, head),
    .data = offsetof(struct buf, data),
    .end = offsetof(struct buf, end),
    .mac_header = offsetof(struct buf, mac_header),
    .network_header = offsetof(struct buf, network_header),
    .nr_frags = offsetof(struct shared, nr_frags),
    .frag_list = offsetof(struct shared, list),
    .frags = offsetof(struct shared, frags),
    .frag_page = offsetof(struct frag, page),
    .frag_off = offsetof(struct frag, off),
    .frag_len = offsetof(struct frag, len),
    .frag_size = sizeof(struct frag),
    .page_scale = SCALE,
    .size = SIZE,
};

struct world {
	struct fix f;
	struct buf bufs[3];
	uint8_t pages[FRAGS][PAGE];
	uint64_t base; /* struct pages begin at 0x1000 */
	uint8_t want[4 * PAGE];
	uint32_t length;
};

static void world_start(struct world *w)
{
	memset(w, 0, sizeof(*w));
	fix_start(&w->f, STRSIZE);
	w->f.rt.packet = &layout;
	w->f.funcs[w->f.vm.nfuncs++] = rt_build(&w->f.rt, "rt_packet_piece");
	noise(&w->f, w->pages[0], sizeof(w->pages));
	w->base = (uint64_t)(uintptr_t)w->pages - 0x1000 * SCALE;
}

static void want(struct world *w, const uint8_t *p, uint32_t n)
{
	memcpy(w->want + w->length, p, n);
	w->length += n;
}

/* A buffer with so many bytes of its own, from an offset of its memory on. */
static struct buf *add_buf(struct world *w, int i, uint32_t off, uint32_t own)
{
	struct buf *b = &w->bufs[i];

	noise(&w->f, b->memory, sizeof(b->memory));
	b->head = b->memory;
	b->data = b->memory + off;
	b->end = sizeof(b->memory);
	b->len = own;
	b->mac_header = 0xffff;
	want(w, b->data, own);
	return b;
}

static void add_page(struct world *w, struct buf *b, uint32_t off, uint32_t n)
{
	int i = b->shared.nr_frags++;

	b->shared.frags[i] = (struct frag){0x1000 + i * PAGE / SCALE, n, off};
	b->len += n;
	b->data_len += n;
	want(w, w->pages[i] + off, n);
}

static int64_t take(struct world *w, const struct buf *b, int network, uint64_t base)
{
	return call(&w->f, "rt_packet", 1, at(&w->f, 0), (uintptr_t)b, network, base);
}

/* Of the packet that is wanted there are the first n bytes. */
static void expect_packet(struct world *w, int64_t got, uint32_t n)
{
	uint64_t length;

	ck_assert_int_eq(got, n);
	memcpy(&length, w->f.slot, sizeof(length));
	ck_assert_uint_eq(length, w->length);
	ck_assert_mem_eq(w->f.slot + RT_PACKET_HEAD, w->want, n);
}

START_TEST(packet_pieces)
{
	struct world w;
	struct buf *b;

	world_start(&w);
	b = add_buf(&w, 0, 40, 100);
	add_page(&w, b, 1, 50);
	add_page(&w, b, 4000, 96);
	expect_packet(&w, take(&w, b, 0, w.base), 246);
	expect_packet(&w, take(&w, b, 1, w.base), 246);
	expect_packet(&w, take(&w, b, 0, 0), 100); /* the place of pages is unknown */
	b->shared.frags[1].page |= 1;
	expect_packet(&w, take(&w, b, 0, w.base), 150);
	b->shared.frags[1].page = 0x1000 - PAGE * 16; /* nothing there */
	b->shared.frags[1].off = 1u << 31;
	expect_packet(&w, take(&w, b, 0, w.base), 150);
	fix_end(&w.f);
}
END_TEST

START_TEST(packet_list)
{
	struct world w;
	struct buf *first, *second;

	world_start(&w);
	first = add_buf(&w, 0, 8, 30);
	second = add_buf(&w, 1, 0, 200);
	add_page(&w, second, 7, 300);
	first->shared.list = second;
	second->next = add_buf(&w, 2, 64, 400);
	first->len = w.length;
	first->data_len = w.length - 30;
	first->next = &w.bufs[2]; /* another packet of the same queue */
	expect_packet(&w, take(&w, first, 0, w.base), 930);
	add_page(&w, second->next, 0, 2000);
	first->len = w.length;
	first->data_len = w.length - 30;
	expect_packet(&w, take(&w, first, 0, w.base), SIZE);
	fix_end(&w.f);
}
END_TEST

/* Headers that lie before the data, after its beginning, or in no place of this packet's. */
START_TEST(packet_headers)
{
	struct world w;
	struct buf *b;

	world_start(&w);
	b = add_buf(&w, 0, 100, 60);
	w.length = 0;
	want(&w, b->memory + 86, 74);
	b->mac_header = 86;
	b->network_header = 114;
	expect_packet(&w, take(&w, b, 0, w.base), 74);
	w.length = 0;
	want(&w, b->memory + 114, 46);
	expect_packet(&w, take(&w, b, 1, w.base), 46);
	b->network_header = 400;
	w.length = 0;
	want(&w, b->data, 60);
	expect_packet(&w, take(&w, b, 1, w.base), 60);
	b->head -= 0xffff - 120; /* so large a buffer that no note at all would be a place in it */
	b->end += 0xffff - 120;
	b->mac_header = 0xffff;
	expect_packet(&w, take(&w, b, 0, w.base), 60);
	fix_end(&w.f);
}
END_TEST

START_TEST(packet_bad)
{
	struct world w;
	struct buf *b;

	world_start(&w);
	ck_assert_int_eq(take(&w, NULL, 0, w.base), -1);
	b = add_buf(&w, 0, 40, 100);
	b->head = NULL; /* what pages and lists it has is not known */
	ck_assert_int_eq(take(&w, b, 0, w.base), -1);
	ck_assert_int_eq(call(&w.f, "rt_packet", SLOTS, at(&w.f, 0), (uintptr_t)b, 0, 0), -1);
	ck_assert_int_eq(call(&w.f, "rt_packet", 1, w.f.rt.slot_size, (uintptr_t)b, 0, 0), -1);
	fix_end(&w.f);
}
END_TEST

Suite *rtpacket_suite(void)
{
	Suite *s = suite_create("rtpacket");
	TCase *tc = tcase_create("packets");

	tcase_add_test(tc, packet_pieces);
	tcase_add_test(tc, packet_list);
	tcase_add_test(tc, packet_headers);
	tcase_add_test(tc, packet_bad);
	suite_add_tcase(s, tc);
	return s;
}
