# SPDX-License-Identifier: ISC
# trc.sh -- for other scripts to read in
# shellcheck shell=sh

# trc_header BITS SAMPLES GAIN OFFSET STEP START NAME -- the header of a capture as a LeCroy
# digitizer writes it, for samples of 8 or 16 bits, low byte first, to follow.  A value is GAIN
# times its sample, less OFFSET, in volts; STEP and START are seconds.
trc_header()
{
	# shellcheck disable=SC2059 # octal numbers
	printf "$(awk -v bits="$1" -v samples="$2" -v gain="$3" -v offset="$4" -v step="$5" \
	    -v start="$6" -v name="$7" '
	function byte(b) {
		printf "\\%03o", b
		place++
	}
	# zeros up to there
	function at(where) {
		while (place < where)
			byte(0)
	}
	function whole(where, v, n) {
		at(where)
		while (n-- > 0) {
			byte(v % 256)
			v = int(v / 256)
		}
	}
	function text(where, s) {
		at(where)
		printf "%s", s
		place += length(s)
	}
	# a float of n bytes, whose mantissa has bits of them
	function real(where, v, n, bits, bias,  minus, e, m) {
		minus = v < 0
		if (minus)
			v = -v
		for (e = bias; v >= 2; v /= 2)
			e++
		for (; v > 0 && v < 1; v *= 2)
			e--
		m = v > 0 ? int((v - 1) * 2 ^ bits + 0.5) : 0
		if (v == 0)
			e = 0
		# low bytes first: as far as a double holds it all
		if (n == 8)
			whole(where, m % 2 ^ 32, 4)
		bits -= n == 8 ? 32 : 0
		whole(where + n - 4, (n == 8 ? int(m / 2 ^ 32) : m) + e * 2 ^ bits + minus * 2 ^ 31, 4)
	}
	BEGIN {
		text(0, "WAVEDESC")
		text(16, "LECROY_2_3")
		whole(32, bits / 8 - 1, 2)		# bytes or words
		whole(34, 1, 2)				# low byte first
		whole(36, 346, 4)
		whole(60, samples * bits / 8, 4)
		text(76, "DEMOSCOPE")
		whole(92, 4711, 4)
		text(96, name)
		whole(116, samples, 4)
		whole(144, 1, 4)
		real(156, gain, 4, 23, 127)
		real(160, offset, 4, 23, 127)
		real(176, step, 4, 23, 127)
		real(180, start, 8, 52, 1023)
		text(196, "V")
		text(244, "S")
		at(346)
	}')"
}
