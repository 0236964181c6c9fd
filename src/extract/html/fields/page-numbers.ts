/**
 * Numbers of a page in the form of fields: digits, with `.` before the decimals. `''` for a text without a number.
 * Machines write a point before the decimals, however many they are; people write either mark, and mark thousands.
 */

type DecimalMark = '.' | ',';

const MACHINE_NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;

/**
 * A number of JSON, or of an attribute that machines read: `129.0000` is 129, `1299.000` is 1299. What has another form
 * is a text that somebody put there.
 */
export function machineNumber(value: string): string {
  const text = value.trim();
  return MACHINE_NUMBER.test(text) ? plainNumber(text.replace('+', '')) : shownNumber(text);
}

/** Thousands are marked by a point, a comma or an apostrophe, or by a blank before three digits. */
const SHOWN_NUMBER =
  /(?:(?<![\p{L}\p{N}])[-−])?(?:\d+(?:[.,'’]\d+|[ \u00a0\u2009\u202f]\d{3}(?!\d))*|(?<![\p{L}\p{N}.,])[.,]\d{1,2}(?!\d))/u;
const GROUPED = /^-?[1-9]\d{0,2}[.,]\d{3}$/;
/** Digits alone or in groups, also those of India: `1,23,456`. */
const WHOLE = /^-?(?:\d*|\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3})$/;

/**
 * The first number that people read in a text. Of two marks the last is before the decimals; a mark alone is so unless
 * it stands before three digits as that of thousands does. `decimal`: the mark, when it is known.
 */
export function shownNumber(text: string, decimal?: DecimalMark): string {
  const digits = digitsOf(text);
  const mark = decimal ?? decimalMarkOf(digits);
  const [whole = '', fraction, ...more] = mark === undefined ? [digits] : digits.split(mark);
  if (more.length > 0 || (decimal === undefined && !WHOLE.test(whole))) return '';
  return plainNumber([whole, ...(fraction === undefined ? [] : [fraction])].map(withoutMarks).join('.'));
}

/** Currencies whose coins are thousandths. */
const OF_THOUSANDTHS = /(?<!\p{L})(?:kwd|bhd|omr|jod|tnd|lyd|iqd)(?!\p{L})/iu;

/** As `shownNumber`, of an amount of money: `KWD 12.500` is twelve and a half. */
export function shownAmount(text: string, currency = text): string {
  const digits = digitsOf(text);
  const isOfThousandths = GROUPED.test(digits) && OF_THOUSANDTHS.test(currency);
  return isOfThousandths ? plainNumber(digits.replace(',', '.')) : shownNumber(text);
}

/** As `shownNumber`, of a rating: it has no thousands. */
export function shownRating(text: string): string {
  const digits = digitsOf(text);
  return GROUPED.test(digits) ? plainNumber(digits.replace(',', '.')) : shownNumber(text);
}

function digitsOf(text: string): string {
  return (SHOWN_NUMBER.exec(text)?.[0] ?? '').replace('−', '-').replace(/[^-\d.,]/g, '');
}

function decimalMarkOf(digits: string): DecimalMark | undefined {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return undefined;
  const mark = digits[last] === '.' ? '.' : ',';
  const isLone = digits.indexOf(mark) === last;
  const isMixed = digits.includes(mark === '.' ? ',' : '.');
  return isLone && (isMixed || !GROUPED.test(digits)) ? mark : undefined;
}

function withoutMarks(digits: string): string {
  return digits.replace(/[.,]/g, '');
}

/** Zeros behind the second decimal are those of a data type. */
function plainNumber(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const number = whole === '' || whole === '-' ? `${whole}0` : whole;
  if (fraction === undefined || fraction === '') return /\d/.test(whole) ? whole : '';
  const decimals = fraction.length > 2 ? fraction.replace(/0+$/, '') : fraction;
  return decimals === '' ? number : `${number}.${decimals}`;
}
