import { copyFile, mkdir, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { namedFiles, readManifest } from '../../../src/search-index/embedded/manifest.ts';
import { readSegmentHead } from '../../../src/search-index/embedded/segment/segment-file.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Answer, answersOf } from '../../helpers/fixture-searches.ts';
import { FIXTURE_GENERATIONS } from '../../helpers/index-fixture.ts';
import { flipByte, indexInstallation } from '../../helpers/index-installation.ts';
import { planOf, word } from '../../helpers/query-plans.ts';
import { seededRandom } from '../../helpers/random.ts';
import { RUN_SEED } from '../../helpers/run-seed.ts';
import { deletedDocument, storedDocument } from '../../helpers/stored-documents.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** All sections of the largest segment are read, every nth is repaired too; `DAMAGE_ALL=1`: of all, each. */
const ALL = process.env['DAMAGE_ALL'] !== undefined;
const REPAIR_EVERY = ALL ? 1 : 16;
const FUZZED = ALL ? 500 : 15;

type Place = Awaited<ReturnType<typeof indexInstallation>>;

/** An index of three segments with tombstones, and what it answers. */
async function wholeIndex(): Promise<{ place: Place; before: Answer[]; kept: string }> {
  const place = await indexInstallation();
  const kept = (await temporaryFolder()).path;
  // No merges, which small segments have when their words change: tombstones stay.
  await using writer = await place.openWriter({ inlineMergeDocuments: 0 });
  for (const changes of FIXTURE_GENERATIONS) {
    writer.apply(place.store(changes));
    await writer.refresh();
  }
  writer.apply(
    place.store([deletedDocument(70, 120), storedDocument({ rid: 71, seq: 121, fields: { Title: 'Wind' } })]),
  );
  await writer.refresh();
  await copyFolder(place.directory, kept);
  return { place, before: await answersOf(place.openIndex()), kept };
}

async function copyFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) await copyFile(join(from, name), join(to, name));
}

/** A reader that starts on damaged files answers rightly or with the error of damage, plan by plan. */
async function expectNothingWrong(place: Place, before: readonly Answer[]): Promise<string> {
  await using index = place.openIndex();
  const answers = await answersOf(index);
  for (const [i, answer] of answers.entries()) if (answer !== 'index.corrupt') expect(answer).toEqual(before[i]);
  return answers.includes('index.corrupt') ? 'found' : 'harmless';
}

/** The next writer brings back what was there, and sets the damaged file aside. */
async function expectRepaired(place: Place, before: readonly Answer[], file: string): Promise<void> {
  await using _writer = await place.openWriter();
  expect(await answersOf(place.openIndex())).toEqual(before);
  expect(await readdir(place.directory)).toContain(`${file}.bad`);
  expect(place.warnings()).toEqual(expect.arrayContaining(['damaged file of an index', 'index repaired']));
}

/** Files of the published generation, without the manifest. */
async function filesOf(directory: string): Promise<string[]> {
  const manifest = await readManifest(directory);
  return manifest === undefined ? [] : [...namedFiles(manifest)].sort();
}

async function segmentsOf(directory: string): Promise<string[]> {
  return (await filesOf(directory)).filter((name) => name.endsWith('.bin'));
}

