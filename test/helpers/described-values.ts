import fc from 'fast-check';
import { OPENAPI } from './described-answers.ts';

type Schema = { readonly [keyword: string]: unknown };

const SCHEMAS = '#/components/schemas/';
const MAX_ITEMS = 3;
const MAX_CHARS = 40;
/** From here on the first of several forms is taken, which is not nested. */
const MAX_DEPTH = 4;

/** Values that a schema of the document allows: small ones, and its examples where it has any. */
export function allowedValue(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, examples, enum: words, type } = schema;
  if (typeof $ref === 'string') return allowedValue(componentOf($ref), depth);
  if (Array.isArray(words)) return fc.constantFrom(...words);
  if (Array.isArray(examples)) return fc.constantFrom(...examples);
  const parts = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (parts !== undefined && schema['properties'] === undefined) return oneOfAll(parts, depth);
  if (Array.isArray(type))
    return oneOfAll(
      type.map((single: unknown) => ({ ...schema, type: single })),
      depth,
    );
  return plainValue(schema, depth);
}

function oneOfAll(parts: readonly Schema[], depth: number): fc.Arbitrary<unknown> {
  return fc.oneof(...parts.map((part) => allowedValue(part, depth)));
}

function componentOf($ref: string): Schema {
  const name = $ref.slice(SCHEMAS.length);
  return (OPENAPI.components.schemas as Readonly<Record<string, Schema>>)[name] ?? {};
}

function plainValue(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (schema['type']) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: Number(schema['minimum'] ?? -1_000), max: Number(schema['maximum'] ?? 1_000) });
    case 'number':
      return fc.double({ min: Number(schema['minimum'] ?? 0.5), max: Number(schema['maximum'] ?? 1e6), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listOf(schema, depth);
    case 'object':
      return objectOf(schema, depth);
    default:
      return fc.jsonValue({ depthSize: 'small' }).filter((value) => schema['not'] === undefined || value !== null);
  }
}

function textOf({ minLength = 0, maxLength = MAX_CHARS, pattern, format }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.constantFrom('2026-01-31T12:00:00Z', '2030-01-31T12:00:00+01:00');
  if (format === 'uri') return fc.webUrl();
  if (typeof pattern === 'string') return textLike(pattern);
  return fc.string({
    unit: 'grapheme',
    minLength: Number(minLength),
    maxLength: Math.min(Number(maxLength), MAX_CHARS),
  });
}

/** Any text for patterns that look ahead, which cannot be generated. */
function textLike(pattern: string): fc.Arbitrary<string> {
  if (pattern.includes('(?!')) return fc.string();
  return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: MAX_CHARS });
}

function listOf({ items = {}, minItems = 0, maxItems = MAX_ITEMS }: Schema, depth: number): fc.Arbitrary<unknown[]> {
  const size = {
    minLength: Number(minItems),
    maxLength: Math.max(Number(minItems), Math.min(Number(maxItems), MAX_ITEMS)),
  };
  return fc.array(allowedValue(items as Schema, depth + 1), size);
}

function objectOf(schema: Schema, depth: number): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties: inner, anyOf, oneOf } = schema;
  const members = Object.entries(properties as Readonly<Record<string, Schema>>);
  const choices = ((anyOf ?? oneOf) as readonly Schema[] | undefined) ?? [{}];
  const choice = fc.constantFrom(...choices.slice(0, oneOf === undefined || depth < MAX_DEPTH ? undefined : 1));
  const record = choice.chain(({ required: also = [] }) => {
    const needed = [...(required as string[]), ...(also as string[])];
    const others = (oneOf as readonly Schema[] | undefined)?.flatMap((other) => other['required'] as string[]) ?? [];
    const shown = members.filter(([name]) => (also as string[]).includes(name) || !others.includes(name));
    const values = Object.fromEntries(shown.map(([name, member]) => [name, allowedValue(member, depth + 1)]));
    return fc.record(values, { requiredKeys: needed.filter((name) => name in values) });
  });
  if (typeof inner !== 'object' || inner === null) return record;
  const least = Number(schema['minProperties'] ?? 0);
  const names = fc.string({ minLength: 1, maxLength: 12 }).filter((name) => name !== '__proto__');
  const others = fc.dictionary(names, allowedValue(inner as Schema, depth + 1), { minKeys: least, maxKeys: MAX_ITEMS });
  return fc.tuple(record, others).map(([known, more]) => ({ ...more, ...known }));
}

const HOSTILE: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1e308,
    2 ** 53,
    0.1,
    '',
    ' ',
    'null',
    '0x10',
    '2026-02-30',
    '../..',
    '%00',
    '💥',
    '\u0000',
    '\ud800',
  ],
  ...['x'.repeat(5_000), '(('.repeat(200), '*'.repeat(60), '"', 'a:b:c', '__proto__', '[0 TO'],
  ...[[], {}, [[]], [null], [{}], { a: { b: { c: {} } } }, Array(300).fill('x'), { constructor: { prototype: 1 } }],
];

/** The same with one or two places, at any depth, replaced by what nobody expects. */
export function brokenValue(allowed: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const place = fc.tuple(fc.array(fc.nat(9), { maxLength: 4 }), fc.constantFrom(...HOSTILE));
  return fc
    .tuple(allowed, fc.array(place, { minLength: 1, maxLength: 2 }))
    .map(([value, places]) => places.reduce((broken, [path, hostile]) => replaced(broken, path, hostile), value));
}

function replaced(value: unknown, [step, ...rest]: readonly number[], hostile: unknown): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return hostile;
  const names = Object.keys(value);
  const name = names[step % Math.max(names.length, 1)];
  if (name === undefined) return hostile;
  const inner = replaced((value as Record<string, unknown>)[name], rest, hostile);
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...value, [name]: inner };
}
