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

const NONE = { total: 0, items: [], correctedTotal: 0, corrected: [], fuzzy: undefined, continuations: [] };

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

  test('titles and headings complete whole, their words when two documents have them', async () => {
    await using engine = await openGuides();

    expect(await engine.complete('solar')).toEqual({
      ...NONE,
      total: 5,
      items: [
        { text: 'solar', documents: 3 },
        { text: 'solar PARK opens', documents: 2 },
        { text: 'Solar panels: a guide!', documents: 1 },
        { text: 'How a solar panel works', documents: 1 },
        { text: 'Where the solar park lies', documents: 1 },
      ],
      continuations: [{ word: 'solar', documents: 3 }],
    });
    expect(await engine.texts('pri')).toEqual(['Prices']);
    expect(await engine.texts('visit')).toEqual(['Visit the park']);
    expect(await engine.texts('solaris')).toEqual([]);
  });

  test('any word may begin the match, accents and case aside, and the typed words stand side by side', async () => {
    await using engine = await openGuides();

    expect(await engine.texts('CAFÉ')).toEqual(['Café by the sea']);
    expect(await engine.texts('cafe b')).toEqual(['Café by the sea']);
    expect(await engine.texts('gui')).toEqual(['Solar panels: a guide!']);
    expect(await engine.texts('park o')).toEqual(['solar PARK opens']);
    expect(await engine.texts('solar guide')).toEqual([]);
    expect(await engine.texts('?!')).toEqual([]);
  });

  test('a stop word completes to titles and headings alone', async () => {
    await using engine = await openGuides();

    expect(await engine.texts('the')).toEqual(['Visit the park', 'Café by the sea', 'Where the solar park lies']);
  });

  test('nothing is cut but the number of a section', async () => {
    await using engine = await start(open);
    const texts = ['5.4. Handling parcels', 'Rules for lumo.harbour part 1', 'Rules for lumo.harbour part 2', '7. 8.'];
    await engine.publish(
      [...texts, 'Mooring of the grey boat 3', 'lumo_open(name)'].map((Title, i) =>
        storedDocument({ rid: i + 1, fields: i % 2 === 0 ? { Title } : { Headings: Title } }),
      ),
    );
    const textsOf = async (text: string) => {
      const { items } = await engine.index.completions(engine.engineId, text, { limit: 9, except: [] });
      return items.map((item) => item.text);
    };

    expect(await textsOf('parc')).toEqual(['Handling parcels']);
    expect(await textsOf('5')).toEqual([]);
    expect(await textsOf('8')).toEqual(['8.']);
    expect(await textsOf('rules')).toEqual(['Rules', 'Rules for lumo.harbour part 1', 'Rules for lumo.harbour part 2']);
    expect(await textsOf('mooring')).toEqual(['Mooring of the grey boat 3']);
    expect(await textsOf('lumo_o')).toEqual(['lumo_open(name)']);
    expect(await textsOf('lumo.harb')).toEqual(['Rules for lumo.harbour part 1', 'Rules for lumo.harbour part 2']);
  });

  test('one typo is let in from four letters on, when nothing completes as it is typed', async () => {
    await using engine = await openGuides();

    expect(await engine.complete('oslar pa')).toMatchObject({
      total: 0,
      correctedTotal: 4,
      fuzzy: { word: 'oslar', forms: ['solar'] },
    });
    expect(await engine.complete('sloa')).toMatchObject({
      total: 0,
      correctedTotal: 5,
      fuzzy: { word: 'sloa', forms: ['solar'] },
    });
    expect(await engine.texts('panls')).toEqual(['Solar panels: a guide!']);
    expect(await engine.complete('sor')).toEqual(NONE);
    expect(await engine.complete('oslra')).toEqual(NONE);
    await engine.publish([storedDocument({ rid: 5, fields: { Title: 'Sloan' } })]);
    expect(await engine.complete('sloa')).toMatchObject({ total: 1, correctedTotal: 0, fuzzy: undefined });
  });

  test('the total counts all of them, but what the caller has already', async () => {
    await using engine = await openGuides();

    expect(await engine.complete('solar', { limit: 1, except: ['SOLAR park opens', 'solar power'] })).toMatchObject({
      total: 4,
      items: [{ text: 'solar', documents: 3 }],
    });
  });

  test('a last word goes on as titles and headings do behind the words before it, or else anywhere', async () => {
    await using engine = await openGuides();
    const words = async (text: string) => (await engine.complete(text)).continuations.map(({ word }) => word);

    expect(await words('pa')).toEqual(['park', 'panel', 'panels']);
    expect((await engine.complete('solar pa')).continuations[0]).toEqual({ word: 'park', documents: 3 });
    expect(await words('the pa')).toEqual(['park']);
    expect(await words('panels pa')).toEqual(['park', 'panel', 'panels']);
    expect(await words('by th')).toEqual([]);
    expect(await words('solaris')).toEqual([]);
  });

  test('a prefix names the forms that it stands for, those of most documents first', async () => {
    await using engine = await start(open);
    const texts = ['tunnels', 'tunnel tunnels', 'tunic', 'tunnels, a tower'];
    await engine.publish(texts.map((Content, i) => storedDocument({ rid: i + 1, fields: { Content } })));

    const { matched } = await engine.search({ match: { kind: 'prefix', pattern: 'tun', boost: 1 } });

    expect([...(matched[0]?.surfaces ?? [])]).toEqual(['tunnels', 'tunic', 'tunnel']);
  });

  test('completions of deleted documents are gone, those of new ones there', async () => {
    await using engine = await openGuides();
    await engine.publish([deletedDocument(1, 5), storedDocument({ rid: 6, fields: { Title: 'Guided tours' } })]);

    expect(await engine.texts('guide')).toEqual(['Guided tours']);
    expect(await engine.index.completions(999, 'guide', { limit: 5, except: [] })).toEqual(NONE);
  });
}
