/** Words before a full stop that ends no sentence, by language; lower case. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  en: 'e.g i.e vs etc cf no nos fig figs approx dr mr mrs ms st mt prof inc ltd ca al p pp vol sec ch art est ext tel dept min max incl',
  de: 'z.b d.h u.a bzw ca nr dr prof str st vgl abs art inkl exkl evtl ggf usw sog tel mind max min mio mrd bspw hr fr',
  fr: 'p.ex env etc cf m mm dr pr st ste av bd tél no art max min',
  es: 'p.ej etc sr sra dr dra av núm pág tel art máx mín ud uds aprox',
  it: 'p.es ecc sig dott prof art n pag tel max min ca es',
  nl: 'bijv b.v d.w.z o.a enz ca nr dr prof st art tel max min incl excl m.b.t i.v.m',
  pt: 'p.ex etc sr sra dr dra av n art pág tel máx mín aprox',
  da: 'f.eks bl.a dvs ca nr kl osv mv m.m dr prof st stk kr tlf maks min inkl ekskl evt jf pga',
  sv: 't.ex bl.a dvs ca nr kl osv m.m dr prof st kr tel max min inkl exkl ev jfr s.k',
  nb: 'f.eks bl.a dvs ca nr kl osv m.m dr prof st kr tlf maks min inkl ekskl evt jf pga',
  fi: 'esim ym yms jne mm n klo nro s ks huom puh maks min ts',
  pl: 'np itp itd tj m.in ok nr dr prof ul pl al tel godz zł r w maks min',
};

/** Languages that write ordinals and dates with a full stop: 14. August, 1. klasse. */
const DOTS_ORDINALS = new Set(['de', 'da', 'nb', 'fi', 'pl', 'cs', 'sk', 'hu', 'sl', 'hr', 'lv', 'et', 'is', 'no']);

const WORDS = new Map(Object.entries(ABBREVIATIONS).map(([language, words]) => [language, new Set(words.split(' '))]));
const NONE: ReadonlySet<string> = new Set();

/** Whether the full stop behind `head` belongs to an abbreviation, an initial, an ordinal or the number of an item. */
export function isUnitAbbreviation(
  head: string,
  { isUnitStart, language }: { readonly isUnitStart: boolean; readonly language: string },
): boolean {
  const [word = ''] = /[\p{L}\p{N}.]+$/u.exec(head) ?? [];
  if (word === '') return false;
  if (/^\p{L}$/u.test(word) || /^(?:\p{L}\.){1,4}\p{L}$/u.test(word)) return true;
  if (/^\d{1,3}$/.test(word)) {
    return (isUnitStart && head.trimStart() === word) || (word.length < 3 && DOTS_ORDINALS.has(language));
  }
  return (WORDS.get(language) ?? NONE).has(word.toLowerCase());
}
