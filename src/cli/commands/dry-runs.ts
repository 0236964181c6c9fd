import { shellWord } from '../../config/shell-word.ts';
import { type Command, changesOfRecord, idWord, membersOf, type Printer, type Row } from '../command.ts';
import { showWaiting } from '../progress-line.ts';
import { showDecisions, showFieldsAndLinks, showNotes } from '../shown-times.ts';
import { showSteps } from './urls.ts';

/** What settings would do, before they are saved. */
export const dryRunCommands: readonly Command[] = [
  {
    name: 'crawler test-url',
    usage: '<crawler> <url> [member=value…] [--explain]',
    options: { explain: { type: 'boolean' } },
    summary: 'Visit a URL and store nothing, by these or other settings',
    example: "17 https://www.example.com/ 'exclude=[]'",
    words: [2, 100],
    routes: ['POST /crawlers/:crawlerId/test-url'],
    run: async ({ client, print }, input) => {
      const [, url, ...members] = input.positionals;
      const body = { url, ...(members.length > 0 && { config: membersOf(members) }) };
      const dryRun = await (await client()).admin('POST', `/crawlers/${idWord(input, 0, 'crawler')}/test-url`, body);
      if (print.isJson) print.record(dryRun);
      else showDryRun(print, dryRun, { isExplained: input.options['explain'] === true });
    },
  },
  {
    name: 'crawler preview',
    usage: '<crawler> <member=value…>',
    summary: 'Show what other settings would do to what is known',
    example: `17 'exclude=["/archive/**"]'`,
    words: [2, 100],
    routes: ['POST /crawlers/:crawlerId/preview', 'GET /crawlers/:crawlerId'],
    run: async (context, input) => {
      const { client, print } = context;
      const id = idWord(input, 0, 'crawler');
      const api = await client();
      const { members } = await changesOfRecord(api, `/crawlers/${id}`, input.positionals.slice(1));
      const asked = api.admin('POST', `/crawlers/${id}/preview`, { config: members });
      const preview = await showWaiting(context, 'Looking at all known URLs', asked);
      if (print.isJson) print.record(preview);
      else showPreview(print, preview, ['fossick crawler set', ...input.positionals.map(shellWord)].join(' '));
    },
  },
];

function showPreview(print: Printer, { leave, enter, merge, revisit, token }: Row, command: string): void {
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
  print.note(`\nTo save it: ${command} --preview ${token}`);
}

export function showDryRun(print: Printer, dryRun: Row, { isExplained }: { readonly isExplained: boolean }): void {
  const { url, normalForm, outcome, reason, cause, advice, fetch, http, diff } = dryRun;
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
  showSteps(print, dryRun['steps'] as readonly Row[]);
  if (http !== null) {
    showFieldsAndLinks(print, http as Row);
    if (isExplained) showDecisions(print, http as Row);
    showNotes(print, http as Row);
  }
  if (diff !== null) showDiff(print, diff as readonly Row[]);
}

function showDiff(print: Printer, diff: readonly Row[]): void {
  print.note(diff.length === 0 ? '\nThe stored document stays as it is' : '\nAgainst the stored document:');
  for (const { field, change, lines } of diff) {
    print.note(`${field} ${change}`);
    for (const line of lines as readonly string[]) print.text(`  ${line}`);
  }
}
