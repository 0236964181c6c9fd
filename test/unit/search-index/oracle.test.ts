import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { StoredDocument } from '../../../src/core/document.ts';
import { openEmbeddedIndex } from '../../../src/search-index/embedded/embedded-index.ts';
import type { EvaluationStrategy } from '../../../src/search-index/embedded/query/query-form.ts';
import { openEmbeddedWriter } from '../../../src/search-index/embedded/writer.ts';
import type { IndexWriter } from '../../../src/search-index/index-writer.ts';
import type { QueryPlan } from '../../../src/search-index/query-plan.ts';
import type { Hits, SearchIndex } from '../../../src/search-index/search-index.ts';
import { EMPTY_VOCABULARY } from '../../../src/text/compounds.ts';
import { foldWord } from '../../../src/text/folding.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { indexSourceOf } from '../../helpers/index-source.ts';
import { planOf } from '../../helpers/query-plans.ts';
import { type Random, seededRandom } from '../../helpers/random.ts';
import { randomCompletion } from '../../helpers/random-completions.ts';
import { COMPOUND_VOCABULARY, randomChanges } from '../../helpers/random-documents.ts';
import { misspelt, randomFilter, randomPlan, randomToken } from '../../helpers/random-plans.ts';
import { RUN_SEED } from '../../helpers/run-seed.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** `ORACLE_PAIRS` raises the number of (corpus, plan) pairs, `TEST_SEED` repeats a run. */
const PAIRS = Number(process.env['ORACLE_PAIRS'] ?? 100);
const PLANS_PER_CORPUS = 25;
const COMPLETIONS_PER_CORPUS = 40;
const ENGINE = 6;
const PATHS: readonly (EvaluationStrategy | undefined)[] = [undefined, 'tree', 'and', 'or-windows', 'or-by-filter'];
const log = pino({ level: 'silent' });

/** Of one test, so that a long run tells how far it is. */
const CORPORA_PER_TEST = 40;

const corpora = Array.from({ length: Math.ceil(PAIRS / PLANS_PER_CORPUS) }, (_, corpus) => corpus);
const parts = Map.groupBy(corpora, (corpus) => Math.floor(corpus / CORPORA_PER_TEST));

test.each([...parts.values()].map((part) => ({ first: part[0], part })))(
  `embedded = in memory, whatever the path, thread and segments (TEST_SEED=${RUN_SEED}, from corpus $first)`,
  { timeout: 3_600_000 },
  async ({ part }) => {
    for (const corpus of part) {
      await compareCorpus(seededRandom(RUN_SEED + corpus), `TEST_SEED=${RUN_SEED} corpus ${corpus}`);
    }
  },
);

/** Writes the same history to both, then asks both the same. */
async function compareCorpus(random: Random, name: string): Promise<void> {
  await using folder = await temporaryFolder();
  const vocabulary = random.chance(0.8) ? COMPOUND_VOCABULARY : EMPTY_VOCABULARY;
  await using oracle = createInMemoryIndex(vocabulary);
  const rows = new Map<number, StoredDocument>();
  await using writer = await openEmbeddedWriter({
    directory: folder.path,
    source: indexSourceOf(rows),
    language: 'en',
    clock: systemClock,
    log,
    inlineMergeDocuments: random.pick([0, 40, 2_000]),
    vocabulary,
  });
  const indexes = openAll(folder.path, rows);
  await using stack = new AsyncDisposableStack();
  for (const index of indexes) stack.use(index);
  await writeHistory(random, [writer, oracle.writer(ENGINE)], rows);
  for (const index of indexes) await index.waitVisible(ENGINE, writer.appliedSeq, AbortSignal.timeout(60_000));

  for (let i = 0; i < PLANS_PER_CORPUS; i++)
    await comparePlan({ oracle, indexes }, randomPlan(random), `${name} plan ${i}`);
  await compareRest({ oracle, indexes }, random, name);
}

/** One index per forced path, and one that sends every search to a thread. */
function openAll(directory: string, rows: ReadonlyMap<number, StoredDocument>): SearchIndex[] {
  const options = {
    clock: systemClock,
    log,
    directoryOf: () => directory,
    // However busy the machine is.
    inlineDeadlineMs: 600_000,
    readDocuments: async (_engine: number, rids: readonly number[]) => rids.map((rid) => rows.get(rid)),
  };
  const forced = PATHS.map((forcedPath) =>
    openEmbeddedIndex({ ...options, threads: 0, ...(forcedPath === undefined ? {} : { forcedPath }) }),
  );
  return [...forced, openEmbeddedIndex({ ...options, threads: 1, inlineNs: 0, inlineCompletionDocuments: 0 })];
}

async function writeHistory(
  random: Random,
  writers: readonly IndexWriter[],
  rows: Map<number, StoredDocument>,
): Promise<void> {
  let seq = 0;
  for (let round = random.pick([1, 2, 5, 12, 12]); round > 0; round--) {
    const changes = randomChanges(random, { rids: rows.size, seq });
    for (const change of changes) rows.set(change.rid, change);
    seq += changes.length;
    for (const writer of writers) writer.apply(changes);
    for (const writer of writers) await writer.refresh();
    if (random.chance(0.05)) for (const writer of writers) await writer.rebuild('test');
  }
}

