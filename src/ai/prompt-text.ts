import { withoutInvisible } from '../text/invisible-characters.ts';
import { estimateTokens } from './token-estimate.ts';

/** Whatever could be taken for the borders of a block, whoever wrote it. */
const DELIMITER = /<(?=\s*\/?\s*[SCQ]-)/gi;
const MAX_ATTRIBUTE_CHARS = 200;
/** Stands between the words of a source, and hardly ever in a page (U+02C6). */
export const DATA_MARKER = 'ˆ';

/** A text as data: nothing invisible, nothing that closes or opens a block. */
export function dataText(text: string): string {
  return withoutInvisible(text).replace(DELIMITER, '‹');
}

/** A text within quotation marks: one line, without quotation marks and angle brackets. */
export function attributeText(text: string): string {
  return dataText(text)
    .replace(/[<>]/g, ' ')
    .replace(/["“”„]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_ATTRIBUTE_CHARS)
    .toWellFormed();
}

/** Marks say on every word that it is data. */
export function markWords(text: string): string {
  return text.replace(/(?<=\S) +(?=\S)/g, DATA_MARKER);
}

/** The text, or its beginning when it has more tokens. */
export function atMostTokens(text: string, limit: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= limit) return text;
  const cut = text.slice(0, Math.floor((text.length * limit) / tokens)).toWellFormed();
  // The beginning may be of a denser script than the rest.
  return estimateTokens(cut) <= limit ? cut : atMostTokens(cut, limit);
}
