import { expect, test } from 'vitest';
import type { FilterNode } from '../../src/core/filters.ts';
import { MAX_EXPANSIONS, type MatchNode } from '../../src/search-index/query-plan.ts';
import { alternative, phrase, word } from '../helpers/query-plans.ts';
import { FIXTURE, never, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../helpers/stored-documents.ts';

/** Sentences of the ports about this; called by `describeSearchIndex`. */
export function describeMatching(open: OpenIndex): void {
  const table = test.each<{ name: string; match: MatchNode; ids: readonly string[] }>([
    { name: 'a word matches other forms of it', match: word('panel'), ids: ['doc-1'] },
    { name: 'a word is stemmed in the language of the document', match: word('haus'), ids: ['doc-6'] },
    { name: 'a word without accents matches one with them', match: word('cafe'), ids: ['doc-3'] },
    { name: 'a word does not meet addresses', match: word('example'), ids: [] },
    { name: 'a word does not meet typed values', match: word('10'), ids: [] },
    { name: 'a field word meets only its field', match: word('solar', { field: 'Title' }), ids: ['doc-1', 'doc-3'] },
    { name: 'a field word meets addresses', match: word('example', { field: 'Url' }), ids: ['doc-1', 'doc-2'] },
    { name: 'a word of an unknown field matches nothing', match: word('solar', { field: 'Nope' }), ids: [] },
    { name: 'joined forms match', match: word('wifi'), ids: ['doc-4'] },
    { name: 'AND needs every word', match: { kind: 'and', of: [word('solar'), word('guide')] }, ids: ['doc-1'] },
    {
      name: 'OR needs one word',
      match: { kind: 'or', of: [word('wind'), word('wifi')] },
      ids: ['doc-2', 'doc-4'],
    },
    {
      name: 'NOT leaves documents out',
      match: { kind: 'and', of: [word('guide'), { kind: 'not', of: [word('wind')] }] },
      ids: ['doc-1'],
    },
    {
      name: 'some needs its must, not its should',
      match: { kind: 'some', must: [word('solar')], should: [word('guide')] },
      ids: ['doc-1', 'doc-3', 'doc-5'],
    },
    {
      name: 'a stop word is optional beside other words',
      match: { kind: 'and', of: [word('a', { role: 'stop' }), word('wifi')] },
      ids: ['doc-4'],
    },
    {
      name: 'a stop word adds no document to other words',
      match: { kind: 'or', of: [word('the', { role: 'stop' }), word('wifi')] },
      ids: ['doc-4'],
    },
    {
      name: 'stop words alone select',
      match: { kind: 'and', of: [word('the', { role: 'stop' })] },
      ids: ['doc-3', 'doc-5'],
    },
    { name: 'a phrase needs its words side by side', match: phrase(['solar', 'power']), ids: ['doc-5'] },
    { name: 'a phrase needs their order', match: phrase(['power', 'solar']), ids: [] },
    { name: 'slop lets words stand between', match: phrase(['solar', 'sunlight'], { slop: 2 }), ids: ['doc-1'] },
    { name: 'slop is a bound', match: phrase(['solar', 'sunlight'], { slop: 1 }), ids: [] },
    { name: 'a phrase stays in one value', match: phrase(['red', 'blue'], { slop: 9 }), ids: [] },
    { name: 'a phrase stays in one field', match: phrase(['guide', 'solar'], { slop: 40 }), ids: [] },
    { name: 'a field phrase meets only its field', match: phrase(['solar', 'power'], { field: 'Title' }), ids: [] },
    {
      name: 'an alternative satisfies the word',
      match: word('electricity', { also: [alternative(['power'])] }),
      ids: ['doc-1', 'doc-2', 'doc-5'],
    },
    {
      name: 'an alternative of several words stands together',
      match: word('pv', { also: [alternative(['solar', 'panel'])] }),
      ids: ['doc-1'],
    },
    {
      name: 'an alternative of several words keeps to its slop',
      match: word('pv', { also: [alternative(['solar', 'sunlight'], { slop: 1 })] }),
      ids: [],
    },
    {
      name: 'alternatives of a field word meet only its field',
      match: word('sun', { field: 'Title', also: [alternative(['solar']), alternative(['solar', 'power'])] }),
      ids: ['doc-1', 'doc-3'],
    },
    {
      name: 'AND needs the word or an alternative of it',
      match: { kind: 'and', of: [word('sun', { also: [alternative(['solar'])] }), word('guide')] },
      ids: ['doc-1'],
    },
    { name: 'nothing matches nothing', match: { kind: 'none' }, ids: [] },
  ]);
  table('$name', async ({ match, ids }) => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    expect((await engine.ids({ match })).toSorted()).toEqual(ids);
    expect(await engine.index.hasMatch(engine.engineId, match, never())).toBe(ids.length > 0);
  });

  const filters = test.each<{ name: string; filter: FilterNode; ids: readonly string[] }>([
    {
      name: 'values are exact',
      filter: { kind: 'value', field: 'Category', values: ['News'] },
      ids: ['doc-3', 'doc-4'],
    },
    { name: 'values are case-sensitive', filter: { kind: 'value', field: 'Category', values: ['news'] }, ids: [] },
    { name: 'any of several values counts', filter: { kind: 'value', field: 'Tag', values: ['blue'] }, ids: ['doc-2'] },
    { name: 'Id is the document id', filter: { kind: 'value', field: 'Id', values: ['doc-2'] }, ids: ['doc-2'] },
    { name: '_type is the kind', filter: { kind: 'value', field: '_type', values: ['FileContent'] }, ids: ['doc-5'] },
    { name: 'an unknown field matches nothing', filter: { kind: 'value', field: 'Nope', values: ['x'] }, ids: [] },
    { name: 'numbers', filter: { kind: 'number', field: 'Price_number', min: 20, max: 30 }, ids: ['doc-2', 'doc-3'] },
    {
      name: 'dates',
      filter: { kind: 'date', field: 'Published_date', from: Date.UTC(2026, 1, 1), to: Number.POSITIVE_INFINITY },
      ids: ['doc-2', 'doc-3'],
    },
    {
      name: 'places',
      filter: { kind: 'geo', field: 'Place_geo_point', latitude: 55.7, longitude: 12.6, metres: 5_000 },
      ids: ['doc-1'],
    },
    { name: 'existence', filter: { kind: 'exists', field: 'Tag' }, ids: ['doc-2'] },
    {
      name: 'not and or',
      filter: {
        kind: 'or',
        of: [
          { kind: 'not', of: { kind: 'exists', field: 'Category' } },
          { kind: 'text', field: 'Category', operator: 'prefix', values: ['man'] },
        ],
      },
      ids: ['doc-5', 'doc-6'],
    },
    {
      name: 'comparison under the type',
      filter: { kind: 'compare', field: 'Price_number', operator: 'gt', values: ['30'] },
      ids: ['doc-4', 'doc-5'],
    },
  ]);
  filters('filter: $name', async ({ filter, ids }) => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    expect((await engine.ids({ filter })).toSorted()).toEqual(ids);
    const { rids, seq } = await engine.index.matchingRids(engine.engineId, filter);
    expect([...rids].map((rid) => `doc-${rid}`).toSorted()).toEqual(ids);
    expect(seq).toBe(6);
  });

  test('matched words tell their stems and field', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const match = {
      kind: 'and',
      of: [word('panels'), word('guide', { field: 'Title' }), { kind: 'not', of: [word('x')] }],
    };
    const { matched } = await engine.search({ match: match as MatchNode });

    expect(matched.map(({ text, field }) => ({ text, field }))).toEqual([
      { text: 'panels', field: undefined },
      { text: 'guide', field: 'Title' },
    ]);
    expect(matched[0]?.forms.has('panel')).toBe(true);
  });

  test('matched words name the alternatives that documents have', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const also = [alternative(['power']), alternative(['solar', 'panels'], { slop: 1 }), alternative(['coal'])];
    const { matched } = await engine.search({ match: word('electricity', { also }) });

    expect(matched[0]?.also?.map(({ words, slop, source }) => ({ words, slop, source }))).toEqual([
      { words: ['power'], slop: 0, source: 'synonym' },
      { words: ['solar', 'panels'], slop: 1, source: 'synonym' },
    ]);
    expect(matched[0]?.also?.[1]?.forms[1]?.has('panel')).toBe(true);
  });

  const solar = word('solar');
  const absent = (text: string, changes = {}) => word(text, { fuzzy: 'when-absent', ...changes });
  test.each<{ name: string; match: MatchNode; ids: readonly string[] }>([
    {
      name: 'a word that no document has takes near words beside a word that has some',
      match: { kind: 'or', of: [word('wifi'), absent('turbinse')] },
      ids: ['doc-2', 'doc-4'],
    },
    { name: 'alone it stays absent', match: absent('turbinse'), ids: [] },
    {
      name: 'beside absent words only it stays absent',
      match: { kind: 'or', of: [absent('turbinse'), word('nowhere')] },
      ids: [],
    },
    {
      name: 'a word that some document has stays as it is',
      match: { kind: 'and', of: [solar, absent('panel')] },
      ids: ['doc-1'],
    },
    {
      name: 'a word of an alternative that documents have stays as it is',
      match: { kind: 'and', of: [solar, absent('gridd', { also: [alternative(['manual'])] })] },
      ids: ['doc-5'],
    },
    { name: 'words with digits never', match: { kind: 'or', of: [word('wifi'), absent('turbines2')] }, ids: ['doc-4'] },
    { name: 'short words never', match: { kind: 'or', of: [word('wifi'), absent('sol')] }, ids: ['doc-4'] },
    {
      name: 'words that are told not to never',
      match: { kind: 'or', of: [word('wifi'), word('turbinse')] },
      ids: ['doc-4'],
    },
  ])('near words: $name', async ({ match, ids }) => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    expect((await engine.ids({ match })).toSorted()).toEqual(ids);
    expect(await engine.index.hasMatch(engine.engineId, match, never())).toBe(ids.length > 0);
  });

  test('matched words name the near words taken', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const { matched } = await engine.search({ match: { kind: 'or', of: [solar, absent('turbinse')] } });

    expect(matched[1]?.also?.map(({ words, source }) => ({ words, source }))).toEqual([
      { words: ['turbines'], source: 'fuzzy' },
    ]);
  });

  test('near words are folded forms of searched text by distance, frequent ones first, with a written form', async () => {
    await using engine = await start(open);
    const texts = ['größe größe', 'grösse', 'grossen', 'grossen grossex', 'gross2e', 'hrossez'];
    await engine.publish([
      ...texts.map((Content, i) => storedDocument({ rid: i + 1, fields: { Content, Url: 'https://groosse.example' } })),
    ]);
    const fuzzy = (text: string, limit = 5) =>
      engine.index.fuzzyTerms(engine.engineId, text, { maxDistance: 2, limit }, never());

    expect(await fuzzy('grosse')).toEqual([{ text: 'grossen', display: 'grossen', documents: 2, distance: 1 }]);
    expect((await fuzzy('grose')).map(({ text, documents, distance }) => ({ text, documents, distance }))).toEqual([
      { text: 'grosse', documents: 2, distance: 1 },
      { text: 'grossen', documents: 2, distance: 2 },
    ]);
    expect((await fuzzy('grose'))[0]?.display).toBe('größe');
    expect((await fuzzy('grose', 1)).length).toBe(1);
  });

  test('near words from distance 0 on begin with the word as documents write it', async () => {
    await using engine = await start(open);
    const texts = ['größe', 'grossen', 'grossen'];
    await engine.publish(texts.map((Content, i) => storedDocument({ rid: i + 1, fields: { Content } })));
    const fuzzy = (text: string) =>
      engine.index.fuzzyTerms(engine.engineId, text, { minDistance: 0, maxDistance: 1, limit: 5 }, never());

    expect(await fuzzy('grosse')).toEqual([
      { text: 'grosse', display: 'größe', documents: 1, distance: 0 },
      { text: 'grossen', display: 'grossen', documents: 2, distance: 1 },
    ]);
  });

  test('near words of one document are found when there is no other', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const fuzzy = await engine.index.fuzzyTerms(engine.engineId, 'invertr', { maxDistance: 1, limit: 5 }, never());

    expect(fuzzy).toEqual([{ text: 'inverter', display: 'inverter', documents: 1, distance: 1 }]);
  });

  test('near words of one document are found when others are farther away only', async () => {
    await using engine = await start(open);
    const texts = ['harbour', 'harbours harbourx', 'harbours'];
    await engine.publish(texts.map((Content, i) => storedDocument({ rid: i + 1, fields: { Content } })));
    const textsNear = async (word: string) => {
      const found = await engine.index.fuzzyTerms(engine.engineId, word, { maxDistance: 2, limit: 5 }, never());
      return found.map(({ text }) => text);
    };

    expect(await textsNear('harbor')).toEqual(['harbour', 'harbours']);
    expect(await textsNear('harbour')).toEqual(['harbours']);
  });

  test('near words of deleted documents are gone', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    await engine.publish([deletedDocument(5, 7)]);

    expect(await engine.index.fuzzyTerms(engine.engineId, 'invertr', { maxDistance: 1, limit: 5 }, never())).toEqual(
      [],
    );
  });

  test('document frequencies count live documents by stem', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    await engine.publish([deletedDocument(3, 7)]);

    const words = ['solar', 'panels', 'haus', 'example', 'nowhere'];
    expect(await engine.index.documentFrequencies(engine.engineId, words)).toEqual([2, 1, 1, 0, 0]);
  });

  test('surface frequencies count live documents by the word as it is written, accents aside', async () => {
    await using engine = await start(open);
    const texts = ['Rotations', 'rotation, rotations', 'Größe', 'rotations'];
    await engine.publish(texts.map((Content, i) => storedDocument({ rid: i + 1, fields: { Content, Id: 'rotat' } })));
    await engine.publish([deletedDocument(4, 9)]);

    const words = ['rotations', 'rotation', 'rotat', 'grosse', 'größe', 'nowhere'];
    expect(await engine.index.surfaceFrequencies(engine.engineId, words)).toEqual([2, 1, 0, 1, 1, 0]);
  });

  const prefix = (pattern: string, field?: string) => patternOf('prefix', pattern, field);
  const wildcard = (pattern: string, field?: string) => patternOf('wildcard', pattern, field);
  test.each<{ name: string; match: MatchNode; ids: readonly string[] }>([
    { name: 'a prefix matches the beginnings of words', match: prefix('turb'), ids: ['doc-2'] },
    { name: 'a prefix matches words, not their stems', match: prefix('lastin'), ids: [] },
    { name: 'a prefix matches folded words', match: prefix('caf'), ids: ['doc-3'] },
    { name: 'a prefix of nothing searched matches nothing', match: prefix('exampl'), ids: [] },
    { name: 'a prefix is taken as written', match: prefix('turb*'), ids: [] },
    { name: 'a star stands for any text', match: wildcard('s*r'), ids: ['doc-1', 'doc-3', 'doc-5'] },
    { name: 'a star stands for no text too', match: wildcard('guide*'), ids: ['doc-1', 'doc-2'] },
    { name: 'a star may come first', match: wildcard('*light'), ids: ['doc-1'] },
    { name: 'a wildcard fits the whole word', match: wildcard('*ligh'), ids: [] },
    { name: 'a question mark stands for one character', match: wildcard('pane?'), ids: ['doc-1'] },
    { name: 'a question mark does not stand for none', match: wildcard('panel??'), ids: [] },
    { name: 'a backslash takes its sign as written', match: wildcard('pane\\?'), ids: [] },
    { name: 'a fuzzy word matches within its edits', match: fuzzy('solr', 1), ids: ['doc-1', 'doc-3', 'doc-5'] },
    { name: 'a swap is one edit', match: fuzzy('sloar', 1), ids: ['doc-1', 'doc-3', 'doc-5'] },
    { name: 'a fuzzy word keeps to its edits', match: fuzzy('slr', 1), ids: [] },
    { name: 'no edits mean the surface form', match: fuzzy('panel', 0), ids: ['doc-1'] },
    { name: 'a pattern with a field meets only its values', match: prefix('gui', 'Title'), ids: ['doc-1', 'doc-2'] },
    { name: 'a title pattern does not meet text', match: prefix('turn', 'Title'), ids: [] },
    { name: 'a text pattern does not meet titles', match: prefix('gui', 'Content'), ids: [] },
    { name: 'a text pattern meets text', match: wildcard('*urn', 'Content'), ids: ['doc-1', 'doc-2'] },
    { name: 'a pattern meets other fields', match: prefix('man', 'Category'), ids: ['doc-5'] },
    { name: 'a pattern meets fields that words do not', match: wildcard('?ind', 'Url'), ids: ['doc-2'] },
    { name: 'a pattern meets typed values', match: prefix('2026', 'Published_date'), ids: ['doc-1', 'doc-2', 'doc-3'] },
    { name: 'a pattern of an unknown field matches nothing', match: prefix('sol', 'Nope'), ids: [] },
    {
      name: 'patterns stand in trees as words do',
      match: { kind: 'and', of: [prefix('sol'), word('guide'), { kind: 'not', of: [prefix('win')] }] },
      ids: ['doc-1'],
    },
    {
      name: 'a filter in a tree selects',
      match: { kind: 'and', of: [word('solar'), { kind: 'filter', filter: isNews, boost: 1 }] },
      ids: ['doc-3'],
    },
  ])('patterns: $name', async ({ match, ids }) => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    expect((await engine.ids({ match })).toSorted()).toEqual(ids);
    expect(await engine.index.hasMatch(engine.engineId, match, never())).toBe(ids.length > 0);
  });

  test.each([undefined, 'Title', 'Content', 'Tag'])(
    'a pattern stands for its most frequent forms: field %s',
    async (field) => {
      await using engine = await start(open);
      const texts = [
        Array.from({ length: MAX_EXPANSIONS + 50 }, (_, i) => `w${10_000 + i}`).join(' '),
        'wz',
        'w11049',
        'w10000',
      ];
      const name = field ?? 'Content';
      await engine.publish([
        ...texts.map((text, i) => storedDocument({ rid: i + 1, fields: { [name]: text } })),
        deletedDocument(2, 5),
        storedDocument({ rid: 6, fields: { [name]: 'wz' } }),
      ]);

      expect((await engine.ids({ match: prefix('w', field) })).toSorted()).toEqual(['doc-1', 'doc-3', 'doc-4']);
      expect((await engine.ids({ match: prefix('wz', field) })).toSorted()).toEqual(['doc-6']);
    },
  );

  test('matched words name the forms that a pattern stands for', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const { matched } = await engine.search({ match: { kind: 'or', of: [prefix('so', 'Title'), fuzzy('caffe', 1)] } });

    const shown = matched.map(({ text, field, forms, surfaces = [] }) => ({
      text,
      field,
      all: [...forms, ...surfaces],
    }));
    expect(shown).toEqual([
      { text: 'so', field: 'Title', all: ['solar'] },
      { text: 'caffe', field: undefined, all: ['cafe'] },
    ]);
  });
}

const isNews: FilterNode = { kind: 'value', field: 'Category', values: ['News'] };

function patternOf(kind: 'prefix' | 'wildcard', pattern: string, field: string | undefined): MatchNode {
  return { kind, pattern, boost: 1, ...(field === undefined ? {} : { field }) };
}

function fuzzy(text: string, distance: 0 | 1 | 2): MatchNode {
  return { kind: 'fuzzy', text, distance, boost: 1 };
}
