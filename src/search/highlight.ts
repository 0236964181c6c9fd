import { escapeHtml } from '../core/escape-html.ts';
import type { HighlightSettings } from '../core/records.ts';
import type { MatchedWord } from '../search-index/search-index.ts';
import type { Vocabulary } from '../text/compounds.ts';
import { chooseFragments, type Fragment } from './fragments.ts';
import { findHighlightSpans } from './highlight-spans.ts';
import type { QueryPattern } from './query-patterns.ts';
import { createWordFinder } from './word-finder.ts';

export type HighlightRules = {
  readonly matched: readonly MatchedWord[];
  /** Splits compounds of the text whose parts were matched. */
  readonly vocabulary?: Vocabulary | undefined;
  readonly patterns: readonly QueryPattern[];
  /** Set when the query is one phrase, whose words are `matched`: they are marked only where it stands. */
  readonly phraseSlop?: number | undefined;
  /** Language of the document. */
  readonly language: string;
  readonly settings: HighlightSettings;
};

/**
 * Fragments of a field's values with the matched words in tags; everything else is escaped first, so that no other
 * markup can occur. `[]` when nothing matched, unless `noMatchSize` asks for the beginning of a text. Contract: 2.8.
 */
export function highlightField(field: string, values: readonly string[], rules: HighlightRules): readonly string[] {
  const { settings, matched, phraseSlop: slop } = rules;
  const uncut = field === 'Title' || settings.numberOfFragments === 0;
  const phrase = slop === undefined ? undefined : { words: [...matched.keys()], slop };
  const fragments = values.flatMap((value) => {
    const finder = createWordFinder(field, value, rules);
    if (finder === undefined) return [];
    const marks = findHighlightSpans(value, { finder, phrase, windowChars: settings.fragmentSize });
    if (marks.length === 0) return [];
    const chosen = uncut ? [{ start: 0, end: value.length, marks }] : chooseFragments(value, marks, settings);
    return chosen.map((fragment) => render(value, fragment, settings));
  });
  if (fragments.length > 0) return uncut ? fragments.slice(0, 1) : fragments.slice(0, settings.numberOfFragments);
  return field === 'Title' ? [] : beginning(values[0] ?? '', settings.noMatchSize);
}

function render(value: string, { start, end, marks }: Fragment, { preTag, postTag }: HighlightSettings): string {
  let html = '';
  let at = start;
  for (const mark of marks) {
    html += escapeHtml(value.slice(at, mark.start)) + preTag + escapeHtml(value.slice(mark.start, mark.end)) + postTag;
    at = mark.end;
  }
  return html + escapeHtml(value.slice(at, end));
}

function beginning(value: string, chars: number): readonly string[] {
  if (chars === 0 || value === '') return [];
  return [escapeHtml([...value.slice(0, 2 * chars)].slice(0, chars).join(''))];
}
