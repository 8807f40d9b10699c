/* SPDX-License-Identifier: ISC */
/* What functions of gta.c that read chunks promise one another: see prove_gta_loops.c. */

/* libraries take no more than there is, and give no more than there is room for */
/*@ assigns *nin, *nout; ensures MORE <= \result <= NO_MEMORY;
  @ ensures *nin <= \old(*nin) && *nout <= \old(*nout); */
static enum step any_step(size_t *nin, size_t *nout);

/*@ assigns *got, c->packed, c->open, c->done; */
static enum taf_status decode(struct taf_gta_chunks *c, unsigned char *buf, size_t n,
    size_t *got, struct taf_err *e);

/*@ assigns \nothing; ensures \result != TAF_OK; */
static enum taf_status bad_chunk(const struct taf_gta_chunks *c, struct taf_err *e,
    const char *fact);

/*@ assigns c->packed, c->open, c->done; */
static enum taf_status decode_end(struct taf_gta_chunks *c, struct taf_err *e);

/*@ assigns *c; */
static enum taf_status chunk_next(struct taf_gta_chunks *c, struct taf_err *e);

/*@ requires n <= c->left; assigns c->left, c->packed, c->open, c->done;
  @ ensures c->left == \old(c->left) - n; */
static enum taf_status chunk_read(struct taf_gta_chunks *c, unsigned char *buf, size_t n,
    struct taf_err *e);

/*@ requires n <= c->left; assigns c->left, c->packed, c->open, c->done; */
static enum taf_status chunk_pass(struct taf_gta_chunks *c, uint64_t n,
    struct taf_err *e);
