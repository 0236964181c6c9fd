import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { INDEX_FORMAT_VERSION } from '../../../src/search-index/embedded/format-version.ts';
import { readManifest } from '../../../src/search-index/embedded/manifest.ts';
import type { ScorePart } from '../../../src/search-index/explanation.ts';
import type { SearchIndex } from '../../../src/search-index/search-index.ts';
import { eventually } from '../../helpers/eventually.ts';
import { answersOf } from '../../helpers/fixture-searches.ts';
import { FIXTURE_GENERATIONS, indexFixture } from '../../helpers/index-fixture.ts';
import { ENGINE, indexInstallation } from '../../helpers/index-installation.ts';
import { planOf, word } from '../../helpers/query-plans.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

/** Generation of the stored indexes. */
const FIXTURE_GENERATION = 2;

/** The store of the fixtures, with the stored index of a format version. */
async function installed(version: number) {
  const place = await indexInstallation();
  for (const changes of FIXTURE_GENERATIONS) place.store(changes);
  await mkdir(place.directory, { recursive: true });
  for (const name of await readdir(indexFixture(version))) {
    await copyFile(join(indexFixture(version), name), join(place.directory, name));
  }
  await place.source.claimGeneration(0, FIXTURE_GENERATION, async () => undefined);
  return place;
}

/** What is read from an index that this version makes of the same store. */
async function fromNewIndex<T>(read: (index: SearchIndex) => Promise<T>): Promise<T> {
  await using place = await indexInstallation();
  await using writer = await place.openWriter();
  for (const changes of FIXTURE_GENERATIONS) {
    writer.apply(place.store(changes));
    await writer.refresh();
  }
  await writer.rebuild('test');
  return read(place.openIndex());
}

/** Lengths that explanations of a word name, by document. */
async function lengthsOf(index: SearchIndex): Promise<readonly (readonly [string, number | undefined])[]> {
  const documents = Array.from({ length: 60 }, (_, i) => ({ crawlerId: 17 + ((i + 1) % 2), id: `doc-${i + 1}` }));
  const plan = planOf({ match: { kind: 'or', of: [word('turn'), word('replaced')] } });
  const explanations = await index.explain(ENGINE, plan, documents, never());
  return explanations.map(({ score }, i) => [documents[i]!.id, score && lengthIn(score)] as const);
}

function lengthIn({ inputs, parts }: ScorePart): number | undefined {
  const own = inputs['length'];
  return typeof own === 'number' ? own : parts.map(lengthIn).find((length) => length !== undefined);
}

describe.each(Array.from({ length: INDEX_FORMAT_VERSION - 1 }, (_, i) => i + 1))(
  'a stored index of format %i',
  (version) => {
    test('answers until it is made anew in the background, and no search fails meanwhile', async () => {
      await using place = await installed(version);
      const index = place.openIndex();
      const plan = planOf({ match: word('solar') });
      const old = await index.search(ENGINE, plan, never());

      let stop = false;
      const totals: number[] = [];
      const searching = (async () => {
        while (!stop) {
          totals.push((await index.search(ENGINE, plan, never())).total);
          await setImmediate();
        }
      })();
      await using writer = await place.openWriter();
      writer.apply(place.store([storedDocument({ rid: 80, seq: 200, fields: { Title: 'Newest solar' } })]));
      await writer.refresh();
      const found =
        (await index.waitVisible(ENGINE, 200, AbortSignal.timeout(5_000))) &&
        (await index.search(ENGINE, plan, never()));
      await eventually(async () => isOf(await readManifest(place.directory), INDEX_FORMAT_VERSION));
      stop = true;
      await searching;

      expect(found).toMatchObject({ total: old.total + 1 });
      expect(totals.filter((total) => total !== old.total && total !== old.total + 1)).toEqual([]);
      expect(totals.length).toBeGreaterThan(1);
    });

    test('tells the lengths of documents as a new one does', async () => {
      await using place = await installed(version);
      expect(await lengthsOf(place.openIndex())).toEqual(await fromNewIndex(lengthsOf));
    });

    test('answers like a new one afterwards', async () => {
      await using place = await installed(version);
      await using writer = await place.openWriter();
      await eventually(async () => (await readManifest(place.directory))?.segments.every(({ n }) => n > 2));
      expect(writer.appliedSeq).toBe(110);
      expect(await answersOf(place.openIndex())).toEqual(await fromNewIndex((index) => answersOf(index)));
    });
  },
);

/** The last format whose indexes say nothing of their store. */
const BEFORE_IDENTITY = 2;

describe('an index of before stores had an identity', () => {
  test('is taken over when its numbers agree with those of the store', async () => {
    await using place = await installed(BEFORE_IDENTITY);
    await using _writer = await place.openWriter();

    expect(place.warnings()).toEqual([]);
  });

  test.each([
    ['the store has not come as far', async ({ rows }: Installation) => void rows.delete(highestRid(rows))],
    ['the store has other documents', async ({ rows }: Installation) => void rows.delete(lowestRid(rows))],
    ['it was published after what the store knows', async ({ source }: Installation) => backTo(source)],
  ])('is made anew before anything is answered when %s', async (_name, change) => {
    await using place = await installed(BEFORE_IDENTITY);
    await change(place);
    const source = { ...place.source, startEpoch: async () => undefined };
    const index = place.openIndex({ storeOf: async () => source });
    await expect(index.search(ENGINE, planOf(), never())).rejects.toMatchObject({ code: 'index.corrupt' });

    await using _writer = await place.openWriter({ source });

    const found = await eventually(() => index.search(ENGINE, planOf(), never()));
    expect(found.total).toBe(await source.countDocuments());
    expect(place.warnings()).toContain('index does not belong to its store');
  });
});

type Installation = Awaited<ReturnType<typeof installed>>;

const live = (rows: Installation['rows']) => [...rows.values()].filter(({ deleted }) => !deleted);
const lowestRid = (rows: Installation['rows']) => Math.min(...live(rows).map(({ rid }) => rid));
const highestRid = (rows: Installation['rows']) =>
  [...rows.values()].reduce((last, row) => (row.seq > last.seq ? row : last)).rid;
const backTo = async (source: Installation['source']) =>
  void (await source.claimGeneration(FIXTURE_GENERATION, 0, async () => undefined));

function isOf(manifest: Awaited<ReturnType<typeof readManifest>>, format: number): boolean {
  return manifest?.format === format && manifest.segments.every(({ n }) => n > 2);
}
