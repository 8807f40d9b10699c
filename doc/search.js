/* SPDX-License-Identifier: ISC */
/* Find pages by words; pages, the rows before this, are made by html.sh. */
'use strict';

/* The best pages first: those that a word names, then those that are about it. */
function search(text)
{
	const words = text.toLowerCase().split(/[^a-z0-9]+/).filter(w => w)
	    .map(w => w.length > 4 ? w.replace(/s$/, '') : w);
	const worth = page => words.map(w => page[1].toLowerCase().includes(w) ? 4 :
	    (' ' + page[2].toLowerCase()).includes(' ' + w) ? 3 :
	    (' ' + page[3]).includes(' ' + w) ? 2 : (' ' + page[4]).includes(' ' + w) ? 1 : 0);

	if (words.length === 0)
		return [];
	const rows = pages.map(page => [worth(page), page]);
	const all = rows.filter(([w]) => Math.min(...w) > 0);

	/* where none has all, those that have some */
	return (all.length > 0 ? all : rows.filter(([w]) => Math.max(...w) > 0))
	    .map(([w, page]) => [w.reduce((a, b) => a + b), page])
	    .sort((a, b) => b[0] - a[0]).map(([, page]) => page);
}

if (typeof document !== 'undefined') {
	const box = document.querySelector('#search input');
	const list = document.getElementById('found');

	document.getElementById('search').onsubmit = () => false;
	box.oninput = () => {
		const found = search(box.value).slice(0, 16);

		list.replaceChildren(...found.map(page => {
			const line = document.createElement('p');
			const link = document.createElement('a');

			link.href = page[0];
			link.textContent = page[1];
			line.append(link, page[2] === '' ? '' : ' \u2013 ' + page[2]);
			return line;
		}));
		if (found.length === 0 && box.value.trim() !== '')
			list.textContent = 'No page has one of these words: try others.';
	};
	box.oninput();
}
