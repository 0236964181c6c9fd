/** How ranges, comparisons and sorting read a field. Contract: 1.10. */
const FIELD_TYPES = ['text', 'number', 'date', 'geo'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** The type that a field's name decides: `_date`, `_number`, `_geo_point`; else the values decide. */
export function typeBySuffix(field: string): FieldType | undefined {
  if (field.endsWith('_date')) return 'date';
  if (field.endsWith('_number')) return 'number';
  return field.endsWith('_geo_point') ? 'geo' : undefined;
}

/** The number a text states with `.` as decimal separator, or NaN. Contract: 2.3 `range` bounds. */
export function parseNumber(text: string): number {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

/** The whole unit that a date text names: its first and its last millisecond, both inclusive. */
export type DateSpan = { readonly from: number; readonly to: number };

const FORMS = [
  /^(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d\d)$/,
  /^(?<year>\d{4})(?<mark>[-/])(?<month>\d\d)\k<mark>(?<day>\d\d)$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)? ?(?<zone>[Zz]|[+-]\d\d:?\d\d)?$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)[Tt](?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?<zone>[Zz]|[+-]\d\d:?\d\d)?$/,
] as const;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Reads the date forms of contract 2.3: year, year and month, date (`-`, `/` or compact), date-time with zone,
 * without one (UTC), with or without seconds. Undefined for impossible days and every other text.
 */
export function parseDate(text: string): DateSpan | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return spanOf(parts);
  }
  return undefined;
}

type Parts = Readonly<Record<string, string | undefined>>;

function spanOf(parts: Parts): DateSpan | undefined {
  const year = Number(parts['year']);
  const month = Number(parts['month'] ?? '01');
  const day = Number(parts['day'] ?? '01');
  const date = utc(year, month - 1, day);
  if (date === undefined) return undefined;
  if (parts['month'] === undefined) return { from: date, to: firstOfMonth(year + 1, 0) - 1 };
  if (parts['day'] === undefined) return { from: date, to: firstOfMonth(year, month) - 1 };
  return parts['hour'] === undefined ? { from: date, to: date + DAY_MS - 1 } : timeSpan(date, parts);
}

function timeSpan(date: number, parts: Parts): DateSpan | undefined {
  const hour = Number(parts['hour']);
  const minute = Number(parts['minute']);
  const second = Number(parts['second'] ?? '0');
  const offsetMs = zoneOffsetMs(parts['zone'] ?? 'Z');
  if (hour > 23 || minute > 59 || second > 59 || offsetMs === undefined) return undefined;
  const fraction = parts['fraction'];
  const fractionMs = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * SECOND_MS);
  const from = date + hour * 60 * MINUTE_MS + minute * MINUTE_MS + second * SECOND_MS + fractionMs - offsetMs;
  if (fraction !== undefined) return { from, to: from };
  return { from, to: from + (parts['second'] === undefined ? MINUTE_MS : SECOND_MS) - 1 };
}

function zoneOffsetMs(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

function firstOfMonth(year: number, monthIndex: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, 1);
  return date.getTime();
}

/** Start of the day, undefined when the calendar has no such day. `Date.UTC` would map years below 100 to 19xx. */
function utc(year: number, monthIndex: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, day);
  const same = date.getUTCMonth() === monthIndex && date.getUTCDate() === day;
  return same ? date.getTime() : undefined;
}

/** A point in degrees. */
export type GeoPoint = { readonly latitude: number; readonly longitude: number };

/** Mean Earth radius in metres. Contract: 2.3. */
export const EARTH_RADIUS_METRES = 6_371_008.8;

/** Metres per unit; the names are matched without regard to case. Contract: 2.3. */
export const METRES_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ['inch', 0.0254],
  ['feet', 0.3048],
  ['yards', 0.9144],
  ['miles', 1609.344],
  ['nauticalmiles', 1852],
  ['kilometers', 1000],
  ['meters', 1],
  ['centimeters', 0.01],
  ['millimeters', 0.001],
]);

const POINT = /^\s*([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)\s*$/;
const RADIANS = Math.PI / 180;

/** Reads `"lat,lon"`; undefined when it is no point on Earth. */
export function parseGeoPoint(text: string): GeoPoint | undefined {
  const match = POINT.exec(text);
  if (match === null) return undefined;
  const latitude = Number(match[1]);
  const longitude = Number(match[2]);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { latitude, longitude };
}

/** Great-circle distance in metres on a sphere (haversine). O(1), no allocation. */
export function distanceMetres(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const sinLatitude = Math.sin(((latitudeB - latitudeA) * RADIANS) / 2);
  const sinLongitude = Math.sin(((longitudeB - longitudeA) * RADIANS) / 2);
  const h =
    sinLatitude * sinLatitude +
    Math.cos(latitudeA * RADIANS) * Math.cos(latitudeB * RADIANS) * sinLongitude * sinLongitude;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}
