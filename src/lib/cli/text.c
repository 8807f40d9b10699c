#include "cli/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/num.h"

void
cmd_put_time(struct taf_str *s)
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
		return;
	taf_str_puts(s, text);
}

void
cmd_put_lines(struct taf_str *s, const char *text, size_t n)
{
	size_t at, len;

	for (at = 0; at < n; at += len + 1) {
		const char *lf = memchr(text + at, '\n', n - at);

		len = lf != NULL ? (size_t)(lf - text) - at : n - at;
		taf_str_puts(s, len > 0 ? "# " : "#");
		taf_str_put(s, text + at, len);
		taf_str_puts(s, "\n");
	}
}
