/* Every rule about a TAF file (taf(5)), each looked at by itself. */
#ifndef TAF_CLI_CHECK_H
#define TAF_CLI_CHECK_H

#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"

enum cmd_finding {
	CMD_REMARK,	/* sound, but worth a look */
	CMD_FINDING,	/* against the rules */
	CMD_LEGACY	/* the same, and can be mended */
};

/*
 * Look at a seekable input and call say for each finding.  Returns what say or reading
 * fails with; a file that is no TAF file at all is a finding, not a failure.
 */
TAF_MUST enum taf_status cmd_check_file(struct taf_in *in, enum taf_status (*say)(void *ctx,
    enum cmd_finding kind, const char *text, struct taf_err *e), void *ctx,
    struct taf_err *e);

#endif
