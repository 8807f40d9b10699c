/* Pictures drawn by gnuplot. */
#ifndef TAF_CLI_GNUPLOT_H
#define TAF_CLI_GNUPLOT_H

#include "base/attr.h"
#include "base/err.h"
#include "cli/plot.h"
#include "io/out.h"

enum cmd_term { CMD_TERM_TEXT, CMD_TERM_SVG, CMD_TERM_PNG, CMD_TERM_PDF };

struct cmd_picture {
	enum cmd_term term;
	unsigned width, height;		/* pixels; characters of a text */
	const char *title;		/* NULL for none */
};

/*
 * Write the commands and the data that draw it on gnuplot's standard output.  Text from
 * files is quoted so that it is text and nothing else.
 */
TAF_MUST enum taf_status cmd_gnuplot_script(const struct cmd_plot *p,
    const struct cmd_picture *pic, struct taf_out *out, struct taf_err *e);

/*
 * Have gnuplot draw it, and what it has drawn written to out once it has ended well.
 * TAF_ESYS where it is missing or fails.
 */
TAF_MUST enum taf_status cmd_gnuplot_draw(const struct cmd_plot *p,
    const struct cmd_picture *pic, struct taf_out *out, struct taf_err *e);

#endif
