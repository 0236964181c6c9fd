import type { ReadText } from './support/read-text.ts';

export type SegmentKind =
  /** Says something that a source has to say. */
  | 'claim'
  /** A heading or an opening as "You need:", sent in front of what it opens. */
  | 'opening'
  /** A bare yes or no, sent in front of a statement of the same polarity. */
  | 'yes'
  | 'no'
  /** Rules and rows of dashes: sent in front of what follows. */
  | 'rule'
  /** Nothing to read. */
  | 'empty';

const HEADING = /^\s{0,3}#{1,6}\s/;
const RULE = /^[\s|:*_=-]+$/;
const MAX_OPENING_WORDS = 3;
const YES = /^(?:yes|ja|oui|s[ií]|sì|sim|jo|kyllä|tak|joo|jes)[.,!:]?$/iu;
const NO = /^(?:no|nein|non|nee|não|nej|nei|ei|nie)[.,!:]?$/iu;

/** What a segment is to the guard. `text` is sanitised and has no markers; `read` is it as read. */
export function segmentKindOf(text: string, read: ReadText): SegmentKind {
  const bare = text.replace(/[*_#>]+/g, ' ').trim();
  if (bare === '' || RULE.test(bare)) return /[-|=_*]/.test(text) && /-{3}|\|/.test(text) ? 'rule' : 'empty';
  if (!/[\p{L}\p{N}]/u.test(bare)) return 'empty';
  if (YES.test(bare)) return 'yes';
  if (NO.test(bare)) return 'no';
  if (HEADING.test(text)) return 'opening';
  const content = read.words.filter(({ weight }) => weight > 0).length;
  return bare.endsWith(':') && content <= MAX_OPENING_WORDS ? 'opening' : 'claim';
}
