/* SPDX-License-Identifier: ISC */
/* Functions that prove_segy_words.c has in the place of those of segy_layout.c. */

static struct part value_of(const char *p, const char *end, const char *key);
static const char *find(const char *list, struct part name, uint64_t *at);
