import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { openEmbeddedIndex } from '../../../../src/search-index/embedded/embedded-index.ts';
import type { FaultPoint } from '../../../../src/search-index/embedded/publish.ts';
import type { IndexSource } from '../../../../src/search-index/index-writer.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { ENGINE, flipByte, indexInstallation } from '../../../helpers/index-installation.ts';
import { facetOf, planOf } from '../../../helpers/query-plans.ts';
import { never } from '../../../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../../../helpers/stored-documents.ts';

const POINTS: readonly FaultPoint[] = [
  'segment-written',
  'tombstones-written',
  'generation-claimed',
  'manifest-renamed',
  'merge-finished',
  'rebuild-step',
];

const titled = (rid: number, seq: number, title: string) => storedDocument({ rid, seq, fields: { Title: title } });
const FIRST = [titled(1, 1, 'one'), titled(2, 2, 'two'), titled(3, 3, 'three')];
const SECOND = [titled(1, 4, 'uno'), deletedDocument(2, 5), titled(4, 6, 'four')];

async function titlesIn(index: ReturnType<typeof openEmbeddedIndex>) {
  const { seq, facets } = await index.search(ENGINE, planOf({ facets: [facetOf('Title')] }), never());
  return { seq, titles: facets[0]?.items.map(({ key }) => key) };
}

/** What the store says after `seq`, as the projecting loop reads it. */
async function replay(source: IndexSource, seq: number) {
  return source.changesAfter(seq, { rows: 1_000, bytes: 1e9 });
}

describe('a writer that stops half-way', () => {
  test.each(POINTS)('at %s leaves a readable generation, and its successor completes it', async (point) => {
    await using place = await indexInstallation();
    let armed = false;
    const before = await place.openWriter({
      inlineMergeDocuments: 1_000,
      at(reached) {
        if (armed && reached === point) throw new Error('killed');
      },
    });
    before.apply(place.store(FIRST));
    await before.refresh();
    armed = true;
    before.apply(place.store(SECOND));
    await before.refresh().catch(() => undefined);
    await before.rebuild('test').catch(() => undefined);
    await before[Symbol.asyncDispose]();

    const found = await titlesIn(place.openIndex());
    expect([
      { seq: 3, titles: ['one', 'three', 'two'] },
      { seq: 6, titles: ['four', 'three', 'uno'] },
    ]).toContainEqual(found);

    await using after = await place.openWriter();
    expect(after.appliedSeq).toBe(found.seq);
    after.apply(await replay(place.source, after.appliedSeq));
    await after.refresh();
    expect(await titlesIn(place.openIndex())).toEqual({ seq: 6, titles: ['four', 'three', 'uno'] });
  });

  test('goes on by itself when the step fails only once', async () => {
    await using place = await indexInstallation();
    let fails = false;
    await using writer = await place.openWriter({
      at(point) {
        if (point !== 'manifest-renamed' || !fails) return;
        fails = false;
        throw new Error('once');
      },
    });
    fails = true;
    writer.apply(place.store(FIRST));
    await expect(writer.refresh()).rejects.toThrow('once');
    expect(await writer.refresh()).toMatchObject({ seq: 3, documents: 3 });
    writer.apply(place.store(SECOND));
    await writer.refresh();
    expect(await titlesIn(place.openIndex())).toEqual({ seq: 6, titles: ['four', 'three', 'uno'] });
  });

  test('leaves no file that its successor does not name or delete', async () => {
    await using place = await indexInstallation();
    let fails = false;
    await using first = await place.openWriter({
      at(point) {
        if (fails && point === 'tombstones-written') throw new Error('killed');
      },
    });
    fails = true;
    first.apply(place.store(FIRST));
    await first.refresh().catch(() => undefined);
    expect(await readdir(place.directory)).toContain('seg-1.bin');
    await using second = await place.openWriter();
    expect(second.appliedSeq).toBe(0);
    expect(await readdir(place.directory)).toEqual(['MANIFEST']);
  });

  test('two writers never both publish', async () => {
    await using place = await indexInstallation();
    await using first = await place.openWriter();
    await using second = await place.openWriter();
    first.apply(place.store(FIRST));
    await first.refresh();
    second.apply(FIRST);
    await expect(second.refresh()).rejects.toThrow();
    expect(first.appliedSeq).toBe(3);
    expect(await titlesIn(place.openIndex())).toEqual({ seq: 3, titles: ['one', 'three', 'two'] });
  });

  test('a writer that lost its role goes on from what the other has published', async () => {
    await using place = await indexInstallation();
    await using first = await place.openWriter();
    await using second = await place.openWriter();
    first.apply(place.store(FIRST));
    await first.refresh();
    first.apply(place.store(SECOND));
    await first.refresh();
    second.apply(FIRST);
    await expect(second.refresh()).rejects.toThrow();

    second.apply([...FIRST, ...SECOND, ...place.store([titled(5, 7, 'five')])]);
    expect(await second.refresh()).toMatchObject({ seq: 7, documents: 4 });
    expect(await titlesIn(place.openIndex())).toEqual({ seq: 7, titles: ['five', 'four', 'three', 'uno'] });
  });
});

