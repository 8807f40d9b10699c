/* What the stages of a pipeline would make, from headers alone. */
#ifndef TAF_UMBRELLA_STAGES_H
#define TAF_UMBRELLA_STAGES_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "text/pages.h"

/*
 * Append what taf plan prints of a pipeline, whose commands stand beside program self.
 * TAF_EUSAGE where it is none; where a stage refuses, its status and its message.
 */
TAF_MUST enum taf_status cmd_stages(const char *pipeline, const char *self,
    const struct taf_pages *pages, bool json, struct taf_str *to, struct taf_err *e);

#endif
