#include "umbrella/operands.h"

#include <string.h>

/*
 * Does an option take the next word for its value?  Lines of help are
 * "  -x, --long ARG  " or "      --long=ARG  ", where "[=ARG]" takes none.
 */
static bool
letter_takes(const char *help, char letter)
{
	const char key[] = { '\n', ' ', ' ', '-', letter, ',', ' ', '\0' };
	const char *at = strstr(help, key);

	if (at == NULL)
		return false;
	at += sizeof key - 1;
	at += strcspn(at, " \n");
	return at[0] == ' ' && at[1] != ' ' && at[1] != '\n';
}

static bool
name_takes(const char *help, const char *name)
{
	const size_t n = strlen(name);
	const char *at = help;

	while ((at = strstr(at, name)) != NULL) {
		const bool named = at >= help + 2 && strncmp(at - 2, "  ", 2) == 0;
		const bool lettered = at >= help + 2 && strncmp(at - 2, ", ", 2) == 0;

		at += n;
		if ((named && at[0] == '=') || (lettered && at[0] == ' ' && at[1] != ' '))
			return true;
	}
	return false;
}

/* The letters of one word, up to one that takes a value: is that the next word? */
static bool
letters_take(const char *help, const char *letters, struct cmd_operands *found)
{
	for (; *letters != '\0'; letters++) {
		if (letter_takes(help, *letters))
			return letters[1] == '\0';
		found->in_place |= *letters == 'i';
		found->quiet |= *letters == 'q';
	}
	return false;
}

struct cmd_operands
cmd_operands(const char *help, const char *const *words, int n, bool *operand)
{
	struct cmd_operands found = { false, false, 0 };
	bool ended = false, value = false;
	int k;

	for (k = 0; k < n; k++) {
		const char *w = words[k];

		operand[k] = false;
		if (value) {
			value = false;
		} else if (ended || w[0] != '-' || w[1] == '\0') {
			operand[k] = true;
			found.n++;
		} else if (strcmp(w, "--") == 0) {
			ended = true;
		} else if (w[1] != '-') {
			value = letters_take(help, w + 1, &found);
		} else {
			found.in_place |= strcmp(w, "--in-place") == 0;
			found.quiet |= strcmp(w, "--quiet") == 0;
			value = strchr(w, '=') == NULL && name_takes(help, w);
		}
	}
	return found;
}
