/* SPDX-License-Identifier: ISC */
#include "array/missing.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"

/* Longer keys are none of ours. */
enum { KEY = 64 };

bool
taf_missing_name(const char *name)
{
	static const char *const names[] = { "_FillValue", "missing_value", "valid_min",
	    "valid_max", "valid_range" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

const char *
taf_missing_tail(const char *key)
{
	const size_t hdf = strlen(TAF_MISSING_KEY), zarr = strlen(TAF_MISSING_ZARR);

	return strncmp(key, TAF_MISSING_KEY, hdf) == 0 ? key + hdf :
	    strncmp(key, TAF_MISSING_ZARR, zarr) == 0 ? key + zarr : NULL;
}

bool
taf_missing_is(const struct taf_attr *t)
{
	const char *name = t->scope == TAF_OF_ARRAY ? taf_missing_tail(t->key) : NULL;

	return name != NULL && taf_missing_name(name);
}

/* Are all its numbers NaN? */
static bool
is_nan(const char *text)
{
	for (;; text++) {
		const size_t n = strcspn(text, ",");
		double x;

		if (!taf_parse_f64(text, n, &x) || x == x)
			return false;
		text += n;
		if (*text == '\0')
			return true;
	}
}

const struct taf_attr *
taf_missing_first(const struct taf_array *a)
{
	size_t i;

	for (i = 0; i < a->nattrs; i++)
		if (taf_missing_is(&a->attrs[i]) && !is_nan(a->attrs[i].value))
			return &a->attrs[i];
	return NULL;
}

bool
taf_missing_tell(const struct taf_array *a, char *text, size_t size)
{
	const struct taf_attr *t = taf_missing_first(a);

	if (t == NULL)
		return false;
	(void)snprintf(text, size, "%s=%.40s calls elements missing, which count as "
	    "numbers here (%s2taf --nan makes them NaN)", t->key, t->value,
	    t->key[0] == 'z' ? "zarr" : taf_attr_get(a, TAF_MISSING_FITS, TAF_OF_ARRAY,
	    0) != NULL ? "fits" : "hdf");
	return true;
}

enum taf_status
taf_missing_set(struct taf_array *a, const char *key, const char *numbers,
    struct taf_err *e)
{
	char note[KEY];

	(void)snprintf(note, sizeof note, "%s%s", TAF_MISSING_NOTE,
	    taf_missing_tail(key));
	if (taf_attr_set(a, note, TAF_OF_ARRAY, 0, NULL, e) != TAF_OK ||
	    taf_attr_set(a, key, TAF_OF_ARRAY, 0, numbers, e) != TAF_OK)
		return e->code;
	taf_attr_bare(a, key, TAF_OF_ARRAY, 0);
	return TAF_OK;
}

enum taf_status
taf_missing_unpack(struct taf_array *a, struct taf_err *e)
{
	if (taf_attr_set(a, TAF_MISSING_NOTE "scale_factor", TAF_OF_ARRAY, 0, NULL, e) !=
	    TAF_OK)
		return e->code;
	return taf_attr_set(a, TAF_MISSING_NOTE "add_offset", TAF_OF_ARRAY, 0, NULL, e);
}

enum taf_status
taf_missing_drop(struct taf_array *a, struct taf_err *e)
{
	const bool floats = taf_type_facts(a->type)->kind == TAF_FLOAT;
	char key[KEY];
	size_t i = 0;

	while (i < a->nattrs) {
		const struct taf_attr *t = &a->attrs[i];

		if (!taf_missing_is(t) || (floats && is_nan(t->value) &&
		    strstr(t->key, "valid") == NULL)) {
			i++;
			continue;
		}
		(void)snprintf(key, sizeof key, "%s", t->key);
		if (taf_missing_set(a, key, NULL, e) != TAF_OK)
			return e->code;
		/* what said how it was stored may have stood before it */
		i = 0;
	}
	if (taf_attr_set(a, TAF_MISSING_FITS, TAF_OF_ARRAY, 0, NULL, e) != TAF_OK)
		return e->code;
	return taf_array_mapped(a) ? TAF_OK : taf_missing_unpack(a, e);
}
