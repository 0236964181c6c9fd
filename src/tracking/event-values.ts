/** Names of the two tracking endpoints, found in any case. All others are kept as sent. Contract: 6.2. */
const KNOWN = new Set(
  [
    'sw qid rc fquery clurl cli ls title cloi dt sid qsid refurl refpt ip sz ua brl hn pn page ban bnrs rt ql it enid',
    'swr a ts trts sf ety etr clcid',
  ]
    .join(' ')
    .split(' '),
);

/** Texts of the client that mean that it had no value. */
const ABSENT: ReadonlySet<string> = new Set(['', 'null', 'undefined']);

/** What an event states: each value as text, absent ones left out. Known names are in lower case. */
export type EventValues = ReadonlyMap<string, string>;

/** The later of two spellings of one name wins. */
export function readEventValues(sent: Readonly<Record<string, unknown>>): EventValues {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(sent)) {
    const folded = name.toLowerCase();
    const text = eventText(value);
    if (!ABSENT.has(text)) values.set(KNOWN.has(folded) ? folded : name, text);
  }
  return values;
}

/** The values under other names than `taken`. */
export function otherValues(values: EventValues, taken: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries([...values].filter(([name]) => !taken.includes(name)));
}

/** The number that a text of digits states, undefined for every other text. */
export function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function eventText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(eventText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
