import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, toAppError } from '../core/errors.ts';
import { createLogger } from '../observability/logger.ts';
import { verifyIndex } from '../search-index/embedded/verify-index.ts';
import { storeName } from '../storage/sqlite/backup/backup-archive.ts';
import { requireFinishedRestore } from '../storage/sqlite/backup/restore-mark.ts';
import { listStores } from '../storage/sqlite/backup/store-snapshots.ts';
import { requireFinishedMove } from '../storage/sqlite/move/move-mark.ts';
import { lockDataFolder } from '../storage/sqlite/process-locks.ts';
import {
  type DocumentState,
  reindexStore,
  type StoreFinding,
  type VerifiedStore,
  verifyStore,
} from '../storage/sqlite/verify/verify-store.ts';
import { type StoreTarget, storePath } from '../storage/sqlite/write-messages.ts';
import { indexFolder, openStores } from './stores.ts';

/** One line of the report; `table` is `index` for what a search index lacks or has too much. */
export type VerifyFinding = {
  readonly store: string;
  readonly table: string;
  readonly id: string;
  readonly what: string;
  /** The command that mends it. */
  readonly command: string;
};

export type VerifyReport = {
  readonly stores: number;
  readonly documents: number;
  readonly findings: readonly VerifyFinding[];
  /** What `repair` has done or asked for. */
  readonly repairs: readonly string[];
};

export type VerifyOptions = {
  readonly repair: boolean;
  /** Told before each store. */
  readonly onProgress?: (progress: { readonly store: string; readonly done: number; readonly stores: number }) => void;
};

const MAX_DIFFERENCES = 100;
const REPAIR = 'fossick verify --repair';

/**
 * Holds every store against itself and every index against its store, while the product runs or not. With `repair`
 * what is made from something else is made again: search indexes by the indexer, indexes of SQLite here, when nothing runs.
 */
export async function verifyInstallation(
  dataDir: string,
  { repair, onProgress = () => undefined }: VerifyOptions,
): Promise<VerifyReport> {
  requireFinishedRestore(dataDir);
  requireFinishedMove(dataDir);
  if (!existsSync(storePath(dataDir, { kind: 'system' }))) {
    throw new AppError('record.not-found', `${dataDir} holds no installation: set DATA_DIR to the folder of one`);
  }
  const targets = listStores(dataDir);
  const reports: StoreReport[] = [];
  for (const target of targets) {
    onProgress({ store: storeName(target), done: reports.length, stores: targets.length });
    reports.push(await verifyTarget(dataDir, target));
  }
  const repairs: string[] = [];
  for (const report of repair ? reports : []) repairs.push(...(await repairTarget(dataDir, report)));
  return {
    stores: targets.length,
    documents: reports.reduce((total, report) => total + report.documents, 0),
    findings: reports.flatMap(({ findings }) => findings),
    repairs,
  };
}

type StoreReport = {
  readonly target: StoreTarget;
  readonly documents: number;
  readonly findings: readonly VerifyFinding[];
  readonly hasBadIndexes: boolean;
  readonly hasBadSearchIndex: boolean;
};

async function verifyTarget(dataDir: string, target: StoreTarget): Promise<StoreReport> {
  const store = storeName(target);
  // The index is read first: whatever it holds, the store has held before.
  const index = target.kind === 'engine' ? await readIndex(indexFolder(dataDir, target.engineId)) : undefined;
  using verified = verifyStore(storePath(dataDir, target), target.kind);
  const found = verified.findings;
  const isComparable = target.kind === 'engine' && !found.some(({ mend }) => mend === 'upgrade' || mend === 'restore');
  const { documents, differences, unreadable } = isComparable ? compareReadable(verified, index) : NOT_COMPARED;
  return {
    target,
    documents,
    findings: [
      ...[...found, ...unreadable].map((finding) => ({ ...told(finding), store })),
      ...differences.map((difference) => ({ ...difference, store, table: 'index', command: REPAIR })),
    ],
    hasBadIndexes: found.some(({ mend }) => mend === 'reindex'),
    hasBadSearchIndex: differences.length > 0,
  };
}

async function repairTarget(dataDir: string, report: StoreReport): Promise<readonly string[]> {
  const { target, hasBadIndexes, hasBadSearchIndex } = report;
  const done: string[] = [];
  if (hasBadIndexes) done.push(reindex(dataDir, target));
  if (hasBadSearchIndex && target.kind === 'engine') {
    await askRebuild(dataDir, target.engineId);
    done.push(`The index of engine ${target.engineId} is made again by the indexer, now or at the next start`);
  }
  return done;
}
type ReadIndex = Awaited<ReturnType<typeof verifyIndex>> | { readonly damage: string };

