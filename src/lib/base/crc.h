/* SPDX-License-Identifier: ISC */
/* Cyclic redundancy checks of 32 bits. */
#ifndef TAF_BASE_CRC_H
#define TAF_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/*
 * The check of some bytes and n more, from that of the bytes before, which is 0 for none:
 * CRC-32 as gzip and ZIP have it, and CRC-32C (Castagnoli).
 */
uint32_t taf_crc32(uint32_t crc, const void *p, size_t n);
uint32_t taf_crc32c(uint32_t crc, const void *p, size_t n);

#endif
