import { copyFile, cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReadiness } from '../../../src/compose/readiness.ts';
import type { Engine } from '../../../src/core/records.ts';
import { checkIndexes } from '../../../src/health/crawler-checks.ts';
import { eventually } from '../../helpers/eventually.ts';
import { engineFolder, type IndexedEngine, isRepair, openIndexedEngine } from '../../helpers/indexed-engine.ts';
import { reportFigure } from '../../helpers/scorecard.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const COUNT = 50;
const WORDS = ['alpha', 'bravo', 'charlie', 'delta', '*'];

/** Runs work on the engine with an indexer, and stops it. */
async function session(dataDir: string, work: (engine: IndexedEngine) => Promise<unknown>): Promise<void> {
  await using engine = await openIndexedEngine(dataDir);
  engine.startIndexer();
  await work(engine);
}

const pushed = (word: string) => (engine: IndexedEngine) => engine.put(word, COUNT, { wait: true });

/** The store of another engine, put in the place of this one's. */
async function takeStoreOfAnother(dataDir: string): Promise<void> {
  await using other = await temporaryFolder();
  await session(other.path, async (engine) => {
    await pushed('delta')(engine);
    await pushed('alpha')(engine);
  });
  await rm(join(engineFolder(dataDir), 'store.db'));
  await copyFile(join(engineFolder(other.path), 'store.db'), join(engineFolder(dataDir), 'store.db'));
}

/** What happens to a store of `alpha` while its index has seen `bravo`, too. */
const FAULTS = {
  'an older store': async (dataDir: string) => {
    const file = join(engineFolder(dataDir), 'store.db');
    await copyFile(file, `${file}.copy`);
    await session(dataDir, pushed('bravo'));
    await copyFile(`${file}.copy`, file);
  },
  'a store without its WAL': async (dataDir: string) => {
    const file = join(engineFolder(dataDir), 'store.db');
    await session(dataDir, async (engine) => {
      await pushed('bravo')(engine);
      await copyFile(file, `${file}.copy`);
    });
    await copyFile(`${file}.copy`, file);
  },
  'a deleted store': async (dataDir: string) => {
    await session(dataDir, pushed('bravo'));
    await rm(join(engineFolder(dataDir), 'store.db'));
  },
  'the store of another engine': async (dataDir: string) => {
    await session(dataDir, pushed('bravo'));
    await takeStoreOfAnother(dataDir);
  },
} as const;

const engines = async () => [{ id: 6, name: 'Shop' }] as Engine[];

async function isReady({ index }: IndexedEngine): Promise<boolean> {
  const readiness = createReadiness({
    draining: { isBegun: () => false },
    systemStore: { listEngines: engines, findLease: async () => ({ holder: 'indexer', beats: 1, renewedAt: 0 }) },
    isProcessAlive: async () => true,
    indexerLease: 'indexer',
    searchIndex: index,
    monotonicMs: () => 0,
  });
  return (await readiness()).ready;
}

const findingsOf = ({ index }: IndexedEngine) => checkIndexes({ engines, repairOf: index.repairOf }).look();

/** Asks for every word, and keeps the titles of hits that do not say it. */
function truthOf(engine: IndexedEngine) {
  const wrong: unknown[] = [];
  const isWordLevel = async (word: string, titles: readonly string[]) => {
    const says = (title: string | undefined) => word === '*' || title?.startsWith(word) === true;
    const answer = await engine.search(word);
    wrong.push(...answer.titles.filter((title) => !says(title)));
    const wanted = titles.filter(says).length;
    return answer.total === wanted && answer.titles.length === wanted;
  };
  return {
    wrong,
    /** Resolves when every word is answered as the store says; until then every answer but a repair's is judged. */
    isLevel: () =>
      eventually(async () => {
        const stored = await engine.store.listDocuments({ after: 0, limit: 1_000 });
        const titles = stored.map(({ fields }) => fields.get('Title')?.[0] ?? '');
        for (const word of WORDS) if (!(await isWordLevel(word, titles))) return false;
        return true;
      }),
  };
}

