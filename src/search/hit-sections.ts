import { firstValue, type Section, type StoredDocument } from '../core/document.ts';
import { definitionOf } from '../search-index/document-names.ts';
import { bestFragment, type HighlightSpan, LONG_TEXT_CHARS } from './fragments.ts';
import { type HighlightRules, markWords } from './highlight.ts';
import { likelyWords } from './word-finder.ts';

/** A place within a document that the query matches, and that an address can name. */
export type HitSection = {
  readonly title: string;
  /** Of the document with this place. */
  readonly url: string;
  /** Highlighted as fields are. */
  readonly snippet: string;
};

/** A part of a document under one address: what stands under a heading with an anchor, or on a page of a file. */
type Part = { readonly title: string; readonly fragment: string; readonly text: string };

/** Length of a snippet: a line or two. */
const SNIPPET_CHARS = 120;
/** Text of a document that is looked at word by word, in characters; of a longer one the most promising parts are. */
const MOST_CHARS = 200_000;
const PROMISING_CHARS = LONG_TEXT_CHARS / 2;
const DISTINCT_WORD_VALUE = 4;
const TITLE_VALUE = 2;

export type SectionRules = {
  /** Terms of what the query may name, the likeliest first. */
  readonly names: readonly string[];
  readonly highlight: HighlightRules;
  readonly most: number;
};

/**
 * The sections of a document that match the query best, best first: the place that defines what the query names, then
 * those with as many of its words as the best one has, first those that have them in their headings. A section that
 * opens the document is the document itself. Costs one pass over the text, as highlighting does; a quick one where it
 * is long.
 */
export function findSections(
  row: StoredDocument,
  { names, highlight: rules, most }: SectionRules,
): readonly HitSection[] {
  const address = URL.parse(firstValue(row.fields, 'Url'));
  // An address with a fragment names a place already, or a page that scripts make.
  if (most === 0 || address === null || address.hash !== '') return [];
  const parts = partsOf(row.structure?.sections ?? [], firstValue(row.fields, 'Title'));
  const rated = rateParts(promisingParts(parts, rules), rules);
  const mostWords = Math.max(0, ...rated.map(({ words }) => words));
  const best = rated.filter(({ words }) => words > 0 && words === mostWords).sort((a, b) => b.value - a.value);
  const defined = definedPart(row, names);
  const places =
    defined === undefined ? best : [{ part: defined, marks: markWords('Content', defined.text, rules) }, ...best];
  return places
    .filter(({ part }, index) => index === 0 || part.fragment !== defined?.fragment)
    .slice(0, most)
    .map(({ part, marks }) => ({
      title: part.title,
      url: `${address.href}#${part.fragment}`,
      snippet: marks.length === 0 ? '' : snippetOf(part, marks, rules),
    }));
}

/** Where the document defines what the query names, with the block that says it. */
function definedPart(row: StoredDocument, names: readonly string[]): Part | undefined {
  const definition = definitionOf(row, names);
  if (definition === undefined) return undefined;
  const title = definition.text || definition.anchor;
  const blocks = row.structure?.sections.flatMap((section) => (section.grounding ? section.blocks : [])) ?? [];
  const text = blocks.find((block) => block.text.includes(title))?.text ?? '';
  return { title, fragment: encodeURIComponent(definition.anchor), text };
}

function snippetOf({ text }: Part, marks: readonly HighlightSpan[], { settings, language }: HighlightRules): string {
  return bestFragment(text, { marks, settings: { ...settings, fragmentSize: SNIPPET_CHARS }, language });
}

function partsOf(sections: readonly Section[], documentTitle: string): readonly Part[] {
  const parts = new Map<string, Part>();
  for (const section of sections) {
    const place = section.grounding ? placeOf(section, documentTitle) : undefined;
    if (place === undefined) continue;
    const text = section.blocks.map((block) => block.text).join('\n');
    const before = parts.get(place.fragment);
    parts.set(place.fragment, before === undefined ? { ...place, text } : joined(before, text));
  }
  return [...parts.values()];
}

/** Of a long document the parts that seem to have most words of the query, in its order, as far as time allows. */
function promisingParts(parts: readonly Part[], rules: HighlightRules): readonly Part[] {
  if (charsOf(parts) <= MOST_CHARS) return parts;
  const likely = likelyWords(rules);
  const ranked = parts
    .map((part) => ({ part, words: likely(`${part.title}\n${part.text}`) }))
    .sort((a, b) => b.words - a.words);
  let chars = 0;
  const chosen = new Set<Part>();
  for (const { part } of ranked) {
    chars += part.text.length;
    if (chars > PROMISING_CHARS && chosen.size > 0) break;
    chosen.add(part);
  }
  return parts.filter((part) => chosen.has(part));
}

function charsOf(parts: readonly Part[]): number {
  return parts.reduce((chars, { text }) => chars + text.length, 0);
}

function joined(part: Part, text: string): Part {
  return { ...part, text: `${part.text}\n${text}` };
}

/** What a browser opens a page and a PDF file at; undefined where no address leads, or to the beginning alone. */
function placeOf({ headings, page }: Section, documentTitle: string): Pick<Part, 'title' | 'fragment'> | undefined {
  const heading = headings.findLast(({ anchor }) => anchor !== undefined && anchor !== '');
  if (heading?.anchor !== undefined && heading.text !== documentTitle)
    return { title: heading.text, fragment: encodeURIComponent(heading.anchor) };
  if (heading?.anchor !== undefined || page === undefined) return undefined;
  const title = headings.at(-1)?.text ?? '';
  if (page === 1 && title === documentTitle) return undefined;
  return { title: title === '' || title === documentTitle ? `p. ${page}` : title, fragment: `page=${page}` };
}

type RatedPart = {
  readonly part: Part;
  /** In its text. */
  readonly marks: readonly HighlightSpan[];
  /** Different words of the query. */
  readonly words: number;
  readonly value: number;
};

/** All texts are marked as one, and the marks handed out again: words are looked for once. */
function rateParts(parts: readonly Part[], rules: HighlightRules): readonly RatedPart[] {
  const lines = parts.flatMap(({ title, text }) => [title, text]);
  const marks = markWords('Content', lines.join('\n'), rules);
  let start = 0;
  let next = 0;
  const marksOf = lines.map((line) => {
    const own: HighlightSpan[] = [];
    const end = start + line.length;
    for (let mark = marks[next]; mark !== undefined && mark.end <= end; mark = marks[++next]) {
      if (mark.start >= start) own.push({ ...mark, start: mark.start - start, end: mark.end - start });
    }
    start = end + 1;
    return own;
  });
  return parts.map((part, index) => {
    const inTitle = marksOf[2 * index] ?? [];
    const inText = marksOf[2 * index + 1] ?? [];
    const words = distinctWords([...inTitle, ...inText]);
    const value = DISTINCT_WORD_VALUE * words + TITLE_VALUE * distinctWords(inTitle);
    return { part, marks: inText, words, value };
  });
}

function distinctWords(marks: readonly HighlightSpan[]): number {
  return new Set(marks.map(({ word }) => word)).size;
}