describe('merges', () => {
  test.each([
    { where: 'at once', inline: 1_000 },
    { where: 'on a thread', inline: 0 },
  ])('$where keep every document and every later deletion', async ({ inline }) => {
    await using place = await indexInstallation();
    await using writer = await place.openWriter({ inlineMergeDocuments: inline });
    for (let i = 1; i <= 8; i++) {
      writer.apply(place.store([titled(i, i, `title ${i}`)]));
      await writer.refresh();
    }
    writer.apply(place.store([deletedDocument(3, 9)]));
    await writer.refresh();
    const merged = await eventually(async () => {
      await writer.refresh();
      const manifest = JSON.parse((await readFile(join(place.directory, 'MANIFEST'), 'utf8')).split('\n')[0]!);
      return manifest.segments.length < 8 ? manifest : undefined;
    });

    expect(merged.live).toBe(7);
    const found = await titlesIn(place.openIndex());
    expect(found.titles).toEqual([1, 2, 4, 5, 6, 7, 8].map((i) => `title ${i}`));
  });
});

test('an engine at rest is merged to one segment', async () => {
  await using place = await indexInstallation();
  await using writer = await place.openWriter({ idleMergeMs: 1 });
  writer.apply(place.store(FIRST));
  await writer.refresh();
  writer.apply(place.store(SECOND));
  await writer.refresh();

  await eventually(async () => {
    const manifest = JSON.parse((await readFile(join(place.directory, 'MANIFEST'), 'utf8')).split('\n')[0]!);
    return manifest.segments.length === 1 ? manifest : undefined;
  });
  expect(await titlesIn(place.openIndex())).toEqual({ seq: 6, titles: ['four', 'three', 'uno'] });
});

describe('damage', () => {
  async function damaged(change: (directory: string) => Promise<void>) {
    const place = await indexInstallation();
    const writer = await place.openWriter();
    writer.apply(place.store(FIRST));
    await writer.refresh();
    writer.apply(place.store(SECOND));
    await writer.refresh();
    await writer[Symbol.asyncDispose]();
    await change(place.directory);
    return place;
  }
  const flip = async (file: string, at: (length: number) => number) => flipByte(file, at((await stat(file)).size));
  const inFirst = async (directory: string, ending: string) =>
    join(directory, (await readdir(directory)).find((name) => name.endsWith(ending))!);

  test.each([
    { what: 'the manifest', change: (d: string) => flip(join(d, 'MANIFEST'), () => 20) },
    { what: 'a segment header', change: async (d: string) => flip(await inFirst(d, '.bin'), () => 40) },
    { what: 'the head of a segment', change: async (d: string) => flip(await inFirst(d, '.bin'), (n) => n >> 1) },
    { what: 'the end of a segment', change: async (d: string) => flip(await inFirst(d, '.bin'), (n) => n - 64) },
    { what: 'tombstones', change: async (d: string) => flip(await inFirst(d, '.del'), (n) => n - 1) },
    { what: 'a missing segment', change: async (d: string) => rename(await inFirst(d, '.bin'), join(d, 'gone')) },
  ])('of $what is found, and rebuilt from the source when the writer starts', async ({ change }) => {
    await using place = await damaged(change);

    await using writer = await place.openWriter();

    expect(await titlesIn(place.openIndex())).toEqual({ seq: 6, titles: ['four', 'three', 'uno'] });
    expect(writer.appliedSeq).toBe(6);
  });

  test('a reader without a good generation says so, one that has one goes on with it', async () => {
    await using place = await damaged(async () => undefined);
    const open = place.openIndex();
    const before = await titlesIn(open);
    await flip(join(place.directory, 'MANIFEST'), () => 20);

    const { promise: repairing, resolve: repair } = Promise.withResolvers<void>();
    const source = {
      ...place.source,
      changesAfter: async (...input: Parameters<IndexSource['changesAfter']>) => {
        await repairing;
        return place.source.changesAfter(...input);
      },
    };
    const opening = place.openWriter({ source });
    const late = place.openIndex();
    await expect(titlesIn(late)).rejects.toMatchObject({ code: 'index.corrupt' });
    expect(await titlesIn(open)).toEqual(before);

    repair();
    await using _writer = await opening;
    expect(await titlesIn(late)).toEqual(before);
  });

  test('a changed language of the engine is a rebuild', async () => {
    await using place = await damaged(async () => undefined);
    await using writer = await place.openWriter({ language: 'de' });
    expect(writer.appliedSeq).toBe(6);
    expect(await titlesIn(place.openIndex())).toEqual({ seq: 6, titles: ['four', 'three', 'uno'] });
  });
});
