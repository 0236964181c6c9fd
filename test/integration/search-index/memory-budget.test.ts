import { describe, expect, test } from 'vitest';
import { answersOf, FIXTURE_PLANS } from '../../helpers/fixture-searches.ts';
import { FIXTURE_GENERATIONS } from '../../helpers/index-fixture.ts';
import { ENGINE, indexInstallation } from '../../helpers/index-installation.ts';
import { planOf, word } from '../../helpers/query-plans.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

/** 300 with `MEMORY_ENGINES=300`. */
const ENGINES = Number(process.env['MEMORY_ENGINES'] ?? 30);
const OVER = 1.1;

/** One index folder that stands for many engines, what it answers, and the memory that it takes with everything. */
async function filled() {
  const place = await indexInstallation();
  await using writer = await place.openWriter();
  for (const changes of FIXTURE_GENERATIONS) {
    writer.apply(place.store(changes));
    await writer.refresh();
  }
  await using index = place.openIndex();
  const heads = await bytesAfter(index, planOf({ limit: 0 }));
  const answers = await answersOf(index);
  return { place, answers, heads, all: index.residentBytes() };
}

async function bytesAfter(
  index: ReturnType<Awaited<ReturnType<typeof indexInstallation>>['openIndex']>,
  plan: Parameters<typeof index.search>[1],
) {
  await index.search(ENGINE, plan, never());
  return index.residentBytes();
}

describe.each([
  { where: 'on the calling thread', threads: 0, inlineNs: 1e9 },
  { where: 'on a search thread', threads: 1, inlineNs: 0 },
])('$where', ({ threads, inlineNs }) => {
  test('engines opened in turn stay below the budget, and answer as if there were none', async () => {
    const { place, answers, all } = await filled();
    await using _place = place;
    const memoryBytes = all * 4;
    await using index = place.openIndex({ threads, inlineNs, memoryBytes });
    let highest = 0;
    for (let round = 0; round < 2; round++) {
      for (let engine = 1; engine <= ENGINES; engine++) {
        expect(await answersOf(index, FIXTURE_PLANS, engine)).toEqual(answers);
        highest = Math.max(highest, index.residentBytes());
        expect(index.visibleSeq(engine)).toBe(110);
      }
    }
    expect(highest).toBeLessThanOrEqual(memoryBytes * OVER);
    expect(highest).toBeGreaterThan(all * 2);
    // What was closed keeps what it showed, without being opened for the question.
    expect(index.visibleSeq(1)).toBe(110);
    expect(index.residentBytes()).toBeLessThanOrEqual(memoryBytes * OVER);
  });

  test('engines searched at once answer as if there were no budget', async () => {
    const { place, answers, all } = await filled();
    await using _place = place;
    await using index = place.openIndex({ threads, inlineNs, memoryBytes: all * 3 });
    const engines = Array.from({ length: 12 }, (_, i) => i + 1);

    const found = await Promise.all(engines.map((engine) => answersOf(index, FIXTURE_PLANS, engine)));

    expect(found).toEqual(engines.map(() => answers));
  });
});

test('an engine whose heads alone are over the budget is refused, naming what it needs', async () => {
  const { place, heads, answers } = await filled();
  await using _place = place;
  await using small = place.openIndex({ memoryBytes: heads });

  await expect(small.search(ENGINE, planOf(), never())).rejects.toMatchObject({
    code: 'index.too-large',
    message: expect.stringMatching(/needs \d+ MB: raise INDEX_MEMORY_MB/),
  });
  await using enough = place.openIndex({ memoryBytes: roomFor(heads) });
  expect(await answersOf(enough)).toEqual(answers);
});

test('an engine that was closed for want of memory shows new changes when it is searched again', async () => {
  const { place, all } = await filled();
  await using _place = place;
  await using index = place.openIndex({ memoryBytes: all * 1.5 });
  await answersOf(index, FIXTURE_PLANS, 1);
  await answersOf(index, FIXTURE_PLANS, 2);
  await using writer = await place.openWriter();
  writer.apply(place.store([storedDocument({ rid: 90, seq: 300, fields: { Title: 'Newest' } })]));
  await writer.refresh();

  expect(await index.waitVisible(1, 300, AbortSignal.timeout(5_000))).toBe(true);
  const { total } = await index.search(1, planOf({ match: word('newest') }), never());
  expect(total).toBe(1);
});

/** Room for the heads of one engine; its columns come and go. */
function roomFor(heads: number): number {
  return (heads * 1.3) / 0.85;
}
