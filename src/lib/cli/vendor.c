#include "cli/vendor.h"

#include "format/capture_import.h"

enum { MATRIX = 256 };

const struct cmd_option cmd_vendor_options[] = {
	{ MATRIX, "matrix", NULL, "records side by side as columns of one array", OWN },
	{ 0 },
};

int
cmd_vendor(const struct cmd *self, taf_capture_decode *decode, int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(self, argc, argv);
	struct taf_capture_import want = { .decode = decode };
	const char *arg;
	int c;

	while ((c = cmd_option(run, NULL, &arg)) != 0)
		if (c == MATRIX)
			want.how.matrix = true;
	return cmd_import(run, taf_capture_look, taf_capture_import, &want);
}
