import type { AnswerUnit, Citation } from './answer-event.ts';

/** A fence ends a block of code only when nothing follows it on its line. */
const ENDS_IN_FENCE = /(^|\n)\s*(`{3,}|~{3,})\s*$/;
/** What stands behind the last cell of a row is not shown. */
const ENDS_IN_CELL = /\|\s*$/;

/** The unit with `[n]` behind it. Contract: 4.2. */
export function printNumbered(unit: AnswerUnit): string {
  return printMarked(unit, ({ reference }) => `[${reference}]`);
}

/** The unit with `[n](url)` behind it; a page without an address has no marker. Contract: 4.3. */
export function printLinked(unit: AnswerUnit): string {
  return printMarked(unit, ({ reference, url }) =>
    /^https?:\/\//i.test(url) ? `[${reference}](${linkTarget(url)})` : '',
  );
}

export function printPlain({ text }: AnswerUnit): string {
  return text;
}

function printMarked({ text, citations }: AnswerUnit, print: (citation: Citation) => string): string {
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
