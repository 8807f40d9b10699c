/* SPDX-License-Identifier: ISC */
/* stream/steps: files and pipes that advance together, with one array or several. */
#include "cli/cmd.h"

#include "feed.h"

enum { FEW = 6, MANY = 50000, OPERANDS = 2 };

/* The sum of 2 x + 1 over all operands. */
static enum taf_status
resolve(const void *intent, const struct taf_steps *s, struct taf_array *out, void *plan,
    struct taf_err *err)
{
	(void)intent, (void)err;
	*(unsigned *)plan = s->n;
	out->type = TAF_FLT64;
	return TAF_OK;
}

static enum taf_status
add(void *ctx, const struct taf_block *b, struct taf_err *err)
{
	const struct taf_move *m = ctx;
	double *y = b->out;

	(void)err;
	for (size_t i = 0; i < b->n; i++) {
		y[i] = 0;
		for (unsigned k = 0; k < *(const unsigned *)m->plan; k++)
			y[i] += 2 * ((const double *)b->in[k])[i] + 1;
	}
	return TAF_OK;
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *err)
{
	const struct taf_compute how = { .in = m->each, .nin = m->n, .out = m->out,
		.w = m->w, .as = TAF_FLT64, .block = add, .ctx = (void *)m,
		.memory = m->service->memory, .threads = 2 };

	return taf_compute(&how, err);
}

/* The command in a process of its own, a file through its standard input; its status. */
static int
run(const char *piped_file, int argc, const char *const *words)
{
	static const struct cmd self = { "unit", "", "", NULL, CMD_STREAM | CMD_PICK };
	char *argv[10] = { NULL };
	int how = -1, in = -1;
	pid_t pid;

	fflush(stdout);
	for (int i = 0; i < argc; i++)
		must((argv[i] = strdup(words[i])) != NULL);
	pid = fork();
	if (pid == 0) {
		unsigned plan;
		const struct cmd_filter sum =
		    { .join = resolve, .move = move, .plan = &plan };
		int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
		int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
		struct cmd_run *r;
		const char *arg;

		if (piped_file != NULL) {
			struct taf_buf all = get_file(piped_file);

			in = piped(all.data, all.len, false);
			must(dup2(in, 0) == 0);
		}
		must(dup2(err, 2) == 2 && dup2(out, 1) == 1);
		r = cmd_begin(&self, argc, argv);
		while (cmd_option(r, NULL, &arg) != 0)
			;
		_exit(cmd_filter(r, &sum, NULL));
	}
	must(pid > 0 && waitpid(pid, &how, 0) == pid && WIFEXITED(how));
	for (int i = 0; i < argc; i++)
		free(argv[i]);
	return WEXITSTATUS(how);
}

static double
value(uint64_t array, uint64_t i)
{
	return (double)(10 * array) + 0.25 * (double)i;
}

/* A file of arrays; not known: none says whether it is the last. */
static void
make(const char *path, uint64_t first, uint64_t arrays, uint64_t n, bool known)
{
	struct taf_array a = shaped(TAF_FLT64, 1, &n);
	struct taf_buf file = { 0 }, end = { 0 };

	for (uint64_t k = 0; k < arrays; k++) {
		put_rsf(&file, &a, !known ? TAF_NEXT_UNKNOWN : k + 1 < arrays ?
		    TAF_NEXT_YES : TAF_NEXT_NO);
		for (uint64_t i = 0; i < n; i++)
			must(taf_buf_put(&file, &(double){ value(first + k, i) },
			    sizeof(double), &e) == TAF_OK);
	}
	must(taf_rsf_format_end(arrays, &end, &e) == TAF_OK);
	must(taf_buf_put(&file, end.data, known ? 0 : end.len, &e) == TAF_OK);
	put_file(path, file.data, file.len);
	taf_buf_free(&file);
	taf_buf_free(&end);
	taf_array_fini(&a);
}

