import { guessLanguage, isDetectable, type LanguageGuess, languageCode } from '../text/language.ts';
import type { ExtractedLanguage } from './extraction.ts';

/** Letters from which a text tells its language better than the page's own statement. */
const MIN_LETTERS = 60;
/** Letters from which a script tells it. */
const MIN_SCRIPT_LETTERS = 10;
/** Letters from which a text is asked at all: names and labels look like any language. */
const MIN_ASKED_LETTERS = 20;
const SAMPLE_CHARS = 5_000;
const ENOUGH_LETTERS = lettersTest(MIN_LETTERS);
const SOME_LETTERS = lettersTest(MIN_ASKED_LETTERS);
const ENOUGH_OF_SCRIPT = lettersTest(MIN_SCRIPT_LETTERS);
const MIN_CONFIDENCE = 0.5;
/** Of a language that the page declares and the text neither confirms nor contradicts. */
const DECLARED_CONFIDENCE = 0.8;

/**
 * The operator's setting, else the text; for short texts, close calls and languages that the detector does not know what
 * the page declares (first valid one). Undefined when nothing is likely.
 */
export function languageOf(
  text: string,
  { fixed, declared }: { readonly fixed: string | undefined; readonly declared: readonly (string | undefined)[] },
): ExtractedLanguage | undefined {
  if (fixed !== undefined) return { code: fixed, confidence: 1, from: 'settings' };
  const sample = text.slice(0, SAMPLE_CHARS);
  const stated = declared.map((tag) => languageCode(tag?.split(',')[0] ?? '')).find((code) => code !== undefined);
  const script = ENOUGH_OF_SCRIPT.test(sample) ? scriptOf(sample) : undefined;
  const byScript = script && languageOfScript(sample, script, stated);
  if (byScript !== undefined) return byScript;
  const isLong = ENOUGH_LETTERS.test(sample);
  if (stated !== undefined && !isLong) return { code: stated, confidence: DECLARED_CONFIDENCE, from: 'declared' };
  const guess = SOME_LETTERS.test(sample) ? guessOf(sample) : undefined;
  if (stated !== undefined && (guess === undefined || isBelieved(stated, guess))) {
    return { code: stated, confidence: Math.max(guess?.confidence ?? 0, DECLARED_CONFIDENCE), from: 'declared' };
  }
  return guess !== undefined && guess.confidence >= MIN_CONFIDENCE
    ? { code: guess.code, confidence: guess.confidence, from: 'text' }
    : undefined;
}

function lettersTest(letters: number): RegExp {
  return new RegExp(`(?:\\p{L}\\P{L}*){${letters}}`, 'u');
}

/** No template ships with a language that few have; of others the text must look nearly as much like them. */
function isBelieved(stated: string, { code, close, confidence }: LanguageGuess): boolean {
  if (stated === code) return false;
  return close.includes(stated) || !isDetectable(stated) || confidence < MIN_CONFIDENCE;
}

/** Places of a long text that are asked: pages begin with names, dates and menus. */
const WINDOWS = 3;
const WINDOW_CHARS = 400;

/** The surest answer among its beginning and two later places. */
function guessOf(sample: string): LanguageGuess | undefined {
  const step = sample.length > WINDOWS * WINDOW_CHARS ? Math.floor(sample.length / WINDOWS) : sample.length;
  const guesses: LanguageGuess[] = [];
  for (let at = 0; at < sample.length && guesses.length < WINDOWS; at += Math.max(1, step)) {
    const guess = guessLanguage(sample.slice(at === 0 ? 0 : sample.indexOf(' ', at) + 1));
    if (guess !== undefined) guesses.push(guess);
  }
  const votes = Map.groupBy(guesses, ({ code }) => code);
  const [most] = [...votes.values()].sort((a, b) => sumOf(b) - sumOf(a));
  const best = most?.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  return best && { ...best, code: confusableLanguage(sample, best.code) };
}

