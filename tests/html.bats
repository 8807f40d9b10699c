# SPDX-License-Identifier: ISC
# The manual in HTML: links, commands, pictures.

load helper

SRC=$BATS_TEST_DIRNAME/..

setup_file() {
	need mandoc gnuplot
	cd "$BATS_FILE_TMPDIR"
	sh "$SRC/tools/html.sh" "$SRC" html
}

# a manual of one chapter, which is standard input
chapter() {
	mkdir -p sources/man sources/doc/tutorial sources/tools
	ln -sf "$SRC"/tools/*.awk sources/tools
	ln -sfn "$SRC/examples" sources/examples
	cp "$SRC"/doc/s* sources/doc
	echo '# taftools' >sources/doc/index.md
	cp "$SRC"/man/taf.1 "$SRC"/man/tafcrop.1 sources/man
	cat >sources/doc/tutorial/1-only.md
}

@test "html: what a page links to is there" {
	cd "$BATS_FILE_TMPDIR/html"
	SRC=$SRC perl -e '
		my (%id, @links, $bad);
		for my $file (@ARGV) {
			open my $f, "<", $file or die;
			local $/;
			my $text = <$f>;
			$id{$file}{$1} = 1 while $text =~ /\bid="([^"]*)"/g;
			push @links, [$file, $1]
			    while $text =~ /\b(?:href|src)="([^"]*)"/g;
		}
		for (@links) {
			my ($file, $to) = @$_;
			# a page of ours is linked to where it lies
			if ($to =~ m|^https://.*/([^/]*)$|) {
				next if !-e "$ENV{SRC}/man/$1";
				print "$file: $to\n";
				$bad = 1;
			}
			my ($name, $place) = split /#/, $to, 2;
			$name = $file if $name eq "";
			next if -s $name && $name !~ m|/| &&
			    (!defined $place || $id{$name}{$place});
			print "$file: $to\n";
			$bad = 1;
		}
		print scalar(@links), " links\n";
		exit($bad || @links < 500)' *.html
}

@test "html: a line of a synopsis breaks between options alone, and a phone sees all" {
	cd "$BATS_FILE_TMPDIR/html"
	# each -x WORD and each [...] that no other encloses
	SYNOPSIS=$(sed -n '/<table class="Nm">/p' tafcrop.1.html)
	equal "$(grep -o '<span class="Op">\[' <<<"$SYNOPSIS" | wc -l)" 6
	run ! grep -q '</code> <var' <<<"$SYNOPSIS"
	equal "$(grep -L 'name="viewport"' ./*.html)" ''
	grep -q '^\.Fl, .*white-space: nowrap' style.css
	grep -q '^@media (prefers-color-scheme: dark)' style.css
	grep -q '^@media print' style.css
}

@test "html: the index has all pages and eight chapters, in their order" {
	cd "$BATS_FILE_TMPDIR/html"
	for page in "$SRC"/man/*.[1-9]; do
		grep -q "href=\"${page##*/}.html\"" index.html
	done
	equal "$(sed -n 's/.*<li><a href="\(.*\)\.html">.*/\1/p' index.html | xargs)" \
		"captures pipes computing signals velocity clusters formats remote"
	grep -q 'next: <a href="pipes.html">Pipes with Madagascar</a>' captures.html
	run ! grep 'next:' remote.html
}

@test "html: every command of the chapters is there, with what it prints" {
	cd "$BATS_FILE_TMPDIR/html"
	for chapter in "$SRC"/doc/*.md "$SRC"/doc/tutorial/*.md; do
		name=${chapter##*/}
		name=${name#[0-9]-}
		equal "$name $(grep -c '<b>\$ ' "${name%.md}.html")" \
			"$name $(awk '/^    / && !more { n++ } { more = /^    .*\\$/ }
			END { print n }' "$chapter")"
	done
	# computed by perl: the grid, and the integer that was put in, by the mapping
	want=$(perl -e '
		my $seed = 10000;
		$seed = ($seed * 16807 + 11) % 2147483647;
		printf "-1e-6 1 %.11f\n", 0.25 + ($seed % 401 - 200) / 8192')
	grep -qxF -- "$want" captures.html
	grep -qx 'status 3' pipes.html
}

@test "html: three pictures come first, and each question has lines and a picture" {
	cd "$BATS_FILE_TMPDIR/html"
	equal "$(sed '/<h2>/q' index.html | grep -c '<img ')" 3
	for have in captures cubes tables archives 'data far away'; do
		grep -q "<h2>I have $have, and want to</h2>" index.html
	done
	perl -0777 -ne '
		for (m|<section.*?</section>|gs) {
			my $lines = () = m|<b>\$ |g;
			print "$1\n" if /<h3>(.*)<\/h3>/ && (!$lines || !/<img |term<\/i> text|https:/);
			$n++;
		}
		END { print "$n sections\n" if $n < 40 }' index.html gallery.html >bare
	equal "$(<bare)" ''
	[ "$(grep -c '<img ' gallery.html)" -ge 24 ]
}

@test "html: what the pages on speed and rightness show is so" {
	cd "$BATS_FILE_TMPDIR/html"
	equal "$(grep -c '^<tr><td>' fast.html)" \
		"$(cat "$SRC/doc/fast.md" "$SRC/tests/bench/RESULTS.md" |
		awk '/^[|]/ { n++ } /^[|]:/ { n -= 2 } END { print n }')"
	grep -q '<td>cat | cat</td>' fast.html
	equal "$(grep -c '^[0-9a-f]\{64\}  -$' right.html)" 3
	equal "$(grep '^[0-9a-f]\{64\}  -$' right.html | sort -u | wc -l)" 1
	equal "$(grep '^status' right.html | xargs)" 'status 3 status 3 status 4'
	grep -qx 'no file is left' right.html
	# four thousand of the normal distribution, within four deviations
	grep -x '0\.[0-9]*' right.html | perl -e '
		my ($one, $two) = map { 0 + $_ } <STDIN>;
		exit !(abs($one - 0.6827) < 0.03 && abs($two - 0.9545) < 0.014)'
}

