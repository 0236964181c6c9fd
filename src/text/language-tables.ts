/** The tables of the package eld as its detector reads them: n-gram → number of a language → score. */
export type LanguageTables = {
  readonly type: string;
  readonly languages: Readonly<Record<string, string>>;
  readonly ngrams: Readonly<Record<string, Readonly<Record<string, number>> | undefined>>;
};

/** `'ab':{0:12,3:4}`, the quotes left out where the key is a name. */
const ENTRY = /(?:'((?:[^'\\]|\\.)*)'|([\w$]+)):\{([^}]*)\}/gy;

/** Entries that stay as objects: texts of a site ask for the same ones, and each is a few hundred bytes. */
const MAX_RECENT = 1_000;

/**
 * Reads the tables from the text of their module. As a module its literals cost 105 MB, packed 8 MB: a language and
 * its score are two bytes, and the object that the detector asks for is made when it asks.
 *
 * @throws Error when the text is not written as in the version of eld that is pinned
 */
export function readLanguageTables(source: string): LanguageTables {
  const type = /type:'([^']*)'/.exec(source)?.[1];
  const languages = /languages:\{([^}]*)\}/.exec(source)?.[1];
  const start = source.indexOf('ngrams:{');
  if (type === undefined || languages === undefined || start < 0) throw new Error('The language tables cannot be read');
  const packed = packEntries(source, start + 'ngrams:{'.length);
  const recent = new Map<string, Record<string, number>>();
  const handler = {
    get: (_target: object, key: string) => {
      const known = recent.get(key);
      if (known !== undefined) return known;
      const entry = entryOf(packed, key);
      if (entry === undefined) return undefined;
      if (recent.size >= MAX_RECENT) recent.clear();
      recent.set(key, entry);
      return entry;
    },
  };
  return {
    type,
    languages: Object.fromEntries(pairsOf(languages).map(([code, name]) => [code, name.slice(1, -1)])),
    ngrams: new Proxy<LanguageTables['ngrams']>({}, handler),
  };
}

/** Scores of entry `n` lie from `starts[n]` to `starts[n + 1]`, each `language << 8 | score`. */
type Packed = {
  readonly places: ReadonlyMap<string, number>;
  readonly starts: Uint32Array;
  readonly scores: Uint16Array;
};

function packEntries(source: string, from: number): Packed {
  const places = new Map<string, number>();
  const starts: number[] = [];
  const scores: number[] = [];
  ENTRY.lastIndex = from;
  for (let found = ENTRY.exec(source); found !== null; found = ENTRY.exec(source)) {
    const [, quoted, name = '', values = ''] = found;
    places.set(quoted === undefined ? name : quoted.replace(/\\(.)/g, '$1'), starts.length);
    starts.push(scores.length);
    for (const [language, score] of pairsOf(values)) scores.push((Number(language) << 8) | Number(score));
    if (source[ENTRY.lastIndex] === '}') break;
    ENTRY.lastIndex++;
  }
  starts.push(scores.length);
  return { places, starts: Uint32Array.from(starts), scores: Uint16Array.from(scores) };
}

function entryOf({ places, starts, scores }: Packed, key: string): Record<string, number> | undefined {
  const place = places.get(key);
  if (place === undefined) return undefined;
  const entry: Record<string, number> = {};
  for (let at = starts[place] ?? 0; at < (starts[place + 1] ?? 0); at++) {
    const score = scores[at] ?? 0;
    entry[score >> 8] = score & 0xff;
  }
  return entry;
}

function pairsOf(text: string): [string, string][] {
  return text.split(',').map((pair) => {
    const colon = pair.indexOf(':');
    return [pair.slice(0, colon), pair.slice(colon + 1)];
  });
}
