/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations as metrics, to the byte: types, names, escapes, buckets. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "libdt/builtin/agg.h"
#include "libdt/consumer/metrics.h"
#include "libdt/http.h"

static struct types *types;
static struct aggrs *as;
static struct fmt_ctx ctx;
static struct strbuf out;
static struct metrics m;
static int negatives;

static void setup(void)
{
	types = types_new(false, "none");
	as = aggrs_new(2);
	as->metrics = true;
	ctx = (struct fmt_ctx){.types = types};
	m = (struct metrics){.openmetrics = true, .version = "9.9"};
	negatives = 0;
}

static void teardown(void)
{
	aggrs_free(as);
	types_free(types);
	sb_free(&out);
}

/* The page without what it has of the tracer. */
static const char *page(void)
{
	const char *at;

	out.len = 0;
	metrics_write(&out, &m, &ctx, as);
	at = strstr(sb_str(&out), "# HELP dtrace_");
	return at ? at : sb_str(&out);
}

static struct aggr *add(const char *name, const struct aggfunc *func, const int64_t *params,
			bool keyed)
{
	struct aggr_col col = {.type = type_int(types, 1, true), .size = 8};
	struct aggr_desc d = {
	    .name = name,
	    .func = func,
	    .cols = &col,
	    .ncols = keyed,
	    .key_size = keyed ? 8 : 0,
	};
	struct aggr *ag;

	col.type = type_string(types);
	if (params)
		memcpy(d.params, params, sizeof(d.params));
	ag = aggr_add(as, &d);
	ck_assert_ptr_nonnull(ag);
	return ag;
}

static void count(struct aggr *ag, const char *key, int64_t n)
{
	char text[8] = "";
	int64_t v[4] = {n};

	strncpy(text, key, sizeof(text));
	aggr_merge(as, ag, text, 0, v);
}

START_TEST(test_counter)
{
	struct aggr *ag = add("calls", &aggfunc_count, NULL, true);

	count(ag, "a\"\\\n", 3);
	count(ag, "\xff\x1b", 1);
	count(ag, "\xfe\x1b", 2); /* the same label: one line, or readers refuse the page */
	count(ag, "\u00e9", 4);
	ck_assert_str_eq(page(), "# HELP dtrace_calls count() of the aggregation @calls\n"
				 "# TYPE dtrace_calls counter\n"
				 "dtrace_calls_total{key0=\"a\\\"\\\\\\n\"} 3\n"
				 "dtrace_calls_total{key0=\"\ufffd\ufffd\"} 3\n"
				 "dtrace_calls_total{key0=\"\u00e9\"} 4\n"
				 "# EOF\n");
	aggr_clear(ag);
	m.labels = "program,file";
	ck_assert_ptr_nonnull(strstr(page(), "dtrace_calls_total{program=\"\u00e9\"} 4\n"));
	m.openmetrics = false;
	ck_assert_ptr_nonnull(strstr(page(), "\n# TYPE dtrace_calls_total counter\n"));
	ck_assert_ptr_null(strstr(page(), "# EOF"));
	aggr_trunc(ag, 0);
	ck_assert_ptr_null(strstr(page(), "{program"));
}
END_TEST

static void on_negative(void *arg, struct aggr *ag)
{
	(void)arg;
	(void)ag;
	negatives++;
}

