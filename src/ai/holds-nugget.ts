/** Letters of scripts that put blanks between words, and digits. */
const WORD_CHARACTER = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}]';

/** Whether an answer in Markdown, without its `[n]`, holds one of the nuggets as whole words. */
export function holdsNugget(answer: string, nuggets: readonly string[]): boolean {
  const where = folded(withoutMarks(answer));
  return nuggets.some((nugget) => wholeWords(folded(withoutMarks(nugget))).test(where));
}

/** Lower case, typographic quotes and dashes as plain ones, each run of blanks one blank. */
export function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’‚ʼ]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‐-―−]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function withoutMarks(markdown: string): string {
  return markdown.replaceAll(/^(- |#+ )/gm, '').replaceAll(/[*_`]|\\(?=[^\p{L}\p{N}\s])/gu, '');
}

function wholeWords(words: string): RegExp {
  const isWord = new RegExp(`^${WORD_CHARACTER}$`, 'u');
  const before = isWord.test(words.slice(0, 1)) ? `(?<!${WORD_CHARACTER})` : '';
  const after = isWord.test(words.slice(-1)) ? `(?!${WORD_CHARACTER})` : '';
  return new RegExp(before + RegExp.escape(words) + after, 'u');
}
