import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NEXT_FILE, PREVIOUS_FILE, readManifest } from '../../../src/search-index/embedded/manifest.ts';
import type { IndexSource } from '../../../src/search-index/index-writer.ts';
import { eventually } from '../../helpers/eventually.ts';
import { answersOf } from '../../helpers/fixture-searches.ts';
import { FIXTURE_GENERATIONS } from '../../helpers/index-fixture.ts';
import { ENGINE, indexInstallation } from '../../helpers/index-installation.ts';
import { planOf, word } from '../../helpers/query-plans.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../../helpers/stored-documents.ts';

type Place = Awaited<ReturnType<typeof indexInstallation>>;

const DAY_MS = 24 * 3_600_000;
/** Longer than a file outlives the generation that named it. */
const LATER_MS = 20_000;
const STEP = 10;

/** A store with the fixture's documents, all indexed. */
async function filled(): Promise<Place> {
  const place = await indexInstallation();
  await using writer = await place.openWriter();
  for (const changes of FIXTURE_GENERATIONS) {
    writer.apply(place.store(changes));
    await writer.refresh();
  }
  return place;
}

/** The source in small steps; `asked` = every `seq` that changes were read after. */
function stepping(source: IndexSource, before: (seq: number) => Promise<void> = async () => undefined) {
  const asked: number[] = [];
  const changesAfter = async (seq: number) => {
    asked.push(seq);
    await before(seq);
    return source.changesAfter(seq, { rows: STEP, bytes: 1e9 });
  };
  return { asked, source: { ...source, changesAfter } };
}

const namesOf = async (place: Place) => (await readManifest(place.directory))?.segments.map(({ uid }) => uid) ?? [];

test('a rebuild that was interrupted goes on from what it has saved', async () => {
  await using place = await filled();
  const before = await answersOf(place.openIndex());
  let steps = 0;
  const first = await place.openWriter({
    source: stepping(place.source).source,
    saveRebuildChanges: STEP,
    at(point) {
      if (point === 'rebuild-step' && ++steps === 4) throw new Error('killed');
    },
  });
  await expect(first.rebuild('test')).rejects.toThrow('killed');
  await first[Symbol.asyncDispose]();
  const old = await namesOf(place);
  expect(await readdir(place.directory)).toContain(NEXT_FILE);

  const { asked, source } = stepping(place.source);
  await using _second = await place.openWriter({ source });
  await eventually(async () => !(await readdir(place.directory)).includes(NEXT_FILE));

  expect(Math.min(...asked)).toBeGreaterThanOrEqual(STEP * 3);
  expect((await namesOf(place)).filter((uid) => old.includes(uid))).toEqual([]);
  expect(await answersOf(place.openIndex())).toEqual(before);
});

test('during a rebuild searches answer from the present index, which stays current', async () => {
  await using place = await filled();
  const gate = Promise.withResolvers<void>();
  const { asked, source } = stepping(place.source, async (seq) => (seq > 0 ? gate.promise : undefined));
  await using writer = await place.openWriter({ source });
  const index = place.openIndex();
  const newest = planOf({ match: word('newest') });
  const plan = planOf({ match: word('solar') });
  const totals = new Set<number>();
  let isDone = false;
  const searching = (async () => {
    while (!isDone) {
      totals.add((await index.search(ENGINE, plan, never())).total);
      await setImmediate();
    }
  })();
  const { total } = await index.search(ENGINE, plan, never());

  const rebuilding = writer.rebuild('test');
  await eventually(() => asked.length > 1);
  writer.apply(
    place.store([storedDocument({ rid: 80, seq: 200, fields: { Title: 'Newest' } }), deletedDocument(1, 201)]),
  );
  await writer.refresh();
  // The store has forgotten the deletion before the rebuild could read it.
  place.rows.delete(1);
  await index.waitVisible(ENGINE, 201, AbortSignal.timeout(5_000));
  expect((await index.search(ENGINE, newest, never())).total).toBe(1);
  gate.resolve();
  await rebuilding;
  await eventually(async () => (await index.search(ENGINE, newest, never())).seq >= 201);
  isDone = true;
  await searching;

  const [all, found] = await answersOf(place.openIndex(), [planOf({ limit: 100 }), newest]);
  const live = [...place.rows.values()].filter(({ deleted }) => !deleted);
  expect(all).toMatchObject({ total: live.length });
  expect(found).toMatchObject({ total: 1 });
  expect([...totals].filter((count) => Math.abs(count - total) > 1)).toEqual([]);
});

test('the index before a rebuild can be gone back to, with the changes since, and the other way again', async () => {
  await using place = await filled();
  await using writer = await place.openWriter();
  const old = await namesOf(place);
  await writer.rebuild('test');
  const made = await namesOf(place);
  writer.apply(
    place.store([storedDocument({ rid: 80, seq: 200, fields: { Title: 'Newest solar' } }), deletedDocument(2, 201)]),
  );
  await writer.refresh();
  const before = await answersOf(place.openIndex());

  await writer.rollBack();

  expect(await namesOf(place)).toEqual(expect.arrayContaining(old));
  expect(await answersOf(place.openIndex())).toEqual(before);
  await writer.rollBack();
  expect(await namesOf(place)).toEqual(expect.arrayContaining(made));
  expect(await answersOf(place.openIndex())).toEqual(before);
  expect(writer.appliedSeq).toBe(201);
});

test('an index that was gone back to keeps its files while changes go on', async () => {
  await using place = await filled();
  let now = Date.now();
  {
    await using writer = await place.openWriter({ clock: { now: () => now } });
    await writer.rebuild('test');
    await writer.rollBack();
    for (const seq of [300, 301]) {
      now += LATER_MS;
      writer.apply(place.store([storedDocument({ rid: 90, seq })]));
      await writer.refresh();
    }
  }

  await using _next = await place.openWriter({ clock: { now: () => now } });

  expect(place.warnings()).toEqual([]);
});

test('without a rebuild, or a day after it, there is nothing to go back to', async () => {
  await using place = await filled();
  let now = Date.now();
  await using writer = await place.openWriter({ clock: { now: () => now } });
  await expect(writer.rollBack()).rejects.toMatchObject({ code: 'record.conflict' });
  const files = (await readdir(place.directory)).filter((name) => name.startsWith('seg-'));
  await writer.rebuild('test');
  expect(await readdir(place.directory)).toEqual(expect.arrayContaining(files));

  now += DAY_MS + 1_000;
  await expect(writer.rollBack()).rejects.toMatchObject({ code: 'record.conflict' });
  for (const seq of [300, 301]) {
    writer.apply(place.store([storedDocument({ rid: 90, seq })]));
    await writer.refresh();
  }

  const left = await readdir(place.directory);
  expect(left).not.toContain(PREVIOUS_FILE);
  expect(left.filter((name) => files.includes(name))).toEqual([]);
});
