import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, invalidRequest, type Problem } from '../core/errors.ts';
import { closestName } from '../core/rule-words.ts';
import { type JsonSchema, jsonSchemaOf } from './openapi/json-schema.ts';

/** Faults that are looked for and listed: a body of 1 MB can have more than 400,000, an answer of 28 MB. */
const MAX_PROBLEMS = 100;

/**
 * Reads outside input by its schema; faults are listed with their paths, at most 100. Contract: 1.4, 1.7.
 *
 * @throws AppError `request.invalid`
 */
export function bind<T>(schema: z.ZodType<T>, value: unknown): T {
  const { result, unknown } = readMembers(value, () => schema.safeParse(value, { error: ruleOf }));
  if (result.success && unknown.length === 0) return result.data;
  const problems = [...unknown, ...(result.error?.issues ?? []).map(problemOf)];
  throw invalidRequest(problems.slice(0, MAX_PROBLEMS));
}

/**
 * An object of contract-defined members: names match in any case, the later of two spellings wins, null is absent,
 * unknown members are dropped. `aliases` maps further names to members; the member itself wins over its alias.
 */
export function members<S extends z.ZodRawShape>(shape: S, aliases: Readonly<Record<string, keyof S & string>> = {}) {
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]));
  const aliased = new Map(Object.entries(aliases).map(([alias, name]) => [alias.toLowerCase(), name]));
  const known = new Map([...Object.keys(aliases), ...Object.keys(shape)].map((name) => [name.toLowerCase(), name]));
  const read = z.preprocess((value) => canonical(value, { names, aliases: aliased, known }), z.object(shape));
  const also = Object.entries(aliases).map(([alias, name]) => `\`${alias}\` stands for \`${name}\`.`);
  return also.length === 0 ? read : read.describe(also.join(' '));
}

/** A map with the caller's own names: kept byte for byte, null entries dropped, `[]` read as `{}`. */
export function mapOf<T>(inner: z.ZodType<T>) {
  const read = z.unknown().transform((value, context): ReadonlyMap<string, T> => {
    if (Array.isArray(value) && value.length === 0) return new Map();
    if (isObject(value)) return readEntries(context, inner, value);
    context.issues.push({ code: 'custom', input: value, message: missingOr(value, 'must be an object') });
    return z.NEVER;
  });
  return read.meta({
    type: 'object',
    get additionalProperties() {
      return formOf(inner);
    },
  });
}

/** Beside `anyOf`: what the schema behind a preprocessing takes is not all that is taken. */
export const UNTOLD = { type: undefined, properties: undefined, required: undefined, description: undefined } as const;

/** What a schema takes, for descriptions: worked out when one is made. */
export function formOf(schema: z.ZodType): JsonSchema {
  return jsonSchemaOf(schema, 'input');
}

function readEntries<T>(context: z.core.$RefinementCtx, inner: z.ZodType<T>, sent: object): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const [name, value] of Object.entries(sent)) {
    if (context.issues.length >= MAX_PROBLEMS) break;
    const result = value === null ? undefined : within(context, inner, value, [name]);
    if (result !== undefined) map.set(name, result);
  }
  return map;
}

export function boolean() {
  return leaf('must be true or false', { type: 'boolean' }, (value) => {
    const text = typeof value === 'string' ? value.toLowerCase() : value;
    if (text === true || text === 'true') return true;
    return text === false || text === 'false' ? false : undefined;
  });
}

export function integer({ min, max }: { readonly min: number; readonly max: number }) {
  return leaf(`must be an integer from ${min} to ${max}`, { type: 'integer', minimum: min, maximum: max }, (value) => {
    const number = typeof value === 'string' && /^-?[0-9]{1,10}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) return undefined;
    return number >= min && number <= max ? number : undefined;
  });
}

/** Lengths count Unicode code points. `trim` trims first, and returns the trimmed text. */
export function text({ min = 0, max = Number.POSITIVE_INFINITY, trim = false } = {}) {
  const form = trim && min > 0 ? { ...textForm(min, max), pattern: '\\S' } : textForm(min, max);
  return leaf(textRule(min, max), form, (value) => {
    if (typeof value !== 'string') return undefined;
    const kept = trim ? value.trim() : value;
    return kept.length >= min && isWithin(kept, max) ? kept : undefined;
  });
}

/** Text of a form, for instance a UUID; `rule` completes "`member` …". */
export function textLike(pattern: RegExp, rule: string) {
  const form = { type: 'string', pattern: pattern.flags.includes('i') ? inAnyCase(pattern) : pattern.source };
  return leaf(rule, form, (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined));
}

