/* SPDX-License-Identifier: ISC */
/* link: hdf5 */
/* Keysight's HDF5: files that the library itself writes, in the layout of real ones. */
#include "codec/capture.h"

#include "config.h"
#include "unit.h"

#ifdef HAVE_HDF5

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/endian.h"

static const char path[] = "keysight_h5.test";

static void
put_double(hid_t at, const char *name, double v)
{
	hid_t space = H5Screate(H5S_SCALAR);
	hid_t a = H5Acreate2(at, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);

	CHECK(H5Awrite(a, H5T_NATIVE_DOUBLE, &v) >= 0);
	(void)H5Aclose(a);
	(void)H5Sclose(space);
}

static void
put_int(hid_t at, const char *name, int v)
{
	hid_t space = H5Screate(H5S_SCALAR);
	hid_t a = H5Acreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);

	CHECK(H5Awrite(a, H5T_NATIVE_INT, &v) >= 0);
	(void)H5Aclose(a);
	(void)H5Sclose(space);
}

/* Of fixed length, or of a variable one. */
static void
put_text(hid_t at, const char *name, const char *text, bool variable)
{
	hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
	hid_t a;

	(void)H5Tset_size(type, variable ? H5T_VARIABLE : strlen(text) + 1);
	a = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	CHECK(H5Awrite(a, type, variable ? (const void *)&text : text) >= 0);
	(void)H5Aclose(a);
	(void)H5Tclose(type);
	(void)H5Sclose(space);
}

