import { escapeHtml } from '../../core/escape-html.ts';
import type { JsonSchema } from './json-schema.ts';

const SCHEMAS = '#/components/schemas/';
/** Bodies are at most so deep where they do not name a schema. */
const MAX_DEPTH = 8;

/** Text with `code` between backticks. */
export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

/** What a value is, in one line: `integer, 1 to 50`, or a link to a named schema. */
export function typeText(schema: JsonSchema): string {
  const { $ref, anyOf, items, enum: words, const: only } = schema;
  if (typeof $ref === 'string') return refLink($ref);
  if (Array.isArray(anyOf)) return [...new Set((anyOf as JsonSchema[]).map(typeText))].join(' or ');
  if (Array.isArray(words)) return words.map(codeText).join(', ');
  if (only !== undefined) return codeText(only);
  if (items !== undefined) return `list${limits(schema, 'minItems', 'maxItems')} of ${typeText(items as JsonSchema)}`;
  if (schema['type'] === 'object') return objectText(schema);
  return `${plainText(schema)}${rangeOf(schema)}`;
}

function refLink($ref: string): string {
  const name = $ref.startsWith(SCHEMAS) ? $ref.slice(SCHEMAS.length) : $ref;
  return `<a href="#${schemaAnchor(escapeHtml(name))}">${escapeHtml(name)}</a>`;
}

function objectText(schema: JsonSchema): string {
  const { additionalProperties: inner } = schema;
  const size = limits(schema, 'minProperties', 'maxProperties');
  if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0) return `object${size}`;
  return `object${size} of ${typeText(inner as JsonSchema)}`;
}

function plainText({ type, format, pattern }: JsonSchema): string {
  const named = type === undefined ? 'any value' : [type].flat().map(String).join(' or ');
  if (typeof format === 'string') return `${escapeHtml(named)} (${escapeHtml(format)})`;
  return typeof pattern === 'string' ? `${escapeHtml(named)} like ${codeText(pattern)}` : escapeHtml(named);
}

function rangeOf(schema: JsonSchema): string {
  const chars = limits(schema, 'minLength', 'maxLength');
  if (chars !== '') return `${chars} characters`;
  if (schema['exclusiveMinimum'] !== undefined) return `, above ${schema['exclusiveMinimum']}`;
  return limits(schema, 'minimum', 'maximum');
}

function limits(schema: JsonSchema, least: string, most: string): string {
  const { [least]: from, [most]: to } = schema;
  if (from === undefined && to === undefined) return '';
  if (to === undefined) return `, at least ${from}`;
  return from === undefined ? `, at most ${grouped(to)}` : `, ${grouped(from)} to ${grouped(to)}`;
}

function grouped(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en') : String(value);
}

function codeText(value: unknown): string {
  return `<code>${escapeHtml(typeof value === 'string' && value !== '' ? value : JSON.stringify(value))}</code>`;
}

/** A table of the members of a schema, also those of objects and lists inside; the type alone where it has none. */
export function memberTable(schema: JsonSchema): string {
  const rows = memberRows(schema, '', 0);
  const about = typeof schema['description'] === 'string' ? `<p>${prose(schema['description'])}</p>` : '';
  if (rows.length === 0) return `${about}<p>${typeText(schema)}</p>`;
  const listed = schema['items'] === undefined ? '' : `<p>${typeText(schema)}</p>`;
  return `${about}${listed}<table>
<thead><tr><th scope="col">Member</th><th scope="col">Takes</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}

function memberRows(schema: JsonSchema, path: string, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  const { properties, items, anyOf, additionalProperties: inner, required = [] } = schema;
  const named = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  const names = required as readonly string[];
  const own = named.flatMap(([name, member]) => {
    const place = path === '' ? name : `${path}.${name}`;
    return [memberRow(place, member, names.includes(name)), ...memberRows(member, place, depth + 1)];
  });
  const parts = [
    ...(items === undefined ? [] : memberRows(items as JsonSchema, `${path}[]`, depth + 1)),
    ...(typeof inner === 'object' && inner !== null ? memberRows(inner as JsonSchema, `${path}.*`, depth + 1) : []),
    ...((anyOf ?? []) as readonly JsonSchema[]).flatMap((part) => memberRows(part, path, depth + 1)),
  ];
  return [...own, ...parts];
}

function memberRow(place: string, member: JsonSchema, isRequired: boolean): string {
  const { description, default: usual, examples } = member;
  const meaning = [
    ...(isRequired ? ['<strong>Required.</strong>'] : []),
    ...(typeof description === 'string' ? [prose(description)] : []),
    ...(usual === undefined ? [] : [`Default: ${codeText(usual)}.`]),
    ...(Array.isArray(examples) ? [`Such as ${examples.map(codeText).join(', ')}.`] : []),
  ];
  return `<tr><th scope="row"><code>${escapeHtml(place)}</code></th><td>${typeText(member)}</td><td>${meaning.join(' ')}</td></tr>`;
}