async function readIndex(directory: string): Promise<ReadIndex> {
  try {
    return await verifyIndex(directory);
  } catch (error) {
    return { damage: toAppError(error).code === 'index.corrupt' ? 'a file of the index is damaged' : String(error) };
  }
}

type Difference = { readonly id: string; readonly what: string };

type Compared = { readonly documents: number; readonly differences: readonly Difference[] };

type Comparison = Compared & { readonly unreadable: readonly StoreFinding[] };

const NOT_COMPARED: Comparison = { documents: 0, differences: [], unreadable: [] };

/** What is read here may be damaged where the look at the whole store saw nothing. */
function compareReadable(store: VerifiedStore, index: ReadIndex): Comparison {
  try {
    return { ...compare(store, index), unreadable: [] };
  } catch (error) {
    const what = `it cannot be read: ${toAppError(error).message}`;
    return { ...NOT_COMPARED, unreadable: [{ table: '-', id: '-', what, mend: 'restore' }] };
  }
}

function compare(store: VerifiedStore, index: ReadIndex): Compared {
  const whole = faultOfWhole(store, index);
  if (whole !== undefined) return { documents: 0, differences: [{ id: '-', what: whole }] };
  const { seq, rids } = index === undefined || 'damage' in index ? { seq: 0, rids: new Uint32Array() } : index;
  const differences: Difference[] = [];
  let documents = 0;
  for (const entry of paired(store.documents(), rids)) {
    if (entry.row?.isLive) documents += 1;
    const what = differences.length < MAX_DIFFERENCES ? faultOf(entry, seq) : undefined;
    if (what !== undefined) differences.push({ id: `rid ${entry.rid}`, what });
  }
  return { documents, differences };
}

function faultOfWhole(store: VerifiedStore, index: ReadIndex): string | undefined {
  if (index === undefined) return undefined;
  if ('damage' in index) return index.damage;
  const { origin, seq } = index;
  if (origin !== null && (origin.storeId !== store.meta('store_id') || origin.epoch !== store.meta('epoch'))) {
    return 'it was made of another store, or of a later state of this one';
  }
  const lastSeq = Number(store.meta('last_seq') ?? 0);
  return seq > lastSeq ? `it holds changes up to ${seq}, the store ends at ${lastSeq}` : undefined;
}

type PairedDocument = { readonly rid: number; readonly row: DocumentState | undefined; readonly times: number };

/** Rows of the store beside how many times the index holds them; both ascend. */
function* paired(documents: Iterable<DocumentState>, rids: Uint32Array): Generator<PairedDocument> {
  let at = 0;
  function* indexedBelow(end: number): Generator<PairedDocument> {
    for (let rid = rids[at]; rid !== undefined && rid < end; rid = rids[++at]) yield { rid, row: undefined, times: 1 };
  }
  for (const row of documents) {
    yield* indexedBelow(row.rid);
    const first = at;
    while (rids[at] === row.rid) at += 1;
    yield { rid: row.rid, row, times: at - first };
  }
  yield* indexedBelow(Number.POSITIVE_INFINITY);
}

function faultOf({ row, times }: PairedDocument, indexedSeq: number): string | undefined {
  if (times > 1) return 'a search finds it twice';
  // What changed since the index was published is on its way.
  if (row !== undefined && row.seq > indexedSeq) return undefined;
  if (row?.isLive === true && times === 0) return 'it is stored, and no search finds it';
  return row?.isLive !== true && times > 0 ? 'searches find it, and it is not stored' : undefined;
}

function reindex(dataDir: string, target: StoreTarget): string {
  const store = storeName(target);
  using lock = lockDataFolder(dataDir);
  if (lock === undefined) return `${store} has damaged indexes: stop the product, then ${REPAIR}`;
  reindexStore(storePath(dataDir, target));
  return `The indexes of ${store} were made again from its tables`;
}

async function askRebuild(dataDir: string, engineId: number): Promise<void> {
  await using stores = await openStores(
    { DATA_DIR: resolve(dataDir) },
    createLogger({ level: 'silent', name: 'verify' }),
  );
  await (await stores.engineStores.of(engineId)).askIndexWork('rebuild');
}

function told({ table, id, what, mend }: StoreFinding): Omit<VerifyFinding, 'store'> {
  const command = {
    reindex: `${REPAIR}, while nothing runs`,
    rewrite: 'push it again, or fossick queue-url <crawler> <url>',
    upgrade: 'start the newer version, or fossick restore <file> --replace',
    restore: 'fossick restore <file> --replace',
  }[mend];
  return { table, id, what, command };
}