describe('one changed byte', () => {
  let whole: Awaited<ReturnType<typeof wholeIndex>>;
  beforeAll(async () => {
    whole = await wholeIndex();
    return async () => whole.place[Symbol.asyncDispose]();
  });

  async function flipped(file: string, at: number) {
    await copyFolder(whole.kept, whole.place.directory);
    await flipByte(join(whole.place.directory, file), at);
    return expectNothingWrong(whole.place, whole.before);
  }

  test('in any section of a segment is found by the search that reads it, and repaired by the next writer', async () => {
    const { place, kept, before } = whole;
    let count = 0;
    const names = await segmentsOf(kept);
    for (const name of ALL ? names : names.slice(0, 1)) {
      const file = await open(join(kept, name), 'r');
      const { entries } = await readSegmentHead(file).finally(() => file.close());
      for (const { kind, subject, offset, bytes, residency } of entries.filter((entry) => entry.bytes > 0)) {
        const state = await flipped(name, offset + (bytes >> 1));
        const at = `${name} section ${kind} of field ${subject}`;
        // Section 44 is the writer's own; no search reads it.
        if (residency < 3) expect(`${at} ${state}`).toBe(`${at} found`);
        if (count++ % REPAIR_EVERY === 0) await expectRepaired(place, before, name);
      }
    }
    expect(count).toBeGreaterThan(80);
  });

  test('in section 44, which the writer alone reads, is repaired', async () => {
    const { place, kept, before } = whole;
    const [name = ''] = await segmentsOf(kept);
    const file = await open(join(kept, name), 'r');
    const { entries } = await readSegmentHead(file).finally(() => file.close());
    const entry = entries.find(({ kind }) => kind === 44);
    expect(await flipped(name, entry?.offset ?? 0)).toBe('harmless');
    await expectRepaired(place, before, name);
  });

  test.each([0, 9, 13, 17, 25, 33, 57, 93, 124, 130, 150])('in a segment head, byte %i', async (at) => {
    const { place, kept, before } = whole;
    const [name = ''] = await segmentsOf(kept);
    expect(await flipped(name, at)).toBe('found');
    await expectRepaired(place, before, name);
  });

  test.each([0, 9, 13, 17, 21, 29, 65])('in a tombstone file, byte %i', async (at) => {
    const { place, kept, before } = whole;
    const name = (await filesOf(kept)).find((file) => file.endsWith('.del')) ?? '';
    expect(await flipped(name, at)).toBe('found');
    await expectRepaired(place, before, name);
  });

  test.each([0, 40, 200, -9, -1])('in the manifest, byte %i', async (at) => {
    const { place, kept, before } = whole;
    const { size } = await stat(join(kept, 'MANIFEST'));
    expect(await flipped('MANIFEST', at < 0 ? size + at : at)).toBe('found');
    await expectRepaired(place, before, 'MANIFEST');
  });

  test('outside of all sections harms nothing', async () => {
    const [name = ''] = await segmentsOf(whole.kept);
    const file = await open(join(whole.kept, name), 'r');
    const { entries } = await readSegmentHead(file).finally(() => file.close());
    const gap = entries.find(({ bytes }) => bytes % 64 !== 0);
    expect(await flipped(name, (gap?.offset ?? 0) + (gap?.bytes ?? 0))).toBe('harmless');
  });

  test('a file cut at any 4 KiB step is found and repaired', async () => {
    const { place, kept, before } = whole;
    let count = 0;
    // Damaged words harm no search: a test of their own.
    for (const name of [...(await filesOf(kept)).filter((file) => !file.startsWith('words-')), 'MANIFEST']) {
      const { size } = await stat(join(kept, name));
      for (let at = 0; at < size; at += 4_096) {
        await copyFolder(kept, place.directory);
        await truncate(join(place.directory, name), at);
        expect(await expectNothingWrong(place, before)).toBe('found');
        if (count++ % REPAIR_EVERY === 0) await expectRepaired(place, before, name);
      }
    }
    expect(count).toBeGreaterThan(10);
  });

  test(`heads and manifests of random bytes never crash or hang a reader (TEST_SEED=${RUN_SEED})`, async () => {
    const { place, kept, before } = whole;
    const random = seededRandom(RUN_SEED);
    const names = [...(await filesOf(kept)), 'MANIFEST'];
    for (let round = 0; round < FUZZED; round++) {
      await copyFolder(kept, place.directory);
      const name = random.pick(names);
      const { size } = await stat(join(kept, name));
      for (let i = random.whole(1, 20); i > 0; i--) {
        await flipByte(join(place.directory, name), random.whole(0, Math.min(size, 4_096) - 1));
      }
      await expectNothingWrong(place, before);
    }
  });
});

/** The byte in the middle of a column of a field, in the first segment. */
async function flipColumn(directory: string, kind: number): Promise<void> {
  const [name = ''] = await segmentsOf(directory);
  const path = join(directory, name);
  const file = await open(path, 'r');
  const { entries } = await readSegmentHead(file).finally(() => file.close());
  const entry = entries.find((section) => section.kind === kind && section.bytes > 0);
  await flipByte(path, (entry?.offset ?? 0) + ((entry?.bytes ?? 0) >> 1));
}

