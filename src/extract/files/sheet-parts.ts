import { attributeOf, localName, scanXml } from './xml-scan.ts';

/** More than cells are read, because later sheets may name later strings. */
const MAX_STRINGS = 1_000_000;
const MAX_FORMATS = 65_536;

/** Strings that cells name by number; of phonetic guides nothing. */
export function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  let current: string | undefined;
  let isText = false;
  let phonetic = 0;
  scanXml(xml, {
    isDone: () => strings.length >= MAX_STRINGS,
    open: (name) => {
      const local = localName(name);
      if (local === 'si') current = '';
      if (local === 'rPh') phonetic++;
      isText = local === 't' && phonetic === 0;
    },
    text: (text) => {
      if (isText && current !== undefined) current += text;
    },
    close: (name) => {
      const local = localName(name);
      isText = false;
      if (local === 'rPh') phonetic = Math.max(0, phonetic - 1);
      if (local !== 'si') return;
      strings.push(decodeEscapes(current ?? ''));
      current = undefined;
    },
  });
  return strings;
}

/** `_x000D_` is a character that XML cannot hold. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Formats of cells by the number of their style; one for every style that is not listed. */
export function cellFormats(xml: string, options: FormatOptions): (style: number) => NumberFormat {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let inCells = false;
  scanXml(xml, {
    isDone: () => ids.length >= MAX_FORMATS,
    open: (name, attributes) => {
      const local = localName(name);
      if (local === 'cellXfs') inCells = true;
      const id = Number(attributeOf(attributes, 'numFmtId') ?? 0);
      if (local === 'numFmt') codes.set(id, attributeOf(attributes, 'formatCode') ?? '');
      if (local === 'xf' && inCells) ids.push(id);
    },
    close: (name) => {
      if (localName(name) === 'cellXfs') inCells = false;
    },
  });
  return formatsOf(ids, codes, options);
}

/** Formats by style, from the numbers of their formats and the codes that the file spells out. */
export function formatsOf(
  ids: readonly number[],
  codes: ReadonlyMap<number, string>,
  options: FormatOptions,
): (style: number) => NumberFormat {
  const formats = new Map<number, NumberFormat>();
  return (style) => {
    const id = ids[style] ?? 0;
    const format = formats.get(id) ?? numberFormat(id, codes.get(id), options);
    formats.set(id, format);
    return format;
  };
}

/** Writes a number as a cell shows it. */
export type NumberFormat = (value: number) => string;

type FormatOptions = {
  /** Days count from 1904 instead of 1900. */
  readonly from1904: boolean;
};

/** Formats by number that no file spells out (ECMA-376 part 1, 18.8.30). Dates that follow the reader's language are ISO 8601. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [14, 'yyyy-mm-dd'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  [37, '#,##0;(#,##0)'],
  [38, '#,##0;(#,##0)'],
  [39, '#,##0.00;(#,##0.00)'],
  [40, '#,##0.00;(#,##0.00)'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
]);
const MAX_FORMAT_CHARS = 255;

/** The format of a cell: its code, or a built-in one; an unknown one, and text, shows numbers as they are. */
export function numberFormat(id: number, code: string | undefined, options: FormatOptions): NumberFormat {
  const text = (code || BUILT_IN.get(id) || 'General').slice(0, MAX_FORMAT_CHARS);
  const sections = sectionsOf(text).map(tokensOf);
  return (value) => {
    const { tokens, shown } = sectionFor(sections, value);
    if (tokens === undefined) return plainNumber(value);
    if (tokens.some(({ kind }) => kind === 'date')) return formatDate(tokens, value, options) ?? plainNumber(value);
    return formatNumber(tokens, shown).trim();
  };
}

/** Eleven characters at most beside the sign, as a spreadsheet shows a number without a format. */
export function plainNumber(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size === 0) return String(value);
  if (size >= 1e11 || size < 1e-4) return String(Number(value.toPrecision(6)).toExponential()).toUpperCase();
  const whole = String(Math.trunc(size)).length;
  return String(Number(value.toFixed(Math.max(0, MAX_CHARS - whole - 1))));
}

const MAX_CHARS = 11;

type Token = {
  readonly kind: 'literal' | 'digits' | 'date' | 'percent' | 'exponent' | 'text' | 'general';
  readonly text: string;
};

