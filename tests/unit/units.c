/* SPDX-License-Identifier: ISC */
/* Units: inverses, products, quotients, and text that is none of them. */
#include "array/unit.h"

#include "unit.h"

typedef enum taf_status combine(struct taf_buf *to, const char *a, const char *b,
    struct taf_err *e);

static const char *
made(struct taf_buf *b)
{
	return b->data == NULL ? "" : b->data;
}

static void
inverse(const char *unit, const char *want)
{
	struct taf_buf b = { NULL, 0, 0 };
	struct taf_err e = { 0 };

	CHECK_INT(taf_unit_inverse(&b, unit, &e), TAF_OK);
	CHECK_STR(made(&b), want);
	taf_buf_free(&b);
}

static void
combined(combine *how, const char *a, const char *b, const char *want)
{
	struct taf_buf buf = { NULL, 0, 0 };
	struct taf_err e = { 0 };

	CHECK_INT(how(&buf, a, b, &e), TAF_OK);
	CHECK_STR(made(&buf), want);
	taf_buf_free(&buf);
}

static void
test_inverse(void)
{
	static const char *const both[][2] = {
		{ "s", "Hz" }, { "ms", "kHz" }, { "us", "MHz" }, { "ns", "GHz" },
		{ "ps", "THz" }, { "fs", "PHz" }, { "m", "1/m" }, { "min", "1/min" },
		{ "m^2", "1/m^2" }, { "kg m", "1/(kg m)" }, { "m/s", "s/m" },
		{ "V/(m s^2)", "m s^2/V" },
	};
	size_t i;

	for (i = 0; i < sizeof both / sizeof both[0]; i++) {
		inverse(both[i][0], both[i][1]);
		inverse(both[i][1], both[i][0]);
	}
	inverse("\xc2\xb5s", "MHz");
	inverse("\xce\xbcs", "MHz");
	inverse("1 / m", "m");
	inverse("kg*m", "1/(kg m)");
	inverse("S", "1/S");
	inverse("log(V/s)", "1/log(V/s)");
	inverse("a)b", "1/(a)b)");
	inverse("", "");
	inverse(NULL, "");
}

static void
test_products(void)
{
	combined(taf_unit_times, "V", "s", "V s");
	combined(taf_unit_times, "V/s", "s", "V");
	combined(taf_unit_times, "V s", "s", "V s^2");
	combined(taf_unit_times, "V", "V", "V^2");
	combined(taf_unit_times, "m/s^2", "s", "m/s");
	combined(taf_unit_times, "1/s", "s", "");
	combined(taf_unit_times, "V", "1/m", "V/m");
	combined(taf_unit_times, "V^2/Hz", "Hz", "V^2");
	combined(taf_unit_per, "V", "s", "V/s");
	combined(taf_unit_per, "V/s", "s", "V/s^2");
	combined(taf_unit_per, "V s", "s", "V");
	combined(taf_unit_per, "V s^2", "s", "V s");
	combined(taf_unit_per, "V/m", "s", "V/(m s)");
	combined(taf_unit_per, "V/m/kg", "s", "V/(m kg s)");
	combined(taf_unit_per, "V/(m kg)", "kg", "V/(m kg^2)");
	combined(taf_unit_per, "V^2", "Hz", "V^2/Hz");
	combined(taf_unit_per, "V", "V", "");
	combined(taf_unit_per, "V", "1/m", "V m");
	combined(taf_unit_per, "s^-2", "s", "1/s^3");
	combined(taf_unit_per, "V/s V", "s", "V^2/s^2");
}

/* Nobody knows what a value without a unit is: it is not made to be 1. */
static void
test_unknown(void)
{
	static combine *const all[] = { taf_unit_times, taf_unit_per };
	size_t i;

	for (i = 0; i < 2; i++) {
		combined(all[i], "V", "", "");
		combined(all[i], "V", NULL, "");
		combined(all[i], "", "s", "");
		combined(all[i], NULL, "s", "");
		combined(all[i], "", "", "");
	}
}

static void
test_any_text(void)
{
	static const char *const odd[] = {
		"V^x", "V^", "V^0", "V^100", "^2", "/", "//", "V/", "V//s", "V/(s",
		"V/(s m", ")", "(", "V^2x", "V/()", "V^99999999999999999999",
	};
	char want[512], many[400] = "";
	size_t i;

	for (i = 0; i < sizeof odd / sizeof odd[0]; i++) {
		(void)snprintf(want, sizeof want, "(%s)/s", odd[i]);
		combined(taf_unit_per, odd[i], "s", want);
		(void)snprintf(want, sizeof want, "s/(%s)", odd[i]);
		combined(taf_unit_per, "s", odd[i], want);
		(void)snprintf(want, sizeof want, "1/(%s)", odd[i]);
		inverse(odd[i], want);
	}
	combined(taf_unit_per, "log(V)", "s", "log(V)/s");
	combined(taf_unit_times, "log(V)/s", "s", "log(V)");
	combined(taf_unit_times, "(V/)/s", "s", "(V/)");
	combined(taf_unit_per, "%", "s", "%/s");
	combined(taf_unit_times, "V^99", "V", "(V^99) (V)");
	for (i = 0; i < 40; i++)
		(void)snprintf(many + strlen(many), sizeof many - strlen(many), "u%zu ",
		    i);
	(void)snprintf(want, sizeof want, "1/(%s)", many);
	inverse(many, want);
}

static void
test_along(void)
{
	struct taf_array a = { .ndim = 1 };
	struct taf_err e = { 0 };

	CHECK_INT(taf_attr_set(&a, "unit", TAF_OF_ARRAY, 0, "V", &e), TAF_OK);
	CHECK_INT(taf_attr_set(&a, "unit", TAF_OF_DIM, 2, "s", &e), TAF_OK);
	CHECK_INT(taf_unit_along(&a, 2, -1, &e), TAF_OK);
	CHECK_STR(taf_attr_get(&a, "unit", TAF_OF_ARRAY, 0), "V/s");
	CHECK_INT(taf_unit_along(&a, 2, 1, &e), TAF_OK);
	CHECK_STR(taf_attr_get(&a, "unit", TAF_OF_ARRAY, 0), "V");
	CHECK_INT(taf_unit_along(&a, 1, 1, &e), TAF_OK);
	CHECK(taf_attr_get(&a, "unit", TAF_OF_ARRAY, 0) == NULL);
	CHECK_STR(taf_attr_get(&a, "unit", TAF_OF_DIM, 2), "s");
	taf_array_fini(&a);
}

int
main(void)
{
	UNIT(test_inverse);
	UNIT(test_products);
	UNIT(test_unknown);
	UNIT(test_any_text);
	UNIT(test_along);
	return unit_end();
}
