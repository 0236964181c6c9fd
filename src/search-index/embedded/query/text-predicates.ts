import type { FilterNode } from '../../../core/filters.ts';
import { comparesText } from '../../../core/match-filter.ts';
import { type AutomatonState, MAX_PATTERN_BYTES, TextAutomaton } from './text-automaton.ts';

type NodeOf<Kind extends FilterNode['kind']> = Extract<FilterNode, { kind: Kind }>;

/** A predicate that looks at the texts of a field: all of them have to be read. */
export type TextPredicate = NodeOf<'text'> | NodeOf<'compare'>;

/**
 * Patterns up to which each is looked for on its own: `String.includes` takes 0.35 ns per byte and pattern, an
 * automaton 2.2 ns per byte (300 texts of 22 KB; `operator-costs.test.ts` shows both).
 */
export const FEW_PATTERNS = 6;

/** The distinct patterns of all predicates with the same operator, each with the predicates that ask for it. */
type Patterns = {
  /** Looked for one by one. */
  readonly single: readonly string[];
  readonly automata: readonly TextAutomaton[];
  /** Single ones first, then those of the automata. */
  readonly predicatesOf: readonly (readonly number[])[];
  /** UTF-16 code units of the longest pattern. */
  readonly mostChars: number;
};

type Order = { readonly predicate: number; readonly operator: NodeOf<'compare'>['operator']; readonly value: string };

/**
 * Marks per predicate the texts that pass, by their place. One pass over the texts, each of which is read and put in
 * lower case once: O(bytes of the texts · passes), where 16 MB of patterns make a pass.
 */
export function setBitsOfMatchingTexts(
  texts: Iterable<string>,
  count: number,
  predicates: readonly TextPredicate[],
): readonly Uint8Array[] {
  const marks = predicates.map(() => new Uint8Array(count));
  const contains = patternsOf(predicates, 'contains');
  const prefixes = patternsOf(predicates, 'prefix');
  const orders = predicates.flatMap(ordersOf);
  const passed = new Uint8Array(predicates.length);
  let open = predicates.length;
  const pass = (predicate: number): boolean => {
    if (passed[predicate] === 0) {
      passed[predicate] = 1;
      open--;
    }
    return open > 0;
  };
  let index = 0;
  for (const text of texts) {
    passed.fill(0);
    open = predicates.length;
    const lower = text.toLowerCase();
    for (const { predicate, operator, value } of orders) if (comparesText(lower, operator, value)) pass(predicate);
    if (open > 0) findAtStart(prefixes, lower, pass);
    if (open > 0) findAnywhere(contains, lower, pass);
    for (let p = 0; p < predicates.length; p++) marks[p]![index] = passed[p]!;
    index++;
  }
  return marks;
}

/** Orders of several values hold when one of them does. */
function ordersOf(node: TextPredicate, predicate: number): readonly Order[] {
  if (node.kind !== 'compare') return [];
  return node.values.map((value) => ({ predicate, operator: node.operator, value: value.toLowerCase() }));
}

function patternsOf(predicates: readonly TextPredicate[], operator: NodeOf<'text'>['operator']): Patterns {
  const predicatesByPattern = queryPatterns(predicates, operator);
  const isLong = (pattern: string) => pattern === '' || 3 * pattern.length > MAX_PATTERN_BYTES;
  const all = [...predicatesByPattern.keys()];
  const long = all.filter(isLong);
  const short = all.filter((pattern) => !isLong(pattern));
  const [single, joined] = short.length <= FEW_PATTERNS ? [[...long, ...short], []] : [long, short];
  const index: AutomatonState = operator === 'prefix' ? 'start' : 'anywhere';
  const encoded = joined.map((pattern) => Buffer.from(pattern));
  return {
    single,
    automata: TextAutomaton.build(encoded, index),
    predicatesOf: [...single, ...joined].map((pattern) => predicatesByPattern.get(pattern)!),
    mostChars: joined.reduce((most, { length }) => Math.max(most, length), 0),
  };
}

/** The distinct patterns in lower case, each with the predicates that ask for it. */
function queryPatterns(
  predicates: readonly TextPredicate[],
  operator: NodeOf<'text'>['operator'],
): ReadonlyMap<string, readonly number[]> {
  const predicatesByPattern = new Map<string, number[]>();
  for (const [predicate, node] of predicates.entries()) {
    if (node.kind !== 'text' || node.operator !== operator) continue;
    // Texts are well-formed: nothing of one is equal to what is not.
    for (const value of node.values.filter((text) => text.isWellFormed())) {
      const pattern = value.toLowerCase();
      const asking = predicatesByPattern.get(pattern);
      if (asking === undefined) predicatesByPattern.set(pattern, [predicate]);
      else if (asking.at(-1) !== predicate) asking.push(predicate);
    }
  }
  return predicatesByPattern;
}

/** Notes what a pattern that was found means for its predicates; false = all predicates have passed. */
type Pass = (predicate: number) => boolean;

function findAtStart(prefixes: Patterns, lower: string, pass: Pass): void {
  const { single, automata, mostChars } = prefixes;
  for (let i = 0; i < single.length; i++) if (lower.startsWith(single[i]!)) passAll(prefixes, i, pass);
  if (automata.length > 0) scanAll(prefixes, lower.slice(0, mostChars), pass);
}

function findAnywhere(contains: Patterns, lower: string, pass: Pass): void {
  const { single, automata } = contains;
  for (let i = 0; i < single.length; i++) {
    if (lower.includes(single[i]!) && !passAll(contains, i, pass)) return;
  }
  if (automata.length > 0) scanAll(contains, lower, pass);
}

let scratch = Buffer.alloc(1 << 16);

function scanAll(patterns: Patterns, lower: string, pass: Pass): void {
  if (3 * lower.length > scratch.length) scratch = Buffer.alloc(6 * lower.length);
  const length = scratch.write(lower);
  const { single, automata } = patterns;
  let isOpen = true;
  const found = (pattern: number) => {
    isOpen = passAll(patterns, single.length + pattern, pass);
    return isOpen;
  };
  for (const automaton of automata) if (isOpen) automaton.scan(scratch, length, found);
}

function passAll({ predicatesOf }: Patterns, pattern: number, pass: Pass): boolean {
  let isOpen = true;
  for (const predicate of predicatesOf[pattern]!) isOpen = pass(predicate);
  return isOpen;
}
