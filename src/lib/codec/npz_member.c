/* SPDX-License-Identifier: ISC */
#include "codec/npz_member.h"

#include <stdio.h>
#include <string.h>

#include "codec/npy.h"

enum taf_status
taf_npz_in_member(const struct taf_zip_member *m, struct taf_err *e)
{
	char text[TAF_ERR_TEXT];

	if (e->code == TAF_OK || strncmp(e->text, "member ", 7) == 0)
		return e->code;
	(void)snprintf(text, sizeof text, "%s", e->text);
	(void)snprintf(e->text, sizeof e->text, "member %.200s: %.250s", m->name, text);
	return e->code;
}

size_t
taf_npz_name_length(const struct taf_zip_member *m)
{
	const size_t n = strlen(m->name);

	return n > 4 && strcmp(m->name + n - 4, ".npy") == 0 ? n - 4 : 0;
}

enum taf_status
taf_npz_describe(const struct taf_zip *z, const struct taf_zip_member *m,
    struct taf_ndarray *nd, uint64_t *header, struct taf_err *e)
{
	struct taf_zip_part *part = NULL;
	enum taf_status st = taf_zip_begin(&part, z, m, e);
	uint64_t before = 0, bytes = 0;

	if (st == TAF_OK)
		st = taf_npy_read(taf_zip_in(part), nd, &bytes, e);
	if (st == TAF_OK)
		before = taf_in_offset(taf_zip_in(part));
	taf_zip_end(part);
	if (st == TAF_OK && (before > m->n || m->n - before != bytes))
		st = taf_fail(e, TAF_EDATA,
		    "%llu bytes of elements, but its header says %llu",
		    (unsigned long long)(m->n - before), (unsigned long long)bytes);
	if (header != NULL)
		*header = before;
	return st == TAF_OK ? st : taf_npz_in_member(m, e);
}