START_TEST(test_gauges)
{
	struct metric_spec gauge = {.gauge = true, .unit = "seconds", .scale = 1000};
	struct aggr *sum = add("s", &aggfunc_sum, NULL, false), *min, *avg, *dev;

	m.on_negative = on_negative;
	ck_assert_ptr_nonnull(strstr(page(), "dtrace_s_total 0\n"));
	count(sum, "", -5);
	ck_assert_ptr_null(strstr(page(), "dtrace_s_total "));
	ck_assert_int_eq(negatives, 1);
	sum->metric = &gauge;
	min = add("low", &aggfunc_min, NULL, false);
	avg = add("_", &aggfunc_avg, NULL, false);
	dev = add("dev", &aggfunc_stddev, NULL, false);
	aggr_merge(as, avg, "", 0, (int64_t[]){2, 7});
	aggr_merge(as, dev, "", 0, (int64_t[]){2, 5, 17, 0}); /* 1 and 4 */
	ck_assert_str_eq(page(), "# HELP dtrace_s_seconds sum() of the aggregation @s\n"
				 "# TYPE dtrace_s_seconds gauge\n"
				 "# UNIT dtrace_s_seconds seconds\n"
				 "dtrace_s_seconds -0.005\n"
				 "# HELP dtrace_low min() of the aggregation @low\n"
				 "# TYPE dtrace_low gauge\n"
				 "# HELP dtrace_avg avg() of the aggregation @\n"
				 "# TYPE dtrace_avg gauge\n"
				 "dtrace_avg 3.5\n"
				 "# HELP dtrace_dev stddev() of the aggregation @dev\n"
				 "# TYPE dtrace_dev gauge\n"
				 "dtrace_dev 1.5\n"
				 "# EOF\n");
	count(min, "", 9);
	ck_assert_ptr_nonnull(strstr(page(), "\ndtrace_low 9\n"));
	aggr_clear(min);
	ck_assert_ptr_null(strstr(page(), "\ndtrace_low 9\n"));
}
END_TEST

static void observe(struct aggr *ag, int bucket, int64_t value)
{
	int64_t *v = calloc(aggr_words(ag), sizeof(*v));

	v[bucket] = 1;
	v[ag->words] = value;
	aggr_merge(as, ag, "", 0, v);
	free(v);
}

START_TEST(test_histogram)
{
	static const int64_t params[6] = {0, 20, 10};
	struct metric_spec spec = {
	    .help = "a \"b\"\n\\", .name = "x_sum", .has_range = true, .low = 5, .high = 15};
	struct aggr *ag = add("l", &aggfunc_lquantize, params, false), *q;

	observe(ag, lquantize_bucket(5, params), 5);
	observe(ag, lquantize_bucket(9, params), 9);
	observe(ag, lquantize_bucket(50, params), 50);
	aggr_clear(ag);
	ck_assert_str_eq(page(), "# HELP dtrace_l lquantize() of the aggregation @l\n"
				 "# TYPE dtrace_l histogram\n"
				 "dtrace_l_bucket{le=\"9.0\"} 2\n"
				 "dtrace_l_bucket{le=\"19.0\"} 2\n"
				 "dtrace_l_bucket{le=\"+Inf\"} 3\n"
				 "dtrace_l_count 3\n"
				 "dtrace_l_sum 64\n"
				 "# EOF\n");
	m.openmetrics = false;
	ck_assert_ptr_nonnull(strstr(page(), "dtrace_l_bucket{le=\"9\"} 2\n"));
	m.openmetrics = true;
	ag->metric = &spec;
	page();
	ck_assert_ptr_nonnull(strstr(out.s, "# HELP x_sum a \\\"b\\\"\\n\\\\\n"
					    "# TYPE x_sum histogram\n"
					    "x_sum_bucket{le=\"9.0\"} 2\n"
					    "x_sum_bucket{le=\"+Inf\"} 3\n"));
	/* a name that lines of another would have */
	q = add("q", &aggfunc_quantize, NULL, false);
	q->metric = &(struct metric_spec){.name = "x"};
	observe(q, quantize_bucket(3), 3);
	page();
	ck_assert_ptr_nonnull(strstr(out.s,
				     "\n# TYPE x_2 histogram\nx_2_bucket{le=\"0.0\"} 0\n"
				     "x_2_bucket{le=\"1.0\"} 0\nx_2_bucket{le=\"3.0\"} 1\n"));
	ck_assert_ptr_nonnull(strstr(out.s, "\nx_2_sum 3\n"));
	/* negative bounds: the format has neither sum nor count then */
	observe(q, quantize_bucket(-2), -2);
	page();
	ck_assert_ptr_nonnull(strstr(out.s, "\nx_2_bucket{le=\"-2.0\"} 1\nx_2_bucket{le=\"-1.0\"} "
					    "1\nx_2_bucket{le=\"0.0\"} 1\n"));
	ck_assert_ptr_null(strstr(out.s, "x_2_sum "));
	ck_assert_ptr_null(strstr(out.s, "x_2_count"));
}
END_TEST

