import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldBlanks, normalQuery } from '../../src/core/normal-query.ts';
import { openSystemStore } from '../../src/storage/sqlite/open-system-store.ts';
import { openForWriting, runOperation, type SqliteDatabase } from '../../src/storage/sqlite/sqlite-database.ts';
import { startWriteThread } from '../../src/storage/sqlite/write-thread.ts';
import { addClickEvent, addQueryEvent, DEVICES } from '../../src/storage/system/tracking.ts';
import { readStatistics, readTopQueries } from '../../src/tracking/statistics.ts';
import { seededRandom } from './seeded-random.ts';

/** CPU of storing and adding up events: `node scripts/bench/statistics.ts [searches]`, 300,000 of 400 days by default. */
const SEARCHES = Number(process.argv[2] ?? 300_000);
const DAYS = 400;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const QUERIES = 200_000;
const CLICKED_RATIO = 0.4;
const GROUP = 1_000;
const random = seededRandom(7);

const folder = await mkdtemp(join(tmpdir(), 'fossick-statistics-'));
{
  await using writeThread = startWriteThread(folder);
  await using store = await openSystemStore({ dataDir: folder, writeThread });
  const db = openForWriting(join(folder, 'system.db'));
  const storing = await measured(async () => storeAll(db));
  db.execute('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const { size } = await stat(join(folder, 'system.db'));
  print(`${SEARCHES} searches stored: ${((storing * 1_000) / SEARCHES).toFixed(0)} µs each with its clicks`);
  print(`system.db: ${(size / 1e6).toFixed(0)} MB`);
  for (const days of [30, 90, DAYS]) {
    const range = { engineId: 6, from: NOW - (days - 1) * DAY_MS, to: NOW, device: undefined };
    const sums = await measured(() => readStatistics({ systemStore: store }, range));
    const top = await measured(() =>
      readTopQueries({ systemStore: store }, { ...range, order: 'searches', limit: 50 }),
    );
    print(`${days} days: sums ${sums.toFixed(0)} ms, top queries ${top.toFixed(0)} ms`);
  }
  const popular = await measured(() => store.listPopularQueries({ engineId: 6, minCount: 1, limit: 50_000 }));
  print(`popular queries: ${popular.toFixed(0)} ms`);
}
await rm(folder, { recursive: true });

/** Milliseconds of CPU of this process. */
async function measured(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function storeAll(db: SqliteDatabase): void {
  for (let first = 0; first < SEARCHES; first += GROUP) {
    db.execute('BEGIN IMMEDIATE');
    for (let n = first; n < Math.min(first + GROUP, SEARCHES); n++) storeOne(db, n);
    db.execute('COMMIT');
  }
}

/** Few queries come often and most of them rarely; three of a query session. */
function storeOne(db: SqliteDatabase, n: number): void {
  const text = `query ${Math.floor(QUERIES ** random()).toString(36)}`;
  const at = NOW - Math.floor(random() * DAYS) * DAY_MS;
  const id = { id: `search-${n}`, engineId: 6, at, queryId: `id-${n}`, sessionId: undefined, ip: '203.0.113.9' };
  const resultCount = random() < 0.1 ? 0 : Math.floor(random() * 200);
  const device = DEVICES[Math.floor(random() * 3)] ?? 'unknown';
  const querySessionId = `session-${Math.floor((random() * SEARCHES) / 3)}`;
  const extra = { refurl: 'https://www.example.com/search', refpt: 'Search' };
  const event = { ...id, text, resultCount, fixedQuery: undefined, device, querySessionId, extra };
  const count = { query: normalQuery(text), spelling: foldBlanks(text), ownResultCount: resultCount };
  runOperation(db, addQueryEvent(event, count));
  if (random() > CLICKED_RATIO) return;
  const clicked = { kind: 'searchresult', url: 'https://www.example.com/', rank: 1 + Math.floor(random() * 10) };
  runOperation(
    db,
    addClickEvent({ ...id, ...clicked, id: `click-${n}`, bannerId: undefined, title: undefined, text, extra: {} }),
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
