/** A piece of a query text. `field` is as written, before it is known to exist. */
export type Lexeme =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' | 'required' | 'excluded' | 'everything' };

const OPERATORS: ReadonlyMap<string, Lexeme> = new Map([
  ['AND', { kind: 'and' }],
  ['&&', { kind: 'and' }],
  ['OR', { kind: 'or' }],
  ['||', { kind: 'or' }],
  ['NOT', { kind: 'not' }],
  ['*', { kind: 'everything' }],
]);
const SIGNS: ReadonlyMap<string, Lexeme> = new Map([
  ['+', { kind: 'required' }],
  ['-', { kind: 'excluded' }],
  ['!', { kind: 'excluded' }],
]);

const BLANK = /\s/;
const BREAKS_WORD = /[\s()"]/;
const SLOP = /^~(\d{1,4})/;
/** A factor behind a phrase, word or group; not effective in this version of the grammar. */
const BOOST = /^\^\d+(\.\d+)?/;
const WORD_SUFFIX = /(~[012]?)?(\^\d+(\.\d+)?)?$/;

/** Cuts a query text into lexemes; undefined when a quote is not closed or a range is opened. Linear. Contract: 2.2. */
export function readLexemes(text: string): readonly Lexeme[] | undefined {
  const lexemes: Lexeme[] = [];
  let at = 0;
  while (at < text.length) {
    if (BLANK.test(text.charAt(at))) {
      at++;
      continue;
    }
    const end = readOne(text, at, lexemes);
    if (end === undefined) return undefined;
    at = end;
  }
  return lexemes;
}

/** Reads the lexemes of one written piece; its end, or undefined for an error. */
function readOne(text: string, at: number, lexemes: Lexeme[]): number | undefined {
  const char = text.charAt(at);
  if (char === '(' || char === ')') {
    lexemes.push({ kind: char === '(' ? 'open' : 'close' });
    return char === '(' ? at + 1 : at + 1 + (BOOST.exec(text.slice(at + 1))?.[0].length ?? 0);
  }
  if (char === '"') return readPhrase(text, at, lexemes);
  if (char === '[' || char === '{') return undefined;
  const sign = SIGNS.get(char);
  const followed = at + 1 < text.length && !BLANK.test(text.charAt(at + 1));
  if (sign !== undefined && followed && isTokenStart(text, at)) {
    lexemes.push(sign);
    return at + 1;
  }
  return readWord(text, at, lexemes);
}

function isTokenStart(text: string, at: number): boolean {
  return at === 0 || /[\s(]/.test(text.charAt(at - 1));
}

function readPhrase(text: string, at: number, lexemes: Lexeme[]): number | undefined {
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
  if (end >= text.length) return undefined;
  const slop = SLOP.exec(text.slice(end + 1, end + 6));
  lexemes.push({ kind: 'phrase', text: withoutEscapes(text.slice(at + 1, end)), slop: Number(slop?.[1] ?? 0) });
  const after = end + 1 + (slop?.[0].length ?? 0);
  return after + (BOOST.exec(text.slice(after))?.[0].length ?? 0);
}

function readWord(text: string, at: number, lexemes: Lexeme[]): number {
  let end = at;
  while (end < text.length && !BREAKS_WORD.test(text.charAt(end))) {
    const next = text.charAt(end + 1);
    if (text.charAt(end) === ':' && end > at && next !== '' && !BLANK.test(next)) {
      lexemes.push({ kind: 'field', name: withoutEscapes(text.slice(at, end)) });
      return end + 1;
    }
    end += text.charAt(end) === '\\' ? 2 : 1;
  }
  end = Math.min(end, text.length);
  const written = text.slice(at, end);
  lexemes.push(OPERATORS.get(written) ?? { kind: 'word', text: wordText(written) });
  return end;
}

/** Marks of wildcards, nearness and factors are dropped. */
function wordText(written: string): string {
  return withoutEscapes(written.replace(WORD_SUFFIX, '').replace(/(?<!\\)[*?]/g, ''));
}

function withoutEscapes(text: string): string {
  return text.replace(/\\([\s\S]?)/g, '$1');
}
