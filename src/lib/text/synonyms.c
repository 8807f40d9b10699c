/* SPDX-License-Identifier: ISC */
#include "text/synonyms.h"

#include <string.h>

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
	{ "window", "points" }, { "n", "points" }, { "nperseg", "points" },
	{ "ifft", "inverse" }, { "dB", "db" }, { "log", "db" }, { "shift", "no-shift" },
	{ "n", "pad" }, { "n", "mean" }, { "window", "mean" }, { "gaussian", "gauss" },
	{ "sigma", "gauss" }, { "lowpass", "high" }, { "highpass", "low" },
	{ "band", "low" }, { "bandpass", "low" },
	{ "rate", "factor" },
	{ "n", "times" }, { "count", "times" }, { "repeats", "times" }, { "n", "to" },
	{ "lag", "max-lag" }, { "rtol", "relative" }, { "atol", "absolute" },
	{ "tolerance", "absolute" }, { "t", "absolute" }, { "tol", "absolute" },
	{ "height", "minimum" }, { "threshold", "minimum" }, { "prominence", "minimum" },
	{ "png", "term" }, { "svg", "term" }, { "x", "list" }, { "index", "list" },
	{ "where", "mask" }, { "n", "every" }, { "d", "dim" }, { "a", "axis" },
	{ "a", "start" }, { "axis", "start" }, { "n", "count" },
	{ "psd", "power" }, { "abs", "amplitude" }, { "magnitude", "amplitude" },
	{ "xrange", "grid" }, { "xlim", "grid" }, { "yrange", "range" },
	{ "ylim", "range" }, { "start", "index" }, { "end", "index" },
	{ "from", "index" }, { "to", "index" }, { "first", "index" }, { "last", "index" },
	{ "overlap", "points" }, { "noverlap", "points" }, { "level", "edges" },
	{ "savgol", "polynomial" }, { "step", "axis" }, { "lines", "index" },
	{ "legend", "names" }, { "color", "colours" }, { "cmap", "colours" },
	{ "colormap", "colours" }, { "n", "index" },
};

const char *
taf_synonym(const char *said, size_t n, size_t *at)
{
	const size_t end = sizeof synonyms / sizeof synonyms[0];
	size_t i = *at;

	while (i < end && (strlen(synonyms[i].said) != n ||
	    strncmp(synonyms[i].said, said, n) != 0))
		i++;
	*at = i + 1;
	return i < end ? synonyms[i].meant : NULL;
}

bool
taf_word_is_value(const char *name)
{
	const size_t key = strcspn(name, "=./-");

	/* as Madagascar has them: n1=100 */
	if (key > 0 && name[key] == '=')
		return true;
	return name[strspn(name, "0123456789.,:=-+xk")] == '\0' &&
	    strpbrk(name, "0123456789") != NULL;
}
