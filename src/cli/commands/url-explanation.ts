import type { Printer, Row } from '../print.ts';
import { timeShown } from '../shown-times.ts';

const VISIT_COLUMNS = ['at', 'outcome', 'reason', 'status', 'bytes', 'millis'];
const MARKS: Readonly<Record<string, string>> = { pass: 'ok', stop: 'stop', note: 'note' };

/** What became of a URL, for people: the answer first, then its way step by step. */
export function showExplanation(print: Printer, explained: Row): void {
  const { url, normalForm, verdict, reason, cause, advice, next, document, aliasOf, duplicateOf } = explained;
  const { origin, path, inlinks } = explained['foundBy'] as Row;
  const { at, why } = next as Row;
  print.record({
    url,
    ...(normalForm !== url && { 'known as': normalForm }),
    verdict: `${verdict} (${reason})`,
    cause,
    ...(advice !== null && { advice }),
    ...(aliasOf !== null && { 'stands for it': aliasOf }),
    ...(duplicateOf !== null && { 'has the same content': duplicateOf }),
    'found by': origin,
    ...((path as readonly string[]).length > 0 && { 'linked from': (path as readonly string[]).join(' < ') }),
    inlinks,
    next: `${at === null ? '' : `${timeShown(at)}: `}${why}`,
    ...(document !== null && { document: document as Row }),
  });
  showSteps(print, explained['steps'] as readonly Row[]);
  const visits = explained['visits'] as readonly Row[];
  print.note('');
  print.rows(visits, VISIT_COLUMNS, 'no visits yet');
}

export function showSteps(print: Printer, steps: readonly Row[]): void {
  print.note('');
  print.rows(
    steps.map(({ step, result, reason, detail }) => ({
      step,
      result: MARKS[String(result)] ?? result,
      reason,
      detail: detailText(detail as Row),
    })),
    ['step', 'result', 'reason', 'detail'],
  );
}

function detailText(detail: Row): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' ');
}
