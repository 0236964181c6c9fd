import { expect, test } from 'vitest';
import { facetOf, word } from '../helpers/query-plans.ts';
import { FIXTURE, type OpenIndex, start } from '../helpers/search-index-harness.ts';

/** Sentences of the ports about this; called by `describeSearchIndex`. */
export function describeCounting(open: OpenIndex): void {
  test('total, facets and ranges are exact and do not depend on page or sort', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const counts = {
      facets: [facetOf('Category'), facetOf('Nope'), facetOf('Tag', { includeEmpty: true, direction: 'Asc' })],
      ranges: [
        {
          label: 'Price',
          field: 'Price_number',
          unit: 'number',
          ranges: [
            { from: 0, to: 20 },
            { from: 20, to: 1e9 },
          ],
        },
      ],
    } as const;
    const plan = { match: { kind: 'or', of: [word('solar'), word('wifi')] }, ...counts } as const;

    const whole = await engine.search(plan);
    const page = await engine.search({
      ...plan,
      offset: 3,
      limit: 1,
      sort: [{ field: 'Price_number', direction: 'ascending' }],
    });

    expect(whole.total).toBe(4);
    expect(whole.facets).toEqual([
      {
        name: 'Category',
        field: 'Category',
        items: [
          { key: 'News', count: 2, facets: [] },
          { key: 'Guides', count: 1, facets: [] },
          { key: 'Manuals', count: 1, facets: [] },
        ],
        allCount: 4,
        missingCount: 0,
      },
      { name: 'Nope', field: 'Nope', items: [], allCount: 0, missingCount: 4 },
      {
        name: 'Tag',
        field: 'Tag',
        items: [
          { key: 'blue', count: 0, facets: [] },
          { key: 'red', count: 0, facets: [] },
        ],
        allCount: 0,
        missingCount: 4,
      },
    ]);
    expect(whole.ranges).toEqual([{ label: 'Price', counts: [1, 3] }]);
    expect({ total: page.total, facets: page.facets, ranges: page.ranges }).toEqual({
      total: whole.total,
      facets: whole.facets,
      ranges: whole.ranges,
    });
    expect(page.hits.map(({ id }) => id)).toEqual(['doc-5']);
  });

  test('nested facets count inside their item', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const { facets } = await engine.search({ facets: [facetOf('Category', { size: 1, facets: [facetOf('Tag')] })] });

    expect(facets[0]?.items).toEqual([
      {
        key: 'Guides',
        count: 2,
        facets: [
          {
            name: 'Tag',
            field: 'Tag',
            items: [
              { key: 'blue', count: 1, facets: [] },
              { key: 'red', count: 1, facets: [] },
            ],
            allCount: 1,
            missingCount: 1,
          },
        ],
      },
    ]);
  });

  test('facet items are ordered by key or by best score when asked', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);

    const { facets } = await engine.search({
      match: word('solar'),
      facets: [facetOf('Category', { orderBy: 'Alphabetically' }), facetOf('Category', { orderBy: 'DocScore' })],
    });

    expect(facets[0]?.items.map(({ key }) => key)).toEqual(['News', 'Manuals', 'Guides']);
    expect(facets[1]?.items.at(-1)?.key).toBe('Manuals');
  });

  test('a post-filter narrows results, and counts only when told so', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const postFilter = { kind: 'value', field: 'Category', values: ['News'] } as const;

    const outside = await engine.search({ postFilter, facets: [facetOf('Category')] });
    const inside = await engine.search({ postFilter, postFilterCounts: true, facets: [facetOf('Category')] });

    expect([outside.total, inside.total]).toEqual([2, 2]);
    expect(outside.facets[0]?.items.map(({ key }) => key)).toEqual(['Guides', 'News', 'Manuals']);
    expect(inside.facets[0]?.items.map(({ key }) => key)).toEqual(['News']);
  });
}
