export type PatternMatch = {
  readonly start: number;
  readonly end: number;
  /** Groups from the first one on. */
  readonly groups: readonly (string | undefined)[];
  readonly named: ReadonlyMap<string, string>;
};

/**
 * First match from a place of the text on. `spend` is told how many steps were made and ends the search when it
 * answers false.
 */
export type LinearPattern = (
  text: string,
  options: { readonly from: number; readonly spend: (steps: number) => boolean },
) => PatternMatch | undefined;

type Instruction =
  | { readonly op: 'set'; readonly has: (codePoint: number) => boolean }
  | { readonly op: 'border'; readonly kind: Assertion }
  /** The first way is preferred. */
  | { readonly op: 'split'; readonly ways: readonly number[] }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'match' };

/** Counted repetitions are written out, so that a few characters could make a long program. */
const MAX_INSTRUCTIONS = 2_000;

/**
 * Compiles a regular expression of JavaScript (flag `u`) that is matched in time linear in the text, whatever the
 * text is: all alternatives advance together, character by character (Thompson 1968, Pike 1987). V8 has no such
 * mode for expressions with the flag `u` (`^(a+)+$` on 27 letters takes seconds). A round of a repetition that takes
 * nothing ends it, where the language would look for a round that takes something.
 * @throws SyntaxError that says what is wrong, and where
 */
export function compilePattern(source: string): LinearPattern {
  const { root, groupCount, names } = parsePattern(source);
  const program: Instruction[] = [];
  emit(program, root);
  add(program, { op: 'match' });
  return (text, { from, spend }) => {
    const slots = run(program, text, { from, spend, slotCount: 2 * groupCount + 2 });
    return slots && matchOf(text, slots, names);
  };
}

function add(program: Instruction[], instruction: Instruction): number {
  if (program.length >= MAX_INSTRUCTIONS) throw new SyntaxError('is too long when its repetitions are written out');
  return program.push(instruction) - 1;
}

function emit(program: Instruction[], node: PatternNode): void {
  switch (node.type) {
    case 'set':
      add(program, { op: 'set', has: node.has });
      return;
    case 'border':
      add(program, { op: 'border', kind: node.kind });
      return;
    case 'sequence':
      for (const part of node.parts) emit(program, part);
      return;
    case 'group':
      add(program, { op: 'save', slot: 2 * node.index });
      emit(program, node.part);
      add(program, { op: 'save', slot: 2 * node.index + 1 });
      return;
    case 'choice':
      emitChoice(program, node.options);
      return;
    case 'repeat':
      emitRepeat(program, node);
  }
}

function emitChoice(program: Instruction[], options: readonly PatternNode[]): void {
  const ways: number[] = [];
  add(program, { op: 'split', ways });
  const ends = options.map((option) => {
    ways.push(program.length);
    emit(program, option);
    const end: number[] = [];
    add(program, { op: 'split', ways: end });
    return end;
  });
  for (const end of ends) end.push(program.length);
}

function emitRepeat(program: Instruction[], node: Extract<PatternNode, { type: 'repeat' }>): void {
  const { part, least, most, isLazy } = node;
  const choose = (on: number, out: number) => (isLazy ? [out, on] : [on, out]);
  for (let count = 0; count < least; count++) emit(program, part);
  if (most === Number.POSITIVE_INFINITY) {
    const ways: number[] = [];
    const start = add(program, { op: 'split', ways });
    emit(program, part);
    add(program, { op: 'split', ways: [start] });
    ways.push(...choose(start + 1, program.length));
    return;
  }
  const exits: { readonly ways: number[]; readonly on: number }[] = [];
  for (let count = least; count < most; count++) {
    const ways: number[] = [];
    exits.push({ ways, on: add(program, { op: 'split', ways }) + 1 });
    emit(program, part);
  }
  for (const { ways, on } of exits) ways.push(...choose(on, program.length));
}

/** Borders of the match and its groups, -1 where a group has none. */
type Slots = readonly number[];
type Thread = { readonly at: number; readonly slots: Slots };

type Run = {
  readonly from: number;
  readonly spend: (steps: number) => boolean;
  readonly slotCount: number;
};

type State = {
  readonly program: readonly Instruction[];
  readonly text: string;
  /** Place of the text at which a place of the program was last taken. */
  readonly seen: Int32Array;
  steps: number;
};

