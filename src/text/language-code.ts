const TAG = /^\s*([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*\s*$/i;

/** Both written forms of Norwegian are analysed as one language. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
]);

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * Code of the language of a tag, as the analyzers know it: `en-GB`, `EN_us` and `eng` are `en`, `iw` is `he`.
 * Undefined when it names no language that the platform knows.
 */
export function languageCode(tag: string): string | undefined {
  const known = codes.get(tag);
  if (known !== undefined || codes.has(tag)) return known;
  if (codes.size === CACHED_TAGS) codes.clear();
  const code = readTag(tag);
  codes.set(tag, code);
  return code;
}

/** What tags were read as: the platform takes microseconds for each, and a site has few. */
const codes = new Map<string, string | undefined>();
const CACHED_TAGS = 1_000;

function readTag(tag: string): string | undefined {
  const primary = TAG.exec(tag)?.[1]?.toLowerCase();
  if (primary === undefined) return undefined;
  const code = Intl.getCanonicalLocales(primary)[0] ?? primary;
  return names.of(code) === undefined ? undefined : (SAME.get(code) ?? code);
}
