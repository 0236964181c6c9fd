import { foldWord } from '../text/folding.ts';

/** Letters that the words of one stem share at least; stems of three letters and less share one (die, dying). */
const SHARED_LETTERS = 3;
/** What may stand between two letters of a word without being one: soft hyphens, joiners, apostrophes, accents. */
const BETWEEN = "[\\u00ad\\u200c\\u200d\\u2060'’\\u0300-\\u036f]*";
/** Two letters that one letter may be folded from (æ, œ, ß, þ). */
const FROM_ONE_LETTER = /ae|oe|ss|th/;

/**
 * A quick test whether a piece of text can hold a word that begins like one of these folded forms, so that it must be
 * read word by word. Undefined when there is none: other letters than Latin ones, or too short forms.
 */
export function blockTest(forms: readonly string[]): RegExp | undefined {
  const heads = new Set(forms.map((form) => form.slice(0, SHARED_LETTERS)));
  const usable = forms.every((form) => form.length > SHARED_LETTERS && /^[a-z]{3}/.test(form));
  if (heads.size === 0 || !usable) return undefined;
  return new RegExp([...heads].map(headPattern).join('|'));
}

function headPattern(head: string): string {
  const letters = [...head].map((letter, index) => {
    const optional = FROM_ONE_LETTER.test(`${head.charAt(index - 1)}${letter}`) ? '?' : '';
    return `[${writtenAs().get(letter) ?? letter}]${optional}`;
  });
  return letters.join(BETWEEN);
}

let written: ReadonlyMap<string, string> | undefined;

/** Per folded letter everything in the Latin blocks that is it, or begins with it, when folded. */
function writtenAs(): ReadonlyMap<string, string> {
  written ??= readLatin();
  return written;
}

function readLatin(): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const [first, last] of LATIN) {
    for (let unit = first; unit <= last; unit++) {
      const char = String.fromCharCode(unit);
      const folded = foldWord(char.toLowerCase()).charAt(0);
      if (/\p{L}/u.test(char)) letters.set(folded, (letters.get(folded) ?? '') + char);
    }
  }
  return letters;
}

const LATIN = [
  [0x41, 0x24f],
  [0x1e00, 0x1eff],
] as const;
