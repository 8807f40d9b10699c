/* SPDX-License-Identifier: ISC */
#include "text/synonyms.h"

#include <string.h>

#include "base/nearest.h"

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
	{ "colormap", "colours" }, { "n", "index" }, { "channel", "array" },
	{ "ch", "array" }, { "grey", "image" }, { "gray", "image" },
};

/* What no option of a command stands for, by other ones. */
static const struct taf_said elsewhere[] = {
	{ "x g index grid region slice range window", "tafcrop -x takes a part first" },
	{ "fwhm", "the third number of each row of tafpeaks is the width" },
	{ "rise risetime rise-time", "tafpeaks --edges rising,level=10% finds it" },
	{ "baseline detrend background subtract offset scale gain",
	    "tafmath computes, as in 'a - 0.5'" },
	{ "mean average sum std", "tafreduce computes it" },
	{ "smooth", "tafsmooth smooths first" },
	{ "unit label title",
	    "tafput sets attributes, as unit=V; tafadjust those of axes" },
};

static const struct taf_said types[] = {
	{ "float float32 single f4 real", "; did you mean flt32?" },
	{ "double float64 f8", "; did you mean flt64?" },
	{ "int integer i4", "; did you mean int32?" },
	{ "short i2", "; did you mean int16?" },
	{ "ushort u2", "; did you mean uint16?" },
	{ "long i8", "; did you mean int64?" },
	{ "char i1", "; did you mean int8?" },
	{ "byte uchar u1", "; did you mean uint8?" },
	{ "complex64", "; did you mean complex?" },
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

const char *
taf_option_advice(const char *said, size_t n)
{
	return taf_said_of(elsewhere, sizeof elsewhere / sizeof elsewhere[0], said, n);
}

const char *
taf_type_advice(const char *said)
{
	const char *const at = taf_said_of(types, sizeof types / sizeof types[0], said,
	    strlen(said));

	return at != NULL ? at : "";
}

const char *
taf_word_advice(const char *name, bool several)
{
	const size_t key = strcspn(name, "=./-");

	/* as Madagascar has them: n1=100 */
	if (key > 0 && name[0] > '9' && name[key] == '=')
		return
		    " (no KEY=VALUE here: -h lists options, man taf-peers has Madagascar's lines)";
	if (taf_word_is_value(name))
		return " (values stand behind options, which -h lists)";
	if (several && name[0] != '\0' && strpbrk(name, "./") == NULL)
		return " (a value, or the output, stands behind an option: see -h)";
	return NULL;
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
