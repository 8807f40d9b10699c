# SPDX-License-Identifier: ISC
# What the tests of commands share that give points another order.

# points N1 NEW LIST1 LIST2 [LIST3 N2]: of an array of mktaf with n1 = N1 (and n2 = N2), in
# storage order, the elements with these indices from 0; "-" is a new one
points() {
	perl -e '
		my ($n1, $new, @list) = @ARGV;
		my $n2 = $list[3] // 1;
		for my $k (split / /, $list[2] // "0") {
			for my $j (split / /, $list[1]) {
				for my $i (split / /, $list[0]) {
					my $at = $i + $n1 * ($j + $n2 * $k);
					print "$i$j$k" =~ /-/ ? $new : ($at * 7 + 3) % 101, "\n";
				}
			}
		}
	' "$@"
}

# everywhere COMMAND ... FILE: the bytes are the same from a file and a pipe, for any memory and
# number of threads, and behind another array of a stream
everywhere() {
	local words=("${@:1:$#-1}") file=${*: -1} options
	"${words[@]}" -q "$file" >want || return 1
	for options in '-m 64k' '-m 1' '-J 1' '-m 4G -J 3'; do
		# shellcheck disable=SC2086
		"${words[@]}" -q $options "$file" >got && same want got || return 1
		# shellcheck disable=SC2002,SC2086 # a pipe is meant
		cat "$file" | "${words[@]}" -q $options >got && same want got || return 1
	done
	tafcrop "$file" "$file" | "${words[@]}" -q -N 2 >got && same want got
}
