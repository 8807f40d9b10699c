/* What work says of its need before it begins. */
#ifndef TAF_BASE_NEED_H
#define TAF_BASE_NEED_H

#include "base/attr.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What the operations of this process are about to take, a line each: threads and their
 * memory, temporary files.  NULL, and nobody hears it.  Any thread may call.
 */
void taf_need_listen(void (*call)(void *ctx, const char *text), void *ctx);
void taf_need_say(const char *fmt, ...) TAF_PRINTF(1, 2);

#ifdef __cplusplus
}
#endif

#endif
