import { typeBySuffix } from '../../core/field-values.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { compilePattern } from '../patterns/linear-pattern.ts';
import { replaceMatches, valueOfMatch } from '../patterns/pattern-values.ts';
import { readDate } from './dates/dates.ts';
import { compileFieldSource, type FieldContext, type FieldSourceRule } from './field-sources.ts';
import { machineNumber, shownNumber } from './fields/page-numbers.ts';
import { absoluteUrl } from './links.ts';
import { foldText } from './page-tree.ts';
import { compileSelectors } from './selectors.ts';

/** How one field is filled, as an operator writes it. One of the members of `FieldSourceRule` is given. */
export type FieldRule = FieldSourceRule & {
  readonly name: string;
  /** A value becomes the first group of this expression; without a match it is none. */
  readonly match?: string | undefined;
  /** With `match`: what every match within the value becomes (`$1`, `$<name>`). */
  readonly replace?: string | undefined;
  /** Makes several values of one. */
  readonly split?: string | undefined;
  /** Every value of the source; else the first that is one. */
  readonly all?: boolean | undefined;
  readonly as?: FieldForm | undefined;
  readonly dateFormat?: string | undefined;
  readonly decimal?: '.' | ',' | undefined;
  /** Value → value. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly fallback?: string | undefined;
  readonly when?: FieldCondition | undefined;
  /** Against what else is known of the field; stock `replace`. */
  readonly mode?: FieldMode | undefined;
};

export type FieldCondition = {
  /** A rule for URLs. */
  readonly url?: string | undefined;
  /** Something on the page that it matches. */
  readonly selector?: string | undefined;
  readonly kind?: 'page' | 'file' | undefined;
};

export const FIELD_MODES = ['replace', 'fill', 'append'] as const;
export type FieldMode = (typeof FIELD_MODES)[number];

/** What a rule makes of a page. `dropped` counts values that are none of the wanted form. */
export type RuleValues = {
  readonly raw: readonly string[];
  readonly values: readonly string[];
  readonly dropped: number;
};

export type CompiledFieldRule = {
  readonly name: string;
  /** `content.fields[2]` */
  readonly path: string;
  readonly mode: FieldMode;
  readonly applies: (context: FieldContext) => boolean;
  readonly read: (context: FieldContext) => RuleValues;
};

/** @throws Error for what the schema of the settings refuses */
export function compileFieldRule(
  rule: FieldRule,
  {
    path,
    compileUrlRule,
  }: { readonly path: string; readonly compileUrlRule: (rule: string) => (url: string) => boolean },
): CompiledFieldRule {
  const readRaw = compileFieldSource(rule);
  const refine = compileSteps(rule);
  return {
    name: rule.name,
    path,
    mode: rule.mode ?? 'replace',
    applies: compileCondition(rule.when ?? {}, compileUrlRule),
    read: (context) => {
      const raw = readRaw(context);
      const { values, dropped } = refined(raw, { rule, context, refine });
      const isMissing = values.length === 0 && rule.fallback !== undefined && rule.fallback.trim() !== '';
      return { raw, values: isMissing ? [rule.fallback ?? ''] : values, dropped };
    },
  };
}

function compileCondition(
  { url, selector, kind }: FieldCondition,
  compileUrlRule: (rule: string) => (url: string) => boolean,
): CompiledFieldRule['applies'] {
  const matchesUrl = url === undefined ? undefined : compileUrlRule(url);
  const compiled = selector === undefined ? undefined : compileSelectors([selector]);
  return (context) => {
    if (kind !== undefined && kind !== context.kind) return false;
    if (matchesUrl !== undefined && !matchesUrl(context.url)) return false;
    if (compiled === undefined) return true;
    return context.page !== undefined && context.page.select(compiled).size > 0;
  };
}

/** The values that one raw value becomes; undefined for one that is not of the wanted form. */
type Refine = (raw: string, context: FieldContext) => readonly (string | undefined)[];

function refined(
  raw: readonly string[],
  { rule, context, refine }: { readonly rule: FieldRule; readonly context: FieldContext; readonly refine: Refine },
): Pick<RuleValues, 'values' | 'dropped'> {
  const values = new Set<string>();
  let dropped = 0;
  for (const text of raw) {
    for (const value of refine(text, context)) {
      if (value === undefined) dropped++;
      else if (value !== '' && values.size < EXTRACT_LIMITS.ruleValues) values.add(value);
    }
    if (values.size > 0 && rule.all !== true) break;
  }
  return { values: [...values], dropped };
}

function compileSteps(rule: FieldRule): Refine {
  const { name, match, replace, split, map = {}, as, dateFormat, decimal } = rule;
  const pattern = match === undefined ? undefined : compilePattern(match);
  const convert = compileConversion({ as: as ?? formOf(name), dateFormat, decimal, writtenFor: readerOf(rule) });
  const mapped = new Map(Object.entries(map));
  const matched = (text: string, { work }: FieldContext) => {
    if (pattern === undefined) return text;
    return replace === undefined
      ? valueOfMatch(pattern, text, work)
      : replaceMatches(pattern, text, { replacement: replace, work });
  };
  return (raw, context) => {
    const text = raw.slice(0, EXTRACT_LIMITS.ruleValueChars);
    const found = matched(text, context);
    if (found === undefined) return [];
    const parts = split === undefined ? [found] : found.split(split, EXTRACT_LIMITS.ruleValues);
    return parts.map((part) => {
      const value = part.trim();
      return value === '' ? '' : convert(mapped.get(value) ?? value, context);
    });
  };
}