/* Each bound is the largest value of its bucket. */
START_TEST(test_bounds)
{
	static const int64_t ll[6] = {10, 1, 3, 20};
	struct aggr *ag = add("m", &aggfunc_llquantize, ll, false);
	long long bound, at = 0;

	page();
	for (const char *s = out.s; (s = strstr(s, "_bucket{le=\"")); s++, at++) {
		if (sscanf(s, "_bucket{le=\"%lld.0\"", &bound) != 1)
			continue;
		ck_assert_int_eq(llquantize_bucket(bound, ll), ag->words / 2 + at);
		ck_assert_int_eq(llquantize_bucket(bound + 1, ll), ag->words / 2 + at + 1);
	}
	ck_assert_int_eq(at, ag->words - ag->words / 2);
}
END_TEST

START_TEST(test_names)
{
	static const char *const good[] = {"a", "_b,c1"}, *const bad[] = {
							      "",    "a,",  "a,a",
							      "1a",  "le",  "__x",
							      "a b", "a:b", "a,quantile"};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert(metric_are_labels(good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(!metric_are_labels(bad[i]), "%s", bad[i]);
	ck_assert(metric_is_name("a:b_1"));
	ck_assert(!metric_is_name("1a") && !metric_is_name("") && !metric_is_name("a-b"));
	ck_assert_int_eq(metric_label_count("a,b"), 2);
}
END_TEST

/* Making the first page takes 400 ms, as if dtrace had been stopped meanwhile. */
static const char *make_page(void *arg, bool openmetrics, struct strbuf *body)
{
	int *pages = arg;

	(void)openmetrics;
	if (!*pages)
		usleep(400000);
	sb_printf(body, "page %d\n", ++*pages);
	return "text/plain";
}

/* The number of the page that a client gets. */
static int get_page(struct http *h, const char *path)
{
	static const char request[] = "GET /metrics HTTP/1.1\r\n\r\n";
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char text[512], *page;
	ssize_t n;

	strcpy(un.sun_path, path);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&un, sizeof(un)), 0);
	ck_assert_int_eq(send(fd, request, strlen(request), 0), strlen(request));
	do {
		http_work(h);
		n = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);
	} while (n < 0);
	close(fd);
	text[n] = '\0';
	page = strstr(text, "\r\n\r\npage ");
	ck_assert_ptr_nonnull(page);
	return atoi(page + strlen("\r\n\r\npage "));
}

/* A page is served again for 20 times as long as making it took, and at most 5 s. */
START_TEST(test_fresh)
{
	char dir[] = "/tmp/dt-metrics-XXXXXX", address[64];
	struct strbuf why = {0};
	struct http *h;
	int pages = 0;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(address, sizeof(address), "unix:%s/s", dir);
	h = http_new(address, make_page, &pages, &why);
	ck_assert_ptr_nonnull(h);
	ck_assert_int_eq(get_page(h, address + 5), 1);
	usleep(200000);
	ck_assert_int_eq(get_page(h, address + 5), 1);
	usleep(5000000);
	ck_assert_int_eq(get_page(h, address + 5), 2);
	http_free(h);
	rmdir(dir);
}
END_TEST

Suite *metrics_suite(void)
{
	Suite *s = suite_create("metrics");
	TCase *t = tcase_create("metrics");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, test_counter);
	tcase_add_test(t, test_gauges);
	tcase_add_test(t, test_histogram);
	tcase_add_test(t, test_bounds);
	tcase_add_test(t, test_names);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, test_fresh);
	suite_add_tcase(s, t);
	return s;
}
