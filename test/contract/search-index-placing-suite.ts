import { expect, test } from 'vitest';
import { facetOf, planOf, word } from '../helpers/query-plans.ts';
import { FIXTURE, never, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { storedDocument } from '../helpers/stored-documents.ts';

/** Sentences of the plan about pins, removals, top hits and searches that do not count; called by `describeSearchIndex`. */
export function describePlacing(open: OpenIndex): void {
  test.each([
    [[{ id: 'doc-4', rank: 1 }], ['doc-4', 'doc-1', 'doc-2', 'doc-3', 'doc-5', 'doc-6']],
    [
      [
        { id: 'doc-4', rank: 2 },
        { id: 'doc-6', rank: 2 },
        { id: 'doc-5', rank: 3 },
      ],
      ['doc-1', 'doc-4', 'doc-6', 'doc-5', 'doc-2', 'doc-3'],
    ],
    [
      [
        { id: 'doc-1', rank: 99 },
        { id: 'doc-2', rank: 50 },
      ],
      ['doc-3', 'doc-4', 'doc-5', 'doc-6', 'doc-2', 'doc-1'],
    ],
    [
      [
        { id: 'nobody', rank: 1 },
        { id: 'doc-3', rank: 1 },
        { id: 'doc-3', rank: 5 },
      ],
      ['doc-3', 'doc-1', 'doc-2', 'doc-4', 'doc-5', 'doc-6'],
    ],
  ])('pins %j give the order %j on every page', async (pins, order) => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const pages: string[] = [];
    for (let offset = 0; offset < 8; offset += 2) pages.push(...(await engine.ids({ pins, offset, limit: 2 })));

    expect(pages).toEqual(order);
    expect(await engine.ids({ pins })).toEqual(order);
  });

  test('a pinned document that the words did not match is a match, found and counted', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const plan = { match: word('inverter'), facets: [facetOf('Category')] };

    const { total, hits, facets } = await engine.search({ ...plan, pins: [{ id: 'doc-3', rank: 1 }] });

    expect(total).toBe(2);
    expect(hits.map(({ id }) => id)).toEqual(['doc-3', 'doc-5']);
    expect(hits[0]?.score).toBe(0);
    expect(facets[0]?.items.map(({ key, count }) => [key, count])).toEqual([
      ['Manuals', 1],
      ['News', 1],
    ]);
  });

  test.each([
    ['filter', { filter: { kind: 'value', field: 'Category', values: ['Manuals'] } }],
    ['post-filter', { postFilter: { kind: 'value', field: 'Category', values: ['Manuals'] } }],
    ['sort', { sort: [{ field: 'Price_number', direction: 'ascending' }] }],
    ['removal', { removed: ['doc-3'] }],
  ] as const)('a pin has no effect where a %s says otherwise', async (_what, changes) => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const { total, hits } = await engine.search({
      match: word('inverter'),
      pins: [{ id: 'doc-3', rank: 1 }],
      ...changes,
    });

    expect([total, hits.map(({ id }) => id)]).toEqual([1, ['doc-5']]);
  });

  test('a pinned id of several crawlers is the document of the lowest', async () => {
    await using engine = await start(open);
    const duplicate = (rid: number, crawlerId: number) =>
      storedDocument({ rid, crawlerId, id: 'twin', fields: { Title: 'Twin' } });
    await engine.publish([...FIXTURE, duplicate(7, 30), duplicate(8, 4), duplicate(9, 22)]);

    const { hits } = await engine.search({ match: word('solar'), pins: [{ id: 'twin', rank: 1 }] });

    expect(hits.map(({ id, crawlerId }) => `${id} ${crawlerId}`)[0]).toBe('twin 4');
    expect(hits).toHaveLength(4);
  });

  test('removed ids are no match and in no count, whatever the sort', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const { total, hits, facets, ranges } = await engine.search({
      removed: ['doc-1', 'doc-4', 'nobody'],
      sort: [{ field: 'Price_number', direction: 'descending' }],
      facets: [facetOf('Category')],
      ranges: [{ label: 'all', field: 'Price_number', unit: 'number', ranges: [{ from: 0, to: 100 }] }],
    });

    expect(total).toBe(4);
    expect(hits.map(({ id }) => id)).toEqual(['doc-5', 'doc-3', 'doc-2', 'doc-6']);
    expect(facets[0]?.items.map(({ key, count }) => [key, count])).toEqual([
      ['Guides', 1],
      ['Manuals', 1],
      ['News', 1],
    ]);
    expect(ranges[0]?.counts).toEqual([3]);
  });

  test('top hits are the best of the most frequent values', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const sort = [{ field: 'Price_number', direction: 'descending' }] as const;

    const { topHits } = await engine.search({
      sort,
      topHits: [
        { field: 'Category', size: 1, maxFieldValues: 2 },
        { field: 'Nope', size: 3, maxFieldValues: 5 },
      ],
    });

    expect(
      topHits.map(({ field, values }) => [
        field,
        values.map(({ value, count, hits }) => [value, count, hits.map(({ id }) => id)]),
      ]),
    ).toEqual([
      [
        'Category',
        [
          ['Guides', 2, ['doc-2']],
          ['News', 2, ['doc-4']],
        ],
      ],
      ['Nope', []],
    ]);
  });

  test('a search that does not count gives the same hits, and nothing else', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const plan = planOf({
      match: { kind: 'or', of: [word('solar'), word('guide')] },
      facets: [facetOf('Category')],
      topHits: [{ field: 'Category', size: 1, maxFieldValues: 2 }],
      limit: 2,
    });

    const counted = await engine.index.search(engine.engineId, plan, never());
    const quick = await engine.index.search(engine.engineId, { ...plan, counts: 'none' }, never());

    expect(quick.hits).toEqual(counted.hits);
    expect(quick.total).toBeLessThanOrEqual(counted.total);
    expect([quick.facets, quick.ranges, quick.topHits]).toEqual([[], [], []]);
  });
}
