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

const PAIRS: ReadonlyMap<string, readonly Pair[]> = new Map([
  ['da', DANISH],
  ['de', GERMAN],
  ['fi', FINNISH],
  ['nb', DANISH],
  ['nn', DANISH],
  ['no', DANISH],
  ['sv', SWEDISH],
]);

/** Cheap test that leaves nearly every word alone. */
const CANDIDATE = /[äöüåøæ]|ae|oe|ue|aa/;

const NONE: readonly string[] = [];

/**
 * Other spellings of a normalised word in a language: `haeuser` for `häuser` and the other way round. All letters of a
 * word change together. At most two; O(word).
 */
export function spellingsOf(word: string, language: string): readonly string[] {
  const pairs = PAIRS.get(language);
  if (pairs === undefined || !CANDIDATE.test(word)) return NONE;
  let plain = word;
  let marked = word;
  for (const { letters, letter, written } of pairs) {
    plain = plain.replaceAll(letter, letters);
    marked = marked.replace(written, letter);
  }
  return [plain, marked].filter((spelling) => spelling !== word);
}
