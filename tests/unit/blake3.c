/* SPDX-License-Identifier: ISC */
/* kernel/digest/blake3: digests of 0, 1, ..., 250, 0, 1, ..., as b3sum has them. */
#include "kernel/digest/blake3.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void
test_lengths(void)
{
	static const size_t length[] = {
		0, 1, 63, 64, 65, 1023, 1024, 1025, 2049, 16384,
		16385, 102400, 1048576, 1048577, 2097152, 3145733,
	};
	static const char *const digest[] = {
		"af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
		"2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
		"e9bc37a594daad83be9470df7f7b3798297c3d834ce80ba85d6e207627b7db7b",
		"4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98",
		"de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee",
		"10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11",
		"42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
		"d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
		"5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030",
		"f875d6646de28985646f34ee13be9a576fd515f76b5b0a26bb324735041ddde4",
		"1dabe216be2578830263b049de1639f39f05a4da616b9b78c7a5e4e41662fd1f",
		"bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085",
		"74cb441fd087764ca9c3694da742ebe30cbeb3060a17009ca81825c7a8d10343",
		"2f053cd7472cf0cd2f9adaf45c1180255b91b9a865404a63671a0ee5f792ed33",
		"96fbba37478c16b7614c890b26832f67b541cf14e69ab8ebf0c739818588c9f1",
		"a7bb55bed0c04f58879d1fc1cafb27e14e931f4411fe63baf5b2d5a60357bffb",
	};
	unsigned char *p = malloc(3145733 + 1);
	char text[TAF_BLAKE3_TEXT];
	struct taf_blake3_node node;
	size_t i, k;

	for (i = 0; i < 3145733; i++)
		p[i + 1] = (unsigned char)(i % 251);
	for (k = 0; k < sizeof length / sizeof length[0]; k++) {
		/* from an odd address */
		node = taf_blake3(p + 1, length[k]);
		taf_blake3_text(&node, text);
		CHECK_STR(text, digest[k]);
	}
	free(p);
}

/* The root of total nodes, of which those from first to end were joined before. */
static struct taf_blake3_node
in_parts(const struct taf_blake3_node *node, uint64_t first, uint64_t end, uint64_t total)
{
	struct taf_blake3 all = { .n = 0 }, part = { .first = first, .pieces = first };
	unsigned i;

	while (all.pieces < first)
		taf_blake3_join(&all, &node[all.pieces]);
	while (part.pieces < end)
		taf_blake3_join(&part, &node[part.pieces]);
	for (i = 0; i < part.n; i++)
		taf_blake3_join_ahead(&all, &part.wait[i], end);
	CHECK_EQ(all.pieces, end);
	while (all.pieces < total)
		taf_blake3_join(&all, &node[all.pieces]);
	return taf_blake3_end(&all);
}

/* Wherever parts of a tree are joined, the root is that of all pieces in a row. */
static void
test_parts(void)
{
	enum { MOST = 35 };
	struct taf_blake3_node node[MOST], root;
	unsigned char bytes[TAF_BLAKE3_BYTES];
	uint64_t total, first, end, bad = 0;
	size_t i;

	for (i = 0; i < MOST; i++)
		node[i] = taf_blake3_piece(&i, 1, i, false);
	for (total = 2; total <= MOST; total++) {
		root = in_parts(node, 0, 0, total);
		for (first = 0; first < total; first++)
			for (end = first; end <= total; end++) {
				const struct taf_blake3_node got =
				    in_parts(node, first, end, total);

				bad += memcmp(&got, &root, sizeof root) != 0;
			}
	}
	CHECK_EQ(bad, 0);
	/* few wait, wherever they begin */
	for (i = 0, first = 1, end = UINT64_C(1) << 43; first < end; i++)
		first += taf_blake3_ahead(first, end);
	CHECK_EQ(i, 85);
	taf_blake3_put(bytes, &root);
	node[0] = taf_blake3_get(bytes);
	CHECK_MEM(node, &root, sizeof root);
}

int
main(void)
{
	UNIT(test_lengths);
	UNIT(test_parts);
	return unit_end();
}
