/* SPDX-License-Identifier: ISC */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void
taf_err_clear(struct taf_err *e)
{
	e->code = TAF_OK;
	e->sys = 0;
	e->name[0] = '\0';
	e->text[0] = '\0';
}

static enum taf_status
record(struct taf_err *e, enum taf_status code, int sys, const char *fmt, va_list ap)
    TAF_PRINTF(4, 0);

static enum taf_status
record(struct taf_err *e, enum taf_status code, int sys, const char *fmt, va_list ap)
{
	int n;
	size_t used;

	if (e->code != TAF_OK)
		return e->code;
	e->code = code;
	e->sys = sys;
	n = vsnprintf(e->text, sizeof e->text, fmt, ap);
	if (n < 0)
		e->text[0] = '\0';
	used = strlen(e->text);
	if (sys != 0 && used < sizeof e->text)
		(void)snprintf(e->text + used, sizeof e->text - used, ": %s",
		    strerror(sys));
	return code;
}

enum taf_status
taf_fail(struct taf_err *e, enum taf_status code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	code = record(e, code, 0, fmt, ap);
	va_end(ap);
	return code;
}

enum taf_status
taf_fail_sys(struct taf_err *e, const char *fmt, ...)
{
	enum taf_status code;
	int sys = errno != 0 ? errno : EIO;
	va_list ap;

	va_start(ap, fmt);
	code = record(e, TAF_ESYS, sys, fmt, ap);
	va_end(ap);
	errno = sys;
	return code;
}

enum taf_status
taf_fail_mem(struct taf_err *e)
{
	errno = ENOMEM;
	return taf_fail_sys(e, "memory");
}

void
taf_err_name(struct taf_err *e, const char *name)
{
	if (e->code != TAF_OK && e->name[0] == '\0' && name != NULL)
		(void)snprintf(e->name, sizeof e->name, "%s", name);
}