/** Attributes whose values are shown or read aloud. */
const SHOWN_ATTRIBUTE = /^(?:title|alt|placeholder|label|aria-[a-z]+)$/i;

/** What an expression takes out of a value is part of a text. */
function readerOf({ meta, header, jsonLd, attribute, xpath, match }: FieldRule): ValueReader {
  if (match !== undefined) return 'people';
  if ([meta, header, jsonLd].some((source) => source !== undefined)) return 'machines';
  const name = attribute ?? /@([\w.:-]+)\s*$/.exec(xpath ?? '')?.[1];
  return name === undefined || SHOWN_ATTRIBUTE.test(name) ? 'people' : 'machines';
}

/** What the name of a field says about its values. Contract: 1.10. */
export function formOf(name: string): FieldForm {
  return name === 'Url' ? 'url' : (typeBySuffix(name) ?? 'text');
}

export const FIELD_FORMS = ['text', 'number', 'date', 'url', 'geo', 'boolean'] as const;
type FieldForm = (typeof FIELD_FORMS)[number];

/** Whom a value is written for: numbers in data and attributes have other marks than those in texts. */
export type ValueReader = 'machines' | 'people';

export type ConversionRule = {
  readonly as: FieldForm;
  readonly writtenFor: ValueReader;
  readonly dateFormat?: string | undefined;
  /** Of numbers, in place of what `writtenFor` says. */
  readonly decimal?: '.' | ',' | undefined;
};

/** Undefined for a text that is not of the form. */
export type Convert = (text: string, page: { readonly base: string }) => string | undefined;

/** Texts of a form are short; what is read of one. */
const MAX_FORM_CHARS = 2_000;

/** @throws SyntaxError for a date format that cannot be read */
export function compileConversion({ as, writtenFor, dateFormat, decimal }: ConversionRule): Convert {
  const readFormat = dateFormat === undefined ? anyDate : compileDateFormat(dateFormat);
  const isForMachines = writtenFor === 'machines' && decimal === undefined;
  const byForm: Readonly<Record<Exclude<FieldForm, 'text'>, Convert>> = {
    number: (text) => (isForMachines ? machineNumber(text) : shownNumber(text, decimal)) || undefined,
    date: readFormat,
    url: (text, { base }) => absoluteUrl(text, base),
    geo: readPoint,
    boolean: (text) => BOOLEANS.get(text.toLowerCase()),
  };
  if (as === 'text') return (text) => foldText(text.toWellFormed());
  const convert = byForm[as];
  return (text, page) => convert(foldText(text.slice(0, MAX_FORM_CHARS)), page);
}

const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, 'true'] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, 'false'] as const),
]);

const ISO_DAY = /^\d{4}-\d\d-\d\d(?=$|T)/;

/** Any year in the form of ISO 8601; other forms from 1995 on, the future included. */
function anyDate(text: string): string | undefined {
  const day = ISO_DAY.exec(text)?.[0];
  if (day !== undefined && !isDay(day)) return undefined;
  return readDate(text, Number.POSITIVE_INFINITY) || day;
}

function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

const FORMAT_PARTS: Readonly<Record<string, readonly [part: string, source: string]>> = {
  yyyy: ['year', String.raw`\d{4}`],
  MM: ['month', String.raw`\d\d`],
  M: ['month', String.raw`\d{1,2}`],
  dd: ['day', String.raw`\d\d`],
  d: ['day', String.raw`\d{1,2}`],
  HH: ['hour', String.raw`\d\d`],
  H: ['hour', String.raw`\d{1,2}`],
  mm: ['minute', String.raw`\d\d`],
  ss: ['second', String.raw`\d\d`],
};

/** `dd.MM.yyyy HH:mm`: the parts of `FORMAT_PARTS`, and marks. @throws SyntaxError */
function compileDateFormat(format: string): Convert {
  const seen = new Set<string>();
  const source = format.replace(/[a-z]+|[^a-z]/gi, (token) => {
    const [part, digits] = FORMAT_PARTS[token] ?? [];
    if (part === undefined && /[a-z]/i.test(token)) {
      throw new SyntaxError(`${token} is none of ${Object.keys(FORMAT_PARTS).join(', ')}`);
    }
    if (part === undefined) return token.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    if (seen.has(part)) throw new SyntaxError(`names the ${part} twice`);
    seen.add(part);
    return `(?<${part}>${digits})`;
  });
  if (!['year', 'month', 'day'].every((part) => seen.has(part))) throw new SyntaxError('needs yyyy, M or MM, d or dd');
  const expression = new RegExp(`(?<!\\d)${source}(?!\\d)`, 'u');
  return (text) => dateOf(expression.exec(text)?.groups);
}

function dateOf(parts: Readonly<Record<string, string>> | undefined): string | undefined {
  if (parts === undefined) return undefined;
  const two = (name: string) => (parts[name] ?? '00').padStart(2, '0');
  const day = `${parts['year']}-${two('month')}-${two('day')}`;
  if (!isDay(day)) return undefined;
  if (parts['hour'] === undefined) return day;
  const isTime = Number(two('hour')) < 24 && Number(two('minute')) < 60 && Number(two('second')) < 60;
  return isTime ? `${day}T${two('hour')}:${two('minute')}:${two('second')}` : undefined;
}

const POINT = /(?<![\d.])(-?\d{1,3}(?:\.\d{1,20})?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d{1,20})?)(?![\d.])/;

function readPoint(text: string): string | undefined {
  const [, latitude = '', longitude = ''] = POINT.exec(text) ?? [];
  const isPoint = latitude !== '' && Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
  return isPoint ? `${latitude},${longitude}` : undefined;
}
