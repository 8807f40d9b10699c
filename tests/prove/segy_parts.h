/* SPDX-License-Identifier: ISC */
/* What stands for functions of segy_layout.c: see prove_segy_words.c. */

static struct part value_of(const char *p, const char *end, const char *key);
static const char *find(const char *list, struct part name, uint64_t *at);
