/* SPDX-License-Identifier: ISC */
#include "op/operand/arrays.h"

#include "io/where.h"

const char *
taf_arrays_name(const struct taf_arrays *all)
{
	const char *file = all->files[all->opened > 0 ? all->opened - 1 : 0];

	return all->name != NULL ? all->name(file) : taf_in_called(file);
}

enum taf_status
taf_arrays_few(uint64_t wanted, uint64_t number, const char *file, bool several,
    struct taf_err *e)
{
	const enum taf_status st = taf_fail(e, TAF_EDATA,
	    "array %llu is wanted, but there are %llu%s", (unsigned long long)wanted,
	    (unsigned long long)number, several ? " up to its end" : "");

	taf_err_name(e, taf_in_called(file));
	return st;
}

/* The next file; one that is looked at ahead only where it can be read again. */
static enum taf_status
open_next(struct taf_arrays *all, struct taf_err *e)
{
	const char *file = all->files[all->opened++];

	if (!all->ahead || taf_file_twice(file))
		return taf_reader_open(&all->r, file, (all->late ? TAF_LATE_COMMENT : 0) |
		    (all->ahead ? TAF_READ_SILENTLY | TAF_READ_AHEAD : 0), e);
	/* how many arrays it has is not known, and so no number behind it */
	if (all->pick != 0)
		all->opened = all->nfiles;
	return TAF_END;
}

/* An array is found, perhaps not the one that is wanted. */
static bool
wanted(struct taf_arrays *all)
{
	all->number++;
	if (all->ahead)
		return true;
	if (all->number != all->pick && all->pick != 0)
		return false;
	all->picked = all->pick != 0 && all->taken == all->list.count;
	if (all->seen != NULL)
		all->seen(all->ctx, taf_arrays_name(all), &all->a);
	return true;
}

/* The next one of the list: where it is, or its number. */
static enum taf_status
next_of_list(struct taf_arrays *all, struct taf_err *e)
{
	const struct taf_point_run *run =
	    &all->list.run[taf_points_find(&all->list, all->taken)];
	const uint64_t k = run->from + (all->taken - run->at) * (uint64_t)run->step;
	struct taf_cursor at = { all->r, all->opened > 0 ? (size_t)all->opened - 1 : 0 };
	enum taf_status st;

	all->taken++;
	all->pick = k + 1;
	if (all->index == NULL)
		return TAF_OK;
	st = taf_index_seek(all->index, &at, k, &all->a, e);
	all->r = at.r;
	all->opened = (int)at.file + 1;
	all->number = k;
	return st != TAF_OK || wanted(all) ? st : TAF_END;
}

enum taf_status
taf_arrays_next(struct taf_arrays *all, struct taf_err *e)
{
	const bool listed = all->taken < all->list.count;
	enum taf_status st = TAF_OK;

	/* else taf_reader_next asks whether the file has changed */
	if (all->r != NULL && taf_reader_late(all->r))
		st = taf_reader_finish(all->r, &all->a, e);
	else if (all->r != NULL && (all->picked || all->index != NULL))
		st = taf_reader_unchanged(all->r, e);
	if (st == TAF_OK && listed)
		st = next_of_list(all, e);
	if (st == TAF_OK && listed && all->index != NULL)
		return TAF_OK;
	while (st == TAF_OK && !all->picked &&
	    (all->r != NULL || all->opened < all->nfiles)) {
		if (all->r == NULL)
			st = open_next(all, e);
		if (st == TAF_OK)
			st = taf_reader_next(all->r, &all->a, e);
		if (st == TAF_OK && wanted(all))
			return TAF_OK;
		if (st == TAF_END) {
			taf_arrays_pass(all);
			st = TAF_OK;
		}
	}
	if (st != TAF_OK)
		taf_err_name(e, taf_arrays_name(all));
	else if (all->pick == 0 || all->picked || all->ahead || all->lost)
		st = TAF_END;
	else
		st = taf_arrays_few(all->pick, all->number, all->files[all->nfiles - 1],
		    all->nfiles > 1, e);
	return st;
}

enum taf_status
taf_arrays_list(struct taf_arrays *all, const struct taf_picks *list, uint64_t memory,
    struct taf_err *e)
{
	enum taf_status st;
	bool twice = true;
	int i;

	for (i = 0; i < all->nfiles; i++)
		twice = twice && taf_file_twice(all->files[i]);
	if (!twice && taf_picks_forward(list))
		return taf_picks_points(list, UINT64_MAX, &all->list, e);
	st = taf_index_open(&all->index, memory, e);
	for (i = 0; i < all->nfiles && st == TAF_OK; i++)
		st = taf_index_add(all->index, all->files[i], NULL, NULL, e);
	if (st != TAF_OK)
		return st;
	st = taf_picks_points(list, taf_index_count(all->index), &all->list, e);
	if (all->nfiles == 1)
		taf_err_name(e, taf_arrays_name(all));
	return st;
}

enum taf_next
taf_arrays_more(const struct taf_arrays *all)
{
	return all->picked ? TAF_NEXT_NO : all->list.count > 0 ? TAF_NEXT_YES :
	    all->opened < all->nfiles ? TAF_NEXT_YES : taf_reader_more(all->r);
}

enum taf_status
taf_arrays_last(const struct taf_arrays *all, struct taf_err *e)
{
	return all->picked ? taf_reader_unchanged(all->r, e) : taf_reader_last(all->r, e);
}

void
taf_arrays_pass(struct taf_arrays *all)
{
	taf_reader_close(all->r);
	all->r = NULL;
}

void
taf_arrays_close(struct taf_arrays *all)
{
	taf_arrays_pass(all);
	taf_index_close(all->index);
	taf_points_free(&all->list);
	taf_array_fini(&all->a);
}
