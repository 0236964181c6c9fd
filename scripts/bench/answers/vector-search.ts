import { monitorEventLoopDelay } from 'node:perf_hooks';
import { temporaryFolder } from '../../../src/compose/extraction.ts';
import { packVector, vectorSetOf } from '../../../src/core/document-vectors.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createEmbeddedVectors } from '../../../src/search-index/embedded/vectors/embedded-vectors.ts';
import type { EngineStore } from '../../../src/storage/engine-store.ts';
import { openEngineStores } from '../../../src/storage/sqlite/engine-stores.ts';
import { startWriteThread } from '../../../src/storage/sqlite/write-thread.ts';
import { createInMemoryVectors } from '../../../test/helpers/in-memory-index/in-memory-vectors.ts';
import { percentile } from './percentile.ts';

const ENGINE = 1;
const SET = vectorSetOf('bench');
const PASSAGES_PER_DOCUMENT = 10;
const BATCH = 500;
const TOP = 10;
const EXACT_QUESTIONS = 10;
/** Directions that vectors gather around, as texts do about subjects. */
const SUBJECTS = 500;
const OWN_SHARE = 0.7;

/** CPU of a search among so many passages, how long it holds the event loop, and how many of the best ten it finds. */
export async function measureVectorSearch(passages: number, dimensions: number): Promise<void> {
  await using folder = await temporaryFolder();
  await using writeThread = startWriteThread(folder.path);
  await using stores = openEngineStores({ dataDir: folder.path, writeThread });
  const store = await stores.of(ENGINE);
  const subjects = Array.from({ length: SUBJECTS }, () => randomVector(dimensions));
  const newVector = () => around(subjects[Math.floor(Math.random() * SUBJECTS)] ?? randomVector(dimensions));
  for (let done = 0; done < passages / PASSAGES_PER_DOCUMENT; done += BATCH) await fill(store, done, newVector);
  const log = createLogger({ level: 'warn', name: 'bench' });
  const index = createEmbeddedVectors({ sourceOf: stores.of, maxBytes: 2 ** 30, log });
  const exact = createInMemoryVectors(stores.of);
  const ask = (from: typeof index, vector: Float32Array) =>
    from.nearest(ENGINE, { set: SET, vector, rids: undefined, limit: TOP });

  const began = performance.now();
  await ask(index, newVector());
  console.log(`first question, reading ${passages} × ${dimensions}: ${(performance.now() - began).toFixed(0)} ms`);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpuMs: number[] = [];
  for (let question = 0; question < 200; question++) {
    const before = process.cpuUsage();
    await ask(index, newVector());
    const { user, system } = process.cpuUsage(before);
    cpuMs.push((user + system) / 1_000);
  }
  delay.disable();
  let found = 0;
  for (let question = 0; question < EXACT_QUESTIONS; question++) {
    const vector = newVector();
    const wanted = new Set((await ask(exact, vector)).map(({ hash }) => hash));
    found += (await ask(index, vector)).filter(({ hash }) => wanted.has(hash)).length;
  }
  const shares = [0.5, 0.95].map((share) => percentile(cpuMs, share).toFixed(1));
  console.log(`CPU p50 ${shares[0]} ms, p95 ${shares[1]} ms; longest turn ${(delay.max / 1e6).toFixed(1)} ms`);
  console.log(`of the best ${TOP}: ${(found / EXACT_QUESTIONS / TOP).toFixed(3)}`);
}

async function fill(store: EngineStore, from: number, newVector: () => Float32Array): Promise<void> {
  const ids = Array.from({ length: BATCH }, (_, at) => `d${from + at}`);
  const fields = new Map([['Content', ['text']]]);
  const rest = { kind: 'PageContent', origin: 'pushed', language: 'en' } as const;
  await store.putDocuments(
    1,
    ids.map((id) => ({ id, fields, ...rest })),
    1,
  );
  const rows = await store.listDocuments({ after: from, limit: BATCH });
  const documents = rows.map(({ rid, seq }) => {
    const vectors = Array.from({ length: PASSAGES_PER_DOCUMENT }, newVector);
    return {
      rid,
      seq,
      contextHash: '',
      dimensions: vectors[0]?.length ?? 0,
      hashes: vectors.map((_, at) => (rid * PASSAGES_PER_DOCUMENT + at).toString(16).padStart(32, '0')),
      packed: Buffer.concat(vectors.map(packVector)),
    };
  });
  await store.putVectors(SET, { seq: rows.at(-1)?.seq ?? 0, documents });
}

function randomVector(dimensions: number): Float32Array {
  return normalised(Float32Array.from({ length: dimensions }, () => Math.random() + Math.random() - 1));
}

function around(subject: Float32Array): Float32Array {
  const own = randomVector(subject.length);
  return normalised(subject.map((value, at) => value + OWN_SHARE * (own[at] ?? 0)));
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