/** A closed set of words, matched in any case. */
export function oneOf<const T extends string>(values: readonly T[]) {
  return leaf(`must be one of ${values.join(', ')}`, { type: 'string', enum: values }, (value) => {
    if (typeof value !== 'string') return undefined;
    return values.find((word) => word.toLowerCase() === value.toLowerCase());
  });
}

/** Text, number or boolean, as text. Contract: 8.1. */
export function scalarText() {
  return leaf(SCALAR_RULE, SCALAR_FORM, scalarAsText);
}

const SCALAR_RULE = 'must be text, a number, true or false';
const SCALAR_FORM: JsonSchema = { type: ['string', 'number', 'boolean'] };

/** A list of what `scalarText` takes, read in one loop: callers send 100,000 of them. */
export function scalarTexts({ max = Number.POSITIVE_INFINITY } = {}) {
  const read = z.unknown().transform((sent, context): string[] => {
    if (Array.isArray(sent) && sent.length <= max) return readScalars(context, sent);
    const message = Array.isArray(sent) ? `may have at most ${max} items` : missingOr(sent, 'must be an array');
    context.issues.push({ code: 'custom', input: sent, message });
    return z.NEVER;
  });
  return read.meta({ type: 'array', items: SCALAR_FORM, ...(max < Number.POSITIVE_INFINITY && { maxItems: max }) });
}

function readScalars(context: z.core.$RefinementCtx, sent: readonly unknown[]): string[] {
  const texts: string[] = [];
  for (const [index, item] of sent.entries()) {
    if (context.issues.length >= MAX_PROBLEMS) break;
    const text = scalarAsText(item);
    if (text === undefined) context.issues.push({ code: 'custom', input: item, message: SCALAR_RULE, path: [index] });
    else texts.push(text);
  }
  return texts;
}

export function listOf<T>(inner: z.ZodType<T>, { min = 0, max = Number.POSITIVE_INFINITY } = {}) {
  const items = z.array(z.unknown()).min(min).max(max);
  const read = items.transform((sent, context): T[] => {
    const list: T[] = [];
    for (const [index, item] of sent.entries()) {
      if (context.issues.length >= MAX_PROBLEMS) break;
      const result = within(context, inner, item, [index]);
      if (result !== undefined) list.push(result);
    }
    return list;
  });
  return read.meta({
    get items() {
      return formOf(inner);
    },
  });
}

/** Reads a part of what a transform was given; its faults are reported under `path`, and undefined comes back. */
export function within<T>(
  context: z.core.$RefinementCtx,
  schema: z.ZodType<T>,
  value: unknown,
  path: readonly PropertyKey[] = [],
): T | undefined {
  const result = schema.safeParse(value, { error: ruleOf });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    context.issues.push({ code: 'custom', input: value, message: issue.message, path: [...path, ...issue.path] });
  }
  return undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An absent member `is required`, a wrong one is told the rule. `form` is how it should be sent. */
function leaf<T>(rule: string, form: JsonSchema, read: (value: unknown) => T | undefined) {
  const schema = z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.issues.push({ code: 'custom', input: value, message: missingOr(value, rule) });
    return z.NEVER;
  });
  return schema.meta({ ...form });
}

type Names = Readonly<Record<'names' | 'aliases' | 'known', ReadonlyMap<string, string>>>;

function canonical(value: unknown, { names, aliases, known }: Names): unknown {
  if (!isObject(value)) return value;
  noteMembers(value, known);
  const found: Record<string, unknown> = Object.fromEntries([...names.values()].map((name) => [name, undefined]));
  for (const lookUp of [aliases, names]) {
    for (const [key, sent] of Object.entries(value)) {
      const name = lookUp.get(key.toLowerCase());
      if (name !== undefined && sent !== null) found[name] = sent;
    }
  }
  return found;
}

function scalarAsText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function isWithin(value: string, maxChars: number): boolean {
  if (value.length <= maxChars) return true;
  return value.length <= 2 * maxChars && [...value].length <= maxChars;
}

function textForm(min: number, max: number): JsonSchema {
  const least = min > 0 ? { minLength: min } : {};
  return { type: 'string', ...least, ...(max < Number.POSITIVE_INFINITY && { maxLength: max }) };
}

/** Patterns of descriptions have no flags. */
function inAnyCase({ source }: RegExp): string {
  return source.replace(/[a-z]-[a-z]/g, (range) => `${range}${range.toUpperCase()}`);
}

function textRule(min: number, max: number): string {
  const least = min > 0 ? 'must be text that is not empty' : 'must be text';
  return max === Number.POSITIVE_INFINITY ? least : `${least} and has at most ${max} characters`;
}

function missingOr(value: unknown, rule: string): string {
  return value === undefined ? 'is required' : rule;
}