describe('damage while the product runs', () => {
  test('that a search meets is repaired by the running writer; other searches go on', async () => {
    const { place, before } = await wholeIndex();
    await using _place = place;
    const sorted = planOf({ sort: [{ field: 'Price_number', direction: 'ascending' }] });
    const simple = planOf({ match: word('solar') });
    const [expected, simpleExpected] = await answersOf(place.openIndex(), [sorted, simple]);
    await using _writer = await place.openWriter({ damageLookMs: 10 });
    const index = place.openIndex();
    await answersOf(index, [simple]);
    await flipColumn(place.directory, 83);

    expect(await answersOf(index, [sorted, simple])).toEqual(['index.corrupt', simpleExpected]);
    await eventually(async () => (await answersOf(index, [sorted]))[0] !== 'index.corrupt');

    expect(await answersOf(index, [sorted, simple])).toEqual([expected, simpleExpected]);
    expect(await answersOf(index)).toEqual(before);
  });

  test('of a file that a starting reader cannot open is repaired by the running writer', async () => {
    const { place, before } = await wholeIndex();
    await using _place = place;
    await using _writer = await place.openWriter({ damageLookMs: 10 });
    const [name = ''] = await segmentsOf(place.directory);
    await rm(join(place.directory, name));

    const index = place.openIndex();
    await eventually(async () => (await answersOf(index))[0] !== 'index.corrupt');

    expect(await answersOf(index)).toEqual(before);
  });

  test.each([
    { where: 'at once', inlineMergeDocuments: 10_000 },
    { where: 'on a thread', inlineMergeDocuments: 0 },
  ])('that a merge $where meets is repaired', async ({ inlineMergeDocuments }) => {
    await using place = await indexInstallation();
    await using writer = await place.openWriter({ inlineMergeDocuments });
    for (let rid = 1; rid <= 8; rid++) {
      if (rid === 8) await flipColumn(place.directory, 70);
      writer.apply(place.store([storedDocument({ rid, fields: { Title: `solar ${rid}` } })]));
      await writer.refresh();
    }

    await eventually(() => place.warnings().includes('index repaired'));
    const [answer] = await answersOf(place.openIndex(), [planOf({ match: word('solar') })]);
    expect(answer).toMatchObject({ total: 8 });
    expect(writer.appliedSeq).toBe(8);
  });
});

test('a repair takes in what the store has got meanwhile, and drops rows that it no longer has', async () => {
  const { place } = await wholeIndex();
  await using _place = place;
  const [first = ''] = await segmentsOf(place.directory);
  await flipByte(join(place.directory, first), 200);
  place.store([storedDocument({ rid: 90, seq: 200, fields: { Title: 'Newest wind' } })]);
  place.rows.delete(71);

  await using writer = await place.openWriter();

  expect(writer.appliedSeq).toBe(200);
  const [all] = await answersOf(place.openIndex(), [planOf({ limit: 100 })]);
  const live = [...place.rows.values()].filter(({ deleted }) => !deleted).map(({ rid }) => rid);
  expect(typeof all === 'object' && all.hits.map(({ rid }) => rid).sort((a, b) => a - b)).toEqual(
    live.sort((a, b) => a - b),
  );
});

test('damaged words of compounds harm no search, and are set aside', async () => {
  await using place = await indexInstallation();
  const first = await place.openWriter({ vocabularyFromDocuments: 1 });
  for (const [i, changes] of FIXTURE_GENERATIONS.entries()) {
    first.apply(place.store(changes));
    await first.refresh();
    if (i > 0) await eventually(async () => (await readManifest(place.directory))?.words);
  }
  await first[Symbol.asyncDispose]();
  const before = await answersOf(place.openIndex());
  const name = (await filesOf(place.directory)).find((file) => file.startsWith('words-')) ?? '';
  await flipByte(join(place.directory, name), 70);

  expect(await answersOf(place.openIndex())).toEqual(before);
  await using _second = await place.openWriter();
  expect(await answersOf(place.openIndex())).toEqual(before);
  expect(await readdir(place.directory)).toContain(`${name}.bad`);
});

test('a damaged file is kept for a week', async () => {
  const { place } = await wholeIndex();
  await using _place = place;
  await flipByte(join(place.directory, 'MANIFEST'), 3);
  await using _first = await place.openWriter();
  const later = { now: () => Date.now() + 8 * 24 * 3_600_000 };

  expect(await readdir(place.directory)).toContain('MANIFEST.bad');
  await using _second = await place.openWriter({ clock: later });

  expect(await readdir(place.directory)).not.toContain('MANIFEST.bad');
  expect((await readFile(join(place.directory, 'MANIFEST'), 'utf8')).length).toBeGreaterThan(100);
});
