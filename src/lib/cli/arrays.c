/* The arrays of all operands, one after the other. */
#include "cli/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/private.h"
#include "io/where.h"

const char *
cmd_name(const char *file)
{
	return file != NULL && strcmp(file, "-") != 0 ? file : "standard input";
}

enum taf_status
cmd_private_not_there(uint64_t wanted, const char *last, uint64_t number, bool several,
    struct taf_err *e)
{
	enum taf_status st;

	st = taf_fail(e, TAF_EDATA, "array %llu is wanted, but there are %llu%s",
	    (unsigned long long)wanted, (unsigned long long)number,
	    several ? " up to its end" : "");
	taf_err_name(e, cmd_name(last));
	return st;
}

const char *
cmd_given(const char *file)
{
	const char *name = cmd_name(file), *given = NULL;
	const bool input = strcmp(name, "standard input") == 0;
	char variable[CMD_OPERAND_SIZE];

	/* taf gives a pipe instead of a file */
	if (input || strncmp(name, "/dev/fd/", 8) == 0) {
		(void)snprintf(variable, sizeof variable, CMD_OPERAND "%s",
		    input ? "0" : name + 8);
		given = getenv(variable);
	}
	return given != NULL ? given : name;
}

struct cmd_arrays
cmd_arrays_of(struct cmd_run *run)
{
	struct cmd_arrays all = { .run = run, .files = run->files, .nfiles = run->nfiles,
		.pick = run->pick, .late = run->late && !run->named };

	cmd_input(run);
	return all;
}

const char *
cmd_arrays_name(const struct cmd_arrays *all)
{
	return cmd_given(all->files[all->opened > 0 ? all->opened - 1 : 0]);
}

/* The next operand; one that is looked at ahead only where it can be read again. */
static enum taf_status
open_next(struct cmd_arrays *all, struct taf_err *e)
{
	const char *file = all->files[all->opened++];

	if (!all->ahead || taf_file_twice(file))
		return taf_reader_open(&all->r, file, (all->late ? TAF_LATE_COMMENT : 0) |
		    (all->ahead ? TAF_READ_SILENTLY : 0), e);
	/*
	 * how many arrays it has is not known: with -N nothing behind it can be counted
	 */
	if (all->run->pick != 0)
		all->opened = all->nfiles;
	return TAF_END;
}

/* An array is found, perhaps not the one that is wanted. */
static bool
wanted(struct cmd_arrays *all)
{
	if (++all->number != all->pick && all->pick != 0)
		return false;
	all->picked = all->pick != 0 && all->taken == all->list.count;
	if (!all->ahead)
		cmd_say_array(all->run, cmd_arrays_name(all), &all->a);
	return true;
}

/* The next one of the list: where it is, or its number. */
static enum taf_status
next_of_list(struct cmd_arrays *all, struct taf_err *e)
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
cmd_arrays_next(struct cmd_arrays *all, struct taf_err *e)
{
	const bool listed = all->taken < all->list.count;
	enum taf_status st = TAF_OK;

	if (all->r != NULL)
		st = all->late ? taf_reader_finish(all->r, &all->a, e) :
		    taf_reader_unchanged(all->r, e);
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
			cmd_arrays_pass(all);
			st = TAF_OK;
		}
	}
	if (st != TAF_OK)
		taf_err_name(e, cmd_arrays_name(all));
	else if (all->pick == 0 || all->picked || all->run->status != 0)
		st = TAF_END;
	else
		st = cmd_private_not_there(all->pick, all->files[all->nfiles - 1],
		    all->number, all->nfiles > 1, e);
	return st;
}

/* See all that can be seen now: a bad array shall cost no output, wherever it stands. */
static enum taf_status
look_ahead(struct cmd_run *run, cmd_array_check *check, const void *ctx,
    struct taf_err *e)
{
	struct cmd_arrays all = cmd_arrays_of(run);
	enum taf_status st = TAF_OK;

