import { expect, test } from 'vitest';
import type { MatchNode, QueryPlan } from '../../src/search-index/query-plan.ts';
import { alternative, phrase, word } from '../helpers/query-plans.ts';
import { FIXTURE, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { storedDocument } from '../helpers/stored-documents.ts';

/** Sentences of the ports about this; called by `describeSearchIndex`. */
export function describeOrder(open: OpenIndex): void {
  test('equal scores are ordered by id by code point, then by crawler', async () => {
    await using engine = await start(open);
    const ids = ['b', 'B', 'a', '\u{1F600}', '\uff5e'];
    await engine.publish([
      ...ids.map((id, index) => storedDocument({ rid: index + 1, id })),
      storedDocument({ rid: 6, id: 'a', crawlerId: 3 }),
    ]);

    const { hits } = await engine.search({});

    expect(hits.map(({ id, crawlerId }) => `${id} ${crawlerId}`)).toEqual([
      'B 17',
      'a 3',
      'a 17',
      'b 17',
      '\uff5e 17',
      '\u{1F600} 17',
    ]);
  });

  test('pages of one generation neither overlap nor leave gaps', async () => {
    await using engine = await start(open);
    const words = ['solar', 'solar panel', 'panel', 'wind'];
    await engine.publish(
      Array.from({ length: 90 }, (_, i) => storedDocument({ rid: i + 1, fields: { Content: words[i % 4]! } })),
    );
    const match: MatchNode = { kind: 'or', of: [word('solar'), word('panel')] };
    const whole = await engine.search({ match });

    const pages = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map((page) => engine.search({ match, offset: page * 10, limit: 10 })),
    );

    expect(whole.total).toBe(68);
    expect(pages.flatMap(({ hits }) => hits)).toEqual(whole.hits);
  });

  test('a document scores by the best of a word and its alternatives, below a direct match', async () => {
    await using engine = await start(open);
    const texts = ['electricity', 'power', 'electricity power', 'grid'];
    await engine.publish(texts.map((Content, i) => storedDocument({ rid: i + 1, fields: { Content } })));
    const match = word('electricity', { also: [alternative(['power'], { weight: 0.5 })] });

    const { hits } = await engine.search({ match });

    expect(hits.map(({ id }) => id)).toEqual(['doc-1', 'doc-3', 'doc-2']);
    const [direct = 0, both = 0, other = 0] = hits.map(({ score }) => score);
    expect(both).toBeLessThanOrEqual(direct);
    expect(other).toBeCloseTo(direct / 2);
  });

  test('patterns score titles above texts, and near forms above far ones; filters score their boost', async () => {
    await using engine = await start(open);
    const rows = [
      { Title: 'lamp' },
      { Content: 'lamp' },
      { Content: 'lamps' },
      { Content: 'lampen' },
      { Content: 'grid' },
    ];
    await engine.publish(rows.map((fields, i) => storedDocument({ rid: i + 1, fields: { ...fields, All: 'x' } })));
    const scores = async (match: MatchNode) =>
      (await engine.search({ match })).hits.map(({ id, score }) => ({ id, score }));

    const prefix = await scores({ kind: 'prefix', pattern: 'lamp', boost: 1 });
    const fuzzy = await scores({ kind: 'fuzzy', text: 'lamp', distance: 2, boost: 1 });
    const filter = await scores({ kind: 'filter', filter: { kind: 'exists', field: 'All' }, boost: 2.5 });

    expect(prefix.map(({ id }) => id)).toEqual(['doc-1', 'doc-2', 'doc-3', 'doc-4']);
    expect(prefix[1]?.score).toBe(prefix[3]?.score);
    expect(prefix[0]?.score).toBeGreaterThan(prefix[1]?.score ?? 0);
    expect(fuzzy.map(({ id }) => id)).toEqual(['doc-1', 'doc-2', 'doc-3', 'doc-4']);
    expect(fuzzy[2]?.score).toBeCloseTo((fuzzy[1]?.score ?? 0) / 2);
    expect(fuzzy[3]?.score).toBeCloseTo((fuzzy[1]?.score ?? 0) * 0.3);
    expect(filter.map(({ score }) => score)).toEqual([2.5, 2.5, 2.5, 2.5, 2.5]);
  });

  test('spare hits follow the page', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    expect(await engine.ids({ offset: 1, limit: 2, spare: 2 })).toEqual(['doc-2', 'doc-3', 'doc-4', 'doc-5']);
  });

  test.each<{ name: string; field: string; direction: 'ascending' | 'descending'; ids: readonly number[] }>([
    { name: 'numbers ascending', field: 'Price_number', direction: 'ascending', ids: [1, 2, 3, 4, 5, 6] },
    {
      name: 'numbers descending, without a value last',
      field: 'Price_number',
      direction: 'descending',
      ids: [5, 4, 3, 2, 1, 6],
    },
    { name: 'instants', field: 'Published_date', direction: 'descending', ids: [3, 2, 1, 4, 5, 6] },
    {
      name: 'texts without case, the smallest of several',
      field: 'Word',
      direction: 'ascending',
      ids: [2, 1, 3, 4, 5, 6],
    },
    {
      name: 'texts without case, the largest of several',
      field: 'Word',
      direction: 'descending',
      ids: [2, 3, 1, 4, 5, 6],
    },
    { name: 'points have no order', field: 'Place_geo_point', direction: 'descending', ids: [1, 2, 3, 4, 5, 6] },
    { name: 'an unknown field changes nothing', field: 'Nope', direction: 'ascending', ids: [1, 2, 3, 4, 5, 6] },
  ])('sort: $name', async ({ field, direction, ids }) => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    expect(await engine.ids({ sort: [{ field, direction }] })).toEqual(ids.map((id) => `doc-${id}`));
  });

  test('hits tell their sort values', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const { hits } = await engine.search({
      limit: 1,
      sort: [
        { field: 'Word', direction: 'descending' },
        { field: 'Published_date', direction: 'ascending' },
        { field: 'Nope', direction: 'ascending' },
        { field: '_score', direction: 'ascending' },
      ],
    });

    expect(hits[0]?.sortValues).toEqual(['zebra', Date.UTC(2026, 1, 10, 8), undefined, 1]);
  });

  test('scores are finite, at least 0, and the same however the documents came in', async () => {
    await using once = await start(open);
    await using bit = await start(open);
    await once.publish(FIXTURE);
    for (const document of FIXTURE) await bit.publish([{ ...document, fields: new Map([['Title', ['solar solar']]]) }]);
    for (const [index, document] of FIXTURE.entries()) await bit.publish([{ ...document, seq: 100 + index }]);
    const plans: Partial<QueryPlan>[] = [
      {},
      { match: { kind: 'or', of: [word('solar'), word('guide', { boost: 2 }), phrase(['solar', 'power'])] } },
      { match: { kind: 'and', of: [word('solar'), word('example', { field: 'Url' })] } },
      { match: { kind: 'and', of: [{ kind: 'all' }, { kind: 'not', of: [word('solar')] }] } },
    ];

    for (const plan of plans) {
      const [left, right] = await Promise.all([once.search(plan), bit.search(plan)]);
      expect(left.hits).not.toEqual([]);
      expect(right.hits).toEqual(left.hits);
      for (const { score } of left.hits) expect(score >= 0 && Number.isFinite(score)).toBe(true);
    }
  });

  test('a title counts more than a text, a rare word more than a common one', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    expect(await engine.ids({ match: word('solar') })).toEqual(['doc-3', 'doc-1', 'doc-5']);
    expect((await engine.ids({ match: { kind: 'or', of: [word('power'), word('wifi')] } }))[0]).toBe('doc-4');
  });

  test('scores stay finite whatever the factors are', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const boosts = [1e300, 1e300].map((factor) => ({ field: 'Category', values: ['News'], factor }));

    const { hits } = await engine.search({ boosts });

    expect(hits.slice(0, 2).map(({ id }) => id)).toEqual(['doc-3', 'doc-4']);
    for (const { score } of hits) expect(Number.isFinite(score)).toBe(true);
  });

  test('boosts reorder only', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const boosts = [
      { field: 'Category', values: ['Manuals'], factor: 3 },
      { field: 'Tag', values: ['red', 'blue'], factor: 2 },
    ];

    const { total, hits } = await engine.search({ boosts });

    expect(total).toBe(6);
    expect(hits.slice(0, 3).map(({ id, score }) => [id, score])).toEqual([
      ['doc-5', 3],
      ['doc-2', 2],
      ['doc-1', 1],
    ]);
  });
}
