/* SPDX-License-Identifier: ISC */
#include "base/choice.h"

#include <string.h>

static bool
is_number(const char *word)
{
	return word[0] >= 'A' && word[0] <= 'Z';
}

/* The word behind this one, or NULL. */
static const char *
behind(const char *word)
{
	word = strchr(word, '|');
	return word != NULL ? word + 1 : NULL;
}

bool
taf_choice(const char *words, const char *word, unsigned *which)
{
	const char *w;
	bool number = false;
	unsigned k = 0;

	for (w = words; w != NULL; w = behind(w), k++) {
		const size_t n = strcspn(w, "|");

		if (is_number(w)) {
			number = true;
			*which = k;
		} else if (n == strlen(word) && memcmp(w, word, n) == 0) {
			*which = k;
			return true;
		}
	}
	return number;
}

void
taf_choice_known(const char *words, struct taf_str *s)
{
	unsigned left = 0, numbers = 0, said;
	const char *w;

	for (w = words; w != NULL; w = behind(w))
		if (is_number(w))
			numbers++;
		else
			left++;
	said = numbers > 0;
	taf_str_puts(s, numbers > 0 ? "a number" : "");
	for (w = words; w != NULL; w = behind(w)) {
		if (is_number(w))
			continue;
		left--;
		taf_str_puts(s, said == 0 ? "" : left == 0 ? " or " : ", ");
		taf_str_put(s, w, strcspn(w, "|"));
		said++;
	}
}
