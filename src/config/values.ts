import { isIP } from 'node:net';
import { z } from 'zod';
import { isTimeSpan, isTimeZone, TIME_OF_DAY } from '../core/local-time.ts';

/** Parsers of configuration values: every value arrives as text, `""` never does. Messages complete "NAME …". */

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };
const ORIGIN = /^https?:\/\/[^/?#@]+$/;
const ATTRIBUTE_NAME_PART = /^[a-z](-?[a-z0-9])*$/;
const HEADER_NAME_PART = /^[A-Za-z0-9-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
const OCR_LANGUAGES = /^[A-Za-z_]{3,20}(?:\+[A-Za-z_]{3,20}){0,9}$/;
/** Of npm: no path, no URL, no version. */
const PACKAGE_NAME = /^(?=.{1,214}$)(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const HOST_AND_PORT = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):[0-9]{1,5}$/;

/** What the generated documentation says about a variable besides its name and default. */
export type VariableMeta = {
  readonly area: string;
  readonly description: string;
  /** `ms`, `seconds`, `bytes`, `per second` …; absent when the value has none. */
  readonly unit?: string;
  /** What an unset variable means when the default depends on the machine. */
  readonly shownDefault?: string;
  /** Never shown; may be read from the file that `NAME_FILE` names. */
  readonly secret?: boolean;
};

/** Bounds are included. */
export function whole(min: number, max: number) {
  return parsed(`must be a whole number from ${min} to ${max}`, (text) => {
    const value = Number(text);
    return /^[0-9]{1,15}$/.test(text) && value >= min && value <= max ? value : undefined;
  });
}

/** Bounds are included. */
export function decimal(min: number, max: number) {
  return parsed(`must be a number from ${min} to ${max}`, (text) => {
    const value = Number(text);
    return /^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text) && value >= min && value <= max ? value : undefined;
  });
}

export function flag() {
  return parsed('must be true or false', (text) => FLAGS[text.toLowerCase()]);
}

export function oneOf<const Value extends string>(values: readonly Value[]) {
  return parsed(`must be one of ${values.join(', ')}`, (text) => values.find((value) => value === text.toLowerCase()));
}

export function text(minChars = 1) {
  return parsed(`must have at least ${minChars} characters`, (value) => (value.length >= minChars ? value : undefined));
}

/** Names of languages at Tesseract between plus signs. */
export function ocrLanguages() {
  return parsed('must be names of languages at Tesseract, such as eng+deu', (value) =>
    OCR_LANGUAGES.test(value) ? value : undefined,
  );
}

/** An absolute URL of one of the schemes, without a slash at its end. */
export function url(schemes: readonly string[]) {
  return parsed(`must be an absolute URL (${schemes.join(' or ')})`, (value) => {
    const read = URL.parse(value);
    return read !== null && schemes.includes(read.protocol.slice(0, -1)) ? value.replace(/\/+$/, '') : undefined;
  });
}

/** Absolute URLs of one of the schemes between commas, without slashes at their ends. */
export function urls(schemes: readonly string[]) {
  return parsed(`must be a comma list of absolute URLs (${schemes.join(' or ')})`, (value) =>
    listOf(value, (part) => schemes.includes(URL.parse(part)?.protocol.slice(0, -1) ?? ''))?.map((part) =>
      part.replace(/\/+$/, ''),
    ),
  );
}

/** Begins the names of indexes on servers that others may use, too. */
export function indexPrefix() {
  return parsed('must be lower-case letters, digits, - and _ after a letter, 40 at most', (value) =>
    /^[a-z][a-z0-9_-]{0,39}$/.test(value) ? value : undefined,
  );
}

/** `*`, or origins between commas. */
export function origins() {
  return parsed('must be * or a comma list of origins such as https://www.example.com', (value) =>
    value === '*' ? ['*'] : listOf(value, (part) => ORIGIN.test(part)),
  );
}

/** `off`, or addresses and networks between commas. */
export function proxies() {
  return parsed('must be off or a comma list of addresses and networks such as 10.0.0.0/8', (value) =>
    value.toLowerCase() === 'off' ? [] : listOf(value, isNetwork),
  );
}

/** Exact hosts with their ports between commas. */
export function hosts() {
  return parsed('must be a comma list of hosts with ports such as api.example.com:443', (value) =>
    listOf(value.toLowerCase(), (part) => HOST_AND_PORT.test(part)),
  );
}

/** The name of a package, with its scope. */
export function packageName() {
  return parsed('must be the name of an npm package such as @ai-sdk/mistral, without path or version', (value) =>
    PACKAGE_NAME.test(value) ? value : undefined,
  );
}

/** A JSON object of header names and values. */
export function headers() {
  return parsed('must be a JSON object of header names and values such as {"x-team": "search"}', (value) => {
    const read = z.record(z.string().regex(HEADER_NAME_PART), z.string().regex(HEADER_VALUE)).safeParse(jsonOf(value));
    return read.data as Readonly<Record<string, string>> | undefined;
  });
}

/** Addresses between commas. */
export function mailAddresses(most = 20) {
  const example = most === 1 ? 'an e-mail address such as' : 'a comma list of e-mail addresses such as';
  return parsed(`must be ${example} ops@example.com`, (value) => {
    const addresses = listOf(value, (part) => z.email().safeParse(part).success);
    return addresses !== undefined && addresses.length <= most ? addresses : undefined;
  });
}

export function timeOfDay() {
  return parsed('must be a time such as 07:30', (value) => (TIME_OF_DAY.test(value) ? value : undefined));
}

export function timeSpan() {
  return parsed('must be two times such as 22:00-07:00', (value) => (isTimeSpan(value) ? value : undefined));
}

export function timeZone() {
  return parsed('must be a time zone such as Europe/Berlin', (value) => (isTimeZone(value) ? value : undefined));
}

/** A part of a header name that is, in small letters, also a part of an attribute name. */
export function prefixWord() {
  return parsed('must be letters and digits with single dashes between them such as Acme', (value) =>
    ATTRIBUTE_NAME_PART.test(value.toLowerCase()) ? value : undefined,
  );
}

export function headerPrefixes() {
  return parsed('must be a comma list of header name parts such as Service', (value) =>
    listOf(value, (part) => HEADER_NAME_PART.test(part)),
  );
}

/** Names of one meaning between commas, each once. */
export function attributePrefixes() {
  return parsed('must be a comma list of attribute name parts such as data-search', (value) => {
    const prefixes = listOf(value, (part) => ATTRIBUTE_NAME_PART.test(part));
    return prefixes === undefined ? undefined : [...new Set(prefixes)];
  });
}

function parsed<Value>(message: string, read: (text: string) => Value | undefined) {
  return z.string().transform((value, context): Value => {
    const result = read(value);
    if (result !== undefined) return result;
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  });
}

function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The parts, or undefined when one of them is wrong. */
function listOf(value: string, isRight: (part: string) => boolean): readonly string[] | undefined {
  const parts = value.split(',').map((part) => part.trim());
  return parts.every(isRight) ? parts : undefined;
}

function isNetwork(part: string): boolean {
  const [address = '', bits, ...rest] = part.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Areas of the documentation, in its order; a variable names its area. */
export const AREAS = [
  'General',
  'Secrets',
  'Stores',
  'CORS and access',
  'Limits',
  'Rates',
  'Search',
  'Answers',
  'Crawl',
  'Keeping',
  'Watching',
] as const;

/** Of variables whose value is never shown. */
export const SECRET = { secret: true } as const;

/** A variable with what the generated documentation says of it. */
export function about<Schema extends z.ZodType>(
  schema: Schema,
  area: (typeof AREAS)[number],
  description: string,
  more: Omit<VariableMeta, 'area' | 'description'> = {},
): Schema {
  return schema.meta({ area, description, ...more });
}
