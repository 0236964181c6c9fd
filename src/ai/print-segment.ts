import type { AnswerSegment, Citation } from './answer-event.ts';

/** A fence ends a block of code only when nothing follows it on its line. */
const ENDS_IN_FENCE = /(^|\n)\s*(`{3,}|~{3,})\s*$/;
/** What stands behind the last cell of a row is not shown. */
const ENDS_IN_CELL = /\|\s*$/;

/** The segment with `[n]` behind it. Contract: 4.2. */
export function printNumbered(segment: AnswerSegment): string {
  return printMarked(segment, ({ reference }) => `[${reference}]`);
}

/** The segment with `[n](url)` behind it; a page without an address has no marker. Contract: 4.3. */
export function printLinked(segment: AnswerSegment): string {
  return printMarked(segment, ({ reference, url }) =>
    /^https?:\/\//i.test(url) ? `[${reference}](${linkTarget(url)})` : '',
  );
}

export function printPlain({ text }: AnswerSegment): string {
  return text;
}

function printMarked({ text, citations }: AnswerSegment, print: (citation: Citation) => string): string {
  const markers = citations.map(print).join('');
  if (markers === '') return text;
  if (ENDS_IN_FENCE.test(text)) return `${text.trimEnd()}\n${markers}`;
  if (ENDS_IN_CELL.test(text)) return text.replace(ENDS_IN_CELL, `${markers} |`);
  return `${text} ${markers}`;
}

/** What would end a Markdown link is percent-encoded. */
function linkTarget(url: string): string {
  return url.replace(/[\s()<>\\]/gu, (char) =>
    char === '(' ? '%28' : char === ')' ? '%29' : encodeURIComponent(char),
  );
}
