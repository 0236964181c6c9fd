/** Which of two numbers is the day where both may be. */
export type DayOrder = 'day-first' | 'month-first';

export type DateReading = {
  /** Epoch milliseconds; a date after the next day is none. */
  readonly now: number;
  readonly order: DayOrder;
};

export type FoundDate = {
  /** ISO 8601, as precise as the text, offset kept as written. */
  readonly date: string;
  /** Where its year stands in the text. */
  readonly at: number;
};

const DAY_MS = 86_400_000;
const FIRST_YEAR = 1995;
/** Read of a text that is a date: the rest is something else. */
const DATE_CHARS = 100;

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\s?(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s*(Z|[+-]\d\d:?\d\d)?)?/i;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:T|\d{4,6}|$)/;
const SHORT_YEAR = /(?<![\d.])(\d{1,2})([./-])(\d{1,2})\2(\d\d)(?![\d./])/;
/** Short years from here on belong to the last century, which is out of range anyway. */
const LAST_SHORT_YEAR = 60;

/** ISO 8601 form of a text that is a date, or begins with one; `''` when it is none, or outside of 1995 to tomorrow. */
export function readDate(text: string, now: number, order: DayOrder = 'day-first'): string {
  const trimmed = text.trim().slice(0, DATE_CHARS);
  const iso = ISO.exec(trimmed);
  if (iso !== null) return readIso(iso, now);
  const compact = COMPACT.exec(trimmed);
  if (compact !== null) return dayOf(compact[1], compact[2], compact[3], now);
  return findDates(trimmed, { now, order })[0]?.date ?? shortYear(trimmed, { now, order });
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
/** Longest text of a date before and behind its year: `Wednesday, the 21st of September 10:00:00 GMT`. */
const REACH = 40;
const YEAR_CHARS = 4;

/** All dates with a four-digit year in a text, in order. O(text). */
export function findDates(text: string, reading: DateReading, limit = 100): readonly FoundDate[] {
  const found: FoundDate[] = [];
  let readTo = 0;
  for (const { index } of text.matchAll(YEAR)) {
    if (found.length === limit) break;
    if (index < readTo) continue;
    const behind = yearFirst(text.slice(index, index + REACH), reading);
    const year = text.slice(index, index + YEAR_CHARS);
    const isPart = /^\.\d/.test(text.slice(index + YEAR_CHARS, index + YEAR_CHARS + 2));
    const before = isPart ? '' : text.slice(Math.max(readTo, index - REACH), index);
    const date = behind?.date ?? yearLast(before, year, reading);
    if (date === '') continue;
    found.push({ date, at: index });
    readTo = index + (behind?.length ?? YEAR_CHARS);
  }
  return found;
}

const TO = String.raw`\s?(?:[–—-]|to|until|till|bis|au|al|til|tot|do)\s?`;
const MONTH = String.raw`(?:of |de |d['’])?\p{L}{3,12}\.?`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th|er)?\.?`;
/** `12–15 March 2026`, `28. März bis 2. April 2026`, `March 12–15, 2026`, `12.03. – 15.03.2026`, `2026-03-12 – 2026-03-15`. */
const PERIOD = new RegExp(
  `(?<!\\d)(?:${[
    `${DAY}(?:\\s?${MONTH}(?:,?\\s(?:de )?\\d{4})?)?${TO}${DAY}\\s?${MONTH},?\\s(?:de )?\\d{4}`,
    `${MONTH}\\s${DAY}(?:,?\\s\\d{4})?${TO}(?:${MONTH}\\s)?${DAY},?\\s\\d{4}`,
    `\\d{1,2}[./](?:\\d{1,2}[./]?(?:\\d{4})?)?${TO}\\d{1,2}[./]\\d{1,2}[./]\\d{4}`,
    `\\d{4}-\\d\\d-\\d\\d${TO}\\d{4}-\\d\\d-\\d\\d`,
  ].join('|')})(?!\\d)`,
  'giu',
);

/** Of a first and a last day: they say when something takes place. Characters before and behind the year of one. */
const PERIOD_REACH = 60;

/** Dates of a text but for first and last days. O(text). */
export function findLoneDates(text: string, reading: DateReading, limit = 100): readonly FoundDate[] {
  const lone: FoundDate[] = [];
  for (const found of findDates(text, reading)) {
    if (lone.length === limit) break;
    if (!isInPeriod(text, found)) lone.push(found);
  }
  return lone;
}

/** Does a text name a first and a last day? */
export function namesPeriod(text: string): boolean {
  return text.search(PERIOD) >= 0;
}

function isInPeriod(text: string, { at }: FoundDate): boolean {
  const from = Math.max(0, at - PERIOD_REACH);
  const periods = text.slice(from, at + PERIOD_REACH).matchAll(PERIOD);
  return periods.some(({ 0: period, index }) => from + index <= at && at < from + index + period.length);
}

const NUMBERS_BEHIND = /^(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d)/;
const SIGNS_BEHIND = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/;
const WORD_BEHIND = /^(\d{4})[.,]?\s+(?:m\.\s+)?(\p{L}{3,12})\.?\s+(\d{1,2})(?!\d)/u;

function yearFirst(text: string, { now }: DateReading): { date: string; length: number } | undefined {
  const iso = ISO.exec(text);
  if (iso !== null) return { date: readIso(iso, now), length: iso[0].length };
  const numbers = NUMBERS_BEHIND.exec(text);
  if (numbers !== null) return { date: dayOf(numbers[1], numbers[3], numbers[4], now), length: numbers[0].length };
  const named = SIGNS_BEHIND.exec(text) ?? WORD_BEHIND.exec(text);
  const month = named === null ? undefined : (monthOf(named[2] ?? '') ?? Number(named[2]));
  if (named === null || month === undefined || Number.isNaN(month)) return undefined;
  const date = dayOf(named[1], String(month), named[3], now);
  return date === '' ? undefined : { date, length: named[0].length };
}

const DAY_MONTH =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|ª)?\.?\s*(?:of |de |d['’]\s?|den |-|\/)?\s*(\p{L}{3,12})[.,]?\s*(?:de |del |do |d['’]|-|\/)?,?\s*$/iu;
const MONTH_DAY =
  /(?<!\p{L})(\p{L}{3,12})\.?\s*[-/]?(\d{1,2})(?:st|nd|rd|th)?\.?,?\s*[-/]?(?:\s+(?:de |del )?)?(?:\d\d:\d\d(?::\d\d)?\s+(?:[A-Z]{2,4}\s+|[+-]\d{4}\s+)?)?$/u;
const NUMBERS = /(?<![\d.])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?$/;

function yearLast(before: string, year: string, { now, order }: DateReading): string {
  const dayMonth = DAY_MONTH.exec(before);
  const ownMonth = dayMonth === null ? undefined : monthOf(dayMonth[2] ?? '');
  if (ownMonth !== undefined) return dayOf(year, String(ownMonth), dayMonth?.[1], now);
  const monthDay = MONTH_DAY.exec(before);
  const month = monthDay === null ? undefined : monthOf(monthDay[1] ?? '');
  if (month !== undefined) return dayOf(year, String(month), monthDay?.[2], now);
  const numbers = NUMBERS.exec(before);
  return numbers === null
    ? ''
    : ordered({ first: numbers[1], sign: numbers[2], second: numbers[3], year }, { now, order });
}

function shortYear(text: string, reading: DateReading): string {
  const [, first, sign, second, year] = SHORT_YEAR.exec(text) ?? [];
  if (year === undefined || Number(year) > LAST_SHORT_YEAR) return '';
  return ordered({ first, sign, second, year: `20${year}` }, reading);
}

type Numbers = Record<'first' | 'sign' | 'second' | 'year', string | undefined>;

/** The month comes first with slashes only; an impossible month is the day. */
function ordered({ first, sign, second, year }: Numbers, { now, order }: DateReading): string {
  const dayFirst = dayOf(year, second, first, now);
  const monthFirst = dayOf(year, first, second, now);
  return sign === '/' && order === 'month-first' ? monthFirst || dayFirst : dayFirst || monthFirst;
}

function readIso([, year, month, day, hour, minute, second, zone]: RegExpExecArray, now: number): string {
  const date = dayOf(year, month, day, now);
  if (date === '' || hour === undefined || Number(hour) > 23 || Number(minute) > 59) return date;
  const offset = zone?.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') ?? '';
  return `${date}T${hour}:${minute}:${second ?? '00'}${offset}`;
}

/** The day when the calendar has it and it lies in the accepted range. */
function dayOf(year = '', month = '', day = '', now = 0): string {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  return isDay && Number(year) >= FIRST_YEAR && at <= now + DAY_MS ? text : '';
}

/** Names of the months in 24 languages as texts write them in dates: full forms, and short ones that are no words. */
const NAMES = [
  'january januar januari jan janvier janv enero ene gennaio gen janeiro tammikuuta tammikuu stycznia styczeń ledna leden január januára ianuarie ocak января январь янв січня січень ιανουαρίου ιαν януари jaanuar sausio sausis janvāris gener siječnja jänner',
  'february februar februari feb février fevrier févr febrero febbraio fevereiro fev helmikuuta helmikuu lutego luty února únor február februára febr februarie şubat февраля февраль февр лютого φεβρουαρίου φεβ февруари veebruar vasario vasaris februāris febrer veljače',
  'march mar märz maerz mär mrz mars marzo março maart mrt marts maaliskuuta maaliskuu marca marzec března březen március martie mart марта март березня березень μαρτίου μαρ märts kovo kovas març maret ožujka',
  'april apr avril avr abril abr aprile huhtikuuta huhtikuu kwietnia kwiecień dubna duben apríla apríl április aprilie nisan апреля апрель апр квітня квітень απριλίου απρ април aprill balandžio balandis aprīlis travnja',
  'may mai mayo maggio maio mei maj toukokuuta toukokuu maja května květen mája máj május mayıs мая май травня травень μαΐου μαΐ gegužės gegužė maijs maig svibnja',
  'june jun juni juin junio giugno giu junho kesäkuuta kesäkuu czerwca czerwiec června červen júna jún június iunie haziran июня июнь июн червня червень ιουνίου ιουν юни junij juuni birželio birželis jūnijs juny lipnja',
  'july jul juli juillet juil julio luglio lug julho heinäkuuta heinäkuu lipca lipiec července červenec júla júl július iulie temmuz июля июль июл липня липень ιουλίου ιουλ юли julij juuli liepos liepa jūlijs juliol srpnja',
  'august aug août aout agosto ago augustus augusti elokuuta elokuu sierpnia sierpień srpna srpen augusta augusztus ağustos ağu августа август авг серпня серпень αυγούστου αυγ avgust rugpjūčio rugpjūtis augusts agustus kolovoza agost',
  'september sep sept septembre septiembre settembre setembro syyskuuta syyskuu września wrzesień září septembra szeptember szept septembrie eylül сентября сентябрь сент вересня вересень σεπτεμβρίου σεπ септември rugsėjo rugsėjis septembris setembre rujna',
  'october oktober oct okt octobre octubre ottobre ott outubro lokakuuta lokakuu października październik října říjen októbra október octombrie ekim октября октябрь окт жовтня жовтень οκτωβρίου οκτ октомври oktoober spalio spalis oktobris',
  'november nov novembre noviembre novembro marraskuuta marraskuu listopada listopad listopadu novembra noiembrie kasım ноября ноябрь нояб листопада νοεμβρίου νοε ноември lapkričio lapkritis novembris studenoga',
  'december dezember dec dez décembre decembre déc diciembre dic dicembre dezembro desember joulukuuta joulukuu grudnia grudzień prosince prosinec decembra decembrie aralık ara декабря декабрь дек грудня грудень δεκεμβρίου δεκ декември detsember gruodžio gruodis decembris desembre prosinca',
];

const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** 1 to 12, undefined for a word that names no month. */
export function monthOf(word: string): number | undefined {
  return MONTHS.get(word.toLowerCase());
}
