import { expect, test } from 'vitest';
import type { FilterNode } from '../../src/core/filters.ts';
import type { MatchNode } from '../../src/search-index/query-plan.ts';
import { alternative, phrase, word } from '../helpers/query-plans.ts';
import { FIXTURE, type OpenIndex, start } from '../helpers/search-index-harness.ts';

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
    expect(await engine.index.hasMatch(engine.engineId, match)).toBe(ids.length > 0);
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
}
