import type { JsonSchema } from '../src/api/openapi/json-schema.ts';

/** The name of a type for the name that a schema has in the description. */
export type NameOf = (schemaName: string) => string;

/** The declaration of a type. */
export function declareType(name: string, schema: JsonSchema, nameOf: NameOf): string {
  return `${comment(schema, '')}export type ${name} = ${createPrinter(nameOf)(schema, '')};`;
}

type Print = (schema: JsonSchema, indent: string) => string;

/** The TypeScript of a schema of the subset that the description uses; what types cannot say (limits, forms) is left out. */
function createPrinter(nameOf: NameOf): Print {
  const print: Print = (schema, indent) => {
    const { $ref, anyOf, allOf, type, items } = schema;
    const words = schema['enum'];
    if (typeof $ref === 'string') return nameOf($ref.slice($ref.lastIndexOf('/') + 1));
    if (Array.isArray(words)) return words.map(literal).join(' | ');
    // Beside members, alternatives only say which of them are required together.
    if (Array.isArray(anyOf) && type === undefined)
      return union(anyOf.map((part) => print(part as JsonSchema, indent)));
    if (Array.isArray(allOf)) return allOf.map((part) => parenthesised(print(part as JsonSchema, indent))).join(' & ');
    if (Array.isArray(type)) return union(type.map((one) => print({ ...schema, type: one }, indent)));
    if (type === 'array') return `readonly ${parenthesised(print((items ?? {}) as JsonSchema, indent))}[]`;
    if (type === 'object') return printObject(print, schema, indent);
    return PLAIN_TYPES[String(type)] ?? 'unknown';
  };
  return print;
}

const PLAIN_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function printObject(print: Print, schema: JsonSchema, indent: string): string {
  const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const others = schema['additionalProperties'] as JsonSchema | undefined;
  const required = (schema['required'] ?? []) as readonly string[];
  const inner = `${indent}  `;
  const lines = members.map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(member, inner)}${inner}readonly ${name}${mark}: ${print(member, inner)};`;
  });
  if (others !== undefined) {
    const open = members.length > required.length && Object.keys(others).length > 0 ? ' | undefined' : '';
    lines.push(`${inner}readonly [name: string]: ${print(others, inner)}${open};`);
  }
  return lines.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${lines.join('\n')}\n${indent}}`;
}

function comment({ description }: JsonSchema, indent: string): string {
  return typeof description === 'string' ? `${indent}/** ${description} */\n` : '';
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function union(parts: readonly string[]): string {
  return [...new Set(parts)].join(' | ');
}

function parenthesised(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type;
}