/** `;` outside of quotes separates positive, negative, zero and text. */
function sectionsOf(code: string): readonly string[] {
  return code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\[]|["\\[])+|(?<=;|^)(?=;|$)/g) ?? [code];
}

const TOKEN = new RegExp(
  [
    '"(?<quoted>[^"]*)"',
    '\\\\(?<escaped>.)',
    '_.',
    '\\*.',
    '\\[\\$(?<currency>[^\\]-]*)(?:-[^\\]]*)?\\]',
    '\\[(?<elapsed>h+|m+|s+)\\]',
    '\\[[^\\]]*\\]',
    '(?<general>General)',
    '(?<date>AM/PM|A/P|y+|m+|d+|h+|s+(?:\\.0+)?|e+(?![+-]))',
    '(?<digits>[0#?][0#?,]*(?:\\.[0#?]*)?,*|\\.[0#?]+)',
    '(?<percent>%)',
    '(?<exponent>E[+-]0+)',
    '(?<text>@)',
    '(?<other>.)',
  ].join('|'),
  'gis',
);
const LITERALS = new Set(['quoted', 'escaped', 'currency', 'other']);

/** Colours, conditions and paddings are no tokens. */
function tokensOf(section: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { groups = {} } of section.matchAll(TOKEN)) {
    const [name, text] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    if (name === undefined || text === undefined) continue;
    if (LITERALS.has(name)) tokens.push({ kind: 'literal', text });
    else if (name === 'elapsed') tokens.push({ kind: 'date', text: `[${text}]`.toLowerCase() });
    else if (name === 'date') tokens.push({ kind: 'date', text: text.toLowerCase() });
    else tokens.push({ kind: name as Token['kind'], text });
  }
  return tokens;
}

/** Of the tokens of a section that says nothing, undefined. */
function sectionFor(sections: readonly (readonly Token[])[], value: number) {
  const [positive = [], negative, zero] = sections;
  const isGeneral = positive.length === 1 && (positive[0]?.kind === 'general' || positive[0]?.kind === 'text');
  if (isGeneral && sections.length === 1) return { tokens: undefined, shown: value };
  if (value < 0 && negative !== undefined) return { tokens: negative, shown: -value };
  if (value === 0 && zero !== undefined) return { tokens: zero, shown: value };
  return { tokens: positive, shown: value };
}

function formatNumber(tokens: readonly Token[], value: number): string {
  const first = tokens.findIndex(({ kind }) => kind === 'digits');
  const isPercent = tokens.some(({ kind }) => kind === 'percent');
  const exponent = tokens.find(({ kind }) => kind === 'exponent');
  const scaled = isPercent ? value * 100 : value;
  // Digits in several places: a fraction, a telephone number. The number is told as it is.
  const isSplit = tokens.filter(({ kind }) => kind === 'digits').length > 1;
  const number = (index: number, text: string) => {
    if (index !== first) return '';
    if (isSplit) return plainNumber(scaled);
    return exponent === undefined ? placed(text, scaled) : scientific(text, scaled);
  };
  const parts = tokens.map(({ kind, text }, index) => {
    if (kind === 'digits') return number(index, text);
    if (kind === 'general' || kind === 'text') return plainNumber(scaled);
    if (kind === 'exponent') return '';
    return isSplit && kind === 'literal' && index > first ? '' : text;
  });
  const shown = parts.join('');
  // The sign of a negative number stands before its currency.
  return first >= 0 && scaled < 0 ? shown.replace(/^([^-]*)-(?=[\d.])/, '-$1') : shown;
}

function placed(pattern: string, value: number): string {
  const [whole = '', decimals = ''] = pattern.replace(/,+$/, '').split('.');
  const scale = /,+$/.exec(pattern)?.[0].length ?? 0;
  const scaled = value / 1_000 ** scale;
  const least = decimals.replace(/[^0]/g, '').length;
  const most = decimals.length;
  const minimumIntegerDigits = Math.min(21, whole.replace(/[^0]/g, '').length);
  if (!Number.isFinite(scaled)) return String(value);
  const fixed = Math.abs(scaled) < 1e21 ? scaled.toFixed(Math.min(100, most)) : String(scaled);
  const [digits = '', fraction = ''] = fixed.replace('-', '').split('.');
  const kept = fraction.replace(/0+$/, '').padEnd(least, '0');
  const padded = minimumIntegerDigits === 0 && digits === '0' ? '' : digits.padStart(minimumIntegerDigits, '0');
  const grouped = whole.includes(',') ? padded.replace(/\B(?=(?:\d{3})+$)/g, ',') : padded;
  const sign = fixed.startsWith('-') && Number(fixed) !== 0 ? '-' : '';
  return sign + grouped + (kept === '' && !pattern.endsWith('.') ? '' : `.${kept}`);
}

