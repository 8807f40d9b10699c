/* SPDX-License-Identifier: ISC */
/* A tree of digests, and a list of them. */
#include <stdint.h>
#include <stdlib.h>

#include "io/in.h"
#include "op/digest/tree.h"
#include "target.h"
#include "text/digests.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_digests list = { .in = NULL };
	struct taf_err e = { 0 };
	struct taf_tree tree = { 0 };
	enum taf_status st;

	/* what it takes is as long as it says */
	if (taf_tree_parse(&tree, data, size, &e) == TAF_OK &&
	    taf_tree_differs(&tree, &tree) < tree.bytes)
		abort();
	taf_tree_free(&tree);
	taf_err_clear(&e);
	if (taf_in_mem(&list.in, data, size, &e) != TAF_OK)
		return 0;
	do {
		taf_err_clear(&e);
		st = taf_digests_next(&list, &e);
	} while (st == TAF_OK || st == TAF_EDATA);
	taf_digests_free(&list);
	taf_in_close(list.in);
	return 0;
}
