import type { MatchNode, WordNode } from '../search-index/query-plan.ts';
import { analyzeText } from '../text/analyzer.ts';
import type { ReadQuery, TextSpan } from './read-query.ts';

/** A plain word of the query text. */
export type PlainWord = TextSpan & { readonly surface: string };

/** What may stand in a place of the query text. */
export type Replacement = TextSpan & { readonly text: string };

const HAS_DIGIT = /\p{Nd}/u;

/** Plain words in order of the text, without joined forms and words with digits. */
export function plainWordsOf({ text, plainSpans }: ReadQuery): readonly PlainWord[] {
  return plainSpans.flatMap((span) => {
    const written = text.slice(span.start, span.end);
    // Escapes shift places; who writes them means what is there.
    if (written.includes('\\')) return [];
    const words: PlainWord[] = [];
    for (const { surface, start, end } of analyzeText(written, '').tokens) {
      const position = { start: span.start + start, end: span.start + end };
      // A joined form comes behind its parts.
      if (position.start >= (words.at(-1)?.end ?? 0) && !HAS_DIGIT.test(surface)) words.push({ ...position, surface });
    }
    return words;
  });
}

/** Words of a match that may select, those under a `not` left out. */
export function wordNodes(match: MatchNode): readonly WordNode[] {
  switch (match.kind) {
    case 'word':
      return [match];
    case 'and':
    case 'or':
      return match.of.flatMap(wordNodes);
    case 'some':
      return [...match.must, ...match.should].flatMap(wordNodes);
    default:
      return [];
  }
}

/** A query text with other words in some places, none over another, each in the letter case of what it replaces. */
export function replaceWords(text: string, replacements: readonly Replacement[]): string {
  let corrected = text;
  for (const { start, end, text: word } of replacements.toSorted((a, b) => b.start - a.start)) {
    corrected = corrected.slice(0, start) + inCaseOf(text.slice(start, end), word) + corrected.slice(end);
  }
  return corrected;
}

/** The word in the letter case that was typed. */
function inCaseOf(typed: string, word: string): string {
  const lower = word.toLowerCase();
  if (typed === typed.toLowerCase()) return lower;
  if (typed.length > 1 && typed === typed.toUpperCase()) return lower.toUpperCase();
  const [first = '', ...rest] = lower;
  return typed.charAt(0) === typed.charAt(0).toLowerCase() ? lower : first.toUpperCase() + rest.join('');
}
