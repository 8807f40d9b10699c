# SPDX-License-Identifier: ISC
load helper

@test "bounds by index keep what numpy's slices keep" {
	need numpy
	mktaf a.taf int16 7,5,3
	tafcrop -x 1=2:6:2 -x 2=-2:end -x 3=2 a.taf -o b.taf
	"$PYTHON" - <<'EOF'
import numpy as np
a = np.fromfile('a.taf', '<i2', 105, offset=1128).reshape(7, 5, 3, order='F')
b = np.fromfile('b.taf', '<i2', 9, offset=1128).reshape(3, 3, 1, order='F')
assert (b == a[1:6:2, 2:5, 1:2]).all()
h = np.fromfile('b.taf', np.dtype([('n', '<u8'), ('o', '<f8'), ('d', '<f8')]), 3, offset=1056)
assert list(h['n']) == [3, 3, 1] and list(h['o']) == [0.75, 2.5, 3.25]
assert list(h['d']) == [0.5, 0.5, 0.75]
EOF
}

@test "bounds by grid keep the points inside, in either order, with both ends" {
	mktaf a.taf uint8 9,2
	# dimension 1 runs from 0.5 by 0.25: 1, 1.25, 1.5 are points 3, 4, 5
	tafcrop -g 1=1:1.5 a.taf -o b.taf
	tafcrop -g 1=1.5:1 a.taf -o c.taf
	tafcrop -x 1=3:5 a.taf -o d.taf
	same b.taf c.taf
	same b.taf d.taf
	equal "$(tafprobe -k n1 b.taf) $(tafprobe -k o1 b.taf)" "3 1"
	tafcrop -g 1=1: a.taf -o e.taf
	equal "$(tafprobe -k n1 e.taf)" 7
}

@test "a grid with a negative step" {
	mktaf a.taf uint8 9,2
	tafadjust --step 1=-0.5 --start 1=2 a.taf -o b.taf
	tafcrop -g 1=0:1 b.taf -o c.taf
	equal "$(tafprobe -k o1 c.taf) $(tafprobe -k n1 c.taf)" "1 3"
}

@test "a step counts from the index bound, then the grid cuts" {
	mktaf a.taf uint8 9,2
	# indices 2 4 6 8 are 0.75 1.25 1.75 2.25
	tafcrop -x 1=2::2 -g 1=1:2 a.taf -o b.taf
	equal "$(tafprobe -k shape b.taf) $(tafprobe -k o1 b.taf) $(tafprobe -k d1 b.taf)" "2,2 1.25 0.5"
}

@test "the same from a file, a pipe and byte by byte" {
	mktaf a.taf int32 11,6,5
	tafcrop -x 1=2:10:3 -x 3=2:4 a.taf >want
	tafcrop -x 1=2:10:3 -x 3=2:4 <a.taf >b
	cat a.taf | tafcrop -x 1=2:10:3 -x 3=2:4 >c
	tafcrop a.taf | dd bs=1 2>/dev/null | tafcrop -x 1=2:10:3 -x 3=2:4 >d
	same want b
	same want c
	same want d
}

@test "standard input that stands behind something is read from there" {
	mktaf a.taf int32 11,6,5
	mktaf b.taf int16 7,2
	cat b.taf a.taf >both
	tafcrop -x 1=2:10:3 a.taf -o want.taf
	perl -e 'open F, "<", "both"; sysseek F, -s "b.taf", 0; open STDIN, "<&F";
		exec qw(tafcrop -x 1=2:10:3 -o got.taf)'
	same want.taf got.taf
}

@test "--squeeze drops lengths of 1 and renumbers labels" {
	mktaf a.taf int16 3,4,5
	tafadjust --label 2=row --label 3=shot a.taf -o l.taf
	tafcrop -x 2=2 --squeeze l.taf >b
	equal "$(tafprobe -k shape b) $(tafprobe -k label2 b)" "3,5 shot"
	tafcrop -x 1=1 --squeeze l.taf >d
	equal "$(tafprobe -k shape d) $(tafprobe -k label1 d)" "4,5 row"
	tafcrop -x 1=1 -x 2=2 -x 3=3 --squeeze l.taf >c
	equal "$(tafprobe -k ndim c)" 1
}

@test "in place: a smaller file under the same name" {
	mktaf a.taf int16 30,4
	cp a.taf b.taf
	tafcrop -x 1=3:20 a.taf -o want.taf
	chmod 2640 b.taf
	tafcrop -i -x 1=3:20 b.taf
	same want.taf b.taf
	equal "$(stat -c %a b.taf)" 2640
}

@test "every new file has the mode that umask leaves" {
	mktaf a.taf int16 7,5
	(umask 027 && tafcrop a.taf a.taf a.taf -o 'out-%d.taf' && tafcrop a.taf --out=data -o head.rsf)
	equal "$(stat -c %a out-1.taf out-2.taf out-3.taf data head.rsf | xargs)" "640 640 640 640 640"
}

@test "what selects nothing is refused, and no file appears" {
	mktaf a.taf int16 7,5
	refuse 3 tafcrop -x 1=8:9 a.taf -o b.taf
	refuse 3 tafcrop -x 1=5:4 a.taf -o b.taf
	refuse 3 tafcrop -g 1=100:200 a.taf -o b.taf
	refuse 3 tafcrop -x 3=1 a.taf -o b.taf
	[ ! -e b.taf ]
}

