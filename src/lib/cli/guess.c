/* What somebody may have meant who has typed no option of this command. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/private.h"

/* What people say, by other programs or by reason, and our name for it. */
static const struct {
	const char *said, *meant;
} synonyms[] = {
	{ "o", "directory" }, { "output", "directory" }, { "outdir", "directory" },
	{ "dir", "directory" },
	{ "precision", "printf" }, { "digits", "printf" }, { "decimals", "printf" },
	{ "format", "printf" }, { "fmt", "printf" }, { "f", "printf" },
	{ "delimiter", "csv" }, { "separator", "csv" }, { "sep", "csv" },
	{ "dimension", "dim" }, { "axis", "dim" }, { "along", "dim" },
	{ "d", "index" }, { "slice", "index" }, { "region", "index" },
	{ "range", "index" }, { "t", "term" }, { "terminal", "term" },
	{ "dtype", "type" }, { "threads", "jobs" }, { "parallel", "jobs" },
	{ "overwrite", "force" }, { "n", "size" }, { "shape", "size" },
	{ "reverse", "descending" }, { "axes", "dim" }, { "average", "mean" },
	{ "unwrapped", "unwrap" }, { "delete", "clear" }, { "remove", "unset" },
	{ "fix", "repair" }, { "order", "polynomial" }, { "r", "descending" },
	{ "size", "to" }, { "length", "to" }, { "t", "to" }, { "width", "mean" },
	{ "bin", "bins" }, { "n", "bins" }, { "endian", "big-endian" },
};

/* The option of that name; NULL where the command has none. */
static const struct cmd_option *
find(const struct cmd_option *const *o, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(o[i]->name, name) == 0)
			return o[i];
	return NULL;
}

/* A letter is no option: the long one that begins with it, if there is one alone. */
static const struct cmd_option *
by_first(const struct cmd_option *const *o, size_t n, char letter)
{
	const struct cmd_option *found = NULL;
	size_t i;

	for (i = 0; i < n; i++)
		if (o[i]->id >= 256 && o[i]->name[0] == letter) {
			if (found != NULL)
				return NULL;
			found = o[i];
		}
	return found;
}

const struct cmd_option *
cmd_private_guess(const struct cmd_option *const *o, size_t n, const char *word,
    size_t len)
{
	struct taf_nearest near = { .word = word, .n = len };
	const struct cmd_option *found = NULL;
	size_t i;

	for (i = 0; i < sizeof synonyms / sizeof synonyms[0] && found == NULL; i++)
		if (strlen(synonyms[i].said) == len &&
		    strncmp(synonyms[i].said, word, len) == 0)
			found = find(o, n, synonyms[i].meant);
	if (found != NULL)
		return found;
	if (len == 1)
		return by_first(o, n, word[0]);
	for (i = 0; i < n; i++)
		taf_nearest_try(&near, o[i]->name);
	return near.name != NULL ? find(o, n, near.name) : NULL;
}
