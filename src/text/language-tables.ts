/**
 * The tables of the package eld, packed: scores of entry `n` lie from `starts[n]` to `starts[n + 1]`, each
 * `language << 8 | score`.
 */
export type LanguageTables = {
  /** Codes by number. */
  readonly languages: readonly string[];
  /** N-gram → entry. */
  readonly entries: ReadonlyMap<string, number>;
  readonly starts: Uint32Array;
  readonly scores: Uint16Array;
};

/** `'ab':{0:12,3:4}`, the quotes left out where the key is a name. */
const ENTRY = /(?:'((?:[^'\\]|\\.)*)'|([\w$]+)):\{([^}]*)\}/gy;

/**
 * Reads the tables from the text of their module. As a module its literals cost 105 MB, packed 8 MB: a language and
 * its score are two bytes.
 *
 * @throws Error when the text is not written as in the version of eld that is pinned
 */
export function readLanguageTables(source: string): LanguageTables {
  const languages = /languages:\{([^}]*)\}/.exec(source)?.[1];
  const start = source.indexOf('ngrams:{');
  if (languages === undefined || start < 0) throw new Error('The language tables cannot be read');
  return {
    languages: pairsOf(languages).map(([, name]) => name.slice(1, -1)),
    ...packEntries(source, start + 'ngrams:{'.length),
  };
}

function packEntries(source: string, from: number): Omit<LanguageTables, 'languages'> {
  const entries = new Map<string, number>();
  const starts: number[] = [];
  const scores: number[] = [];
  ENTRY.lastIndex = from;
  for (let found = ENTRY.exec(source); found !== null; found = ENTRY.exec(source)) {
    const [, quoted, name = '', values = ''] = found;
    entries.set(quoted === undefined ? name : quoted.replace(/\\(.)/g, '$1'), starts.length);
    starts.push(scores.length);
    for (const [language, score] of pairsOf(values)) scores.push((Number(language) << 8) | Number(score));
    if (source[ENTRY.lastIndex] === '}') break;
    ENTRY.lastIndex++;
  }
  starts.push(scores.length);
  return { entries, starts: Uint32Array.from(starts), scores: Uint16Array.from(scores) };
}

function pairsOf(text: string): [string, string][] {
  return text.split(',').map((pair) => {
    const colon = pair.indexOf(':');
    return [pair.slice(0, colon), pair.slice(colon + 1)];
  });
}
