import { describe, expect, test } from 'vitest';
import type { StoredDocument } from '../../src/core/document.ts';
import type { MatchNode, QueryPlan } from '../../src/search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../../src/search-index/relevance.ts';
import { facetOf, phrase, word } from '../helpers/query-plans.ts';
import { FIXTURE, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { storedDocument } from '../helpers/stored-documents.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);

const anyOf = (...texts: readonly string[]): MatchNode => ({ kind: 'or', of: texts.map((text) => word(text)) });
const stop = (text: string) => word(text, { role: 'stop' });

/** Documents whose texts are the same but for what the test names. */
function documents(fields: readonly Readonly<Record<string, string | readonly string[]>>[]): StoredDocument[] {
  return fields.map((own, i) => storedDocument({ rid: i + 1, fields: own }));
}

/** Sentences of `QueryPlan` about bonuses; called by `describeSearchIndex`. */
export function describeRelevance(open: OpenIndex): void {
  const fillers = Array.from({ length: 30 }, () => ({ Content: 'something else altogether' }));

  test.each<{ name: string; match: MatchNode; worse: Record<string, string>; better: Record<string, string> }>([
    {
      name: 'a title that is the word comes before longer titles and fuller texts',
      match: word('vacuum'),
      worse: { Title: 'Routine vacuum settings', Content: 'vacuum '.repeat(40) },
      better: { Title: 'VACUUM', Content: 'Reclaims storage.' },
    },
    {
      name: 'a title that is the query comes before one that only has its words',
      match: anyOf('window', 'functions'),
      worse: { Title: 'Functions of a window function', Content: 'window functions functions window '.repeat(9) },
      better: { Title: 'Window Functions', Content: 'A calculation over rows.' },
    },
    {
      name: 'a title that is the query but for its stop words is the query',
      match: { kind: 'or', of: [word('history'), stop('of'), word('rome')] },
      worse: { Title: 'Rome, a history told' },
      better: { Title: 'History of Rome' },
    },
    {
      name: 'a title that names the query comes before one that goes on with it',
      match: word('pickle'),
      worse: { Title: 'pickle tools and developers', Content: 'pickle pickle pickle' },
      better: { Title: '12.1. pickle — Python object serialization', Content: 'Protocols' },
    },
    {
      name: 'a page ten times as long as a long one comes after it',
      match: word('vacuum'),
      worse: { Content: `${'vacuum '.repeat(64)}${'other '.repeat(63_000)}` },
      better: { Content: `${'vacuum '.repeat(64)}${'other '.repeat(6_300)}` },
    },
    {
      name: 'neighbours of the query that stand close come before those far apart',
      match: anyOf('solar', 'roof'),
      worse: { Content: 'solar power is what one may well put upon each and every roof' },
      better: { Content: 'solar roof is what one may well put upon each and every power' },
    },
    {
      name: 'the order of the query comes before the reversed one',
      match: anyOf('solar', 'roof'),
      worse: { Content: 'roof solar' },
      better: { Content: 'solar roof' },
    },
    {
      name: 'neighbours count most in the title',
      match: { kind: 'and', of: [word('solar'), word('roof'), word('red')] },
      worse: { Title: 'solar red', Content: 'roof solar roof' },
      better: { Title: 'solar roof', Content: 'red solar roof' },
    },
    {
      name: 'the query as a phrase in a description comes before its words there',
      match: anyOf('solar', 'roof'),
      worse: { Description: 'roof solar' },
      better: { Description: 'solar roof' },
    },
    {
      name: 'stop words add a little',
      match: { kind: 'or', of: [stop('the'), word('who')] },
      worse: { Content: 'who plays here' },
      better: { Content: 'the who plays' },
    },
  ])('$name', async ({ match, worse, better }) => {
    await using engine = await start(open);
    await engine.publish(documents([worse, better, ...fillers]));

    expect((await engine.ids({ match })).slice(0, 2)).toEqual(['doc-2', 'doc-1']);
  });

  test('what a title names is known after many small refreshes', async () => {
    await using engine = await start(open);
    const all = documents([
      { Title: 'pickle tools and developers', Content: 'pickle pickle pickle' },
      { Title: 'pickle — Python object serialization', Content: 'Protocols' },
      ...fillers,
    ]);
    for (const document of all.slice(0, 10)) await engine.publish([document]);

    expect((await engine.ids({ match: word('pickle') })).slice(0, 2)).toEqual(['doc-2', 'doc-1']);
  });

  test('bonuses only add, and boosts multiply the sum', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const match = anyOf('solar', 'panel');
    const boosts = [{ field: 'Category', values: ['Guides'], factor: 2 }];
    const scores = async (plan: Partial<QueryPlan>) =>
      new Map((await engine.search({ match, ...plan })).hits.map(({ id, score }) => [id, score]));

    const plain = await scores({ weights: { ...DEFAULT_RELEVANCE, window: 0 } });
    const full = await scores({});
    const boosted = await scores({ boosts });

    for (const [id, score] of plain) expect(full.get(id)).toBeGreaterThanOrEqual(score);
    expect(full.get('doc-3')).toBeGreaterThan(plain.get('doc-3') ?? 0);
    expect(boosted.get('doc-1')).toBe(2 * (full.get('doc-1') ?? 0));
    expect(boosted.get('doc-3')).toBe(full.get('doc-3'));
  });

  test('with another sort than relevance, and for everything, there are no bonuses', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const none = { ...DEFAULT_RELEVANCE, window: 0 };
    const sort = [{ field: 'Price_number', direction: 'ascending' }] as const;

    const sorted = await engine.search({ match: anyOf('solar', 'panel'), sort });

    expect(sorted.hits).toEqual((await engine.search({ match: anyOf('solar', 'panel'), sort, weights: none })).hits);
    expect((await engine.search({})).hits.map(({ score }) => score)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('hits behind the window keep their order, and pages across its edge neither overlap nor leave gaps', async () => {
    await using engine = await start(open);
    const title = (i: number) => (i % 3 === 0 ? 'panel solar' : i % 3 === 1 ? 'solar panel' : 'solar');
    await engine.publish(documents(Array.from({ length: 60 }, (_, i) => ({ Title: title(i), Content: `x${i % 7}` }))));
    const match = anyOf('solar', 'panel');
    const weights = { ...DEFAULT_RELEVANCE, window: 25 };
    const first = await engine.search({ match, weights: { ...weights, window: 0 } });
    const whole = await engine.search({ match, weights });

    const pages = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((page) => engine.search({ match, weights, offset: page * 10, limit: 10, spare: 3 })),
    );

    expect(pages.flatMap(({ hits }) => hits.slice(0, 10))).toEqual(whole.hits);
    expect(whole.hits.slice(25)).toEqual(first.hits.slice(25));
    expect(whole.hits.slice(0, 25).map(({ id }) => id)).not.toEqual(first.hits.slice(0, 25).map(({ id }) => id));
  });

  test('facets ordered by score know the first score only', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    const facets = [facetOf('Category', { orderBy: 'DocScore' })];
    const counted = async (window: number) =>
      (await engine.search({ match: anyOf('solar', 'power'), facets, weights: { ...DEFAULT_RELEVANCE, window } }))
        .facets;

    expect(await counted(200)).toEqual(await counted(0));
  });

  test.each(['index', 'source', 'history'] as const)(
    'a page of kind %s comes after one that says the same',
    async (pageKind) => {
      await using engine = await start(open);
      const content = { Content: `vacuum ${'other '.repeat(50)}` };
      const [listing, page] = [
        storedDocument({ rid: 1, fields: content }),
        storedDocument({ rid: 2, fields: content }),
      ];
      const structure = { version: 1, sections: [], surroundings: '', pageKind } as const;
      await engine.publish([
        { ...listing, structure },
        page,
        ...documents(fillers).map((own) => ({ ...own, rid: own.rid + 2 })),
      ]);

      const { hits } = await engine.search({ match: word('vacuum') });

      expect(hits.map(({ rid }) => rid)).toEqual([2, 1]);
    },
  );

  describe('recency', () => {
    const day = (age: number) => new Date(NOW - age * DAY_MS).toISOString();
    const rule = { field: 'Published_date', halfLifeDays: 10, weight: 0.5, now: NOW };

    test('a bonus halves with every half-life of the latest instant that is not in the future', async () => {
      await using engine = await start(open);
      const dates = [[day(20)], [day(10)], [day(0)], [], [day(40), day(10), day(-3)], [day(-1)], ['soon']];
      await engine.publish(documents(dates.map((Published_date) => ({ Content: 'solar', Published_date }))));
      const plain = await engine.search({ match: word('solar') });

      const { hits } = await engine.search({ match: word('solar'), recency: rule });

      expect(hits.map(({ id }) => id)).toEqual(['doc-3', 'doc-2', 'doc-5', 'doc-1', 'doc-4', 'doc-6', 'doc-7']);
      const base = plain.hits[0]?.score ?? 0;
      const [full = 0, half = 0, , quarter = 0] = hits.map(({ score }) => score - base);
      expect([half / full, quarter / full]).toEqual([expect.closeTo(0.5, 4), expect.closeTo(0.25, 4)]);
      expect(hits.slice(4).map(({ score }) => score)).toEqual([base, base, base]);
    });

    test('a field that holds no dates changes nothing', async () => {
      await using engine = await start(open);
      await engine.publish(FIXTURE);
      const match = word('solar');
      const plain = await engine.search({ match });

      for (const field of ['Title', 'Price_number', 'Unknown']) {
        expect((await engine.search({ match, recency: { ...rule, field } })).hits).toEqual(plain.hits);
      }
    });
  });

  describe('coverage of the best match', () => {
    test.each<{ name: string; plan: Partial<QueryPlan>; coverage: number }>([
      { name: 'every word', plan: { match: { kind: 'and', of: [word('solar'), word('panel')] } }, coverage: 1 },
      { name: 'stop words do not count', plan: { match: anyOf('solar', 'panel') }, coverage: 1 },
      { name: 'words of a phrase count', plan: { match: phrase(['solar', 'panels']) }, coverage: 1 },
      { name: 'no match', plan: { match: word('nothing') }, coverage: 0 },
      { name: 'everything', plan: {}, coverage: 0 },
      { name: 'no hits asked for', plan: { match: word('solar'), limit: 0 }, coverage: 0 },
      { name: 'another page', plan: { match: word('solar'), offset: 50 }, coverage: 1 },
    ])('$name', async ({ plan, coverage }) => {
      await using engine = await start(open);
      await engine.publish(FIXTURE);

      expect((await engine.search(plan)).bestCoverage).toBe(coverage);
    });

    test('weighs words by their idf, whatever the sort', async () => {
      await using engine = await start(open);
      await engine.publish(documents([{ Title: 'solar' }, { Content: 'panel wind' }, { Content: 'panel' }, {}]));
      const share = async (plan: Partial<QueryPlan>) =>
        (await engine.search({ match: anyOf('solar', 'panel'), ...plan })).bestCoverage;
      // idf of one document of four over that and the one of two of four.
      const idf = (df: number) => Math.log(1 + (4 - df + 0.5) / (df + 0.5));

      expect(await share({})).toBeCloseTo(idf(1) / (idf(1) + idf(2)), 12);
      expect(await share({ sort: [{ field: 'Id', direction: 'descending' }] })).toBe(await share({}));
    });
  });
}
