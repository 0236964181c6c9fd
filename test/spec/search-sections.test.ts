import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDocument, Section } from '../../src/core/document.ts';
import { SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// An addition to contract 2.1 and 2.6: places within a hit.
const SEARCH = '/api/v4/3/6/search';
const GUIDE = 'https://garden.example/guide';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const store = await product.engineStore(6);
  const crawled = [
    page(GUIDE, 'Compost', [
      section('Compost', 'compost', 'All about compost for pots.'),
      section('Leaf mould', 'leaf-mould', 'Leaf mould holds water. Worms do the work.'),
      section('Worms', 'wurm & co', 'Worms like it moist: worms <do> not like lemons.'),
      section('Lemons', 'lemons', 'No lemons, please. Worms eat the rest.'),
      section('Heat', undefined, 'Worms flee from heat.'),
      { ...section('Secrets', 'secrets', 'Worms, lemons and worms.'), grounding: false },
    ]),
    {
      ...page('https://garden.example/tools', 'Tools', [
        section('All tools', 'all', 'Tools are listed by name, Rake.turn among them.'),
        section('Reference', 'reference', 'Rake.turn(angle): turns the rake by an angle.'),
      ]),
      structure: {
        version: 1 as const,
        sections: [
          section('All tools', 'all', 'Tools are listed by name, as rake turn.'),
          section('Reference', 'reference', 'Rake.turn(angle) turns it by an angle.'),
        ],
        surroundings: '',
        definitions: [
          { anchor: 'garden.Rake', text: '' },
          { anchor: 'garden.Rake.turn', text: 'Rake.turn(angle)' },
        ],
      },
    },
    page(`${GUIDE}#worms`, 'Worms of a page made by scripts', [section('Worms', 'w', 'Worms and lemons.')]),
    {
      ...page('https://garden.example/survey.pdf', 'Survey', [
        { ...section('', undefined, 'Nothing lives here.'), headings: [], page: 1 },
        { ...section('Soil', undefined, 'Worms live here, away from lemons.'), page: 2 },
      ]),
      kind: 'FileContent' as const,
    },
  ];
  await store.putDocuments(17, [...crawled, longFile()], 1);
  const pushed = [
    { id: 'pushed', fields: { Title: 'Worms', Url: 'https://garden.example/pushed', Content: 'Worms.' } },
  ];
  expect((await product.put('/api/v4/3/index/17/documents?refresh=wait', pushed)).status).toBe(200);
});
afterAll(() => product[Symbol.asyncDispose]());

const MANUAL = 'https://garden.example/manual.pdf';

/** A file of 500 pages, of which `Content` has the first 150; each has its own word, and words of all. */
function longFile(): NewDocument {
  const sentence = 'Sow in spring, water in summer, mow in autumn, rest in winter. ';
  const sections = Array.from({ length: 500 }, (_, at) => ({
    ...section('Manual', undefined, `${sentence.repeat(100)} Here stands ${wordOf(at + 1)} alone.`),
    page: at + 1,
  }));
  const listed = page(MANUAL, 'Manual', sections.slice(0, 150));
  const structure = { version: 1 as const, sections, surroundings: '', contentSections: 150 };
  return { ...listed, kind: 'FileContent', structure };
}

/** A word of letters that no other page has. */
function wordOf(number: number): string {
  return `plant${String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')}`;
}

function page(url: string, title: string, sections: readonly Section[]): NewDocument {
  const content = sections.flatMap(({ headings, blocks }) => [...headings, ...blocks].map(({ text }) => text));
  const fields = { Url: url, Title: title, Content: content.join('\n') };
  return {
    id: url,
    kind: 'PageContent',
    fields: new Map(Object.entries(fields).map(([name, value]) => [name, [value]])),
    origin: 'crawled',
    language: 'en',
    structure: { version: 1, sections, surroundings: '' },
  };
}

function section(title: string, anchor: string | undefined, text: string): Section {
  const heading = { level: 2, text: title, ...(anchor !== undefined && { anchor }) };
  return { id: title, headings: [heading], grounding: true, blocks: [{ kind: 'paragraph', text }] };
}