function scientific(pattern: string, value: number): string {
  const decimals = (pattern.split('.')[1] ?? '').length;
  const [mantissa = '', power = '0'] = value.toExponential(Math.min(100, decimals)).split('e');
  const digits = power.replace(/[+-]/, '').padStart(2, '0');
  return `${mantissa}E${power.startsWith('-') ? '-' : '+'}${digits}`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const DAY_MS = 86_400_000;
/** Last day that a spreadsheet knows, 9999-12-31. */
const LAST_DAY = 2_958_466;
const DAYS_TO_1904 = 1_462;
/** Day 0; days up to the 29th of February 1900, which there never was, are one later. */
const FIRST_DAY_MS = Date.UTC(1899, 11, 30);

function formatDate(tokens: readonly Token[], value: number, { from1904 }: FormatOptions): string | undefined {
  if (value < 0 || value >= LAST_DAY) return undefined;
  const days = value + (from1904 ? DAYS_TO_1904 : 0);
  const hasSeconds = tokens.some(({ kind, text }) => kind === 'date' && text.startsWith('s'));
  const unitMs = tokens.some(({ text }) => /^s+\.0/.test(text)) ? 10 : hasSeconds ? 1_000 : 60_000;
  const early = days < 60 ? DAY_MS : 0;
  const at = new Date(FIRST_DAY_MS + early + Math.round((days * DAY_MS) / unitMs) * unitMs);
  const isHalfDay = tokens.some(({ kind, text }) => kind === 'date' && (text === 'am/pm' || text === 'a/p'));
  const clock = { at, days, isHalfDay };
  return tokens
    .map(({ kind, text }, index) => {
      if (kind === 'date') return datePart(isMinute(tokens, index) ? text.replaceAll('m', 'n') : text, clock);
      return kind === 'literal' ? text : '';
    })
    .join('')
    .trim();
}

/** `m` behind hours or before seconds are minutes. */
function isMinute(tokens: readonly Token[], index: number): boolean {
  if (!/^\[?m{1,2}\]?$/.test(tokens[index]?.text ?? '')) return false;
  const isDate = ({ kind }: Token) => kind === 'date';
  const before = tokens.slice(0, index).findLast(isDate)?.text ?? '';
  const after = tokens.slice(index + 1).find(isDate)?.text ?? '';
  return tokens[index]?.text.startsWith('[') === true || /^\[?h/.test(before) || after.startsWith('s');
}

type Moment = { readonly at: Date; readonly days: number; readonly isHalfDay: boolean };

function datePart(part: string, { at, days, isHalfDay }: Moment): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const sized = (value: number) => (part.length > 1 ? two(value) : String(value));
  const hours = isHalfDay ? at.getUTCHours() % 12 || 12 : at.getUTCHours();
  switch (part[0]) {
    case 'y':
    case 'e':
      return part.length > 2 || part[0] === 'e' ? String(at.getUTCFullYear()) : two(at.getUTCFullYear() % 100);
    case 'm':
      return namedPart(MONTHS[at.getUTCMonth()] ?? '', part.length) ?? sized(at.getUTCMonth() + 1);
    case 'd':
      return namedPart(DAYS[at.getUTCDay()] ?? '', part.length) ?? sized(at.getUTCDate());
    case 'h':
      return sized(hours);
    case 'n':
      return sized(at.getUTCMinutes());
    case 's':
      return part.includes('.')
        ? (at.getUTCSeconds() + at.getUTCMilliseconds() / 1_000).toFixed(1)
        : sized(at.getUTCSeconds());
    case 'a':
      return at.getUTCHours() < 12 ? 'AM' : 'PM';
    default:
      return elapsed(part, days);
  }
}

function namedPart(name: string, letters: number): string | undefined {
  if (letters < 3) return undefined;
  return letters === 3 ? name.slice(0, 3) : name;
}

/** `[h]` counts on beyond a day. */
function elapsed(part: string, days: number): string {
  const units = part[1] === 'h' ? 24 : part[1] === 's' ? 86_400 : 1_440;
  return String(Math.floor(days * units + 1e-6));
}
