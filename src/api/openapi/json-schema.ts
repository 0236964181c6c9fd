import { z } from 'zod';

/** A schema of JSON Schema 2020-12, the language of schemas in OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

type Side = 'input' | 'output';
type Mutable = Record<string, unknown>;

const known: Readonly<Record<Side, WeakMap<z.ZodType, JsonSchema>>> = { input: new WeakMap(), output: new WeakMap() };

/**
 * What a schema takes (`input`) or gives (`output`). Parts with an id stand in `$defs`, at any depth. The result is
 * kept, and must not be changed. Costs some 0.1 ms per schema, once.
 */
export function jsonSchemaOf(schema: z.ZodType, side: Side): JsonSchema {
  const present = known[side].get(schema);
  if (present !== undefined) return present;
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const keywords = jsonSchema as Mutable;
      if (side === 'input') addSent(zodSchema, keywords);
      dropNoise(keywords, side);
    },
  });
  known[side].set(schema, made);
  return made;
}

/**
 * Zod leaves defaults and examples of transforms out, as it cannot know their form as it was sent: plain values are the
 * same, and our examples are what is sent.
 */
function addSent(schema: z.core.$ZodType, keywords: Mutable): void {
  const examples = z.globalRegistry.get(schema)?.['examples'];
  if (examples !== undefined) keywords['examples'] = examples;
  if (schema._zod.def.type === 'default') addDefault(schema._zod.def, keywords);
}

function addDefault(def: object, keywords: Mutable): void {
  const { defaultValue } = def as { readonly defaultValue?: unknown };
  const isEmptyList = Array.isArray(defaultValue) && defaultValue.length === 0 && keywords['type'] === 'array';
  if (isEmptyList || ['string', 'number', 'boolean'].includes(typeof defaultValue)) keywords['default'] = defaultValue;
}

/**
 * Bounds that bound nothing or are those of a double, the whole calendar beside `date`, `readOnly` of readonly types; of
 * answers that they never get new members, and what a request may leave out or send.
 */
function dropNoise(keywords: Mutable, side: Side): void {
  if (keywords['maximum'] === Number.MAX_SAFE_INTEGER) delete keywords['maximum'];
  if (keywords['minimum'] === Number.MIN_SAFE_INTEGER) delete keywords['minimum'];
  if (keywords['maxItems'] === Number.POSITIVE_INFINITY) delete keywords['maxItems'];
  if (keywords['minItems'] === 0) delete keywords['minItems'];
  if (side === 'output') {
    if (keywords['additionalProperties'] === false) delete keywords['additionalProperties'];
    delete keywords['default'];
    delete keywords['examples'];
  }
  if (keywords['format'] === 'date-time' || keywords['format'] === 'date') delete keywords['pattern'];
  delete keywords['readOnly'];
}

/** What a schema of an answer gives, for the functions that make the answer. */
export type Shown<S extends z.ZodType> = Frozen<z.output<S>>;

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T;
