import { type Command, idWord } from '../command.ts';
import { membersOf } from '../members.ts';
import type { Printer, Row } from '../print.ts';
import { showSteps } from './url-explanation.ts';

const FIELD_COLUMNS = ['name', 'source', 'value'];
const LINK_COLUMNS = ['inScope', 'follow', 'reason', 'rule', 'url'];
const LINKS = 30;

/** What settings would do, before they are saved. */
export const trialCommands: readonly Command[] = [
  {
    name: 'crawler test-url',
    usage: '<crawler> <url> [member=value…]',
    summary: 'Visit a URL and store nothing, by these or other settings',
    example: "17 https://www.example.com/ 'exclude=[]'",
    words: [2, 100],
    routes: ['POST /crawlers/:crawlerId/test-url'],
    run: async ({ client, print }, input) => {
      const [, url, ...members] = input.positionals;
      const body = { url, ...(members.length > 0 && { config: membersOf(members) }) };
      const tried = await (await client()).admin('POST', `/crawlers/${idWord(input, 0, 'crawler')}/test-url`, body);
      if (print.isJson) print.record(tried);
      else showTrial(print, tried);
    },
  },
  {
    name: 'crawler preview',
    usage: '<crawler> <member=value…>',
    summary: 'Show what other settings would do to what is known',
    example: `17 'exclude=["/archive/**"]'`,
    words: [2, 100],
    routes: ['POST /crawlers/:crawlerId/preview'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'crawler');
      const config = membersOf(input.positionals.slice(1));
      const preview = await (await client()).admin('POST', `/crawlers/${id}/preview`, { config });
      if (print.isJson) print.record(preview);
      else showPreview(print, preview);
    },
  },
];

function showPreview(print: Printer, { leave, enter, merge, revisit, token }: Row): void {
  const { documents, byRule } = leave as Row;
  const { groups, samples } = merge as Row;
  print.record({
    'documents that leave': documents,
    'URLs that enter': (enter as Row)['urls'],
    'URLs of a new form': groups,
    'pages read anew': revisit,
  });
  if ((byRule as readonly Row[]).length > 0) {
    print.note('');
    print.rows(byRule as readonly Row[], ['count', 'rule', 'samples']);
  }
  for (const { url, from } of samples as readonly Row[]) {
    print.text(`${(from as readonly string[]).join(', ')} becomes ${url}`);
  }
  print.note(`\nTo save it: fossick crawler set … --preview ${token}`);
}

function showTrial(print: Printer, tried: Row): void {
  const { url, normalForm, outcome, reason, cause, advice, fetch, http, diff } = tried;
  const { status, finalUrl, millis, wireBytes, bodyBytes } = (fetch ?? {}) as Row;
  print.record({
    url,
    ...(normalForm !== url && { 'known as': normalForm }),
    result: outcome === null ? `no visit (${reason})` : `${outcome} (${reason})`,
    cause,
    ...(advice !== null && { advice }),
    ...(fetch !== null && {
      answer: `${status} in ${Math.round(Number(millis))} ms, ${wireBytes} bytes (${bodyBytes} unpacked)`,
      ...(finalUrl !== normalForm && { 'led to': finalUrl }),
    }),
  });
  showSteps(print, tried['steps'] as readonly Row[]);
  if (http !== null) showPage(print, http as Row);
  if (diff !== null) showDiff(print, diff as readonly Row[]);
}

function showPage(print: Printer, { fields, links, linkCount }: Row): void {
  print.note('');
  const rows = (fields as readonly Row[]).map(({ name, source, values }) => ({
    ...{ name, source, value: (values as readonly string[]).join(' | ') },
  }));
  print.rows(rows, FIELD_COLUMNS, 'no fields');
  print.note('');
  print.rows((links as readonly Row[]).slice(0, LINKS), LINK_COLUMNS, 'no links');
  if (Number(linkCount) > LINKS) print.note(`${linkCount} links in all: --json shows more`);
}

function showDiff(print: Printer, diff: readonly Row[]): void {
  print.note(diff.length === 0 ? '\nThe stored document stays as it is' : '\nAgainst the stored document:');
  for (const { field, change, lines } of diff) {
    print.note(`${field} ${change}`);
    for (const line of lines as readonly string[]) print.text(`  ${line}`);
  }
}
