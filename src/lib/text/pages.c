/* SPDX-License-Identifier: ISC */
#include "text/pages.h"

#include <string.h>
#include <strings.h>

#include "base/nearest.h"

enum { WIDTH = 78 };

/* In the order of the list. */
static const char *const groups[] = { "Look", "Make and mend", "Cut and arrange",
	"Compute", "Signals", "Instruments", "Text, images, other formats",
	"Many processors and machines" };

/* A name without what all of ours begin with; itself where it does not begin so. */
static const char *
stem(const char *name)
{
	if (strncmp(name, "taf", 3) != 0)
		return name;
	return name + (name[3] == '-' ? 4 : 3);
}

const struct taf_page *
taf_pages_find(const struct taf_pages *all, const char *name)
{
	const struct taf_page *found = NULL, *p;
	size_t i;

	for (i = 0; i < all->n && name[0] != '\0'; i++) {
		p = &all->page[i];
		if (strcmp(p->name, name) == 0)
			return p;
		/* a command comes before a page about its subject */
		if (strcmp(stem(p->name), name) == 0 &&
		    (found == NULL || found->group[0] == '\0'))
			found = p;
	}
	return found;
}

const char *
taf_pages_nearest(const struct taf_pages *all, const char *word)
{
	struct taf_nearest near = { .word = word, .n = strlen(word) };
	size_t i;

	for (i = 0; i < all->n; i++) {
		if (all->page[i].group[0] == '\0')
			continue;
		taf_nearest_try(&near, stem(all->page[i].name));
		taf_nearest_try(&near, all->page[i].name);
	}
	return near.name;
}

void
taf_pages_list(const struct taf_pages *all, struct taf_str *s)
{
	size_t g, i;

	for (g = 0; g < sizeof groups / sizeof groups[0]; g++) {
		taf_str_printf(s, "%s%s\n", g > 0 ? "\n" : "", groups[g]);
		for (i = 0; i < all->n; i++)
			if (strcmp(all->page[i].group, groups[g]) == 0)
				taf_str_printf(s, "  %-17s %s\n", all->page[i].name,
				    all->page[i].brief);
	}
}

void
taf_pages_names(const struct taf_pages *all, struct taf_str *s)
{
	size_t g, i, used;

	for (g = 0; g < sizeof groups / sizeof groups[0]; g++) {
		taf_str_printf(s, "%s:\n ", groups[g]);
		for (i = 0, used = 1; i < all->n; i++) {
			if (strcmp(all->page[i].group, groups[g]) != 0)
				continue;
			if (used + strlen(all->page[i].name) >= WIDTH) {
				taf_str_puts(s, "\n ");
				used = 1;
			}
			taf_str_printf(s, " %s", all->page[i].name);
			used += strlen(all->page[i].name) + 1;
		}
		taf_str_puts(s, "\n");
	}
}

/*
 * Does a word of the text begin with this one of len bytes?  Capitals are as small
 * letters, and what may be a plural is as the singular.
 */
static bool
has(const char *text, const char *word, size_t len)
{
	const size_t n = len > 4 && word[len - 1] == 's' ? len - 1 : len;
	const char *at;

	for (at = text; *at != '\0'; at++)
		if ((at == text || strchr(" ,.:(", at[-1]) != NULL) &&
		    strncasecmp(at, word, n) == 0)
			return true;
	return false;
}

/* Is a page about a word of n bytes, or has it the word in its text? */
static bool
about(const struct taf_page *p, const char *word, size_t n, bool in_text)
{
	const char *const *text, *const to = strchr(p->name, '2');

	if (!in_text)
		return has(p->brief, word, n) || has(p->words, word, n) ||
		    has(p->name, word, n) || has(stem(p->name), word, n) ||
		    (to != NULL && has(to + 1, word, n));
	for (text = p->text; *text != NULL && !has(*text, word, n); text++)
		continue;
	return *text != NULL;
}

/* The same of all words in one, which are separated by blanks. */
static bool
matches(const struct taf_page *p, const char *words, bool in_text)
{
	size_t n;

	for (; *words != '\0'; words += n + strspn(words + n, " ")) {
		n = strcspn(words, " ");
		if (!about(p, words, n, in_text))
			return false;
	}
	return true;
}

void
taf_pages_about(const struct taf_pages *all, const char *word, struct taf_str *s)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (all->page[i].group[0] != '\0' && matches(&all->page[i], word, false))
			taf_str_printf(s, "%s%s", s->buf.len > 0 ? ", " : "",
			    all->page[i].name);
}

bool
taf_pages_search(const struct taf_pages *all, const char *const *words, int n,
    struct taf_str *s)
{
	bool found = false;
	size_t i;
	int k, in_text;

	for (in_text = 0; in_text < 2 && !found; in_text++)
		for (i = 0; i < all->n; i++) {
			const struct taf_page *p = &all->page[i];

			for (k = 0; k < n && matches(p, words[k], in_text > 0); k++)
				continue;
			if (k == n) {
				taf_str_printf(s, "%s(%u) - %s\n", p->name, p->section,
				    p->brief);
				found = true;
			}
		}
	return found;
}
