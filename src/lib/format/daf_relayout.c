#include "format/daf_relayout.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/endian.h"
#include "codec/daf/daf_write.h"
#include "format/daf_elements.h"
#include "format/daf_put.h"

enum { BLOCK = 64 * 1024 };

/* Is there a descriptor of the layout that turned says? */
static enum taf_status
has_layout(const struct taf_daf *s, struct taf_daf_item *it, bool turned, bool *yes,
    struct taf_err *e)
{
	char path[TAF_DAF_PATH];
	struct taf_in *in = NULL;
	enum taf_status st;

	it->turned = turned;
	taf_daf_item_path(it, ".json", path);
	it->turned = false;
	st = taf_daf_file_open(s, path, &in, e);
	*yes = st == TAF_OK;
	taf_in_close(in);
	return st == TAF_END ? TAF_OK : st;
}

/* Find what there is; the item is then the missing layout, stored as its transpose. */
static enum taf_status
find(const struct taf_daf *s, struct taf_daf_item *it, bool force, struct taf_err *e)
{
	bool both = true;
	uint64_t n;
	char *axis;
	int turned;

	for (turned = 0; turned < 2 && both; turned++)
		if (has_layout(s, it, turned != 0, &both, e) != TAF_OK)
			return e->code;
	if (both && !force)
		return taf_fail(e, TAF_EDATA, "%s: both layouts are there "
		    "(-f writes %s/%s anew)", it->name, it->axis[1], it->axis[0]);
	if (taf_daf_find(s, it, e) != TAF_OK)
		return e->code;
	if (it->turned)
		return TAF_OK;
	axis = it->axis[0];
	it->axis[0] = it->axis[1];
	it->axis[1] = axis;
	n = it->n[0];
	it->n[0] = it->n[1];
	it->n[1] = n;
	it->turned = true;
	return TAF_OK;
}

/* All elements, little-endian. */
static enum taf_status
copy(struct taf_daf_elements *v, const struct taf_daf_item *it, struct taf_daf_body *b,
    struct taf_err *e)
{
	size_t size = taf_daf_size(it->d.type), n;
	uint64_t left = it->n[0] * it->n[1];
	unsigned char *block = taf_alloc(BLOCK, size);
	enum taf_status st = block == NULL ? taf_fail_mem(e) : TAF_OK;

	for (; left > 0 && st == TAF_OK; left -= n) {
		n = left < BLOCK ? (size_t)left : BLOCK;
		st = taf_daf_elements_read(v, block, n, e);
		if (st == TAF_OK && taf_host_is_big())
			taf_swap_bytes(block, size, n);
		if (st == TAF_OK)
			st = taf_daf_body_write(b, block, n * size, e);
	}
	free(block);
	return st;
}

static enum taf_status
begin(struct taf_daf_put **to, const struct taf_daf *s, const struct taf_daf_item *it,
    enum taf_daf_packing packing, struct taf_err *e)
{
	enum taf_status st = taf_daf_put_begin_layout(to, s, it, e);

	return st == TAF_OK ? taf_daf_put_pack(*to, packing, e) : st;
}

/* The files that a layout gets, until it is there. */
static enum taf_status
end(struct taf_daf_put *to, enum taf_status st, struct taf_err *e)
{
	if (st == TAF_OK)
		return taf_daf_put_commit(to, e);
	taf_daf_put_discard(to);
	return st;
}

/* The elements into a file of their own, and how that is packed into *part. */
static enum taf_status
put_elements(struct taf_daf_put *to, struct taf_daf_elements *v,
    const struct taf_daf_item *it, struct taf_daf_part *part, struct taf_err *e)
{
	const struct taf_daf_payload payload = { it->n[0], it->n[1],
		taf_daf_size(it->d.type), true, false };
	struct taf_daf_body *b;

	if (taf_daf_body_new(&b, to, false, ".data", &payload, part, e) != TAF_OK)
		return e->code;
	return taf_daf_body_end(b, copy(v, it, b, e), e);
}

static enum taf_status
write_dense(const struct taf_service *service, const struct taf_daf *s,
    const struct taf_daf_item *it, enum taf_daf_packing packing, struct taf_err *e)
{
	struct taf_daf_descriptor d = { .type = it->d.type };
	struct taf_daf_elements *v = NULL;
	struct taf_daf_put *to = NULL;
	/* reads and turns all of it, so that what is damaged is found here */
	enum taf_status st = taf_daf_elements_open(&v, service, s, it, e);

	if (st != TAF_OK)
		return st;
	st = begin(&to, s, it, packing, e);
	if (st == TAF_OK)
		st = put_elements(to, v, it, &d.value, e);
	if (st == TAF_OK)
		st = taf_daf_put_descriptor(to, false, &d, e);
	taf_daf_elements_close(v);
	return end(to, st, e);
}

static enum taf_status
write_strings(const struct taf_daf *s, const struct taf_daf_item *it,
    enum taf_daf_packing packing, struct taf_err *e)
{
	struct taf_daf_strings t;
	struct taf_daf_put *to = NULL;
	enum taf_status st = taf_daf_strings_load(s, it, &t, e);

	if (st != TAF_OK)
		return st;
	st = begin(&to, s, it, packing, e);
	if (st == TAF_OK)
		st = taf_daf_put_strings(to, &t, e);
	taf_daf_strings_free(&t);
	return end(to, st, e);
}

static enum taf_status
write_sparse(const struct taf_daf *s, const struct taf_daf_item *it,
    enum taf_daf_packing packing, struct taf_err *e)
{
	struct taf_daf_strings t = { 0 };
	struct taf_daf_put *to = NULL;
	struct taf_daf_sparse m = { 0 };
	enum taf_status st = taf_daf_elements_sparse(s, it, &m, e);

	if (st != TAF_OK)
		return st;
	if (m.type == TAF_DAF_STRING)
		st = taf_daf_strings_stored(s, it, &t, e);
	m.text = &t;
	if (st == TAF_OK)
		st = begin(&to, s, it, packing, e);
	if (st == TAF_OK)
		st = taf_daf_put_sparse(to, &m, taf_daf_wide_index(it->d.index.type, &m),
		    e);
	taf_daf_sparse_free(&m);
	taf_daf_strings_free(&t);
	return end(to, st, e);
}

static enum taf_status
relayout(const struct taf_daf *s, struct taf_daf_item *it, bool force,
    enum taf_daf_packing packing, const struct taf_service *service, struct taf_err *e)
{
	enum taf_status st;
	int lock;

	/* from here on nobody else changes what is read */
	if (taf_daf_lock(s, &lock, e) != TAF_OK)
		return e->code;
	st = find(s, it, force, e);
	if (st == TAF_OK)
		st = it->d.sparse ? write_sparse(s, it, packing, e) :
		    it->d.type == TAF_DAF_STRING ? write_strings(s, it, packing, e) :
		    write_dense(service, s, it, packing, e);
	(void)close(lock);
	return st;
}

enum taf_status
taf_daf_relayout(const char *store, struct taf_daf_item *it, bool force,
    enum taf_daf_packing packing, const struct taf_service *service, struct taf_err *e)
{
	struct taf_daf s = { 0 };
	enum taf_status st;

	if (strcmp(it->axis[0], it->axis[1]) == 0)
		return taf_fail(e, TAF_EDATA, "%s: %s by %s has no other layout",
		    it->name, it->axis[0], it->axis[1]);
	st = taf_daf_open(&s, store, e);
	if (st == TAF_OK)
		st = relayout(&s, it, force, packing, service, e);
	taf_daf_close(&s);
	return st;
}
