# SPDX-License-Identifier: ISC
# FilesDaf stores that the tests make without our own programs.

# le CODE VALUE...: numbers as bytes, little-endian; CODE of perl's pack
le() {
	perl -e 'print pack "$ARGV[0]*", @ARGV[1 .. $#ARGV]' "$@"
}

# mkdaf STORE: version [1,0]; axes cell (c1 to c3) and gene (g1, g2); the scalars n and who;
# the vectors age (1.5 2.5 4.5), flag (Bool, sparse: 2), ss (strings, sparse: the 3rd), sv
# (0 -7 8), str; the matrices dm (dense, 1 to 6, in both layouts), sm (sparse: [1,1] 0.5, [3,1] 2,
# [2,2] -3, as cell/gene alone), strm (rows of a to f)
mkdaf() {
	local s=$1
	mkdir -p "$s/scalars" "$s/axes" "$s"/vectors/{cell,gene} \
		"$s"/matrices/{cell,gene}/{cell,gene}
	echo '{"version":[1,0]}' >"$s/daf.json"
	printf 'c1\nc2\nc3\n' >"$s/axes/cell.txt"
	printf 'g1\ng2\n' >"$s/axes/gene.txt"
	echo '{"type":"Int32","value":-70000}' >"$s/scalars/n.json"
	echo '{"value":"mouse \"x\"","type":"String"}' >"$s/scalars/who.json"
	echo '{"format":"dense","eltype":"Float32"}' >"$s/vectors/cell/age.json"
	le 'f<' 1.5 2.5 4.5 >"$s/vectors/cell/age.data"
	echo '{"format":"sparse","eltype":"Bool","indtype":"UInt32"}' >"$s/vectors/cell/flag.json"
	le 'L<' 2 >"$s/vectors/cell/flag.nzind"
	echo '{"format":"sparse","eltype":"String","indtype":"UInt16"}' >"$s/vectors/cell/ss.json"
	le 'S<' 3 >"$s/vectors/cell/ss.nzind"
	echo third >"$s/vectors/cell/ss.nztxt"
	echo '{"format":"sparse","eltype":"Int64","indtype":"Int32"}' >"$s/vectors/cell/sv.json"
	le 'l<' 2 3 >"$s/vectors/cell/sv.nzind"
	le 'q<' -7 8 >"$s/vectors/cell/sv.nzval"
	echo '{"format":"dense","eltype":"string"}' >"$s/vectors/gene/str.json"
	printf 'one\n\n' >"$s/vectors/gene/str.txt"
	echo '{"format":"dense","eltype":"Int16"}' | tee "$s/matrices/cell/gene/dm.json" \
		>"$s/matrices/gene/cell/dm.json"
	le 's<' 1 2 3 4 5 6 >"$s/matrices/cell/gene/dm.data"
	le 's<' 1 4 2 5 3 6 >"$s/matrices/gene/cell/dm.data"
	echo '{"format":"sparse","eltype":"Float32","indtype":"UInt32"}' \
		>"$s/matrices/cell/gene/sm.json"
	le 'L<' 1 3 4 >"$s/matrices/cell/gene/sm.colptr"
	le 'L<' 1 3 2 >"$s/matrices/cell/gene/sm.rowval"
	le 'f<' 0.5 2 -3 >"$s/matrices/cell/gene/sm.nzval"
	echo '{"format":"dense","eltype":"String"}' >"$s/matrices/cell/gene/strm.json"
	printf 'a\nc\ne\nb\nd\nf\n' >"$s/matrices/cell/gene/strm.txt"
}
