/* Captures of instruments to arrays: what the converters from vendors' formats share. */
#ifndef TAF_CLI_CAPTURE_H
#define TAF_CLI_CAPTURE_H

#include "cli/cmd.h"
#include "codec/capture.h"
#include "kernel/convert.h"

/* What becomes of the records. */
struct cmd_capture {
	bool matrix;			/* side by side as the columns of one array */
	bool convert;			/* to values of this type */
	enum taf_type type;
	bool clip;			/* what does not fit it */
	struct taf_convert_count count;	/* of the values converted so far */
};

/* Describe every record once, and see whether they can become what is wanted. */
TAF_MUST enum taf_status cmd_capture_check(const struct taf_capture *c,
    const struct cmd_capture *how, struct taf_err *e);

/* Write the arrays of a checked capture. */
TAF_MUST enum taf_status cmd_capture_write(const struct taf_capture *c,
    struct cmd_capture *how, struct cmd_import *im, struct taf_err *e);

/*
 * A command that is nothing but a converter of one vendor's format: every record of
 * every operand is an array of the output.
 */
int cmd_capture_main(const struct cmd *self, taf_capture_decode *decode, int argc,
    char **argv);

/* Its options, and the flags they go with. */
extern const struct cmd_option cmd_capture_options[];
enum { CMD_CAPTURE = CMD_STREAM | CMD_PICK | CMD_TO_TAF };

#endif
