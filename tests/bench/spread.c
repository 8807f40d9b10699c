/* SPDX-License-Identifier: ISC */
/*
 * Rows of the table for what tafspread does beside the pipelines, in the present folder:
 * slabs of a sparse file, and small files, whose records are made as tasks make them.
 * Processor time, so that files are best in memory.
 *   spread N    slabs, and files
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "clock.h"
#include "codec/taf_file.h"
#include "spread/assemble.h"
#include "spread/draft.h"
#include "spread/engine.h"
#include "spread/owner.h"
#include "spread/slab.h"
#include "spread/state.h"

enum { POINTS = 8192 };

static struct taf_err err;

static void
must(enum taf_status st)
{
	if (st == TAF_OK)
		return;
	fprintf(stderr, "spread: %s: %s\n", err.name, err.text);
	exit(4);
}

/* A TAF file of zeros, without blocks of the disk. */
static void
make_file(const char *path, uint64_t n)
{
	unsigned char header[TAF_HEADER_MAX];
	struct taf_array a, file = { 0 };
	size_t size;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	taf_array_init(&a);
	a.type = TAF_UINT8;
	taf_array_add_dim(&a, POINTS, 1, 1);
	taf_array_add_dim(&a, n, 1, 1);
	must(taf_file_shape(&a, &file, &err));
	size = taf_header_format(&file, header);
	if (fd < 0 || write(fd, header, size) != (ssize_t)size ||
	    ftruncate(fd, (off_t)(size + POINTS * n)) != 0 || close(fd) != 0)
		must(taf_fail_sys(&err, "%s: cannot write", path));
	taf_array_fini(&a);
	taf_array_fini(&file);
}

/* The record of slab k, whose elements are zeros. */
static void
mark(const struct taf_plan *p, uint64_t k)
{
	static const unsigned char zeros[POINTS];
	const uint64_t at = taf_header_size(2) + k * POINTS;
	struct taf_slab s = { .placed = 1, .input = p->identity };
	uint64_t first, n;
	size_t head, tail;

	if (p->directory != NULL)
		must(taf_identity_of(p->file.name[k], &s.input, &err));
	taf_slab_pages(at, POINTS, &first, &n);
	head = (size_t)(first - at);
	tail = (size_t)(POINTS - head - n);
	s.digest = taf_digest(0, zeros, head);
	s.digest = n > 0 ? taf_digest(s.digest, zeros, (size_t)n) : s.digest;
	s.digest = taf_digest(s.digest, zeros, tail);
	must(taf_buf_put(&s.head, zeros, head, &err));
	must(taf_buf_put(&s.tail, zeros, tail, &err));
	taf_array_init(&s.a);
	s.a.type = TAF_UINT8;
	taf_array_add_dim(&s.a, POINTS, 1, 1);
	taf_array_add_dim(&s.a, 1, 1, 1);
	if (k == 0 && p->directory == NULL)
		must(taf_slab_be_first(p, &s, &err));
	must(taf_slab_keep(p, k, &s, &err));
	taf_slab_fini(&s);
}

static void
row(const char *what, uint64_t n, double since)
{
	const double s = seconds(CLOCK_PROCESS_CPUTIME_ID) - since;
	struct rusage use;

	(void)getrusage(RUSAGE_SELF, &use);
	printf("| tafspread: %s | %llu | %.3f | one of them | %.1f us | | %ld |\n", what,
	    (unsigned long long)n, s, 1e6 * s / (double)n, use.ru_maxrss / 1024);
}

static void
slabs(uint64_t n)
{
	static const char *const word = "true";
	static const struct taf_service service = { .memory = 256 << 20, .jobs = 1 };
	struct taf_words named = { 0 };
	const struct taf_draft draft = { .input = "in.taf", .output = "out.taf",
		.bin = ".", .words = &word, .nwords = 1, .named = &named };
	struct taf_plan p = { .slabs = n };
	struct taf_slabs due = { 0 };
	struct stat st;
	uint64_t k;
	double t;
	bool again, fresh;

	make_file("in.taf", n);
	t = seconds(CLOCK_PROCESS_CPUTIME_ID);
	must(taf_draft_plan(&p, &draft, &err));
	must(taf_plan_keep(&p, &again, &err));
	must(taf_state_fill(&p, &fresh, &err));
	must(taf_engine_due(&p, &due, &err));
	free(due.k);
	row("plan slabs", n, t);
	t = seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (k = 0; k < n; k++)
		mark(&p, k);
	row("mark slabs", n, t);
	if (stat("in.taf", &st) != 0 || truncate("out.taf.spread/data", st.st_size) != 0)
		must(taf_fail_sys(&err, "out.taf.spread/data"));
	t = seconds(CLOCK_PROCESS_CPUTIME_ID);
	must(taf_engine_due(&p, &due, &err));
	free(due.k);
	row("list what is done", n, t);
	must(taf_owner_take(&p, &err));
	t = seconds(CLOCK_PROCESS_CPUTIME_ID);
	must(taf_assemble(&p, false, &service, NULL, &err));
	row("compare, finish, remove the state", n, t);
	taf_plan_fini(&p);
	(void)unlink("in.taf");
	(void)unlink("out.taf");
}

static void
files(size_t n)
{
	static const char *const word = "true";
	char **name = calloc(n, sizeof *name), out[64];
	const struct taf_draft draft = { .file = (const char *const *)name, .nfiles = n,
		.directory = "to", .bin = ".", .words = &word, .nwords = 1 };
	struct taf_plan p = { 0 };
	struct taf_slabs due = { 0 };
	double t;
	bool again, fresh;
	size_t k;

	if (name == NULL || mkdir("from", 0777) != 0 || mkdir("to", 0777) != 0)
		must(taf_fail_sys(&err, "from"));
	for (k = 0; k < n; k++) {
		(void)snprintf(out, sizeof out, "from/%zu.taf", k);
		if ((name[k] = strdup(out)) == NULL)
			must(taf_fail_mem(&err));
		make_file(out, 1);
		(void)snprintf(out, sizeof out, "to/%zu.taf", k);
		make_file(out, 1);
	}
	t = seconds(CLOCK_PROCESS_CPUTIME_ID);
	must(taf_draft_each(&p, &draft, &err));
	must(taf_plan_keep(&p, &again, &err));
	must(taf_state_fill(&p, &fresh, &err));
	must(taf_engine_due(&p, &due, &err));
	must(taf_engine_begin(&p, &due, &err));
	free(due.k);
	row("plan files", n, t);
	t = seconds(CLOCK_PROCESS_CPUTIME_ID);
	for (k = 0; k < n; k++)
		mark(&p, k);
	row("mark files", n, t);
	t = seconds(CLOCK_PROCESS_CPUTIME_ID);
	must(taf_engine_due(&p, &due, &err));
	if (due.n != 0)
		must(taf_fail(&err, TAF_EDATA, "some are not done"));
	free(due.k);
	row("pass over files that are done", n, t);
	must(taf_state_remove(&p, &err));
	for (k = 0; k < n; k++) {
		(void)unlink(name[k]);
		(void)snprintf(out, sizeof out, "to/%zu.taf", k);
		(void)unlink(out);
		free(name[k]);
	}
	free(name);
	taf_plan_fini(&p);
	(void)rmdir("from");
	(void)rmdir("to");
}

int
main(int argc, char **argv)
{
	const unsigned long n = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;

	if (n == 0) {
		fprintf(stderr, "usage: spread N\n");
		return 2;
	}
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	slabs(n);
	files(n);
	return 0;
}