@test "malformed bounds are a wrong invocation" {
	mktaf a.taf int16 7,5
	for x in 1 1= 1=: 0=1 65=1 1=a 1=1:2:0 1=1:2:-1 1=1:2:3:4 =1:2 1=1.5; do
		[ "$x" = 1=: ] || refuse 2 tafcrop -x "$x" a.taf
	done
	refuse 2 tafcrop -x 1=1 -x 1=2 a.taf
	refuse 2 tafcrop -g 1=5 a.taf
	refuse 2 tafcrop -g 1=nan:2 a.taf
}

@test "-o through links: the file that they lead to, or will lead to" {
	mktaf a.taf int16 7,5
	tafcrop a.taf -o want.taf
	mkdir links files
	: >files/old.taf
	ln -s "$T/files/old.taf" links/absolute.taf
	ln -s ../files/new.taf links/relative.taf
	tafcrop a.taf -o links/absolute.taf
	tafcrop a.taf -o links/relative.taf
	[ -L links/absolute.taf ]
	[ -L links/relative.taf ]
	same want.taf files/old.taf
	same want.taf files/new.taf
	equal "$(ls -A links files | xargs)" 'files: new.taf old.taf links: absolute.taf relative.taf'
}

@test "--out: header and elements never go to one file" {
	mktaf a.taf int16 7,5
	refuse 2 tafcrop a.taf --out=h.rsf -o h.rsf
	ends 2 tafcrop a.taf --out=h.rsf >h.rsf
	[ ! -s h.rsf ]
	ln h.rsf g.rsf
	refuse 2 tafcrop a.taf --out=g.rsf -o h.rsf
	refuse 2 tafcrop -i -N 1 -x 1=2 a.taf
}

@test "a range that reaches outside is cut" {
	mktaf a.taf int16 7,5
	equal "$(tafcrop -x 1=5:99 a.taf | tafprobe -k n1)" 3
	equal "$(tafcrop -x 1=-99:2 a.taf | tafprobe -k n1)" 2
}

@test "-N counts the arrays of a pipe that stands before files" {
	mktaf long.taf int16 11,6
	mktaf short.taf int16 3,2
	tafcrop -N 2 -x 1=8 - long.taf short.taf < <(cat long.taf) >got.rsf
	tafcrop -x 1=8 long.taf >want.rsf
	same got.rsf want.rsf
}

@test "-N of a file whose last array is cut off writes nothing" {
	mktaf a.taf int16 4,3
	tafcat a.taf a.taf >two.rsf
	head -c -1 two.rsf >cut.rsf
	refuse 3 tafcrop -N 1 -x 1=2 cut.rsf
	refuse 3 tafmath -N 1 'a + 1' cut.rsf
	refuse 3 taf2npy -N 1 cut.rsf
}

@test "what lies outside an array is told as it was asked for" {
	mktaf a.taf int16 7,5
	refuse 3 tafcrop -x 1=20: a.taf
	equal "$(cat err)" 'tafcrop: a.taf: dimension 1: index 20: there are 7 points'
	refuse 3 tafcrop -x 2=:-9 a.taf
	equal "$(cat err)" 'tafcrop: a.taf: dimension 2: index -9: there are 5 points'
	refuse 3 tafcrop -x 1=6:2 a.taf
	equal "$(cat err)" 'tafcrop: a.taf: dimension 1: lower bound 6 is above 2'
}

@test "a grid that is no number is told, not compared with" {
	mktaf a.taf int16 7,5
	perl -e 'print pack "d<", "nan"' | dd of=a.taf bs=1 seek=1064 conv=notrunc 2>err
	refuse 3 tafcrop -g 1=1:2 a.taf
	equal "$(cat err)" 'tafcrop: a.taf: dimension 1: its grid is not a number'
}

@test "what lies outside the grid is told with the grid" {
	mktaf a.taf int16 7,5
	refuse 3 tafcrop -g 2=9:8 a.taf
	equal "$(cat err)" 'tafcrop: a.taf: dimension 2: no grid point lies within 8 to 9: the grid goes from 1.5 to 3.5'
}

@test "a folder that is not there is named" {
	mktaf a.taf int16 3,2
	refuse 4 tafcrop -x 1=2 -o none/sub/b.taf a.taf
	equal "$(cat err)" 'tafcrop: none/sub/b.taf: there is no folder none/sub'
	refuse 4 tafcrop -x 1=2 -o /none/b.taf a.taf
	equal "$(cat err)" 'tafcrop: /none/b.taf: there is no folder /none'
	refuse 4 tafcrop -x 1=2 -o /dev/full/b.taf a.taf
	equal "$(cat err)" 'tafcrop: /dev/full/b.taf: cannot write: Not a directory'
}

@test "parts of pairs lie in a TAF file as they come out of a pipe" {
	tafmath -n 3,100003 'rand(1) + I * rand(2)' -o pairs.rsf
	tafcrop -F taf pairs.rsf | cat >pipe.taf
	tafcrop -o file.taf pairs.rsf
	cmp pipe.taf file.taf
	printf before >>behind
	tafcrop -F taf pairs.rsf >>behind
	tail -c +7 behind | cmp pipe.taf
	tafmath -n 3,100003 'rand(1)' | tafcompare -q - <(tafmath 'real(a)' file.taf)
	tafmath -n 3,100003 'rand(2)' | tafcompare -q - <(tafmath 'imag(a)' file.taf)
}