function sumOf(guesses: readonly LanguageGuess[]): number {
  return guesses.reduce((sum, { confidence }) => sum + confidence, 0);
}

/** Languages of a script, the first where no letter tells. */
const OF_SCRIPT: Readonly<Record<Script, readonly (readonly [string, RegExp?])[]>> = {
  greek: [['el']],
  thai: [['th']],
  hangul: [['ko']],
  kana: [['ja']],
  han: [['zh']],
  hebrew: [['he'], ['yi', /[\u05f0-\u05f2]/g]],
  arabic: [['ar'], ['ur', /[ٹڈڑںےہ]/g], ['ku', /[ڕڵۆێ]/g], ['fa', /[پچژگیک]/g]],
};
/** Share of the letters of a text that are the language's own. */
const MIN_OWN_SHARE = 0.02;

/** The script decides; a declared language of the same script counts where its letters do not contradict. */
function languageOfScript(sample: string, script: Script, stated: string | undefined): ExtractedLanguage {
  const candidates = OF_SCRIPT[script];
  const own = candidates.find(([, letters]) => {
    return letters !== undefined && (sample.match(letters)?.length ?? 0) >= sample.length * MIN_OWN_SHARE;
  });
  const code = own?.[0] ?? candidates[0]?.[0] ?? '';
  const written = script === 'han' ? hanFormOf(sample) : undefined;
  const found = { code, confidence: stated === code ? 1 : 0.98, from: 'script' as const };
  return written === undefined ? found : { ...found, written };
}

/** Words of a language that the detector takes for its neighbour, and words that only the neighbour has. */
type ConfusablePair = {
  readonly taken: string;
  readonly language: string;
  readonly own: Words;
  readonly others: Words;
};
type Words = ReadonlySet<string>;

const words = (list: string): Words => new Set(list.split(' '));

const CONFUSABLE: readonly ConfusablePair[] = [
  {
    taken: 'ms',
    language: 'id',
    own: words(
      'bahwa karena bisa uang kantor mobil tapi yaitu yakni butuh membutuhkan coba mencoba berbeda pekan senin kamis ' +
        'jumat maret agustus oktober desember kesehatan ujar perusahaan cuma gampang provinsi kabupaten rupiah situs ' +
        'gratis pria memiliki beda dipakai polisi jaringan kalian dirinya ketimbang',
    ),
    others: words(
      'bahawa kerana wang iaitu ialah sahaja cuba mencuba berbeza selepas beliau syarikat kesihatan pejabat isnin ' +
        'khamis jumaat ahad ogos disember mac jun julai encik awak boleh apabila manakala daripada turut menerusi ' +
        'pelajar sekiranya dalam-talian percuma ringgit pelbagai mempunyai berkenaan pihak',
    ),
  },
  {
    taken: 'nl',
    language: 'af',
    own: words("nie 'n ’n hulle ek jy sy daardie hierdie vir wees deur sê gaan baie het hy nou ook kon sou moet"),
    others: words(
      'niet een de van zijn en ik hij zij ze met voor door jij deze dat wordt werd naar heeft hebben er bij zich',
    ),
  },
];

/** Letters of languages that the detector does not know, each in many of their words, and in no other of the script. */
const OWN_LETTERS: readonly (readonly [language: string, RegExp])[] = [
  ['kk', /[қғұ]/giu],
  ['mk', /[ѓќѕ]/giu],
  ['mn', /[өү]/giu],
];
const MIN_OWN_LETTERS = 2;
const CYRILLIC = words('be bg ru sr uk');

