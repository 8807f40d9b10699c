/* SPDX-License-Identifier: ISC */
/* What work that has no caller at hand says: of its need, and of what it has met. */
#ifndef TAF_BASE_NEED_H
#define TAF_BASE_NEED_H

#include "base/attr.h"

/*
 * What the operations of this process are about to take, a line each: threads and their
 * memory, temporary files.  NULL, and nobody hears it.  Any thread may call.
 */
void taf_need_listen(void (*call)(void *ctx, const char *text), void *ctx);
void taf_need_say(const char *fmt, ...) TAF_PRINTF(1, 2);

/* What is worth a remark in the input of that name.  The same rules. */
typedef void taf_note(void *ctx, const char *name, const char *text);
void taf_note_listen(taf_note *call, void *ctx);
void taf_note_say(const char *name, const char *text);

#endif
