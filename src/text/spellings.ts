/** Letters written for one that a keyboard lacks, and where they may stand for it. */
type Pair = { readonly letters: string; readonly letter: string; readonly written: RegExp };

const GERMAN: readonly Pair[] = [
  { letters: 'ae', letter: 'ä', written: /ae/g },
  { letters: 'oe', letter: 'ö', written: /oe/g },
  // `neue`, `Bauer` and `Quelle` hold no umlaut.
  { letters: 'ue', letter: 'ü', written: /(?<![aeq])ue/g },
];
const SWEDISH: readonly Pair[] = [
  { letters: 'aa', letter: 'å', written: /aa/g },
  { letters: 'ae', letter: 'ä', written: /ae/g },
  { letters: 'oe', letter: 'ö', written: /oe/g },
];
const DANISH: readonly Pair[] = [
  { letters: 'aa', letter: 'å', written: /aa/g },
  { letters: 'ae', letter: 'æ', written: /ae/g },
  { letters: 'oe', letter: 'ø', written: /oe/g },
];
/** `aa` is an ordinary long vowel of Finnish. */
const FINNISH: readonly Pair[] = SWEDISH.slice(1);

/** Endings that stemmers know with their accents only, and that are mostly typed without. */
const SPANISH: readonly Pair[] = [
  { letters: 'cion', letter: 'ción', written: /cion$/g },
  { letters: 'sion', letter: 'sión', written: /sion$/g },
  { letters: 'ia', letter: 'ía', written: /ia(?=s?$)/g },
];
const FRENCH: readonly Pair[] = [
  { letters: 'iere', letter: 'ière', written: /iere(?=s?$)/g },
  { letters: 'ee', letter: 'ée', written: /ee(?=s?$)/g },
  { letters: 'e', letter: 'é', written: /(?<![eèé]|ièr)e(?=s?$)/g },
];
const ITALIAN: readonly Pair[] = [{ letters: 'ita', letter: 'ità', written: /ita$/g }];
const PORTUGUESE: readonly Pair[] = [
  { letters: 'ivel', letter: 'ível', written: /ivel$/g },
  { letters: 'avel', letter: 'ável', written: /avel$/g },
  { letters: 'ao', letter: 'ão', written: /(?<!c)ao$/g },
  { letters: 'cao', letter: 'ção', written: /cao$/g },
  { letters: 'coes', letter: 'ções', written: /coes$/g },
  { letters: 'oes', letter: 'ões', written: /(?<!c)oes$/g },
  { letters: 'es', letter: 'ês', written: /(?<![oõ])es$/g },
];

const PAIRS: ReadonlyMap<string, readonly Pair[]> = new Map([
  ['da', DANISH],
  ['de', GERMAN],
  ['es', SPANISH],
  ['fi', FINNISH],
  ['fr', FRENCH],
  ['it', ITALIAN],
  ['nb', DANISH],
  ['nn', DANISH],
  ['no', DANISH],
  ['pt', PORTUGUESE],
  ['sv', SWEDISH],
]);

const NONE: readonly string[] = [];

/**
 * Other spellings of a normalised word in a language: `haeuser` for `häuser`, `instalacion` for `instalación`, and the
 * other way round. All letters of a word change together. At most two; O(word).
 */
export function spellingsOf(word: string, language: string): readonly string[] {
  const pairs = PAIRS.get(language);
  if (pairs === undefined) return NONE;
  let plain = word;
  let marked = word;
  for (const { letters, letter, written } of pairs) {
    plain = plain.replaceAll(letter, letters);
    marked = marked.replace(written, letter);
  }
  return [plain, marked].filter((spelling) => spelling !== word);
}
