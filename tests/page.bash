# SPDX-License-Identifier: ISC
# What the tests of pages that tafplot draws share.

# functions FILE: what node runs of a page, behind it the code on standard input
functions() {
	sed -n '/^<script id="code">/,/^<\/script>/p' "$1" | sed '1d;$d'
	echo "const page = require('fs').readFileSync('$1', 'utf8');"
	echo 'const d = load(page.split(/<script[^>]* id="data">/)[1].split("</script>")[0]);'
	echo "const assert = require('assert');"
	cat
}
