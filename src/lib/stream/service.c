/* SPDX-License-Identifier: ISC */
#include "stream/service.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"

unsigned
taf_threads(const struct taf_service *s)
{
	/* asked for once: of many small arrays each may want it */
	static _Atomic long online;
	long n = online;

	if (s->jobs > 0)
		return s->jobs;
	if (n == 0)
		online = n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 && n <= 1024 ? (unsigned)n : 1;
}

struct taf_cut
taf_along_cut(const struct taf_along *l, const struct taf_array *a)
{
	struct taf_cut cut = taf_array_cut(a, l->dim);

	cut.inner *= l->parts ? 2 : 1;
	return cut;
}

enum taf_type
taf_along_type(const struct taf_along *l, const struct taf_array *a)
{
	return l->parts ? taf_type_facts(a->type)->component : a->type;
}

bool
taf_along_imaginary(const struct taf_along *l, uint64_t line)
{
	return l->parts && line % 2 == 1;
}

struct taf_place_text
taf_along_place(const struct taf_along *l, const struct taf_array *a, uint64_t line,
    uint64_t point)
{
	const struct taf_cut cut = taf_along_cut(l, a);
	const uint64_t number = (line / cut.inner * cut.len + point) * cut.inner +
	    line % cut.inner;

	return taf_array_place(a, number / (l->parts ? 2 : 1));
}

void
taf_remark(const struct taf_service *s, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	if (s->remark == NULL)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	s->remark(s->ctx, text);
}

void
taf_progress(const struct taf_service *s, uint64_t done, uint64_t total)
{
	if (s->progress != NULL)
		s->progress(s->ctx, done, total);
}

void
taf_watch(const struct taf_service *s, const struct taf_writer *w,
    const struct taf_out *out, uint64_t total)
{
	if (s->watch != NULL)
		s->watch(s->ctx, w, out, total);
}

void
taf_watch_end(const struct taf_service *s)
{
	taf_watch(s, NULL, NULL, 0);
}

void
taf_remark_lost(const struct taf_service *service,
    const struct taf_convert_count *lost, uint64_t count, enum taf_type type)
{
	/* parts of pairs are counted each */
	count *= taf_type_facts(type)->components;
	if (lost->clipped > 0 && lost->rounded > 0)
		taf_remark(service, "%llu of %llu values clipped, %llu rounded to %s",
		    (unsigned long long)lost->clipped, (unsigned long long)count,
		    (unsigned long long)lost->rounded, taf_type_name(type));
	else if (lost->clipped > 0 || lost->rounded > 0)
		taf_remark(service, "%llu of %llu values %s to %s",
		    (unsigned long long)(lost->clipped + lost->rounded),
		    (unsigned long long)count, lost->clipped > 0 ? "clipped" : "rounded",
		    taf_type_name(type));
}
