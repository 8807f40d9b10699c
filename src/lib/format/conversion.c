/* SPDX-License-Identifier: ISC */
#include "format/conversion.h"

#include <string.h>

#include "format/capture_import.h"
#include "format/converter.h"
#include "format/table_import.h"
#include "stream/writer_private.h"

/* The kinds that have a decoder. */
static const struct {
	const char *kind;
	taf_capture_decode *decode;
} decoders[] = {
	{ "dig", taf_dig_decode }, { "keysight", taf_keysight_h5_decode },
	{ "lecroy", taf_lecroy_decode }, { "tektronix", taf_wfm_decode },
};

/* The kind of a file; any text that is nothing else may be a table. */
static enum taf_status
find_kind(struct taf_in *in, const char **kind, struct taf_err *e)
{
	static const char wanted[] =
	    "not a file of dig, lecroy, keysight or tektronix, nor a table";
	const struct taf_foreign *f;
	const unsigned char *p;
	size_t got;

	if (taf_in_peek(in, TAF_CONVERTER_SEEN, &p, &got, e) != TAF_OK)
		return e->code;
	f = taf_converter(p, got);
	*kind = f != NULL ? f->kind : memchr(p, '\0', got) == NULL ? "column" : NULL;
	if (*kind != NULL)
		return TAF_OK;
	if (f != NULL && f->command != NULL)
		return taf_fail(e, TAF_EDATA, "%s (use %s), %s", f->name, f->command,
		    wanted);
	return taf_fail(e, TAF_EDATA, "%s, %s",
	    f != NULL ? f->name : "binary data of no kind known here", wanted);
}

enum taf_status
taf_conversion(const struct taf_conversion *how, size_t number, struct taf_in *in,
    struct taf_buf *path, struct taf_conversion_notes *notes, struct taf_err *e)
{
	struct taf_capture_how records = { .convert = how->convert, .type = how->type,
		.clip = how->clip };
	const struct taf_text_how table = { .clip = how->clip, .trailer = how->trailer,
		.type = how->convert ? how->type : TAF_FLT32 };
	struct taf_import im = { .service = how->service, .last = true };
	taf_capture_decode *decode = NULL;
	struct taf_capture c = { 0 };
	const char *kind = how->kind;
	enum taf_status st = TAF_OK;
	size_t i;

	*notes = (struct taf_conversion_notes){ 0 };
	if (kind == NULL)
		st = find_kind(in, &kind, e);
	for (i = 0; st == TAF_OK && i < sizeof decoders / sizeof decoders[0]; i++)
		if (strcmp(decoders[i].kind, kind) == 0)
			decode = decoders[i].decode;
	if (decode != NULL)
		st = decode(&c, in, e);
	if (st == TAF_OK && decode != NULL)
		st = taf_capture_import_check(&c, &records, e);
	if (st == TAF_OK)
		st = taf_outputs_open(how->outputs, number,
		    decode != NULL ? c.nrecords : 1, path, &im.w, e);
	if (st == TAF_OK)
		st = decode != NULL ? taf_capture_import_write(&c, &records, &im, e) :
		    taf_table_import(&im, in, &table, &notes->values, e);
	if (st == TAF_OK)
		st = taf_in_unchanged(in, e);
	st = taf_writer_settle(im.w, st, e);
	notes->values.rounded += records.count.rounded;
	notes->values.clipped += records.count.clipped;
	memcpy(notes->left, c.left, sizeof c.left);
	taf_capture_fini(&c);
	return st;
}
