const ASCII = /^[\0-\x7f]*$/;

/** Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic; in other scripts a mark is part of the word. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;

/** Letters without a decomposition, and the Arabic forms of alef, yeh and teh marbuta; tatweel is dropped. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ـ: '',
};
const SPECIAL = /[ßæøœđðþłħıςٱىیةـ]/g;

/**
 * The form in which words are compared: without accents and with one spelling per letter. `word` is lower case.
 * Idempotent and never empty for a word.
 */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word;
  const bare = word.normalize('NFD').replace(MARKS, '').normalize('NFC');
  return bare.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter) || word;
}
