#include <string.h>

#include "base/str.h"
#include "cli/private.h"

static bool
is_number(const char *word)
{
	return word[0] >= 'A' && word[0] <= 'Z';
}

unsigned
cmd_choice(struct cmd_run *run, const char *arg)
{
	const char *word = cmd_private_words(run);
	unsigned k, number = 0;
	bool any = false;
	size_t n;

	for (k = 0;; k++, word += n + 1) {
		n = strcspn(word, "|");
		if (is_number(word)) {
			any = true;
			number = k;
		} else if (n == strlen(arg) && memcmp(word, arg, n) == 0) {
			return k;
		}
		if (word[n] == '\0')
			break;
	}
	if (!any)
		cmd_no_choice(run, arg);
	return number;
}

void
cmd_no_choice(struct cmd_run *run, const char *arg)
{
	const char *const words = cmd_private_words(run), *word;
	struct taf_str all = { .err = &run->err };
	unsigned left = 0, said = 0;
	bool number = false;

	for (word = words; word != NULL; word = strchr(word, '|')) {
		word += *word == '|';
		number = number || is_number(word);
		left += !is_number(word);
	}
	/* a number is said first, wherever it stands */
	if (number) {
		taf_str_puts(&all, "a number");
		said++;
	}
	for (word = words; word != NULL; word = strchr(word, '|')) {
		word += *word == '|';
		if (is_number(word))
			continue;
		left--;
		taf_str_puts(&all, said++ == 0 ? "" : left == 0 ? " or " : ", ");
		taf_str_put(&all, word, strcspn(word, "|"));
	}
	cmd_check(run, all.st);
	cmd_value(run, "%s: not %s", arg, all.buf.data);
}
