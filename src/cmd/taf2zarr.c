/* SPDX-License-Identifier: ISC */
/* taf2zarr - an array as an array of a Zarr store. */
/* link: jansson zlib zstd blosc bzip2 lzma */
#include <string.h>

#include "array/region.h"
#include "cli/cmd.h"
#include "cli/crash.h"
#include "format/zarr_export.h"

enum { CHUNKS = 256, LEVEL, PACK, REVERSE, SHARD, V3 };

struct intent {
	struct taf_zarr_export to;
	bool three;
	unsigned level;
};

static enum taf_status
parse_lengths(void *to, const char *arg, struct taf_err *e)
{
	struct taf_zarr_lengths *l = to;
	unsigned k;

	if (!taf_list_parse(arg, l->n, TAF_MAX_DIM, &l->count) || l->count == 0)
		return taf_fail(e, TAF_EUSAGE, "%s: not lengths", arg);
	for (k = 0; k < l->count; k++)
		if (l->n[k] == 0)
			return taf_fail(e, TAF_EUSAGE, "%s: a length of 0", arg);
	return TAF_OK;
}

/*
 * Into a struct taf_pack: none, gzip, zlib, zstd, or blosc with a colon and its codec or
 * without.  TAF_EUSAGE for another word, TAF_EDATA without the library.  The word is
 * kept, and the size of elements is for the caller to set.
 */
static enum taf_status
parse_pack(void *to, const char *word, struct taf_err *e)
{
	static const struct {
		enum taf_packing packing;
		int level;
	} known[] = {
		{ TAF_PACKING_GZIP, 6 }, { TAF_PACKING_ZLIB, 6 }, { TAF_PACKING_ZSTD, 3 },
		{ TAF_PACKING_BLOSC, 5 },
	};
	struct taf_pack *const how = to;
	const size_t n = strcspn(word, ":");
	const char *name, *missing;
	size_t k;

	how->none = strcmp(word, "none") == 0;
	if (how->none)
		return TAF_OK;
	for (k = 0; k < sizeof known / sizeof known[0]; k++) {
		name = taf_packing_name(known[k].packing);
		if (strlen(name) == n && memcmp(word, name, n) == 0)
			break;
	}
	if (k == sizeof known / sizeof known[0] ||
	    (word[n] == ':' && known[k].packing != TAF_PACKING_BLOSC))
		return taf_fail(e, TAF_EUSAGE,
		    "%s is none of none, gzip, zlib, zstd and blosc[:CODEC]", word);
	*how = (struct taf_pack){ .packing = known[k].packing, .level = known[k].level,
		.codec = word[n] == ':' ? word + n + 1 : "zstd" };
	missing = taf_packing_missing(how->packing);
	if (missing != NULL)
		return taf_fail(e, TAF_EDATA, "this program was built without %s",
		    missing);
	return how->packing != TAF_PACKING_BLOSC || taf_blosc_codec(how->codec) >= 0 ?
	    TAF_OK : taf_fail(e, TAF_EUSAGE, "%s: blosc does not pack so", how->codec);
}

static const struct cmd_option options[] = {
	{ 'f', "force", NULL, "replace the array if it is there",
	    .kind = CMD_SET_COMMON },
	{ CHUNKS, "chunks", "L1,L2,...", "lengths of a chunk",
	    SET(PARSED, to.chunk), .parse = parse_lengths },
	{ LEVEL, "level", "N", "how much is done to pack, 0 to 22",
	    SET(NUMBER, level), .least = 0, .most = 22, .wrong = "none of 0 to 22" },
	{ PACK, "pack", "WAY", "none, gzip, zlib, zstd (unless said) or blosc[:CODEC]",
	    SET(PARSED, to.pack), .parse = parse_pack },
	{ REVERSE, "reverse", NULL, "reverse the dimensions", SET(FLAG, to.reverse) },
	{ SHARD, "shard", "L1,L2,...", "with --v3: lengths of a shard of chunks",
	    SET(PARSED, to.shard), .parse = parse_lengths },
	{ V3, "v3", NULL, "write version 3, not 2", SET(FLAG, three) },
	{ 0 },
};

