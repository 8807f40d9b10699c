/* SPDX-License-Identifier: ISC */
/* kernel/digest/sha512: digests of 0, 1, ..., 250, 0, 1, ..., as hashlib has them. */
#include "kernel/digest/sha512.h"

#include <string.h>

#include "unit.h"

static void
test_lengths(void)
{
	static const struct {
		size_t n;
		const char *text;
	} known[] = {
		{ 0,
		    "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
		    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e" },
		{ 1,
		    "b8244d028981d693af7b456af8efa4cad63d282e19ff14942c246e50d9351d22"
		    "704a802a71c3580b6370de4ceb293c324a8423342557d4e5c38438f0e36910ee" },
		{ 110,
		    "51f2ba331c24541efec042cc66398d388348c4fedc3f77a4ddfda39752ae2880"
		    "c68e0465c15b07abfd93e16ba635ae7ca7d7e144018ade57607de8643992f50b" },
		{ 111,
		    "a1a111449b198d9b1f538bad7f3fc1022b3a5b1a5e90a0bc860de8512746cbc3"
		    "1599e6c834de3a3235327af0b51ff57bf7acf1974a73014d9c3953812edc7c8d" },
		{ 112,
		    "c5fbd731d19d2ae1180f001be72c2c1aaba1d7b094b3748880e24593b8e117a7"
		    "50e11c1bd867cc2f96dace8c8b74abd2d5c4f236be444e77d30d1916174070b9" },
		{ 113,
		    "61b2e77db697dfe5571fff3ed06bd60c41e1e7b7c08a80de01cb16526d9a9a52"
		    "d690dfbe792278a60f6e2b4c57a97c729773f26e258d2393890c985d645f6715" },
		{ 127,
		    "eab89674feaa34e27aebeeff3c0a4d70070bb872d5e9f186cf1dbbdee517b6e3"
		    "5724d629ff025a5b07185e911ada7e3c8acf830aa0e4f71777bd2d44f504f7f0" },
		{ 128,
		    "1dffd5e3adb71d45d2245939665521ae001a317a03720a45732ba1900ca3b835"
		    "1fc5c9b4ca513eba6f80bc7b1d1fdad4abd13491cb824d61b08d8c0e1561b3f7" },
		{ 129,
		    "1d9da57fbbdab09afb3506ab2d223d06109d65c1c8ad197f50138f714bc4c3f2"
		    "fe5787922639c680acad1c651f955990425954ce2cba0c5cc83f2667d878eb0f" },
		{ 239,
		    "cb4c7fd522756d5781ad3a4f590a1d862906b960e7720136cb3fb36b563caa1e"
		    "a5689134291fa79c80ccc2b4092b41df32ebdcb36dbe79db483440228c1622a8" },
		{ 240,
		    "6c48466c9f6c07e4ab762c696b7eeb35cfe236fca73683e5fab873ac3489b4d2"
		    "eb3d7afcce7e8165dbbf37aded3b5b0c889c0b7e0f1790a8330d8677429d91a5" },
		{ 255,
		    "e9746a5516961da1fdc8e6c59350cd147b7d80c120cc7ed621399faeb2462c28"
		    "f34217a13009a8e6a721f538356db9a9b64d9a5412e0fd07d24cac1315d95548" },
		{ 256,
		    "7ff1cd1e9773a4b7ba1f40e642db0d879bd5f6cc151a7d3401a0bc7778b8270c"
		    "108b530fb195f2383f4cec8cf05778e6af4db56811673371674cec1524488f83" },
		{ 1000,
		    "5096498d96f50f9a137c4db5b8b0cd38383ad55350fb5a98805fedc31fa1262f"
		    "1f0cf4d6f12d7ecd8dedd933a4c9126344fe22e937a8ad35fdeae1e876ae698b" },
		{ 4096,
		    "3b5e033c335c4a168b9b370c752db690ede9cc918abb9a2d18736536c83908dd"
		    "d4be0bef9018c9fc2b4700befa1d91bf12cee544e0c06cdcea822bf2ebdf36a2" },
	};
	unsigned char p[4096];
	char text[TAF_SHA512_TEXT];
	struct taf_sha512 s;
	size_t i, k, step, some;

	for (i = 0; i < sizeof p; i++)
		p[i] = (unsigned char)(i % 251);
	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		for (step = 1; step <= 4096; step = step * 3 + 1) {
			taf_sha512_begin(&s);
			for (k = 0; k < known[i].n; k += some) {
				some = known[i].n - k < step ? known[i].n - k : step;
				taf_sha512_add(&s, p + k, some);
			}
			taf_sha512_end(&s, text);
			CHECK_STR(text, known[i].text);
		}
}

int
main(void)
{
	UNIT(test_lengths);
	return unit_end();
}
