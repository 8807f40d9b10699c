/* SPDX-License-Identifier: ISC */
/* What functions of gta.c that look at lists promise one another: see prove_gta_loops.c. */

#define further(least) (s->n == \old(s->n) && s->at <= s->n && \
    \old(s->at) + (\result == TAF_OK ? least : 0) <= s->at)

/*@ assigns \nothing; ensures \result != TAF_OK; */
static enum taf_status too_short(const struct scan *s, const char *what);

/*@ requires s->at <= s->n; assigns s->at, *v; ensures further(8); */
static enum taf_status scan_u64(struct scan *s, const char *what, uint64_t *v);

/*@ requires s->at <= s->n; assigns s->at, *c; ensures further(1); */
static enum taf_status scan_component(struct scan *s, struct taf_gta_component *c);

/*@ requires s->at <= s->n; assigns s->at, *g; ensures further(0); */
static enum taf_status scan_components(struct scan *s, struct taf_gta *g);

/*@ requires s->at <= s->n; assigns s->at, *g; ensures further(0); */
static enum taf_status scan_dims(struct scan *s, struct taf_gta *g);

/*@ assigns \nothing; */
static bool tag_text(const unsigned char *p, size_t n, bool name);

/*@ requires s->at <= s->n; assigns s->at, *text; ensures further(1); */
static enum taf_status scan_text(struct scan *s, bool name, const char **text);

/*@ requires s->at <= s->n; assigns s->at, *name, *value; ensures further(1); */
static enum taf_status scan_tag(struct scan *s, const char **name, const char **value);

/*@ requires s->at <= s->n; assigns s->at, *at; ensures further(1); */
static enum taf_status scan_tags(struct scan *s, uint32_t *at);

/*@ assigns \nothing; ensures \result.at == at && \result.n == g->header.len; */
static struct scan scan_from(const struct taf_gta *g, size_t at, struct taf_err *e);
