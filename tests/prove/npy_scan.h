/* SPDX-License-Identifier: ISC */
/* What functions of npy.c promise one another: see prove_npy_loops.c. */

#define left(s) ((s)->end - (s)->at)
#define within(s) (\base_addr((s)->at) == \base_addr((s)->end) && 0 <= left(s) && \
    (s)->nd->ndim <= TAF_MAX_DIM)

/*@ assigns \nothing; ensures \result != TAF_OK; */
static enum taf_status wrong(const struct scan *s, const char *wanted);

/*@ requires within(s); assigns s->at; ensures within(s);
  @ ensures left(s) <= \old(left(s)); */
static void blanks(struct scan *s);

/*@ requires within(s); assigns s->at; ensures within(s);
  @ ensures left(s) <= \old(left(s)) - (\result ? 1 : 0); */
static bool take(struct scan *s, char c);

/*@ requires within(s); assigns s->at; ensures within(s);
  @ ensures left(s) <= \old(left(s)); */
static bool take_word(struct scan *s, const char *word);

/*@ requires within(s); assigns s->at, *p, *n;
  @ ensures within(s);
  @ ensures left(s) <= \old(left(s)) - (\result == TAF_OK ? 1 : 0); */
static enum taf_status string(struct scan *s, const char *wanted, const char **p,
    size_t *n);

/*@ requires within(s); assigns s->at, *s->nd; ensures within(s);
  @ ensures left(s) <= \old(left(s)); */
static enum taf_status descr(struct scan *s);

/*@ requires within(s); assigns s->at, *s->nd; ensures within(s);
  @ ensures left(s) <= \old(left(s)); */
static enum taf_status fortran_order(struct scan *s);

/*@ requires within(s); assigns s->at, *s->nd; ensures within(s);
  @ ensures left(s) <= \old(left(s)) - (\result == TAF_OK ? 1 : 0); */
static enum taf_status length(struct scan *s);

/*@ requires within(s); assigns s->at, *s->nd; ensures within(s);
  @ ensures left(s) <= \old(left(s)); */
static enum taf_status shape(struct scan *s);

/*@ requires within(s); assigns s->at, *s->nd; */
static enum taf_status parse(struct scan *s);

/* one of those that the table of keys names */
/*@ requires within(s); assigns s->at, *s->nd; ensures within(s);
  @ ensures left(s) <= \old(left(s)); */
static enum taf_status any_value(struct scan *s);
