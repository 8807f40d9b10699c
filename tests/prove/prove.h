/* SPDX-License-Identifier: ISC */
/* What the harnesses for frama-c have in common: see run.sh. */
#ifndef TAF_PROVE_H
#define TAF_PROVE_H

/* nothing that configure finds: libraries are not looked at */
#define TAF_CONFIG_H

#include <__fc_builtin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stdbool.h>

#include "base/err.h"

/* true and false */
static inline bool
chance(void)
{
	return Frama_C_interval(0, 1) != 0;
}

/*
 * A failure formats its text where it stands, by a function of libc whose arguments the
 * prover knows how to check; the first one stays.
 */
#define taf_fail(e, what, ...) \
	((e)->code != TAF_OK ? (e)->code : \
	    (snprintf((e)->text, TAF_ERR_TEXT, __VA_ARGS__), (e)->code = (what)))
#define taf_fail_mem(e) \
	((e)->code != TAF_OK ? (e)->code : ((e)->code = TAF_ESYS))

#endif