static const struct cmd self = {
	"taf2zarr", "write an array into a Zarr store",
	"[--v3 [--shard L1,L2,...]] [--chunks L1,L2,...] [--pack WAY [--level N]]\n"
	"       [--reverse] [-f] [-J N] [-m SIZE] [-N K] STORE ARRAY [file]",
	options, CMD_PICK | CMD_OPERANDS | CMD_JOBS | CMD_UNPLANNED | CMD_INTO,
};

/* The one array of a file. */
static enum taf_status
take(struct cmd_run *run, const struct taf_zarr_export *to, struct taf_zarr_put *p,
    const char *file, struct taf_err *e)
{
	struct taf_arrays all = cmd_arrays(run, &file, 1);
	struct taf_zarr_export x = *to;
	enum taf_status st;

	/* metadata come last, so comment and attributes may, too */
	all.late = true;
	st = taf_arrays_next(&all, e);
	if (st == TAF_OK && run->pick == 0 && taf_arrays_more(&all) == TAF_NEXT_YES)
		st = taf_arrays_last(&all, e);
	x.pack.size = st == TAF_OK ? taf_type_size(all.a.type) : 1;
	if (st == TAF_OK)
		st = taf_zarr_export(&x, p, all.r, &all.a, e);
	if (st == TAF_OK)
		st = taf_arrays_last(&all, e);
	taf_err_name(e, taf_in_called(file));
	taf_arrays_close(&all);
	return st;
}

static void
check(struct cmd_run *run, struct intent *want)
{
	struct taf_zarr_export *const to = &want->to;
	unsigned k;

	if (cmd_has(run, LEVEL)) {
		const unsigned most = to->pack.packing == TAF_PACKING_ZSTD ? 22 : 9;

		if (to->pack.none)
			cmd_usage(run, "--level is for what is packed");
		if (want->level > most)
			cmd_usage(run, "--level goes to %u here", most);
		to->pack.level = (int)want->level;
	}
	if (to->shard.count > 0 && !want->three)
		cmd_usage(run, "--shard is for --v3");
	if (want->three && !to->pack.none && to->pack.packing == TAF_PACKING_ZLIB)
		cmd_usage(run, "version 3 has gzip, and no zlib");
	for (k = 0; to->chunk.count > 0 && k < to->shard.count; k++)
		if (to->shard.count != to->chunk.count ||
		    to->shard.n[k] % to->chunk.n[k] != 0)
			cmd_usage(run, "--shard is no multiple of --chunks");
	to->version = want->three ? 3 : 2;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	static struct taf_zarr_put p;
	struct taf_err *const e = &run->err;
	const char *path;

	cmd_options(run, &want);
	if (!cmd_has(run, PACK))
		cmd_check(run, parse_pack(&want.to.pack, "zstd", e));
	if (run->nfiles < 2)
		cmd_usage(run, "a STORE and an ARRAY are needed");
	if (run->nfiles > 3)
		cmd_usage(run, "%s: one file at most", run->files[3]);
	check(run, &want);
	path = run->files[1] + (run->files[1][0] == '/');
	cmd_check(run, taf_objects_path_check(path, e));
	cmd_guard("packed chunks", false);
	want.to.service = &run->service;
	if (cmd_decode(run, run->files[0], run->files + 2, run->nfiles - 2, e) !=
	    TAF_OK || taf_zarr_put_look(&p, run->files[0], path, want.to.version,
	    run->force, e) != TAF_OK || take(run, &want.to, &p, run->nfiles > 2 ?
	    run->files[2] : NULL, e) != TAF_OK || taf_zarr_put_commit(&p, e) != TAF_OK)
		cmd_report(run, run->files[0]);
	taf_zarr_put_discard(&p);
	return cmd_end(run);
}
