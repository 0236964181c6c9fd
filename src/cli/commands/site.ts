import { type Command, type Context, membersOf, numberOption, type Printer, type Row, textOption } from '../command.ts';
import { watchRun } from '../watch-run.ts';

const PAGE_COLUMNS = ['status', 'language', 'needsScripts', 'chars', 'title', 'url'];

export const siteCommands: readonly Command[] = [
  {
    name: 'site probe',
    usage: '<url> [member=value…]',
    summary: 'Look at a site before a crawler is made for it',
    example: 'www.example.com',
    words: [1, 100],
    routes: ['POST /probe'],
    run: async ({ client, print }, input) => {
      const [url, ...members] = input.positionals;
      const probe = await (await client()).admin('POST', '/probe', { url, settings: membersOf(members) });
      if (print.isJson) print.record(probe);
      else showProbe(print, probe);
    },
  },
  {
    name: 'site add',
    usage: '<url> [member=value…] [--customer <id>] [--name <name>] [--language <code>] [--no-probe] [--no-watch]',
    summary: 'Make an engine and a crawler for a site, and watch its first run',
    example: 'www.example.com \'exclude=["/search/**"]\'',
    words: [1, 100],
    options: {
      customer: { type: 'string' },
      name: { type: 'string' },
      language: { type: 'string' },
      'no-probe': { type: 'boolean' },
      'no-watch': { type: 'boolean' },
    },
    routes: ['POST /sites'],
    run: async (context, input) => {
      const { print } = context;
      const [url, ...members] = input.positionals;
      const client = await context.client();
      print.note(`Looking at ${url}`);
      const added = await client.admin('POST', '/sites', {
        url,
        settings: membersOf(members),
        customer: numberOption(input, 'customer'),
        name: textOption(input, 'name'),
        language: textOption(input, 'language'),
        probe: input.options['no-probe'] !== true,
      });
      showAdded(context, client.publicUrl, added);
      const { crawler, run } = added;
      if (run === null || input.options['no-watch'] === true) return;
      await watchRun(context, client, { crawler: Number((crawler as Row)['id']), run: Number(run) });
    },
  },
];

function showAdded({ print }: Context, address: string, { engine, crawler, run, searchPage }: Row): void {
  const { id, name, language } = engine as Row;
  const page = searchPage === null ? null : new URL(String(searchPage), address).href;
  print.record({ engine: id, crawler: (crawler as Row)['id'], run, name, language, searchPage: page });
}

function showProbe(print: Printer, probe: Row): void {
  const { url, address, problem, sitemaps, sections, pages, language, siteName, needsScripts, known } = probe;
  const { cause, advice, setting } = (problem ?? {}) as Row;
  print.record({
    url,
    address,
    ...(problem !== null && { problem: cause, advice, ...(setting !== null && { 'setting that opens it': setting }) }),
    name: siteName,
    language,
    'needs scripts': needsScripts,
    sitemaps: (sitemaps as readonly Row[]).map((sitemap) => `${sitemap['url']} (${sitemap['urls']})`).join(', '),
    sections: (sections as readonly Row[]).map(({ path, urls }) => `${path} (${urls})`).join(', '),
    'crawled by': (known as readonly Row[]).map(({ crawler }) => crawler).join(', ') || null,
  });
  print.note('');
  print.rows(pages as readonly Row[], PAGE_COLUMNS, 'no pages');
  if (problem === null) print.note(`\nNext: fossick site add ${url}`);
}
