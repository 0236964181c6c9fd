/** Letters that two forms of one word share at least: below it prefixes of different words are alike. */
const SHARED_LETTERS = 5;
/** Of the longer form. */
const SHARED_RATIO = 0.55;
/** A part of a compound is a word by itself from here on. */
const PART_LETTERS = 5;
const MAX_ENDING = 3;
/** So many letters are a root of their own, whatever compound follows (erstattet, Erstattungsgrund). */
const ROOT_LETTERS = 7;
const ROOT_ENDING = 2;

/**
 * Whether two stems are most probably forms of one word: the same, one beginning for most of their length, or one the
 * last or first part of the other (Sitzungssaal, Saal). Languages of Europe; others compare whole stems.
 */
export function haveSameStem(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < SHARED_LETTERS - 1) return false;
  if (short.length >= PART_LETTERS && (long.endsWith(short) || long.startsWith(short))) return true;
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  const left = short.length - shared;
  if (shared >= ROOT_LETTERS && left <= ROOT_ENDING) return true;
  if (areOneVerb(a, b)) return true;
  return shared >= SHARED_LETTERS && shared >= long.length * SHARED_RATIO && left <= MAX_ENDING;
}

function areOneVerb(a: string, b: string): boolean {
  const [bareA, bareB] = [withoutPrefix(a), withoutPrefix(b)];
  if (bareA === a && bareB === b) return false;
  const [short, long] = bareA.length <= bareB.length ? [bareA, bareB] : [bareB, bareA];
  return short.length >= SHARED_LETTERS && long.startsWith(short) && long.length - short.length <= ROOT_ENDING;
}

/** A participle of German or Dutch without its `ge`: abgeholt, abholt. */
function withoutPrefix(stem: string): string {
  return stem.length >= PARTICIPLE_LETTERS ? stem.replace(PARTICIPLE, '$1') : stem;
}

const PARTICIPLE =
  /^(|ab|an|auf|aus|bei|ein|her|hin|los|mit|nach|vor|weg|zu|um|af|op|uit|in|over|toe|mee)ge(?=[^aeiou]?[^aeiou]?[aeiouäöü])/;
const PARTICIPLE_LETTERS = 7;

/** Whether the stem or a form near to it is among the stems. */
export function hasSameStem(stems: ReadonlySet<string>, stem: string): boolean {
  if (stems.has(stem)) return true;
  if (stem.length < SHARED_LETTERS - 1) return false;
  return stems.values().some((other) => haveSameStem(stem, other));
}
