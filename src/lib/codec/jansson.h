/* SPDX-License-Identifier: ISC */
/*
 * jansson, behind config.h.  Without the library taf_json_load has no document, and there
 * is nothing in it.
 */
#ifndef TAF_CODEC_JANSSON_H
#define TAF_CODEC_JANSSON_H

#ifdef HAVE_JANSSON
#include <jansson.h>
#else
#include <stdint.h>

typedef struct json_t json_t;

/* NULL, whatever is asked. */
json_t *taf_json_none(const void *v, ...);

#define JSON_DECODE_INT_AS_REAL 0
#define json_object_get(v, key) taf_json_none(v, key)
#define json_array_get(v, k) taf_json_none(v, k)
#define json_array_size(v) ((size_t)(uintptr_t)taf_json_none(v))
#define json_object_size(v) json_array_size(v)
#define json_string_value(v) ((const char *)taf_json_none(v))
#define json_string_length(v) json_array_size(v)
#define json_is_array(v) (taf_json_none(v) != NULL)
#define json_is_object(v) json_is_array(v)
#define json_is_string(v) json_is_array(v)
#define json_is_null(v) json_is_array(v)
#define json_is_true(v) json_is_array(v)
#define json_is_false(v) json_is_array(v)
#define json_is_boolean(v) json_is_array(v)
#define json_decref(v) (void)taf_json_none(v)
#define json_incref(v) taf_json_none(v)
#define json_object_set_new(v, key, value) (taf_json_none(v, key, value) == NULL)
#define json_object_del(v, key) taf_json_none(v, key)
#define json_object_foreach(object, k, v) \
	for (k = (const char *)(v = taf_json_none(object)); v != NULL; v = NULL)
#define json_object_iter(v) ((void *)taf_json_none(v))
#define json_object_iter_key(at) ((const char *)(at))
#define json_object_iter_value(at) taf_json_none(at)
#define json_object_iter_next(v, at) ((void *)taf_json_none(v, at))
#endif

#endif
