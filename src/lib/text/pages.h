/* SPDX-License-Identifier: ISC */
/* The manual's pages, for those who look for one. */
#ifndef TAF_TEXT_PAGES_H
#define TAF_TEXT_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct taf_page {
	const char *name;
	unsigned section;
	const char *group;	/* of a command, else empty */
	/* what it is, and more by which people look for it */
	const char *brief, *words;
	unsigned flags;		/* of its struct cmd */
	/* all words of it, small letters, in strings up to a NULL */
	const char *const *text;
};

struct taf_pages {
	const struct taf_page *page;
	size_t n;
};

/*
 * The page of that name, or of one without its "taf" or "taf-"; NULL where there is none.
 */
const struct taf_page *taf_pages_find(const struct taf_pages *all, const char *name);

/* The command's name, without its "taf" too, that a word may stand for; or NULL. */
const char *taf_pages_nearest(const struct taf_pages *all, const char *word);

/* Append a line for each command, by group; or the names of commands alone. */
void taf_pages_list(const struct taf_pages *all, struct taf_str *s);
void taf_pages_names(const struct taf_pages *all, struct taf_str *s);

/* Append the names of commands that are about a word, separated by commas. */
void taf_pages_about(const struct taf_pages *all, const char *word, struct taf_str *s);

/*
 * Append a line for each page that is about all of n words, or, if none is, that has all
 * of them in its text; false where none has.
 */
bool taf_pages_search(const struct taf_pages *all, const char *const *words, int n,
    struct taf_str *s);

#endif
