/* Commands that are nothing but a converter of one vendor's format. */
#ifndef TAF_CLI_VENDOR_H
#define TAF_CLI_VENDOR_H

#include "cli/cmd.h"
#include "codec/capture.h"

/* Every record of every operand is an array of the output. */
int cmd_vendor(const struct cmd *self, taf_capture_decode *decode, int argc, char **argv);

/* Its options, and the flags they go with. */
extern const struct cmd_option cmd_vendor_options[];
enum { CMD_VENDOR = CMD_STREAM | CMD_PICK | CMD_TO_TAF };

#endif
