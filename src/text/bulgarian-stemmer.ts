type Rule = readonly [leastLetters: number, ending: RegExp, becomes: string];

const ARTICLES: readonly Rule[] = [
  [7, /ият$/, ''],
  [6, /(?:ът|то|те|та|ия)$/, ''],
  [5, /ят$/, ''],
];
const PLURALS: readonly Rule[] = [
  [7, /овци$/, 'о'],
  [7, /ове$/, ''],
  [7, /еве$/, 'й'],
  [6, /та$/, ''],
  [6, /ци$/, 'к'],
  [6, /зи$/, 'г'],
  [5, /си$/, 'х'],
  [5, /и$/, ''],
];
/** Of each the first rule that fits is applied. */
const STEPS: readonly (readonly Rule[])[] = [
  ARTICLES,
  PLURALS,
  [[4, /я$/, '']],
  [[4, /[аое]$/, '']],
  [[5, /ен$/, 'н']],
  [[6, /ъ(.)$/, '$1']],
  [[4, /я(.)$/, 'е$1']],
];

/**
 * The light stemmer of Savoy (2007): articles, plurals and final vowels. The package's own writes into a string, which
 * throws for `билети`. Of the vowels that change places (`голям`, `големи`) е stands for both in every form; Savoy makes
 * я of those of plurals alone, which parts `билет` and `билети`, and cuts `-ища`, which parts `училище` and `училища`.
 */
export function stemBulgarian(word: string): string {
  return STEPS.reduce(shortened, word);
}

function shortened(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(([leastLetters, ending]) => word.length >= leastLetters && ending.test(word));
  return rule === undefined ? word : word.replace(rule[1], rule[2]);
}
