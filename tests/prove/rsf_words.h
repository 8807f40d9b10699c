/* SPDX-License-Identifier: ISC */
/* What functions of rsf.c promise one another: see prove_rsf_loops.c. */

/* p and end are in the same text, or p is at end */
#define along(p, end) (\base_addr(p) == \base_addr(end) && 0 <= (end) - (p) && \
    (end) - (p) <= INT64_MAX)

/*@ assigns \nothing; */
static bool is(struct word w, const char *s);

/*@ assigns \nothing; */
static struct word unquoted(struct word w);

/*@ assigns \nothing; */
static bool all_digits(const char *s, size_t n);

/*@ assigns *k; */
static char dim_key(struct word key, unsigned *k);

/*@ assigns \nothing; */
static struct word *plain_key(struct state *s, struct word key);

/*@ assigns \nothing; ensures \result <==> c == ' ' || '\t' <= c <= '\r'; */
static bool blank(char c);

/*@ requires along(p, end); assigns \nothing; */
static bool is_history(const char *p, const char *end);

/*@ requires along(line, end); assigns *s; */
static void note_program(struct state *s, const char *line, const char *end);

/*@ requires along(p, end); assigns *s; */
static enum taf_status put_history(struct state *s, const char *p, const char *end);

/*@ requires along(*p, end); assigns *p, *key, *value;
  @ ensures \result ==> along(*p, end) && end - *p < end - \old(*p); */
static bool next_pair(const char **p, const char *end, struct word *key,
    struct word *value);

/*@ assigns *s; */
static enum taf_status put(struct state *s, struct word key, struct word value);

/*@ requires along(p, end); assigns *s; */
static enum taf_status parse_line(struct state *s, const char *p, const char *end);

/*@ assigns \nothing; */
static bool ends_in(struct word key, const char *s);

/*@ assigns *type; */
static bool rsf_type(struct word name, enum taf_type *type);

/*@ assigns *s; */
static enum taf_status flush_attr(struct state *s);
/*@ assigns *s; */
static enum taf_status fold(struct state *s);

/*@ requires along(p, end); */
static enum taf_status parse_lines(struct state *s, const char *p, const char *end);
