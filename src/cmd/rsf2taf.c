/* rsf2taf - any RSF to TAF: packed or split, native, xdr or text. */
#include "cli/cmd.h"

static const struct cmd self = {
	"rsf2taf", "convert RSF to TAF", "[-N K] [-o FILE] [file ...]",
	NULL, CMD_STREAM | CMD_PICK | CMD_TO_TAF,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	(void)intent, (void)in, (void)out, (void)plan, (void)e;
	return TAF_OK;
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter same = { .resolve = resolve };
	struct cmd_run *run = cmd_begin(&self, argc, argv);

	cmd_options(run, NULL);
	return cmd_filter(run, &same, NULL);
}