/* n samples first, first + 1, ... of a type; chunked by 7 where that is said. */
static hid_t
put_data(hid_t at, const char *name, hid_t type, int first, hsize_t n, bool chunked)
{
	hid_t space = H5Screate_simple(1, &n, NULL), list = H5Pcreate(H5P_DATASET_CREATE),
	    d;
	hsize_t chunk = 7, i;
	int v[100];

	if (chunked)
		(void)H5Pset_chunk(list, 1, &chunk);
	d = H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
	for (i = 0; i < n; i++)
		v[i] = first + (int)i;
	CHECK(H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
	(void)H5Pclose(list);
	(void)H5Sclose(space);
	return d;
}

static hid_t
put_group(hid_t waves, const char *name, int segments)
{
	hid_t g = H5Gcreate2(waves, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	put_int(g, "NumSegments", segments);
	put_double(g, "XInc", 0.25);
	put_double(g, "XOrg", -2);
	put_double(g, "YInc", 0.5);
	put_double(g, "YOrg", 3);
	put_text(g, "XUnits", "Second", false);
	put_text(g, "YUnits", "Volt", strcmp(name, "Channel 2") == 0);
	return g;
}

static void
put_frame(hid_t file)
{
	struct frame {
		char model[12], serial[12], date[22];
	} f = { "MSO1", "MY1", "2020-01-02" };
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof f), text = H5Tcopy(H5T_C_S1), d;
	hid_t space = H5Screate(H5S_SCALAR);
	hid_t g = H5Gcreate2(file, "Frame", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	(void)H5Tset_size(text, 12);
	(void)H5Tinsert(type, "Model", 0, text);
	(void)H5Tinsert(type, "Serial", 12, text);
	(void)H5Tset_size(text, 22);
	(void)H5Tinsert(type, "Date", 24, text);
	d = H5Dcreate2(g, "TheFrame", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	CHECK(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &f) >= 0);
	(void)H5Dclose(d);
	(void)H5Gclose(g);
	(void)H5Sclose(space);
	(void)H5Tclose(text);
	(void)H5Tclose(type);
}

static hid_t
begin(hid_t *waves)
{
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

	CHECK(file >= 0);
	*waves = H5Gcreate2(file, "Waveforms", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	return file;
}

/* Decode the file; the number of records, or 0 with e set. */
static uint64_t
decode(struct taf_in **in, struct taf_capture *c, struct taf_err *e)
{
	taf_err_clear(e);
	*in = NULL;
	CHECK_INT(taf_in_open(in, path, e), TAF_OK);
	return taf_keysight_h5_decode(c, *in, e) == TAF_OK ? c->nrecords : 0;
}

static void
end(struct taf_in *in, struct taf_capture *c)
{
	taf_capture_fini(c);
	taf_in_close(in);
	(void)unlink(path);
}

/* Record k of the file as 64-bit numbers; -1 where it is refused. */
static int
samples(const struct taf_capture *c, uint64_t k, struct taf_record *r, double *v,
    struct taf_err *e)
{
	struct taf_out *out = NULL;
	unsigned char room[800];
	FILE *f = tmpfile();
	size_t size, i, n;

	if (taf_capture_record(c, k, r, e) != TAF_OK)
		return -1;
	size = taf_type_size(r->array.type);
	n = (size_t)taf_array_count(&r->array);
	CHECK(f != NULL && n * size <= sizeof room);
	CHECK_INT(taf_out_fd(&out, dup(fileno(f)), "temporary", e), TAF_OK);
	CHECK_INT(c->unpack(c, k, r, out, e), TAF_OK);
	CHECK_INT(taf_out_commit(out, e), TAF_OK);
	CHECK_EQ(pread(fileno(f), room, sizeof room, 0), n * size);
	(void)fclose(f);
	for (i = 0; i < n; i++)
		v[i] = r->array.type == TAF_FLT32 ?
		    (double)taf_getf32(room + 4 * i, taf_host_is_big()) :
		    r->array.type == TAF_INT16 ?
		    (int16_t)taf_get16(room + 2 * i, taf_host_is_big()) : (int8_t)room[i];
	return (int)n;
}

static const char *
attribute(const struct taf_record *r, const char *key)
{
	const char *v = taf_attr_get(&r->array, key, TAF_OF_ARRAY, 0);

	return v != NULL ? v : "";
}

static void
sources_in_natural_order(void)
{
	static const char *const names[] = { "Channel 10", "Channel 2", "Function 1",
	    "Channel 1" };
	static const char *const wanted[] = { "Channel 1", "Channel 2", "Channel 10",
	    "Function 1" };
	static const int first[] = { 40, 20, 10, 30 };
	struct taf_capture c = { 0 };
	struct taf_err e = { 0 };
	struct taf_in *in;
	hid_t waves, file = begin(&waves), g;
	char name[40];
	double v[100];
	int i, k;

	put_frame(file);
	put_int(waves, "NumWaveforms", 4);
	for (i = 0; i < 4; i++) {
		g = put_group(waves, names[i], 0);
		(void)snprintf(name, sizeof name, "%sData", names[i]);
		(void)H5Dclose(put_data(g, name,
		    i % 2 == 0 ? H5T_IEEE_F32LE : H5T_IEEE_F32BE, 10 * (i + 1), 20,
		    i < 2));
		(void)H5Gclose(g);
	}
	(void)H5Gclose(waves);
	(void)H5Fclose(file);
	CHECK_EQ(decode(&in, &c, &e), 4);
	for (i = 0; i < 4; i++) {
		struct taf_record r;

		CHECK_INT(samples(&c, (uint64_t)i, &r, v, &e), 20);
		CHECK_STR(attribute(&r, "channel"), wanted[i]);
		CHECK_STR(attribute(&r, "unit"), "V");
		CHECK_STR(attribute(&r, "instrument"), "MSO1");
		CHECK_STR(attribute(&r, "serial"), "MY1");
		CHECK_STR(attribute(&r, "date"), "2020-01-02");
		/* floats are volts already */
		CHECK(r.array.type == TAF_FLT32 && !taf_array_mapped(&r.array));
		CHECK(r.array.dim[0].start == -2 && r.array.dim[0].step == 0.25);
		for (k = 0; k < 20; k++)
			CHECK(v[k] == first[i] + k);
		taf_array_fini(&r.array);
	}
	end(in, &c);
}

static void
segments_of_integers(void)
{
	struct taf_capture c = { 0 };
	struct taf_err e = { 0 };
	struct taf_in *in;
	hid_t waves, file = begin(&waves), g = put_group(waves, "Channel 1", 11), d;
	char name[40];
	double v[100];
	int i, k;

	for (i = 1; i <= 11; i++) {
		(void)snprintf(name, sizeof name, "Channel 1 Seg%dData", i);
		d = put_data(g, name, i % 2 == 0 ? H5T_STD_I16BE : H5T_STD_I8LE, 5 * i,
		    15, true);
		put_double(d, "SegmentedXOrg", -2 + i / 64.0);
		put_double(d, "SegmentedTimeTag", i * 0.5);
		(void)H5Dclose(d);
	}
	(void)H5Gclose(g);
	(void)H5Gclose(waves);
	(void)H5Fclose(file);
	CHECK_EQ(decode(&in, &c, &e), 11);
	for (i = 1; i <= 11; i++) {
		struct taf_record r;

		CHECK_INT(samples(&c, (uint64_t)i - 1, &r, v, &e), 15);
		CHECK_INT(r.array.type, i % 2 == 0 ? TAF_INT16 : TAF_INT8);
		CHECK(r.array.intercept == 3 && r.array.slope == 0.5);
		CHECK(r.array.dim[0].start == -2 + i / 64.0);
		for (k = 0; k < 15; k++)
			CHECK(v[k] == 5 * i + k);
		taf_array_fini(&r.array);
	}
	end(in, &c);
}

static void
refuse(hid_t waves, hid_t file)
{
	struct taf_capture c = { 0 };
	struct taf_err e = { 0 };
	struct taf_in *in;
	uint64_t n;

	(void)H5Gclose(waves);
	(void)H5Fclose(file);
	n = decode(&in, &c, &e);
	if (n > 0) {
		struct taf_record r;

		CHECK(taf_capture_record(&c, 0, &r, &e) != TAF_OK);
		taf_array_fini(&r.array);
	}
	CHECK(e.code == TAF_EDATA || e.code == TAF_ETRUNC);
	end(in, &c);
}

static void
what_is_not_there_is_refused(void)
{
	hid_t waves, file = begin(&waves), g;

	(void)H5Ldelete(file, "Waveforms", H5P_DEFAULT);
	refuse(waves, file);

	file = begin(&waves);
	g = put_group(waves, "Channel 1", 3);
	(void)H5Dclose(put_data(g, "Channel 1 Seg1Data", H5T_IEEE_F32LE, 0, 5, false));
	(void)H5Dclose(put_data(g, "Channel 1 Seg3Data", H5T_IEEE_F32LE, 0, 5, false));
	(void)H5Gclose(g);
	refuse(waves, file);

	file = begin(&waves);
	put_int(waves, "NumWaveforms", 2);
	g = put_group(waves, "Channel 1", 0);
	(void)H5Dclose(put_data(g, "Channel 1Data", H5T_IEEE_F32LE, 0, 5, false));
	(void)H5Gclose(g);
	refuse(waves, file);

	file = begin(&waves);
	g = put_group(waves, "Channel 1", 0);
	(void)H5Adelete(g, "XInc");
	(void)H5Dclose(put_data(g, "Channel 1Data", H5T_IEEE_F32LE, 0, 5, false));
	(void)H5Gclose(g);
	refuse(waves, file);
}

static void
other_files_are_not_followed(void)
{
	hid_t waves, file = begin(&waves), g, list, space, d;
	hsize_t n = 5;

	(void)H5Lcreate_external("other.h5", "/Channel 1", waves, "Channel 1",
	    H5P_DEFAULT, H5P_DEFAULT);
	refuse(waves, file);

	file = begin(&waves);
	g = put_group(waves, "Channel 1", 0);
	list = H5Pcreate(H5P_DATASET_CREATE);
	(void)H5Pset_external(list, "other.raw", 0, H5F_UNLIMITED);
	space = H5Screate_simple(1, &n, NULL);
	d = H5Dcreate2(g, "Channel 1Data", H5T_IEEE_F32LE, space, H5P_DEFAULT, list,
	    H5P_DEFAULT);
	CHECK(d >= 0);
	(void)H5Dclose(d);
	(void)H5Sclose(space);
	(void)H5Pclose(list);
	(void)H5Gclose(g);
	refuse(waves, file);
}

/* A length that nothing is stored for would become that many zeros. */
static void
lengths_without_data_are_refused(void)
{
	hid_t waves, file = begin(&waves), g = put_group(waves, "Channel 1", 0);
	hid_t list = H5Pcreate(H5P_DATASET_CREATE), space, d;
	hsize_t n = (hsize_t)1 << 40, chunk = 1000;

	(void)H5Pset_chunk(list, 1, &chunk);
	space = H5Screate_simple(1, &n, NULL);
	d = H5Dcreate2(g, "Channel 1Data", H5T_IEEE_F32LE, space, H5P_DEFAULT, list,
	    H5P_DEFAULT);
	CHECK(d >= 0);
	(void)H5Dclose(d);
	(void)H5Sclose(space);
	(void)H5Pclose(list);
	(void)H5Gclose(g);
	refuse(waves, file);
}

/* Give every signed 16-bit type of the file 65535 bits in its two bytes. */
static void
widen_types(void)
{
	static const unsigned char type[] = { 0x10, 8, 0, 0, 2, 0, 0, 0, 0, 0, 16, 0 };
	static unsigned char all[8192];
	FILE *f = fopen(path, "r+b");
	size_t n, i, found = 0;

	CHECK(f != NULL);
	n = fread(all, 1, sizeof all, f);
	for (i = 0; i + sizeof type <= n; i++)
		if (memcmp(all + i, type, sizeof type) == 0) {
			memset(all + i + 10, 0xff, 2);
			found++;
		}
	CHECK(found > 0 && n < sizeof all);
	CHECK(fseek(f, 0, SEEK_SET) == 0 && fwrite(all, 1, n, f) == n);
	(void)fclose(f);
}

/* The library's conversion of such numbers writes over its stack. */
static void
numbers_of_more_bits_than_they_have_are_refused(void)
{
	hid_t waves, file = begin(&waves), g = put_group(waves, "Channel 1", 0), type;
	hid_t space = H5Screate(H5S_SCALAR), a;
	struct taf_capture c = { 0 };
	struct taf_err e = { 0 };
	struct taf_in *in;

	(void)H5Dclose(put_data(g, "Channel 1Data", H5T_STD_I16LE, 0, 5, false));
	(void)H5Gclose(g);
	(void)H5Gclose(waves);
	(void)H5Fclose(file);
	widen_types();
	if (decode(&in, &c, &e) > 0) {
		struct taf_record r;

		CHECK(taf_capture_record(&c, 0, &r, &e) != TAF_OK);
		taf_array_fini(&r.array);
	}
	CHECK_INT(e.code, TAF_EDATA);
	end(in, &c);

	/* an attribute of such a type is none */
	file = begin(&waves);
	a = H5Acreate2(waves, "NumWaveforms", H5T_STD_I16LE, space, H5P_DEFAULT,
	    H5P_DEFAULT);
	(void)H5Aclose(a);
	g = put_group(waves, "Channel 1", 0);
	(void)H5Dclose(put_data(g, "Channel 1Data", H5T_IEEE_F32LE, 0, 5, false));
	(void)H5Gclose(g);
	(void)H5Gclose(waves);
	(void)H5Fclose(file);
	widen_types();
	CHECK(decode(&in, &c, &e) <= 1);
	end(in, &c);

	/* and samples of fewer */
	file = begin(&waves);
	g = put_group(waves, "Channel 1", 0);
	type = H5Tcopy(H5T_STD_I16LE);
	(void)H5Tset_precision(type, 12);
	(void)H5Dclose(put_data(g, "Channel 1Data", type, 0, 5, false));
	(void)H5Tclose(type);
	(void)H5Sclose(space);
	(void)H5Gclose(g);
	refuse(waves, file);
}

int
main(void)
{
	UNIT(sources_in_natural_order);
	UNIT(segments_of_integers);
	UNIT(what_is_not_there_is_refused);
	UNIT(other_files_are_not_followed);
	UNIT(lengths_without_data_are_refused);
	UNIT(numbers_of_more_bits_than_they_have_are_refused);
	return unit_end();
}

#else

static void
refused_by_name(void)
{
	static const unsigned char file[] = "\211HDF\r\n\032\n";
	struct taf_capture c = { 0 };
	struct taf_err e = { 0 };
	struct taf_in *in = NULL;

	CHECK_INT(taf_in_mem(&in, file, 8, &e), TAF_OK);
	CHECK_INT(taf_keysight_h5_decode(&c, in, &e), TAF_EDATA);
	CHECK(strstr(e.text, "HDF5") != NULL);
	taf_capture_fini(&c);
	taf_in_close(in);
}

int
main(void)
{
	UNIT(refused_by_name);
	return unit_end();
}

#endif
