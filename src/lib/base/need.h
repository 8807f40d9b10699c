/* SPDX-License-Identifier: ISC */
/* What work that has no caller at hand says: of its need, and of what it has met. */
#ifndef TAF_BASE_NEED_H
#define TAF_BASE_NEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

/*
 * What the operations of this process are about to take, a line each: threads and their
 * memory, temporary files.  NULL, and nobody hears it.  Any thread may say something;
 * call is called by one at a time, and says nothing itself.
 */
void taf_need_listen(void (*call)(void *ctx, const char *text), void *ctx);
void taf_need_say(const char *fmt, ...) TAF_PRINTF(1, 2);

/*
 * What a run would take, in bytes.  A plan runs an operation up to its elements: whoever
 * would move them adds what that takes, and ends.
 */
struct taf_needs {
	uint64_t memory;	/* at a time, what malloc gives included */
	uint64_t beside;	/* of it what work would take by itself */
	uint64_t temporary;	/* in files, at a time */
	uint64_t files;		/* written to such files, and read from them */
	uint64_t again;		/* read more than once */
	uint64_t output;	/* of elements in another format */
	bool waits;		/* the first result needs the last element */
	bool piped;		/* set before: standard input stands for a pipe */
	bool shaped;		/* elements that are looked at tell the mapping alone */
	uint64_t unread;	/* of elements that were said to be zeros */
};
#define TAF_NEED_MOST UINT64_MAX	/* not known */

/* From now on this is a plan, of these needs; with NULL it is none.  One thread. */
void taf_need_ask(struct taf_needs *n);

/* Those needs; NULL where this is a run, in which the calls below do nothing. */
struct taf_needs *taf_need_asked(void);

/* These are added: what work takes beside its tiles; what is read again. */
void taf_need_beside(uint64_t bytes);
void taf_need_again(uint64_t bytes);

/* Elements go out in another format. */
void taf_need_output(uint64_t bytes);

/* A temporary file that is mapped, and one that is written and read. */
void taf_need_map(uint64_t bytes);
void taf_need_file(uint64_t bytes);

/* Does the first result need the last element?  One that does is enough. */
void taf_need_wait(bool waits);

/* What is looked at before the output tells no lengths and no grid, but the mapping. */
void taf_need_shaped(void);

/* Has a plan a file in the place of a pipe, which would be this descriptor? */
bool taf_need_piped(int fd);

/* Of a plan: elements would move now, with so many bytes of memory.  TAF_END. */
enum taf_status taf_need_end(uint64_t bytes, struct taf_err *e);

/* Is st that end, and more to come?  Then e is cleared. */
bool taf_need_goes_on(enum taf_status st, struct taf_err *e);

/* Of a plan: elements would be read.  A few are zeros; with these the plan ends. */
TAF_MUST enum taf_status taf_need_read(void *to, size_t n, struct taf_err *e);

/* What is worth a remark in the input of that name.  The same rules. */
typedef void taf_note(void *ctx, const char *name, const char *text);
void taf_note_listen(taf_note *call, void *ctx);
void taf_note_say(const char *name, const char *text);

#endif
