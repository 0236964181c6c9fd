/** A part of a pattern. `set` matches one code point. */
export type PatternNode =
  | { readonly type: 'set'; readonly has: (codePoint: number) => boolean }
  | { readonly type: 'border'; readonly kind: Assertion }
  | { readonly type: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly type: 'group'; readonly index: number; readonly part: PatternNode }
  | Repeat;

export type Assertion = 'start' | 'end' | 'word' | 'no-word';

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
export function parsePattern(source: string): ParsedPattern {
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