describe.each(Object.entries(FAULTS))('%s beside the index that was there', (name, fault) => {
  test('is never answered from it, and is indexed in the end', async () => {
    await using folder = await temporaryFolder();
    await session(folder.path, pushed('alpha'));
    await fault(folder.path);
    await using engine = await openIndexedEngine(folder.path);
    await expect(engine.search('bravo')).rejects.toMatchObject({ code: 'index.corrupt' });
    expect(await isReady(engine)).toBe(false);
    expect(await findingsOf(engine)).toMatchObject([{ name: 'index-repair', subject: 'engine 6' }]);

    engine.startIndexer();
    expect(await engine.put('charlie', 20, { wait: true })).toBe(true);

    expect((await engine.search('charlie')).total).toBe(20);
    const { wrong, isLevel } = truthOf(engine);
    await isLevel();
    expect(wrong).toEqual([]);
    expect(await isReady(engine)).toBe(true);
    expect(await findingsOf(engine)).toEqual([]);
    expect(engine.lines.filter(({ msg }) => msg === 'index does not belong to its store')).toHaveLength(1);
    reportFigure('stores.foreign-index', `${name}: 0 wrong hits, every term as the store says`);
  });

  test('is noticed also when pushes have passed the number that the index had reached', async () => {
    await using folder = await temporaryFolder();
    await session(folder.path, pushed('alpha'));
    await fault(folder.path);
    await using engine = await openIndexedEngine(folder.path);

    await engine.put('charlie', 5 * COUNT, { wait: false });
    await expect(engine.search('bravo')).rejects.toMatchObject({ code: 'index.corrupt' });
    engine.startIndexer();

    const { wrong, isLevel } = truthOf(engine);
    await isLevel();
    expect(wrong).toEqual([]);
  });
});

test('a store that was restored, with a new epoch, is indexed anew', async () => {
  await using folder = await temporaryFolder();
  await session(folder.path, pushed('alpha'));
  {
    // Without an indexer, which would make the index anew before the search.
    await using restored = await openIndexedEngine(folder.path);
    await restored.store.startEpoch();
  }

  await using engine = await openIndexedEngine(folder.path);
  await expect(engine.search('alpha')).rejects.toMatchObject({ code: 'index.corrupt' });
  engine.startIndexer();

  await truthOf(engine).isLevel();
});

test('a push is not told as found by an index of a later state than the store', async () => {
  await using folder = await temporaryFolder();
  await session(folder.path, pushed('alpha'));
  await FAULTS['an older store'](folder.path);
  await using engine = await openIndexedEngine(folder.path);

  const { seq } = await engine.store.deleteDocuments(17, ['alpha-1'], 2);

  expect(await engine.index.waitVisible(6, seq, AbortSignal.timeout(300))).toBe(false);
  expect(engine.index.visibleSeq(6)).toBe(0);
});

test('an older index beside its store loses the documents that were deleted and forgotten since', async () => {
  await using folder = await temporaryFolder();
  const index = join(engineFolder(folder.path), 'index');
  await session(folder.path, pushed('alpha'));
  await cp(index, `${index}.copy`, { recursive: true });
  await session(folder.path, async (engine) => {
    const { seq } = await engine.store.deleteDocuments(17, ['alpha-1', 'alpha-2'], 2);
    await pushed('bravo')(engine);
    await engine.store.purgeDeleted(seq, 10);
  });
  await rm(index, { recursive: true });
  await cp(`${index}.copy`, index, { recursive: true });

  await using engine = await openIndexedEngine(folder.path);
  engine.startIndexer();

  await truthOf(engine).isLevel();
});

test('an engine with documents and no index answers with an error until it has one, never with nothing', async () => {
  await using folder = await temporaryFolder();
  await session(folder.path, pushed('alpha'));
  await rm(join(engineFolder(folder.path), 'index'), { recursive: true });
  await using engine = await openIndexedEngine(folder.path);

  await expect(engine.search('alpha')).rejects.toMatchObject({ code: 'index.corrupt' });
  engine.startIndexer();

  await eventually(async () => (await engine.search('alpha').catch(isRepair)) !== true, 10_000);
  expect((await engine.search('alpha')).total).toBe(COUNT);
  reportFigure('stores.missing-index', 'error until the first generation, then 50 of 50');
});

test('an engine without documents answers nothing at once, and its first push is found', async () => {
  await using folder = await temporaryFolder();
  await using engine = await openIndexedEngine(folder.path);
  expect(await engine.search('*')).toEqual({ total: 0, titles: [] });

  engine.startIndexer();
  await engine.put('alpha', 1, { wait: false });

  await eventually(async () => {
    // A machine under load may take longer for the first generation than a search waits.
    const found = await engine.search('alpha').catch(isRepair);
    return typeof found === 'object' && found.total === 1;
  });
});

test('files of an index that does not belong to the store leave, and its manifest is kept to be looked at', async () => {
  await using folder = await temporaryFolder();
  await session(folder.path, pushed('alpha'));
  await FAULTS['a deleted store'](folder.path);

  await session(folder.path, (engine) => truthOf(engine).isLevel());

  const names = await readdir(join(engineFolder(folder.path), 'index'));
  expect(names.filter((name) => name.endsWith('.bin'))).toEqual([]);
  expect(names).toContain('MANIFEST.bad');
});
