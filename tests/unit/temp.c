/* Named temporary files: a process that makes many of them does not grow. */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "io/out.h"

/* Each is whole, and none stays behind; names are of all lengths. */
static void
many(void)
{
	const char *tmp = getenv("TMPDIR");
	char path[4096], dir[3000];
	struct taf_err e = { 0 };
	struct taf_out *out;
	char *before = NULL;
	int i;

	snprintf(dir, sizeof dir, "%s/taf-unit-XXXXXX", tmp != NULL ? tmp : "/tmp");
	if (!CHECK(mkdtemp(dir) != NULL))
		return;
	for (i = 0; i < 6000; i++) {
		if (i == 1000)
			before = sbrk(0);
		snprintf(path, sizeof path, "%s/%0*d", dir, 1 + i % 190, i);
		if (!CHECK(taf_out_create(&out, path, &e) == TAF_OK))
			break;
		taf_out_discard(out);
	}
	/* where malloc takes its memory elsewhere, this says nothing */
	CHECK((char *)sbrk(0) - before < 256 * 1024);
	CHECK(rmdir(dir) == 0);
}

int
main(void)
{
	UNIT(many);
	return unit_end();
}
