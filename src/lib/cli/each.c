/* Commands that print, and those that write another format. */
#include "cli/cmd.h"

#include "cli/private.h"

int
cmd_each(struct cmd_run *run, cmd_array_each *each, void *ctx)
{
	struct cmd_arrays all = cmd_arrays_of(run);
	enum taf_status st;

	if (cmd_out(run) == NULL)
		return cmd_end(run);
	while ((st = cmd_arrays_next(&all, &run->err)) != TAF_END) {
		if (st == TAF_OK)
			st = each(&all, ctx, &run->err);
		if (st != TAF_OK) {
			cmd_report(run, cmd_arrays_name(&all));
			cmd_arrays_pass(&all);
		}
	}
	cmd_arrays_close(&all);
	return cmd_end(run);
}

int
cmd_export(struct cmd_run *run, cmd_array_check *check, cmd_array_each *each,
    void (*done)(struct cmd_run *run, const void *ctx), void *ctx)
{
	struct cmd_arrays all = cmd_arrays_of(run);
	struct taf_err *e = &run->err;
	enum taf_status st;

	cmd_private_check_out(run);
	st = cmd_arrays_first(&all, check, ctx, e);
	while (st == TAF_OK) {
		if (check != NULL)
			st = check(ctx, &all.a, e);
		if (st == TAF_OK && cmd_out(run) == NULL)
			break;
		if (st == TAF_OK)
			st = each(&all, ctx, e);
		taf_err_name(e, cmd_arrays_name(&all));
		if (st == TAF_OK)
			st = cmd_arrays_next(&all, e);
	}
	if (st == TAF_END && done != NULL)
		done(run, ctx);
	if (st != TAF_OK && st != TAF_END)
		cmd_report(run, NULL);
	cmd_arrays_close(&all);
	return cmd_end(run);
}