	all.pick = 0;
	all.ahead = true;
	while (st == TAF_OK) {
		st = cmd_arrays_next(&all, e);
		if (st == TAF_OK && check != NULL &&
		    (run->pick == 0 || run->pick == all.number)) {
			st = taf_words_settle(&run->words, &all.a, e);
			if (st == TAF_OK)
				st = check(ctx, &all.a, e);
			taf_err_name(e, cmd_arrays_name(&all));
		}
	}
	cmd_arrays_close(&all);
	return st == TAF_END ? TAF_OK : st;
}

/* The arrays of a list come in order, or all operands are looked through for them. */
static enum taf_status
begin_list(struct cmd_arrays *all, struct taf_err *e)
{
	const struct taf_picks *list = all->run->list;
	enum taf_status st;
	bool twice = true;
	int i;

	for (i = 0; i < all->nfiles; i++)
		twice = twice && taf_file_twice(all->files[i]);
	if (!twice && taf_picks_forward(list))
		return taf_picks_points(list, UINT64_MAX, &all->list, e);
	st = taf_index_open(&all->index,
	    taf_memory_share(all->run->service.memory, TAF_BATCH), e);
	for (i = 0; i < all->nfiles && st == TAF_OK; i++)
		st = taf_index_add(all->index, all->files[i], NULL, NULL, e);
	if (st != TAF_OK)
		return st;
	st = taf_picks_points(list, taf_index_count(all->index), &all->list, e);
	if (all->nfiles == 1)
		taf_err_name(e, cmd_arrays_name(all));
	return st;
}

enum taf_status
cmd_arrays_first(struct cmd_arrays *all, cmd_array_check *check, const void *ctx,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (all->run->list != NULL)
		st = begin_list(all, e);
	if (st == TAF_OK && all->index == NULL && all->nfiles > 1)
		st = look_ahead(all->run, check, ctx, e);
	if (st == TAF_OK)
		st = cmd_arrays_next(all, e);
	/* an array that is alone is seen when it has come, which is now */
	if (st == TAF_OK && all->index == NULL && all->nfiles == 1 &&
	    taf_reader_more(all->r) == TAF_NEXT_YES)
		st = look_ahead(all->run, check, ctx, e);
	return st;
}

enum taf_status
cmd_arrays_each(struct cmd_arrays *all, cmd_array_check *check, cmd_array_each *each,
    void *ctx, struct taf_err *e)
{
	enum taf_status st = cmd_arrays_first(all, check, ctx, e);

	while (st == TAF_OK) {
		st = taf_words_settle(&all->run->words, &all->a, e);
		if (st == TAF_OK && check != NULL)
			st = check(ctx, &all->a, e);
		if (st == TAF_OK)
			st = each(all, ctx, e);
		taf_err_name(e, cmd_arrays_name(all));
		if (st == TAF_OK)
			st = cmd_arrays_next(all, e);
	}
	cmd_arrays_close(all);
	return st == TAF_END ? TAF_OK : st;
}

enum taf_next
cmd_arrays_more(const struct cmd_arrays *all)
{
	return all->picked ? TAF_NEXT_NO : all->list.count > 0 ? TAF_NEXT_YES :
	    all->opened < all->nfiles ? TAF_NEXT_YES : taf_reader_more(all->r);
}

enum taf_status
cmd_arrays_last(const struct cmd_arrays *all, struct taf_err *e)
{
	return all->picked ? taf_reader_unchanged(all->r, e) : taf_reader_last(all->r, e);
}

void
cmd_arrays_pass(struct cmd_arrays *all)
{
	taf_reader_close(all->r);
	all->r = NULL;
}

void
cmd_arrays_close(struct cmd_arrays *all)
{
	cmd_arrays_pass(all);
	taf_index_close(all->index);
	taf_points_free(&all->list);
	taf_array_fini(&all->a);
}
