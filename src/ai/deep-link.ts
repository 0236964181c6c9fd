import type { Passage } from '../search/passage.ts';

/** Words that a text fragment names at each end: enough to be found once, few enough to survive small edits. */
const END_WORDS = 5;
/** A sentence up to here is named whole. */
const WHOLE_WORDS = 2 * END_WORDS;
const PDF = /\.pdf$/i;

/**
 * The passage's place in its page: the page of a file, the anchor of its heading, or else the first of its sentences
 * that is named as a text fragment. A URL with a fragment of its own is left alone. `''` stays `''`.
 */
export function deepLink(passage: Pick<Passage, 'url' | 'page' | 'anchor'>, quoted: string): string {
  const { url, page, anchor } = passage;
  if (url === '' || url.includes('#')) return url;
  if (page !== undefined && isPdf(url)) return `${url}#page=${page}`;
  if (anchor !== undefined && anchor !== '') return `${url}#${encodeURIComponent(anchor)}`;
  const fragment = page === undefined ? textFragment(quoted) : '';
  return fragment === '' ? url : `${url}#:~:text=${fragment}`;
}

function isPdf(url: string): boolean {
  return PDF.test(URL.parse(url)?.pathname ?? '');
}

/** The sentence, or its first and last words. Browsers fold case and blanks, and match whole words. */
function textFragment(quoted: string): string {
  const words = quoted.split(/\s+/u).filter((word) => word !== '');
  if (words.length <= WHOLE_WORDS) return encoded(words);
  return `${encoded(words.slice(0, END_WORDS))},${encoded(words.slice(-END_WORDS))}`;
}

/** Commas and dashes are syntax of a fragment, brackets would end a Markdown link. */
function encoded(words: readonly string[]): string {
  return encodeURIComponent(words.join(' ').toWellFormed()).replace(
    /[-'()*!~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
