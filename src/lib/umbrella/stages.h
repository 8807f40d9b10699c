/* SPDX-License-Identifier: ISC */
/* What each stage of a pipeline would make.  Only headers are read. */
#ifndef TAF_UMBRELLA_STAGES_H
#define TAF_UMBRELLA_STAGES_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "text/pages.h"

/*
 * Append what taf plan prints of a pipeline.  Its commands are looked for beside the
 * program self.  TAF_EUSAGE if the text is no pipeline.  If a stage refuses, the result
 * is its status, and e has its message.
 */
TAF_MUST enum taf_status cmd_stages(const char *pipeline, const char *self,
    const struct taf_pages *pages, bool json, struct taf_str *to, struct taf_err *e);

#endif