type Compared = { readonly oracle: SearchIndex; readonly indexes: readonly SearchIndex[] };

async function comparePlan({ oracle, indexes }: Compared, plan: QueryPlan, name: string): Promise<void> {
  const { signal } = new AbortController();
  const expected = comparable(await oracle.search(ENGINE, plan, signal));
  const isMatch = await oracle.hasMatch(ENGINE, plan.match, signal);
  for (const [i, index] of indexes.entries()) {
    const message = `${name} on ${PATHS[i] ?? (i === 0 ? 'chosen path' : 'thread')}: ${show(plan)}`;
    const hits = comparable(await index.search(ENGINE, plan, signal));
    if (plan.counts === 'none') {
      expect([hits.total > 0, hits.total <= expected.total], message).toEqual([expected.total > 0, true]);
      hits.total = expected.total;
    }
    expect(hits, message).toEqual(expected);
    expect(await index.hasMatch(ENGINE, plan.match, signal), message).toBe(isMatch);
  }
  if (indexes[0] !== undefined) await compareExplanations({ oracle, indexes: [indexes[0]] }, plan, name);
}

/** A few hits and documents of any kind are explained alike, and to the score of the hit. */
async function compareExplanations({ oracle, indexes }: Compared, plan: QueryPlan, name: string): Promise<void> {
  const { signal } = new AbortController();
  const { hits } = await oracle.search(ENGINE, plan, signal);
  const others = (await oracle.search(ENGINE, planOf({ limit: 2, offset: hits.length }), signal)).hits;
  const place = plan.offset + 1;
  const asked = [...hits.slice(0, 2), ...others];
  const expected = await oracle.explain(ENGINE, plan, asked, signal);
  const message = `${name} explained: ${show(plan)}`;
  for (const [i, hit] of hits.slice(0, 2).entries()) {
    expect([expected[i]?.rank, expected[i]?.score?.value], message).toEqual([place + i, hit.score]);
  }
  const generation = expected[0]?.generation;
  for (const index of indexes) {
    const explained = await index.explain(ENGINE, plan, asked, signal);
    expect(
      explained.map((one) => ({ ...one, generation })),
      message,
    ).toEqual(expected);
  }
}

async function compareRest({ oracle, indexes }: Compared, random: Random, name: string): Promise<void> {
  const filter = randomFilter(random, 2);
  const byName = async (index: SearchIndex) =>
    [...(await index.fields(ENGINE))].sort((a, b) => (a.name < b.name ? -1 : 1));
  const ridsOf = async (index: SearchIndex) => (await index.matchingRids(ENGINE, filter)).rids.toSorted();
  for (let i = 0; i < COMPLETIONS_PER_CORPUS; i++) {
    const asked = randomCompletion(random);
    const [text, options] = asked;
    const expected = await oracle.completions(ENGINE, text, options);
    for (const index of [indexes[0]!, indexes.at(-1)!]) {
      // A busy machine answers that it is still looking.
      const found = await eventually(async () => {
        const completions = await index.completions(ENGINE, text, options);
        return completions.isPending ? undefined : completions;
      }, 60_000);
      expect(found, `${name}: completions ${show(asked)}`).toEqual(expected);
    }
  }
  const tokens = Array.from({ length: 5 }, () => randomToken(random));
  const typos = tokens.map((token) => misspelt(random, token));
  const options = { maxDistance: random.pick([1, 2] as const), limit: random.pick([1, 5, 100]) };
  const nearOf = async (index: SearchIndex) => {
    const found = await Promise.all(
      [...tokens, ...typos].map((word) => index.fuzzyTerms(ENGINE, word, options, never())),
    );
    return found.map((words) => words.map(({ display, ...word }) => ({ ...word, folded: foldWord(display) })));
  };
  for (const index of [...indexes.slice(0, 1), ...indexes.slice(-1)]) {
    expect(await nearOf(index), name).toEqual(await nearOf(oracle));
    expect(await index.documentFrequencies(ENGINE, tokens), name).toEqual(
      await oracle.documentFrequencies(ENGINE, tokens),
    );
    expect(await index.surfaceFrequencies(ENGINE, [...tokens, ...typos]), name).toEqual(
      await oracle.surfaceFrequencies(ENGINE, [...tokens, ...typos]),
    );
    expect(await byName(index), name).toEqual(await byName(oracle));
    expect(await ridsOf(index), `${name}: ${show(filter)}`).toEqual(await ridsOf(oracle));
  }
}

function comparable({ vocabulary, ...hits }: Hits) {
  const matched = hits.matched.map(({ forms, also = [], surfaces = new Set(), ...word }) => ({
    ...word,
    surfaces: [...surfaces].sort(),
    forms: [...forms].sort(),
    also: also.map((found) => ({ ...found, forms: found.forms.map((one) => [...one].sort()) })),
  }));
  return { ...hits, hits: [...hits.hits], matched, vocabulary: vocabulary?.number };
}

/** Readable in a failure; JSON alone would lose infinity. */
function show(value: unknown): string {
  return JSON.stringify(value, (_key, item) =>
    typeof item === 'number' && !Number.isFinite(item) ? String(item) : item,
  );
}
