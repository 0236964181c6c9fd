import { comparesText, type FilterNode } from '../../../core/filters.ts';

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

/** Entries of a table: 16 MB. Patterns that do not fit go into a further one, which costs a further pass. */
const MAX_ENTRIES = 1 << 22;
/** UTF-8 has no more different bytes. */
const MAX_CLASSES = 244;
/** Longer patterns are for `String.includes`, which skips more of a text the longer the pattern is. */
const MAX_PATTERN_BYTES = Math.floor(MAX_ENTRIES / MAX_CLASSES / 4);

/** Where in a text patterns are looked for. */
type AutomatonState = 'anywhere' | 'start';

/**
 * Finds any number of patterns in one pass over the bytes of a text (Aho and Corasick 1975). A byte costs 2 ns, however
 * many patterns there are; a byte of the patterns costs about 60 ns before.
 */
export class TextAutomaton {
  /** Number of a byte among those of the patterns, 0 = in none. */
  private readonly classes = new Uint8Array(256);
  private readonly width: number;
  /** By row and class: the next state's row, shifted left by one; the lowest bit is set where a pattern ends. */
  private readonly next: Int32Array;
  /** By state: the pattern that ends there, -1 = none, and the state of the longest shorter one that ends there, too. */
  private readonly patternOf: Int32Array;
  private readonly shorter: Int32Array;
  /** By state: the text in which it was reached last. */
  private readonly reachedIn: Int32Array;
  private textNumber = 0;

  /** The patterns are distinct, not empty and at most `MAX_PATTERN_BYTES` long; `first` numbers the first of them. */
  private constructor(patterns: readonly Uint8Array[], first: number, index: AutomatonState) {
    let width = 1;
    let bytes = 0;
    for (const pattern of patterns) {
      bytes += pattern.length;
      for (const byte of pattern) if (this.classes[byte] === 0) this.classes[byte] = width++;
    }
    // One row for the root and one for the state of `end`.
    const trie = new Int32Array((bytes + 2) * width);
    this.width = width;
    this.patternOf = new Int32Array(bytes + 2).fill(-1);
    const states = this.addPatterns(trie, patterns, first);
    this.shorter = new Int32Array(states);
    this.reachedIn = new Int32Array(states);
    if (index === 'anywhere') this.follow(trie, states);
    else this.end(trie, states);
    this.next = this.rows(trie, states);
  }

  /** As many as the patterns need: tables are bounded. */
  static build(patterns: readonly Uint8Array[], index: AutomatonState): readonly TextAutomaton[] {
    const used = new Set<number>();
    for (const pattern of patterns) for (const byte of pattern) used.add(byte);
    const mostBytes = MAX_ENTRIES / (used.size + 1) - 2;
    const automata: TextAutomaton[] = [];
    for (let from = 0; from < patterns.length; ) {
      let to = from;
      for (let bytes = 0; to < patterns.length && bytes + patterns[to]!.length <= mostBytes; to++) {
        bytes += patterns[to]!.length;
      }
      automata.push(new TextAutomaton(patterns.slice(from, to), from, index));
      from = to;
    }
    return automata;
  }

  /** Calls `found` once for each pattern in the first `length` bytes, until it says that no more is wanted. */
  scan(bytes: Uint8Array, length: number, found: (pattern: number) => boolean): void {
    const { classes, next } = this;
    this.textNumber++;
    let row = 0;
    for (let i = 0; i < length; i++) {
      const step = next[row + classes[bytes[i]!]!]!;
      row = step >> 1;
      if ((step & 1) === 1 && !this.report(row / this.width, found)) return;
    }
  }

  /** The patterns that end in a state, those reported for this text left out. False = no more is wanted. */
  private report(reached: number, found: (pattern: number) => boolean): boolean {
    const { patternOf, shorter, reachedIn } = this;
    for (let state = reached; state !== 0 && reachedIn[state] !== this.textNumber; state = shorter[state]!) {
      reachedIn[state] = this.textNumber;
      if (patternOf[state]! >= 0 && !found(patternOf[state]!)) return false;
    }
    return true;
  }

  /** Returns the number of states; 0 is the root. */
  private addPatterns(trie: Int32Array, patterns: readonly Uint8Array[], first: number): number {
    let states = 1;
    for (const [i, pattern] of patterns.entries()) {
      let state = 0;
      for (const byte of pattern) {
        const at = state * this.width + this.classes[byte]!;
        if (trie[at] === 0) trie[at] = states++;
        state = trie[at]!;
      }
      this.patternOf[state] = first + i;
    }
    return states;
  }

  /** Where a pattern does not go on, the longest beginning of one that the text ends with does. */
  private follow(trie: Int32Array, states: number): void {
    const { width, patternOf, shorter } = this;
    const fallback = new Int32Array(states);
    const queue = new Int32Array(states);
    let end = 1;
    for (let at = 0; at < end; at++) {
      const state = queue[at]!;
      for (let c = 1; c < width; c++) {
        const child = trie[state * width + c]!;
        const other = state === 0 ? 0 : trie[fallback[state]! * width + c]!;
        if (child === 0) {
          trie[state * width + c] = other;
          continue;
        }
        fallback[child] = other;
        shorter[child] = patternOf[other]! >= 0 ? other : shorter[other]!;
        queue[end++] = child;
      }
    }
  }

  /** Where no pattern goes on, none can be found any more: there is one further state, which nothing leaves. */
  private end(trie: Int32Array, states: number): void {
    const size = states * this.width;
    for (let i = 0; i < size; i++) if (trie[i] === 0) trie[i] = states;
    trie.fill(states, size, size + this.width);
  }

  private rows(trie: Int32Array, states: number): Int32Array {
    const { width, patternOf, shorter } = this;
    const size = Math.min(trie.length, (states + 1) * width);
    const next = new Int32Array(size);
    for (let i = 0; i < size; i++) {
      const state = trie[i]!;
      const ends = state < states && (patternOf[state]! >= 0 || shorter[state]! !== 0);
      next[i] = ((state * width) << 1) | (ends ? 1 : 0);
    }
    return next;
  }
}