/** Threads in order of preference; each place of the program is taken by the first that comes to it. */
function run(program: readonly Instruction[], text: string, { from, spend, slotCount }: Run): Slots | undefined {
  const state: State = { program, text, seen: new Int32Array(program.length).fill(-1), steps: 0 };
  const empty: Slots = new Array<number>(slotCount).fill(-1);
  let threads: Thread[] = [];
  let best: Slots | undefined;
  for (let at = from; at <= text.length; ) {
    if (best === undefined) follow(state, threads, { thread: { at: 0, slots: empty.with(0, at) }, place: at });
    if (!spend(state.steps + 1)) return undefined;
    state.steps = 0;
    const { next, matched } = advance(state, threads, at);
    best = matched ?? best;
    if (best !== undefined && next.length === 0) return best;
    threads = next;
    at += widthAt(text, at);
  }
  return best;
}

/** Takes the character at a place, as far as a thread that is preferred does not match there. */
function advance(state: State, threads: readonly Thread[], position: number) {
  const { program, text } = state;
  const next: Thread[] = [];
  const codePoint = text.codePointAt(position) ?? -1;
  const after = position + widthAt(text, position);
  for (const { at, slots } of threads) {
    const instruction = program[at];
    if (instruction?.op === 'match') return { next, matched: slots.with(1, position) };
    const isTaken = codePoint >= 0 && instruction?.op === 'set' && instruction.has(codePoint);
    if (isTaken) follow(state, next, { thread: { at: at + 1, slots }, place: after });
  }
  return { next, matched: undefined };
}

function widthAt(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}

/** Adds the threads that a thread leads to without taking a character. */
function follow(
  state: State,
  list: Thread[],
  { thread: first, place: position }: { readonly thread: Thread; readonly place: number },
): void {
  const { program, text, seen } = state;
  const pending = [first];
  for (let thread = pending.pop(); thread !== undefined; thread = pending.pop()) {
    state.steps++;
    if (seen[thread.at] === position) continue;
    seen[thread.at] = position;
    const instruction = program[thread.at];
    if (instruction === undefined) continue;
    if (instruction.op === 'set' || instruction.op === 'match') list.push(thread);
    else pending.push(...waysFrom(thread, instruction, { text, place: position }));
  }
}

/** The last one is followed first. */
function waysFrom(
  { at, slots }: Thread,
  instruction: Exclude<Instruction, { op: 'set' | 'match' }>,
  { text, place: position }: { readonly text: string; readonly place: number },
): readonly Thread[] {
  if (instruction.op === 'split') return instruction.ways.map((way) => ({ at: way, slots })).reverse();
  if (instruction.op === 'save') return [{ at: at + 1, slots: slots.with(instruction.slot, position) }];
  return isAssertionMet(text, position, instruction.kind) ? [{ at: at + 1, slots }] : [];
}

function isAssertionMet(text: string, at: number, kind: Assertion): boolean {
  if (kind === 'start') return at === 0;
  if (kind === 'end') return at === text.length;
  const isWordBoundary = isWordAt(text, at - 1) !== isWordAt(text, at);
  return isWordBoundary === (kind === 'word');
}

function isWordAt(text: string, at: number): boolean {
  return /^\w$/.test(text.charAt(at));
}

function matchOf(text: string, slots: Slots, names: ReadonlyMap<string, number>): PatternMatch {
  const [start = 0, end = 0] = slots;
  const groups: (string | undefined)[] = [];
  for (let slot = 2; slot < slots.length; slot += 2) {
    const [from = -1, to = -1] = [slots[slot], slots[slot + 1]];
    groups.push(from < 0 || to < from ? undefined : text.slice(from, to));
  }
  const named = new Map<string, string>();
  for (const [name, index] of names) {
    const value = groups[index - 1];
    if (value !== undefined) named.set(name, value);
  }
  return { start, end, groups, named };
}

/** A part of a pattern. `set` matches one code point. */
type PatternNode =
  | { readonly type: 'set'; readonly has: (codePoint: number) => boolean }
  | { readonly type: 'border'; readonly kind: Assertion }
  | { readonly type: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly type: 'group'; readonly index: number; readonly part: PatternNode }
  | Repeat;

type Assertion = 'start' | 'end' | 'word' | 'no-word';

type Repeat = {
  readonly type: 'repeat';
  readonly part: PatternNode;
  readonly least: number;
  readonly most: number;
  readonly isLazy: boolean;
};