async function sectionsOf(id: string, body: object) {
  const { status, body: answer } = await product.post(SEARCH, body, SITE_KEY);
  expect(status).toBe(200);
  return answer.TypedDocuments.find((hit: { Id: string }) => hit.Id === id)?.Sections;
}

test('a hit has the sections that match best, with their addresses and marked snippets', async () => {
  expect(await sectionsOf(GUIDE, { query: 'worms', sections: 2 })).toEqual([
    {
      Title: 'Worms',
      Url: `${GUIDE}#wurm%20%26%20co`,
      Snippet: '<b>Worms</b> like it moist: <b>worms</b> &lt;do&gt; not like lemons.',
    },
    { Title: 'Leaf mould', Url: `${GUIDE}#leaf-mould`, Snippet: 'Leaf mould holds water. <b>Worms</b> do the work.' },
  ]);
});

test.each(['Rake.turn', 'turn', 'garden.Rake.turn()', 'rake turn', 'function Rake.turn', 'rake turn angle'])(
  'what the query %s names is opened where it is defined, once',
  async (query) => {
    const sections = await sectionsOf('https://garden.example/tools', { query, sections: 10 });

    expect(sections[0]).toMatchObject({
      Title: 'Rake.turn(angle)',
      Url: 'https://garden.example/tools#garden.Rake.turn',
      Snippet: expect.stringContaining('angle'),
    });
    expect(sections.filter(({ Url }: { Url: string }) => Url.endsWith('#garden.Rake.turn'))).toHaveLength(1);
  },
);

test('a section with all words comes before others, and with fewer it is left out', async () => {
  const titles = (await sectionsOf(GUIDE, { query: 'worms lemons', sections: 10 })).map(
    ({ Title }: { Title: string }) => Title,
  );
  expect(titles).toEqual(['Worms', 'Lemons']);
});

test('what nobody may quote, has no address or opens the page is no section of it', async () => {
  expect(await sectionsOf(GUIDE, { query: 'heat', sections: 3 })).toEqual([]);
  expect(await sectionsOf(GUIDE, { query: 'pots', sections: 3 })).toEqual([]);
  expect(await sectionsOf(GUIDE, { query: 'secrets', sections: 3 })).toEqual([]);
});

test('a section of a file is its page', async () => {
  expect(await sectionsOf('https://garden.example/survey.pdf', { query: 'worms', sections: 3 })).toEqual([
    {
      Title: 'Soil',
      Url: 'https://garden.example/survey.pdf#page=2',
      Snippet: '<b>Worms</b> live here, away from lemons.',
    },
  ]);
});

test.each([2, 149, 300, 500])('a word of page %i of a long file finds it, and leads to its page', async (number) => {
  const word = wordOf(number);
  expect(await sectionsOf(MANUAL, { query: word, sections: 3 })).toEqual([
    { Title: `p. ${number}`, Url: `${MANUAL}#page=${number}`, Snippet: expect.stringContaining(`<b>${word}</b>`) },
  ]);
  const [first] = await sectionsOf(MANUAL, { query: `${word} autumn`, sections: 1 });
  expect(first).toMatchObject({ Url: `${MANUAL}#page=${number}` });
});

test.each([
  ['whose address names a place already', `${GUIDE}#worms`],
  ['that was pushed', 'pushed'],
])('a document %s has none', async (_what, id) => {
  expect(await sectionsOf(id, { query: 'worms', sections: 3 })).toEqual([]);
});

test('everything has no sections, and nobody gets any without asking', async () => {
  expect(await sectionsOf(GUIDE, { query: '*', sections: 3 })).toEqual([]);
  expect(await sectionsOf(GUIDE, { query: 'worms' })).toBeUndefined();
  expect(await sectionsOf(GUIDE, { query: 'worms', sections: 0 })).toBeUndefined();
  const { status } = await product.post(SEARCH, { query: 'worms', sections: 11 }, SITE_KEY);
  expect(status).toBe(400);
});

test('best hits of values come without sections', async () => {
  const body = { query: 'worms', sections: 3, topHitsFields: [{ field: 'Title' }] };
  const { body: answer } = await product.post(SEARCH, body, SITE_KEY);
  expect(answer.TopHits[0].Values[0].Hits[0]).not.toHaveProperty('Sections');
});
