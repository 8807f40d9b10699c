/* SPDX-License-Identifier: ISC */
/*
 * What a process may do from some point on: a decoder that a hostile file has taken over
 * can do no more.  By Landlock (files, from Linux 5.19 on) and seccomp (calls), each
 * where the system has it; nothing fails where it has not.
 */
#ifndef TAF_IO_RIGHTS_H
#define TAF_IO_RIGHTS_H

#include <stdbool.h>

/* To read; to make, change and remove files; all of that, and folders as well. */
enum taf_right { TAF_RIGHT_NONE, TAF_RIGHT_READ, TAF_RIGHT_CHANGE, TAF_RIGHT_TREE };

/* A list of what stays allowed, or -1 without Landlock, which the others take as well. */
int taf_rights_begin(void);

/* A file, or a folder and all below it; one that is not there is passed over. */
void taf_rights_allow(int rights, const char *path, enum taf_right right);
void taf_rights_allow_at(int rights, int fd, enum taf_right right);

/*
 * Give up all else, for this thread and what it starts: to open other files, to run
 * programs, and without network to speak to anybody.  Descriptors stay as they are.  The
 * list is closed.  Returned are the words of what does it.
 */
const char *taf_rights_drop(int rights, bool network);

/* What a command that decodes files needs. */
struct taf_confine {
	const char *file;		/* it reads this, or NULL, */
	const char *const *more;	/* and these n; NULL is passed over, */
	int n;
	/* with this right, and what lies beside them with that one; */
	enum taf_right right, beside;
	/* it writes these files, into this folder, and into this store what may lie */
	/* anywhere: each may be NULL */
	const char *output, *data, *folder, *store;
};

/* Give up all but that, files that are spooled, and what is open. */
const char *taf_confine(const struct taf_confine *c);

#endif
