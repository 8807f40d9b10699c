#include "codec/hdf/hdf_note.h"

#include <string.h>

#include "base/num.h"

/* A header line has fewer bytes, and a longer number gets quotes there. */
enum { LONG = 900 };

bool
taf_hdf_guess(const char *text, enum taf_type *type)
{
	bool whole = true, natural = true, narrow = true;
	size_t n;

	for (;; text += n + 1) {
		uint64_t u;
		int64_t i;
		double x;

		n = strcspn(text, ",");
		if (!taf_parse_f64(text, n, &x))
			return false;
		natural = natural && taf_parse_u64(text, n, &u);
		if (taf_parse_i64(text, n, &i))
			narrow = narrow && i >= INT32_MIN && i <= INT32_MAX;
		else
			whole = false;
		if (text[n] == '\0')
			break;
	}
	*type = !whole ? natural ? TAF_UINT64 : TAF_FLT64 :
	    narrow ? TAF_INT32 : TAF_INT64;
	return true;
}

uint64_t
taf_hdf_note_count(const struct taf_hdf_note *note)
{
	uint64_t count = !note->null;
	unsigned k;

	for (k = 0; k < note->rank; k++)
		if (!taf_mul(count, note->n[k], &count))
			return 0;
	return count;
}

void
taf_hdf_note_format(struct taf_str *to, const struct taf_hdf_note *note, const char *text,
    const enum taf_type *usual)
{
	const uint64_t count = taf_hdf_note_count(note);
	/* one number may have a dimension or none, which netCDF does not tell apart */
	const bool plain = !note->null && note->rank <= 1 &&
	    (note->numbers ? count > 0 : count == 1);
	enum taf_type guess;
	unsigned k;

	if (note->numbers && plain && strlen(text) < LONG && (usual != NULL ?
	    *usual == note->type : taf_hdf_guess(text, &guess) && guess == note->type))
		return;
	if (!note->numbers && plain && !note->escaped)
		return;
	taf_str_puts(to, note->numbers ? taf_type_facts(note->type)->name :
	    note->any_length ? "string" : "text");
	if (!plain) {
		taf_str_puts(to, "[");
		for (k = 0; k < note->rank; k++)
			taf_str_printf(to, "%s%llu", k > 0 ? "," : "",
			    (unsigned long long)note->n[k]);
		taf_str_puts(to, "]");
	}
	if (note->escaped)
		taf_str_puts(to, " escaped");
}

/* Lengths with commas between, up to a bracket; where that is, or NULL. */
static const char *
parse_lengths(struct taf_hdf_note *note, const char *p)
{
	note->null = *p == ']';
	while (*p != ']') {
		const size_t n = strcspn(p, ",]");

		if (note->rank == TAF_HDF_RANK || p[n] == '\0' ||
		    !taf_parse_u64(p, n, &note->n[note->rank++]))
			return NULL;
		p += n + (p[n] == ',');
	}
	return p;
}

bool
taf_hdf_note_parse(struct taf_hdf_note *note, const char *text)
{
	const size_t n = strcspn(text, "[ ");
	const char *rest = text + n;
	char name[16] = "";

	memset(note, 0, sizeof *note);
	if (n < sizeof name)
		memcpy(name, text, n);
	note->any_length = strcmp(name, "string") == 0;
	note->numbers = !note->any_length && strcmp(name, "text") != 0;
	if (note->numbers && (!taf_type_parse(name, &note->type) ||
	    taf_type_facts(note->type)->kind == TAF_PAIR))
		return false;
	if (*rest == '[') {
		rest = parse_lengths(note, rest + 1);
		if (rest == NULL)
			return false;
		rest++;
	}
	note->escaped = strcmp(rest, " escaped") == 0;
	return note->escaped || *rest == '\0';
}
