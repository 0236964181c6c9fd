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
export type Script = (typeof RANGES)[number][2];

const MIN_SHARE = 0.5;
/** Texts in Chinese quote Japanese names; Japanese hardly has a sentence without kana. */
const MIN_KANA_SHARE = 0.1;

/** The script of most letters, where it belongs to few languages; `kana` for Japanese as a whole. O(characters). */
export function scriptOf(text: string): Script | undefined {
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
export function hanFormOf(text: string): 'Hans' | 'Hant' | undefined {
  let lead = 0;
  for (const character of text) {
    if (SIMPLIFIED.includes(character)) lead++;
    else if (TRADITIONAL.includes(character)) lead--;
  }
  return lead === 0 ? undefined : lead > 0 ? 'Hans' : 'Hant';
}