@test "html: the search finds pages and sections by the words of users" {
	cd "$BATS_FILE_TMPDIR/html"
	# the rows are JSON, and what they point to is there
	perl -ne '
		next unless /^\["/;
		my ($file, $id) = /^\["([^"#]*)(?:#([^"]*))?", "(?:[^"\\]|\\.)+"(?:, "(?:[^"\\]|\\.)*"){3}\],$/;
		open my $f, "<", $file // "" or die $_;
		local $/;
		die $_ if defined $id && <$f> !~ /<section id="$id">/;
		$n++;
		END { exit($n < 140) }' search.js
	row() { grep "^\[\"$1\"" search.js; }
	row tafpeaks.1.html | grep -q '", ".*\bjitter\b.*", "'
	row 'gallery.html#s[0-9]*' | grep -q 'Wiggles", "", "", ".*\btafplot\b'
	equal "$(row index.html | wc -l)" 1
	command -v node >/dev/null || skip 'node is missing'
	for words in 'png tafplot' 'medians tafreduce' 'Moving average tafsmooth' 's3 taf-remote' \
		'find jitter tafpeaks'; do
		{ cat search.js; echo "search('${words% *}').forEach(p => console.log(p[1]))"; } |
			node - | grep -q "^${words##* }("
	done
	# what has all words, or else what has some
	equal "$({ cat search.js; echo "console.log(search('wibble').length,
		search('tafplot wibble')[0][1], search('memory')[0][1])"; } | node -)" '0 tafplot(1) taf(7)'
}

@test "html: each picture is drawn, and is another" {
	cd "$BATS_FILE_TMPDIR/html"
	cat ./*.html | grep -o '<img src="[^"]*"' | cut -d '"' -f 2 >pictures
	[ "$(wc -l <pictures)" -ge 50 ]
	equal "$(sort -u pictures | wc -l)" "$(wc -l <pictures)"
	while read -r picture; do
		grep -q '</svg>' "$picture"
		[ "$(grep -c '<path\|<image\|<polyline' "$picture")" -gt 1 ]
	done <pictures
	equal "$(xargs cksum <pictures | cut -d ' ' -f 1 | sort -u | wc -l)" \
		"$(wc -l <pictures)"
}

@test "html: a command that fails ends all, and what was made before stays" {
	mkdir old
	echo kept >old/file
	chapter <<-'END_OF_CHAPTER'
		# Wrong

		    echo fine
		    tafread nowhere.taf | cat
	END_OF_CHAPTER
	status 1 sh "$SRC/tools/html.sh" sources old
	grep -q '1-only.md:4: status 4: tafread nowhere.taf | cat' err
	equal "$(cat old/file)" kept
}

@test "html: a link to nothing is refused" {
	printf '# Wrong\n\nSee [that](nothing.svg).\n\n' | chapter
	status 1 sh "$SRC/tools/html.sh" sources new
	grep -q 'no file nothing.svg' err
	[ ! -e new ]
}

@test "html: text is text, and what needs a program that is not there is not run" {
	chapter <<-'END_OF_CHAPTER'
		# Marks & signs

		Of `a < b` and "c", by tafcrop(1) and nosuch(1):

		- one
		  and more
		- two

		    echo '<i>' \
		        '&'

		<!-- needs no-such-program -->
		    echo not run >ran
		    touch ran
		    echo run
	END_OF_CHAPTER
	sh "$SRC/tools/html.sh" sources new
	equal "$(sed -n 's|^<p>\(Of.*\)</p>|\1|p' new/only.html)" \
		"Of <code>a &lt; b</code> and &quot;c&quot;, by $(:
		)<a href=\"tafcrop.1.html\">tafcrop(1)</a> and nosuch(1):"
	grep -qx '<ul><li>one and more</li>' new/only.html
	grep -qx '&lt;i&gt; &amp;' new/only.html
	run ! grep -qx 'run' new/only.html
	grep -qx '<h1>Marks &amp; signs</h1>' new/only.html
	grep -q '<title>Marks &amp; signs</title>' new/only.html
}
