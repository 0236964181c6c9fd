import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { typedWords } from '../search-index/completions.ts';
import type { PopularQuery } from '../storage/popular-query-store.ts';

/** A committed query that had results, by its words. */
export type QueryCompletion = { readonly text: string; readonly count: number; readonly words: readonly string[] };

/** Queries by the first letters of each of their words. */
export type QueryCompletions = { readonly byStart: ReadonlyMap<string, readonly QueryCompletion[]> };

/** Letters that a look-up starts from. */
const START_CHARS = 2;
/** Queries per turn of the event loop: some 3 ms. */
const STEP = 500;

const made = new WeakMap<readonly PopularQuery[], Promise<QueryCompletions>>();

/** The look-up of a list of queries, made once per list, in steps. Queries not known to have had results are left out. */
export function queryCompletionsOf(queries: readonly PopularQuery[]): Promise<QueryCompletions> {
  const known = made.get(queries) ?? index(queries);
  made.set(queries, known);
  return known;
}

/** Queries in which the typed words stand side by side, the last one as a beginning. Costs the queries of one start. */
export function completingQueries({ byStart }: QueryCompletions, typed: readonly string[]): readonly QueryCompletion[] {
  const first = typed[0] ?? '';
  const start = first.slice(0, START_CHARS);
  // One letter, typed alone, is the beginning of several starts; before other words it is a word.
  const starts =
    first.length < START_CHARS && typed.length === 1
      ? [...byStart.keys()].filter((key) => key.startsWith(first))
      : [start];
  const found = starts.flatMap((key) => byStart.get(key) ?? []);
  return [...new Set(found)].filter(({ words }) => fits(words, typed));
}

async function index(queries: readonly PopularQuery[]): Promise<QueryCompletions> {
  const byStart = new Map<string, QueryCompletion[]>();
  const keys = new Set<string>();
  for (const [number, { text, count, resultCount = 0 }] of queries.entries()) {
    if (number % STEP === STEP - 1) await yieldToEventLoop();
    if (resultCount === 0) continue;
    const words = typedWords(text);
    // Spellings that differ in accents only are one completion, the most frequent.
    const key = words.join(' ');
    if (keys.has(key)) continue;
    keys.add(key);
    const completion = { text, count, words };
    for (const start of new Set(words.map((word) => word.slice(0, START_CHARS)))) {
      const same = byStart.get(start);
      if (same === undefined) byStart.set(start, [completion]);
      else same.push(completion);
    }
  }
  return { byStart };
}

function fits(words: readonly string[], typed: readonly string[]): boolean {
  const last = typed.length - 1;
  return words.some((_, at) =>
    typed.every((word, i) => (i === last ? (words[at + i] ?? '').startsWith(word) : words[at + i] === word)),
  );
}
