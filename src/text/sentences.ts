/** What ends a sentence, and the quotes and brackets that close behind it. */
const END = /[.!?…。！？｡।॥؟۔։]+["'”’»›)\]」』）】]*/g;
/** Anything but single blanks. */
const OTHER_BLANKS = /[^\S ]| {2}/;
/** Ends that need no blank behind them. */
const WIDE_END = /[。！？｡]/;
/** Scripts that set blanks between phrases, not between words, and no full stops. */
const PHRASED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Shorter phrases of these are put together. */
const MIN_PHRASE_CHARS = 60;
/** A word longer than this is no abbreviation. */
const MAX_ABBREVIATION_CHARS = 12;
const LOWER_CASE = /\p{Ll}/u;
const INITIALS = /^\p{L}(?:\.\p{L})*$/u;
const NUMBER = /^[([]?\d+(?:\.\d+)*$/;
/** `3. Oktober`; other languages with ordinals like these write what follows in lower case. */
const ORDINAL_LANGUAGE = 'de';
const MAX_ORDINAL_CHARS = 2;
const WORD_START = /[\s("'“‘„«[]/;

/**
 * The sentences of one line of prose, each run of blanks one blank; together they are the line. Abbreviations, single
 * initials, ordinals and numbers of lists end none, nor does anything before a lower-case letter. O(length).
 */
export function splitSentences(line: string, language: string): readonly string[] {
  const text = (OTHER_BLANKS.test(line) ? line.replace(/\s+/g, ' ') : line).trim();
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(END)) {
    const after = index + end.length;
    if (!isBoundary(text, { start, index, end, language })) continue;
    sentences.push(text.slice(start, after));
    start = text[after] === ' ' ? after + 1 : after;
  }
  if (start < text.length) sentences.push(text.slice(start));
  return PHRASED.test(text) ? sentences.flatMap(splitPhrases) : sentences;
}

type PossibleEnd = {
  /** Of the sentence. */
  readonly start: number;
  readonly index: number;
  /** Marks with what closes behind them. */
  readonly end: string;
  readonly language: string;
};

function isBoundary(text: string, { start, index, end, language }: PossibleEnd): boolean {
  const after = index + end.length;
  if (after === text.length) return true;
  if (WIDE_END.test(end)) return true;
  if (text[after] !== ' ') return false;
  if (LOWER_CASE.test(text.charAt(after + 1))) return false;
  return (
    end.charAt(0) !== '.' ||
    end.startsWith('..') ||
    !isShortForm(text.slice(wordStart(text, start, index), index), {
      isFirst: index - start <= MAX_ABBREVIATION_CHARS && !text.slice(start, index).includes(' '),
      language,
    })
  );
}

/** Where the word before `index` starts, looking back no further than an abbreviation is long. */
function wordStart(text: string, start: number, index: number): number {
  let at = index;
  while (at > start && index - at <= MAX_ABBREVIATION_CHARS && !WORD_START.test(text.charAt(at - 1))) at--;
  return at;
}

function isShortForm(word: string, { isFirst, language }: { isFirst: boolean; language: string }): boolean {
  if (word.length > MAX_ABBREVIATION_CHARS) return false;
  // The number of a list or of a chapter stands before what it numbers.
  if (NUMBER.test(word)) return isFirst || (language === ORDINAL_LANGUAGE && word.length <= MAX_ORDINAL_CHARS);
  return INITIALS.test(word) || isAbbreviation(word.toLowerCase(), language);
}

function splitPhrases(sentence: string): readonly string[] {
  const phrases: string[] = [];
  for (const piece of sentence.split(' ')) {
    const last = phrases.at(-1);
    if (last === undefined || last.length >= MIN_PHRASE_CHARS) phrases.push(piece);
    else phrases[phrases.length - 1] = `${last} ${piece}`;
  }
  return phrases;
}

/** Written as in running text without their last full stop; each also counts in other languages of the table's `all`. */
const LISTS: Readonly<Record<string, string>> = {
  all: `e.g i.e etc vs no nr fig al cf ca approx inc ltd co corp dr prof mr mrs ms st jr sr vol ed eds pp dept est ext tel
    max min abs incl excl resp ref op cit viz jan feb apr jun jul aug sep sept oct nov dec u.s u.k a.m p.m`,
  de: `z.b d.h u.a u.u usw bzw ggf evtl inkl exkl zzgl abzgl bspw vgl sog str hr fr nr abs art ziff mind ca tel z.t i.d.r
    o.ä u.ä v.a s.o s.u gem lt geb gest jh mio mrd okt dez mär`,
  fr: `m mm mme mlle env p.ex c.-à-d cf av apr bd boul tél janv févr juil sept oct nov déc art n° éd min`,
  es: `sr sra srta dra d dña ud uds p.ej pág págs art núm tel aprox av avda c.c ej ee.uu dto`,
  it: `sig sig.ra sigg dott dott.ssa ing avv p.es ecc pag art n tel ca es via p.zza v.le`,
  nl: `bijv bv d.w.z enz o.a m.b.t i.v.m t.a.v nl mevr dhr tel blz art incl excl evt ca p.st m.u.v z.s.m`,
  pt: `sr sra srta dr dra p.ex pág págs art núm tel aprox av ex exmo etc v.g`,
  da: `bl.a dvs f.eks fx kl kr osv ca evt nr tlf inkl ekskl mht mv m.m m.v pga ift jf stk maks hhv frk vedr ift`,
  sv: `bl.a dvs t.ex kl kr osv ca ev nr tel inkl exkl m.m m.fl s.k fr.o.m t.o.m resp st jfr`,
  nb: `bl.a dvs f.eks kl kr osv ca evt nr tlf inkl ekskl m.m m.v pga jf stk maks hhv ifm iht mht`,
  fi: `esim mm ym jne n noin klo puh ks vrt so eli ns os tms ko nk alk ao v s`,
  pl: `np tj tzn itd itp m.in ul al nr tel godz ok woj pow proc prof dr hab inż mgr św pkt ust zł tys mln mld r w`,
  cs: `např tj tzn atd apod č čl odst ul nám tel hod tis mil mld ing mgr bc dr r s str`,
  ru: `т.е т.д т.п т.к г гг в вв ул д кв тел руб коп тыс млн млрд стр рис см им пр напр`,
  uk: `т.д т.п тобто р рр ст вул буд кв тел грн тис млн млрд с рис див ім напр`,
  sl: `npr oz itd ipd t.i tel ul št str dr mag g ga`,
  hu: `pl stb ún ill kb tel u sz db dr ft max min`,
  ro: `ex etc str nr tel bl ap dl dna art alin lit`,
  tr: `örn vb vs dr prof sok cad no tel bkz yy`,
  ca: `p.ex sr sra pàg núm tel av c aprox`,
};

const listOf = (language: string) => (LISTS[language] ?? '').split(/\s+/);
const common = listOf('all');
const byLanguage = new Map(
  Object.keys(LISTS).map((language) => [language, new Set([...common, ...listOf(language)])] as const),
);
const onlyCommon = new Set(common);

/** Whether a lower-case word, its full stop left out, is mostly followed by more of the same sentence. */
export function isAbbreviation(word: string, language: string): boolean {
  return (byLanguage.get(language) ?? onlyCommon).has(word);
}