/* The arrays from..to of a file are the sums, of operands with so many arrays. */
static void
check_sums(const char *path, uint64_t from, uint64_t to, uint64_t n,
    const uint64_t arrays[OPERANDS])
{
	struct taf_array a = { 0 };
	struct taf_reader *r = NULL;

	must(taf_reader_open(&r, path, 0, &e) == TAF_OK);
	for (uint64_t s = from; s <= to; s++) {
		if (!CHECK(taf_reader_next(r, &a, &e) == TAF_OK) ||
		    !CHECK(taf_array_count(&a) == n))
			break;
		for (uint64_t i = 0; i < n; i++) {
			double got, want = 0;

			for (unsigned k = 0; k < OPERANDS; k++)
				want += 2 * value(10 * k + (arrays[k] > 1 ? s : 0), i) +
				    1;
			must(taf_reader_read(r, &got, 1, &e) == TAF_OK);
			if (got != want && !CHECK(got == want))
				break;
		}
	}
	CHECK(taf_reader_next(r, &a, &e) == TAF_END);
	taf_reader_close(r);
	taf_array_fini(&a);
}

/* Operand which (or none) comes through a pipe. */
static void
check_run(const uint64_t arrays[OPERANDS], uint64_t n, bool known, int which)
{
	const char *words[] = { "unit", "-o", "out", which == 0 ? "-" : "0.rsf",
		which == 1 ? "-" : "1.rsf", "-N", "2" };
	const char *pipe = which == 0 ? "0.rsf" : which == 1 ? "1.rsf" : NULL;
	const uint64_t steps = arrays[0] > arrays[1] ? arrays[0] : arrays[1];

	make("0.rsf", 0, arrays[0], n, known);
	make("1.rsf", 10, arrays[1], n, known);
	CHECK_INT(run(pipe, 5, words), 0);
	check_sums("out", 0, steps - 1, n, arrays);
	CHECK_INT(run(pipe, 7, words), steps > 1 ? 0 : 3);
	if (steps > 1)
		check_sums("out", 1, 1, n, arrays);
}

static void
together(void)
{
	static const uint64_t arrays[][OPERANDS] =
	    { { 1, 1 }, { 3, 3 }, { 3, 1 }, { 1, 3 } };

	for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
		for (int which = -1; which < OPERANDS; which++) {
			check_run(arrays[i], FEW, true, which);
			check_run(arrays[i], FEW, false, which);
			check_run(arrays[i], MANY, false, which);
		}
}

static void
check_refused(const char *pipe, const char *first, const char *second, const char *text,
    bool before)
{
	const char *words[] = { "unit", first, second };
	struct taf_buf said, out;

	CHECK_INT(run(pipe, 3, words), 3);
	said = get_file("err");
	out = get_file("stdout");
	CHECK_STR(said.data, text);
	CHECK((out.len == 0) == before);
	taf_buf_free(&said);
	taf_buf_free(&out);
}

static void
counts_that_differ(void)
{
	make("2.rsf", 0, 2, MANY, true);
	make("3.rsf", 10, 3, MANY, true);
	check_refused(NULL, "2.rsf", "3.rsf", "unit: 3.rsf: 3 arrays, but 2.rsf has 2\n",
	    true);
	check_refused(NULL, "3.rsf", "2.rsf", "unit: 3.rsf: 3 arrays, but 2.rsf has 2\n",
	    true);
	check_refused("3.rsf", "-", "2.rsf",
	    "unit: standard input: 3 arrays, but 2.rsf has 2\n", false);
	check_refused("2.rsf", "3.rsf", "-",
	    "unit: 3.rsf: 3 arrays, but standard input has 2\n", false);
}

/* The second step has lengths that do not go together. */
static void
shapes_that_differ(void)
{
	make("0.rsf", 0, 1, FEW, true);
	make("1.rsf", 0, 1, FEW + 1, true);
	make("2.rsf", 0, 2, FEW, true);
	must(system("cat 0.rsf 1.rsf >3.rsf") == 0);
	check_refused(NULL, "2.rsf", "3.rsf",
	    "unit: 3.rsf: dimension 1: length 7, but the arrays before have 6\n", true);
}

int
main(void)
{
	must(setenv("TAF_HISTORY", "off", 1) == 0);
	UNIT(together);
	UNIT(counts_that_differ);
	UNIT(shapes_that_differ);
	must(system("rm -f ?.rsf err out stdout") == 0);
	return unit_end();
}
