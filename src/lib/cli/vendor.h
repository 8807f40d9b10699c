/* SPDX-License-Identifier: ISC */
/* Commands that are nothing but a converter of one format. */
#ifndef TAF_CLI_VENDOR_H
#define TAF_CLI_VENDOR_H

#include "cli/cmd.h"
#include "codec/capture.h"

/*
 * Every record of every operand is an array of the output.  The options of self set
 * members of a struct taf_capture_import.
 */
int cmd_vendor(const struct cmd *self, taf_capture_decode *decode, int argc, char **argv);

/* Those of a vendor's format, and the flags that go with any. */
extern const struct cmd_option cmd_vendor_options[];
enum { CMD_VENDOR = CMD_STREAM | CMD_PICK | CMD_TO_TAF };

#endif
