#include "cli/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/decimal.h"
#include "base/num.h"

enum taf_status
cmd_put_f64(struct taf_buf *b, double v, struct taf_err *e)
{
	char text[TAF_DECIMAL_MAX];

	return taf_buf_put(b, text, taf_print_f64(text, v), e);
}

enum taf_status
cmd_put_quoted(struct taf_buf *b, const char *s, size_t n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < n && st == TAF_OK; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < 0x20 || c == 0x7f)
			st = taf_buf_printf(b, e, "\\x%02x", c);
		else
			st = taf_buf_put(b, s + i, 1, e);
	}
	return st;
}

enum taf_status
cmd_put_time(struct taf_buf *b, struct taf_err *e)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	char text[32];
	struct tm tm;
	uint64_t v;

	/* to the end of the year 9999 */
	if (epoch != NULL && taf_parse_u64(epoch, strlen(epoch), &v) &&
	    v <= UINT64_C(253402300799))
		now = (time_t)v;
	if (gmtime_r(&now, &tm) == NULL ||
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		return TAF_OK;
	return taf_buf_puts(b, text, e);
}

enum taf_status
cmd_put_lines(struct taf_buf *b, const char *s, size_t n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t at, len;

	for (at = 0; at < n && st == TAF_OK; at += len + 1) {
		const char *lf = memchr(s + at, '\n', n - at);

		len = lf != NULL ? (size_t)(lf - s) - at : n - at;
		st = taf_buf_puts(b, len > 0 ? "# " : "#", e);
		if (st == TAF_OK)
			st = taf_buf_put(b, s + at, len, e);
		if (st == TAF_OK)
			st = taf_buf_put(b, "\n", 1, e);
	}
	return st;
}
