import { expect, test } from 'vitest';
import { firstValue, type NewDocument } from '../../../src/core/document.ts';
import { settleTitles } from '../../../src/crawl/settle-titles.ts';
import { temporaryEngineStores } from '../../helpers/engine-stores.ts';

const CRAWLER = 17;

type Titled = readonly [title: string, headTitle?: string | undefined, host?: string | undefined];

function pageOf([title, headTitle, host = 'docs.example']: Titled, at: number): NewDocument {
  const fields = new Map([['Title', [title]]]);
  return { id: `https://${host}/${at}`, kind: 'PageContent', origin: 'crawled', language: 'en', fields, headTitle };
}

async function settled(pages: readonly Titled[]) {
  await using engines = await temporaryEngineStores();
  const store = await engines.stores.of(6);
  await store.putDocuments(CRAWLER, pages.map(pageOf), 1);
  const changed = await settleTitles(store, CRAWLER, 2);
  const again = await settleTitles(store, CRAWLER, 3);
  const documents = await store.listDocuments({ crawlerId: CRAWLER, after: 0, limit: 10_000 });
  return { titles: documents.map(({ fields }) => firstValue(fields, 'Title')), changed, again };
}

const title = (text: string, headTitle?: string, host?: string): Titled => [text, headTitle, host];

test.each<{ name: string; pages: readonly Titled[]; titles: readonly string[] }>([
  {
    name: 'each takes its head title where all heads differ',
    pages: [title('Index', 'Index: GIO'), title('index', 'Index: GLib'), title('Index', 'Index: GObject')],
    titles: ['Index: GIO', 'Index: GLib', 'Index: GObject'],
  },
  {
    name: 'most keep the title that the heads of most agree on',
    pages: [title('Sails', 'Sails | Lumo'), title('Sails', 'Sails - Prices'), title('Sails', 'Sails | Lumo')],
    titles: ['Sails', 'Sails - Prices', 'Sails'],
  },
  {
    name: 'several of one head take it together',
    pages: [
      ...Array.from({ length: 3 }, () => title('Members', 'Lumo: Members')),
      ...Array.from({ length: 2 }, () => title('Members', 'Members - Values')),
    ],
    titles: ['Members', 'Members', 'Members', 'Members - Values', 'Members - Values'],
  },
  {
    name: 'one whose head says nothing else keeps it',
    pages: [title('Sails'), title('Sails', 'Sails | Lumo')],
    titles: ['Sails', 'Sails | Lumo'],
  },
  {
    name: 'pages whose heads say the same stay',
    pages: [title('Sails', 'Sails | Lumo'), title('Sails', 'sails | lumo')],
    titles: ['Sails', 'Sails'],
  },
  {
    name: 'what another page is called is not taken',
    pages: [title('Sails', 'Masts'), title('Sails', 'Sails 2'), title('Masts')],
    titles: ['Sails', 'Sails 2', 'Masts'],
  },
  {
    name: 'what other pages are called is taken where their heads say so, too',
    pages: [
      title('Members', 'Lumo: Members'),
      title('Members', 'Members - Values'),
      title('Members', 'Lumo: Members'),
      title('Members - Values', 'Lumo: Members - Values'),
    ],
    titles: ['Members', 'Members - Values', 'Members', 'Members - Values'],
  },
  {
    name: 'nor where their heads only have its letters',
    pages: [
      ...[title('Sails', 'Mast'), title('Sails', 'Sails 2'), title('Mast', 'Masts | Lumo')],
      ...[title('Oars', 'Keel'), title('Oars', 'Oars 2'), title('Keel', 'Lumo Nokeel')],
      ...[title('Ropes', 'Hull'), title('Ropes', 'Ropes 2'), title('Hull', 'Hulls and a Hull')],
    ],
    titles: ['Sails', 'Sails 2', 'Mast', 'Oars', 'Oars 2', 'Keel', 'Hull', 'Ropes 2', 'Hull'],
  },
  {
    name: 'what pages of another host are called, or are to be called, is free',
    pages: [
      ...[title('Sails', 'Mast', 'lumo.example'), title('Sails', 'Sails 2', 'lumo.example')],
      ...[title('Mast', undefined, 'varo.example'), title('Keel', 'Sails 2', 'varo.example')],
      title('Keel', 'Keel 2', 'varo.example'),
    ],
    titles: ['Mast', 'Sails 2', 'Mast', 'Sails 2', 'Keel 2'],
  },
  {
    name: 'nor what the heads of pages with two titles say',
    pages: [title('A', 'Lumo'), title('A', 'A 2'), title('B', 'Lumo'), title('B', 'B 2')],
    titles: ['A', 'A 2', 'B', 'B 2'],
  },
  {
    name: 'titles that pages of other hosts have stay, and those of one host are told from each other',
    pages: [
      title('Sails', 'Sails | Lumo', 'lumo.example'),
      title('Sails', 'Sails | Varo', 'varo.example'),
      title('Sails', 'Sails - Prices | Varo', 'varo.example'),
    ],
    titles: ['Sails', 'Sails | Varo', 'Sails - Prices | Varo'],
  },
  {
    name: 'titles that no other page has stay',
    pages: [title('Sails', 'Sails | Lumo'), title('Masts', 'Masts | Lumo')],
    titles: ['Sails', 'Masts'],
  },
])('$name', async ({ pages, titles }) => {
  const found = await settled(pages);

  expect(found.titles).toEqual(titles);
  const renamed = titles.filter((text, at) => text !== pages[at]?.[0]);
  expect(found).toMatchObject({ changed: renamed.length, again: 0 });
});

test('more pages than are looked at together are settled all the same', async () => {
  const pages = Array.from({ length: 6_000 }, (_, at) =>
    title(`Topic ${at % 2_500}`, `Topic ${at % 2_500}, part ${at}`),
  );

  const { titles, changed } = await settled(pages);

  expect(changed).toBe(pages.length);
  expect(titles).toEqual(pages.map(([, headTitle]) => headTitle));
});

test('titles of more pages than are looked at together are left, and those behind them are settled', async () => {
  const many = Array.from({ length: 5_200 }, (_, at) => title('News', `News of day ${at}`));
  const few = Array.from({ length: 40 }, (_, at) => title(`Topic ${at % 20}`, `Topic ${at % 20}, part ${at}`));

  const { titles, changed } = await settled([...many, ...few]);

  expect(changed).toBe(few.length);
  expect(titles).toEqual([...many.map(([text]) => text), ...few.map(([, headTitle]) => headTitle)]);
});
