import { expect, test } from 'vitest';
import { type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../helpers/stored-documents.ts';

const GUIDES = [
  storedDocument({
    rid: 1,
    fields: { Title: 'Solar panels: a guide!', Headings: ['How a solar panel works', 'Prices'] },
  }),
  storedDocument({ rid: 2, fields: { Title: 'Solar park opens', Headings: ['Where the solar park lies', 'Prices'] } }),
  storedDocument({ rid: 3, fields: { Title: 'solar PARK opens', Headings: 'Visit the park' } }),
  storedDocument({ rid: 4, fields: { Title: 'Café by the sea', Content: 'Solaris is in no title' } }),
];

const NONE = { total: 0, items: [], correctedTotal: 0, corrected: [], fuzzy: undefined };

type Asked = { readonly limit?: number; readonly except?: readonly string[] };

/** The sentence of `SearchIndex` about completions, rule by rule; called by `describeSearchIndex`. */
export function describeCompletions(open: OpenIndex): void {
  const openGuides = async () => {
    const engine = await start(open);
    await engine.publish(GUIDES);
    const complete = (text: string, asked: Asked = {}) =>
      engine.index.completions(engine.engineId, text, { limit: 50, except: [], ...asked });
    const texts = async (text: string, asked?: Asked) => {
      const { items, corrected } = await complete(text, asked);
      return [...items, ...corrected].map((item) => item.text);
    };
    return Object.assign(engine, { complete, texts });
  };

  test('titles complete whole, runs of words of titles and headings when two documents have them', async () => {
    await using engine = await openGuides();

    expect(await engine.complete('solar')).toEqual({
      ...NONE,
      total: 4,
      items: [
        { text: 'solar', documents: 3 },
        { text: 'solar PARK', documents: 2 },
        { text: 'solar PARK opens', documents: 2 },
        { text: 'Solar panels: a guide!', documents: 1 },
      ],
    });
    expect(await engine.texts('pri')).toEqual(['Prices']);
    expect(await engine.texts('visit')).toEqual([]);
    expect(await engine.texts('solaris')).toEqual([]);
  });

  test('any word may begin the match, accents and case aside, and the typed words stand side by side', async () => {
    await using engine = await openGuides();

    expect(await engine.texts('CAFÉ')).toEqual(['Café by the sea']);
    expect(await engine.texts('cafe b')).toEqual(['Café by the sea']);
    expect(await engine.texts('gui')).toEqual(['Solar panels: a guide!']);
    expect(await engine.texts('park o')).toEqual(['PARK opens', 'solar PARK opens']);
    expect(await engine.texts('solar guide')).toEqual([]);
    expect(await engine.texts('?!')).toEqual([]);
  });

  test('a run neither begins nor ends with a stop word', async () => {
    await using engine = await openGuides();

    expect(await engine.texts('the')).toEqual(['Café by the sea']);
  });

  test('one typo is let in from four letters on, when there are fewer completions than wanted', async () => {
    await using engine = await openGuides();

    expect(await engine.complete('oslar pa')).toMatchObject({
      total: 0,
      correctedTotal: 3,
      fuzzy: { word: 'oslar', forms: ['solar'] },
    });
    expect(await engine.complete('sloa')).toMatchObject({
      total: 0,
      correctedTotal: 4,
      fuzzy: { word: 'sloa', forms: ['solar'] },
    });
    expect(await engine.texts('panls')).toEqual(['Solar panels: a guide!']);
    expect(await engine.complete('sor')).toEqual(NONE);
    expect(await engine.complete('oslra')).toEqual(NONE);
    expect(await engine.complete('solar', { limit: 4 })).toMatchObject({ total: 4, fuzzy: undefined });
  });

  test('the total counts all of them, but what the caller has already', async () => {
    await using engine = await openGuides();

    expect(await engine.complete('solar', { limit: 1, except: ['SOLAR park', 'solar power'] })).toEqual({
      ...NONE,
      total: 3,
      items: [{ text: 'solar', documents: 3 }],
    });
  });

  test('completions of deleted documents are gone, those of new ones there', async () => {
    await using engine = await openGuides();
    await engine.publish([deletedDocument(1, 5), storedDocument({ rid: 6, fields: { Title: 'Guided tours' } })]);

    expect(await engine.texts('guide')).toEqual(['Guided tours']);
    expect(await engine.index.completions(999, 'guide', { limit: 5, except: [] })).toEqual(NONE);
  });
}
