/* SPDX-License-Identifier: ISC */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 32 };	/* letters of a word that is looked at */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* By rows: of the letters so far, of one less, and of two less. */
static size_t
distance(const char *word, size_t n, const char *name, size_t len)
{
	size_t row[3][LONGEST + 1], i, j, k;

	for (j = 0; j <= len; j++)
		row[0][j] = j;
	for (i = 1; i <= n; i++) {
		size_t *now = row[i % 3];
		const size_t *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= len; j++) {
			k = last[j - 1] + (word[i - 1] == name[j - 1] ? 0 : 1);
			now[j] = least(k, least(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && word[i - 1] == name[j - 2] &&
			    word[i - 2] == name[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
	}
	return row[n % 3][len];
}

size_t
taf_slips(const char *word, size_t n, const char *name)
{
	const size_t len = strlen(name);
	size_t slips;

	if (n < 2 || n > LONGEST || len > LONGEST)
		return SIZE_MAX;
	slips = distance(word, n, name, len);
	if (slips > 1 && ((n >= 3 && strncmp(word, name, n) == 0) ||
	    (n == len && strncasecmp(word, name, n) == 0)))
		slips = 1;
	return slips <= (len < 6 ? 1 : 2) ? slips : SIZE_MAX;
}

void
taf_nearest_try(struct taf_nearest *near, const char *name)
{
	const size_t slips = taf_slips(near->word, near->n, name);

	if (slips >= (near->name != NULL ? near->slips : SIZE_MAX))
		return;
	near->name = name;
	near->slips = slips;
}

const char *
taf_said_of(const struct taf_said *rows, size_t count, const char *word, size_t n)
{
	const char *at;
	size_t k, len;

	for (k = 0; k < count; k++)
		for (at = rows[k].words; *at != '\0'; at += len) {
			at += strspn(at, " ");
			len = strcspn(at, " ");
			if (len == n && memcmp(at, word, n) == 0)
				return rows[k].said;
		}
	return NULL;
}
