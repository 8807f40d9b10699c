/*
 * A change of a FilesDaf store: axes and an item are added, and all is looked at first.
 */
#ifndef TAF_FORMAT_DAF_CHANGE_H
#define TAF_FORMAT_DAF_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "format/daf_put.h"
#include "stream/service.h"

/* Zero-initialise; what is asked for is then set. */
struct taf_daf_change {
	bool create;			/* make the store if it is not there */
	bool force;			/* overwrite the item if it is there */
	bool item;			/* put says an item */
	struct taf_daf_given put;
	struct taf_daf_axis *axis;	/* those that are to be added */
	size_t naxes;
	struct taf_daf store;		/* empty as long as it is not there */
};

/*
 * Ask for an axis, AXIS=FILE, or for an item; arg is kept.  TAF_EUSAGE where it is not
 * that.
 */
TAF_MUST enum taf_status taf_daf_change_axis(struct taf_daf_change *c, const char *arg,
    struct taf_err *e);
TAF_MUST enum taf_status taf_daf_change_item(struct taf_daf_change *c, const char *arg,
    struct taf_err *e);

/*
 * Ask for an element type by any of its names; TAF_EUSAGE where a store has none of it.
 */
TAF_MUST enum taf_status taf_daf_change_type(struct taf_daf_change *c, const char *arg,
    struct taf_err *e);

/*
 * Look at the store at path and read the new axes.  TAF_EDATA where something is in the
 * way.  The item has its lengths then.  Nothing is changed.
 */
TAF_MUST enum taf_status taf_daf_change_look(struct taf_daf_change *c, const char *path,
    struct taf_err *e);

/* The item was taken (taf_daf_taken): make all that is asked for. */
TAF_MUST enum taf_status taf_daf_change_make(struct taf_daf_change *c, const char *path,
    const struct taf_service *service, struct taf_err *e);

void taf_daf_change_free(struct taf_daf_change *c);

/*
 * Write the layout that a parsed matrix, p->item, lacks: rows by columns, or columns by
 * rows.  With force, and both there, that which it does not name is written anew.  The
 * layout that is read is not changed.  TAF_EDATA where both are there, for an axis with
 * itself, or where the item is faulty: nothing is changed then.  Strings are held in memory.
 */
TAF_MUST enum taf_status taf_daf_relayout(const char *store, struct taf_daf_given *p,
    bool force, const struct taf_service *service, struct taf_err *e);

#endif