/** The language behind a guess of the detector, which knows one of several that are written alike. */
function confusableLanguage(text: string, detected: string): string {
  if (CYRILLIC.has(detected)) {
    const isOwn = ([, letters]: (typeof OWN_LETTERS)[number]) => (text.match(letters)?.length ?? 0) >= MIN_OWN_LETTERS;
    return OWN_LETTERS.find(isOwn)?.[0] ?? detected;
  }
  const confusable = CONFUSABLE.find(({ taken }) => taken === detected);
  if (confusable === undefined) return detected;
  let own = 0;
  let others = 0;
  for (const [word] of text.toLowerCase().matchAll(/['’]?[\p{L}-]+/gu)) {
    if (confusable.own.has(word)) own++;
    if (confusable.others.has(word)) others++;
  }
  return own > others ? confusable.language : detected;
}

/** Scripts that tell languages, by the first and last UTF-16 unit of their letters. */
const RANGES = [
  [0x0370, 0x03ff, 'greek'],
  [0x0590, 0x05ff, 'hebrew'],
  [0x0600, 0x06ff, 'arabic'],
  [0x0e00, 0x0e7f, 'thai'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1f00, 0x1fff, 'greek'],
  [0x3040, 0x30ff, 'kana'],
  [0x3130, 0x318f, 'hangul'],
  [0x4e00, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'hangul'],
  [0xfb50, 0xfdff, 'arabic'],
] as const;
type Script = (typeof RANGES)[number][2];

const MIN_SHARE = 0.5;
/** Texts in Chinese quote Japanese names; Japanese hardly has a sentence without kana. */
const MIN_KANA_SHARE = 0.1;

/** The script of most letters, where it belongs to few languages; `kana` for Japanese as a whole. O(characters). */
function scriptOf(text: string): Script | undefined {
  const counts = new Map<Script, number>();
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const script = scriptAt(text.charCodeAt(at));
    if (script === undefined) continue;
    letters++;
    if (script !== 'other') counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  const { kana = 0, han = 0, ...rest } = Object.fromEntries(counts) as Partial<Record<Script, number>>;
  const least = letters * MIN_SHARE;
  if (kana + han > least) return kana >= (kana + han) * MIN_KANA_SHARE ? 'kana' : 'han';
  return (Object.keys(rest) as Exclude<Script, 'kana' | 'han'>[]).find((script) => (rest[script] ?? 0) > least);
}

/** Undefined for what is no letter; exact for ASCII and the scripts above. */
function scriptAt(unit: number): Script | 'other' | undefined {
  if (unit < 0x370) {
    const isLetter = unit >= 0xc0 || (unit | 0x20) - 0x61 < 26;
    return isLetter && unit >= 0x41 && (unit < 0x5b || unit > 0x60) ? 'other' : undefined;
  }
  if (unit >= 0x2000 && unit < 0x3040) return undefined;
  for (const [first, last, script] of RANGES) if (unit >= first && unit <= last) return script;
  return 'other';
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Characters of Chinese, Japanese and Korean. */
export function countWide(text: string): number {
  return text.match(WIDE)?.length ?? 0;
}

/**
 * Length of a text in columns (Unicode Standard Annex 11): characters of Chinese, Japanese and Korean take two, and a
 * text of them says as much as one of twice as many letters.
 */
export function columnsOf(text: string): number {
  return text.length + countWide(text);
}

/** Characters that only one of the two written forms of Chinese has, in pairs. */
const SIMPLIFIED = '们这来时国会说为个对学发经过还开长东车门问间见电话书买实样点让进关应当头无业产动务体种两网报现设级';
const TRADITIONAL =
  '們這來時國會說為個對學發經過還開長東車門問間見電話書買實樣點讓進關應當頭無業產動務體種兩網報現設級';

/** The written form of a Chinese text; undefined when nothing tells. */
function hanFormOf(text: string): 'Hans' | 'Hant' | undefined {
  let lead = 0;
  for (const character of text) {
    if (SIMPLIFIED.includes(character)) lead++;
    else if (TRADITIONAL.includes(character)) lead--;
  }
  return lead === 0 ? undefined : lead > 0 ? 'Hans' : 'Hant';
}