/** Rules of Zod's own checks, worded like ours: they complete "`member` …". */
function ruleOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type')
    return missingOr(issue.input, `must be ${ARTICLES[issue.expected] ?? issue.expected}`);
  if (issue.code === 'too_big') return `may have at most ${issue.maximum} items`;
  if (issue.code === 'too_small') return `must have at least ${issue.minimum} items`;
  return 'is not valid';
}

const ARTICLES: Readonly<Record<string, string>> = { array: 'an array', object: 'an object', string: 'text' };

function problemOf(issue: z.core.$ZodIssue): Problem {
  const path = pathText(issue.path);
  return { path, message: `${path === '' ? 'The body' : `"${shortened(path)}"`} ${issue.message}` };
}

/** Of one object: a request of nothing but unknown members must not cost more than reading it. */
const MAX_SUGGESTIONS = 100;

type Path = readonly (string | number)[];
/** Names that schemas know, in lower case with the spelling to suggest, by the object that they have read. */
type KnownNames = Map<object, Map<string, string>>;

const strictBodies = new WeakSet<object>();
/** Of the body that is read now: reading is synchronous. */
let knownNames: KnownNames | undefined;

/** Unknown members of this body are faults from now on (`?strict=true`). Contract: 1.4. */
export function makeStrict(body: unknown): void {
  if (typeof body === 'object' && body !== null) strictBodies.add(body);
}

/** Schemas tell which members of an object they read: `known` maps lower-case names to their spelling. */
export function noteMembers(sent: object, known: Iterable<readonly [string, string]>): void {
  if (knownNames === undefined) return;
  const names = knownNames.get(sent) ?? new Map<string, string>();
  for (const [name, spelling] of known) names.set(name, spelling);
  knownNames.set(sent, names);
}

/** Reads a value; of a strict body the members that no schema has read are faults. */
function readMembers<T>(value: unknown, read: () => T): { readonly result: T; readonly unknown: Problem[] } {
  if (typeof value !== 'object' || value === null || !strictBodies.has(value)) return { result: read(), unknown: [] };
  const known: KnownNames = new Map();
  knownNames = known;
  try {
    return { result: read(), unknown: unknownIn(value, [], known) };
  } finally {
    knownNames = undefined;
  }
}

/** In order of the body. Bodies are at most 64 levels deep. */
function unknownIn(value: unknown, path: Path, known: KnownNames): Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownIn(item, [...path, index], known));
  const names = known.get(value);
  return Object.entries(value).flatMap(([name, inner], index) => {
    const here = [...path, name];
    if (names === undefined || names.has(name.toLowerCase())) return unknownIn(inner, here, known);
    const meant = index < MAX_SUGGESTIONS ? closestName(name, [...names.values()]) : undefined;
    return [unknownMember(here, meant)];
  });
}

function unknownMember(path: Path, meant: string | undefined): Problem {
  const shown = pathText(path);
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { path: shown, message: `"${shortened(shown)}" is not known${suggestion}` };
}

/** `sources[2].id`, `filters.range`. */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/** Text of the caller as a message may repeat it. Contract: 1.7. */
function shortened(path: string): string {
  return path.length <= 100 ? path : `${path.slice(0, 99).toWellFormed()}…`;
}

/** The parameters of the query string as sent, in order; decoded once, `+` is a blank. */
export function queryPairs(request: FastifyRequest): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(queryString(request))];
}

/** The parameters as an object for `bind`; the later of two values wins. */
export function queryMembers(request: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(queryPairs(request));
}

/**
 * The same where a text must be exactly what was sent: codes that are no UTF-8 are refused. Elsewhere each becomes
 * U+FFFD, which may be part of an id.
 *
 * @throws AppError `request.invalid`
 */
export function exactQueryMembers(request: FastifyRequest): Readonly<Record<string, string>> {
  try {
    decodeURIComponent(queryString(request).replace(LONE_PERCENT, '%25'));
  } catch (cause) {
    const problems = [{ path: '', message: 'The query string is not valid UTF-8' }];
    throw new AppError('request.invalid', 'The query string is not valid UTF-8', { problems, cause });
  }
  return queryMembers(request);
}

/** What `URLSearchParams` takes as it stands. */
const LONE_PERCENT = /%(?![0-9a-fA-F]{2})/g;

function queryString({ raw: { url = '' } }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** @throws AppError `request.too-large` when an array of the request has more than `limit` items */
export function limitItems(sent: unknown, limit: number, noun: string): void {
  if (Array.isArray(sent) && sent.length > limit) {
    throw new AppError('request.too-large', `A request may have at most ${limit} ${noun}`);
  }
}