export type ParsedPattern = {
  readonly root: PatternNode;
  readonly groupCount: number;
  /** Name of a group → its number. */
  readonly names: ReadonlyMap<string, number>;
};

const SPECIAL_GROUP = /\(\?(?!:|<(?![=!]))/y;
const GROUP = /\((?:\?:|\?<([^>]+)>)?/y;
const BACK_REFERENCE = /\\(?:k<|[1-9])/y;
const ESCAPE =
  /\\(?:u\{[0-9a-f]+\}|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|p\{[^}]*\}|.)/isuy;
const CLASS = /\[(?:\\.|[^\]\\])*\]/suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,(\d*))?\})(\?)?/y;
const LITERAL = /./suy;

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['^', 'start'],
  ['$', 'end'],
  ['\\b', 'word'],
  ['\\B', 'no-word'],
]);

/**
 * Parses a regular expression of JavaScript with the flag `u`.
 * @throws SyntaxError for what is none, and for look-around and back references, whose time has no bound
 */
function parsePattern(source: string): ParsedPattern {
  // The language's own parser knows the syntax best: what follows reads valid expressions only.
  new RegExp(source, 'u');
  const names = new Map<string, number>();
  let at = 0;
  let groupCount = 0;

  const take = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at;
    const found = expression.exec(source) ?? undefined;
    if (found !== undefined) at = expression.lastIndex;
    return found;
  };
  const refuse = (expression: RegExp, what: string) => {
    const start = at;
    if (take(expression) !== undefined) throw new SyntaxError(`${what} (at character ${start + 1})`);
  };
  const choice = (): PatternNode => {
    const options = [sequence()];
    while (source[at] === '|') {
      at++;
      options.push(sequence());
    }
    return options.length === 1 && options[0] !== undefined ? options[0] : { type: 'choice', options };
  };
  const sequence = (): PatternNode => {
    const parts: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(atom()));
    return { type: 'sequence', parts };
  };
  const group = (name: string | undefined, isCapturing: boolean): PatternNode => {
    const index = isCapturing ? ++groupCount : 0;
    if (name !== undefined) names.set(name, index);
    const part = choice();
    at++;
    return isCapturing ? { type: 'group', index, part } : part;
  };
  const atom = (): PatternNode => {
    refuse(SPECIAL_GROUP, 'look-around and flags within are not possible');
    refuse(BACK_REFERENCE, 'references to groups are not possible');
    const opened = take(GROUP);
    if (opened !== undefined) return group(opened[1], opened[0] !== '(?:');
    const [text = ''] = take(ESCAPE) ?? take(CLASS) ?? take(LITERAL) ?? [];
    const kind = ASSERTIONS.get(text);
    return kind === undefined ? { type: 'set', has: setOf(text) } : { type: 'border', kind };
  };
  const quantified = (part: PatternNode): PatternNode => {
    const [text, sign, least, range, most, lazy] = take(QUANTIFIER) ?? [];
    if (text === undefined) return part;
    const bounds = sign === undefined ? boundsOf({ least, range, most }) : SIGNS[sign as keyof typeof SIGNS];
    return { type: 'repeat', part, ...bounds, isLazy: lazy !== undefined };
  };
  return { root: choice(), groupCount, names };
}

type Bounds = Pick<Repeat, 'least' | 'most'>;

const SIGNS: Readonly<Record<'*' | '+' | '?', Bounds>> = {
  '*': { least: 0, most: Number.POSITIVE_INFINITY },
  '+': { least: 1, most: Number.POSITIVE_INFINITY },
  '?': { least: 0, most: 1 },
};

function boundsOf(written: Readonly<Record<'least' | 'range' | 'most', string | undefined>>): Bounds {
  const least = Number(written.least);
  if (written.range === undefined) return { least, most: least };
  return { least, most: written.most === '' ? Number.POSITIVE_INFINITY : Number(written.most) };
}

const ASCII = 128;

/** Membership of one code point, asked of the language itself; remembered where most text lies. */
function setOf(source: string): (codePoint: number) => boolean {
  const expression = new RegExp(`^${source}$`, 'u');
  const test = (codePoint: number) => expression.test(String.fromCodePoint(codePoint));
  const known = Uint8Array.from({ length: ASCII }, (_, codePoint) => Number(test(codePoint)));
  return (codePoint) => (codePoint < ASCII ? known[codePoint] === 1 : test(codePoint));
}
