import type { DocumentKind, StoredDocument } from '../core/document.ts';

/** A field of a hit: its name and all its values, in order. */
export type ReturnedField = { readonly name: string; readonly values: readonly string[] };

const ALWAYS = ['Id', 'Title', 'Url', 'Description', '_type'] as const;
const ALWAYS_WHEN_NAMED = ['Id', 'Url'] as const;
const FILE_COPIES: ReadonlyMap<string, string> = new Map([
  ['fc_Title', 'Title'],
  ['fc_Content', 'Content'],
]);

/**
 * The fields of a hit: all stored ones, or with `named` those of them that the document has; the system's own
 * values of `Id` and `_type` win over stored ones. Contract: 2.8.
 */
export function returnedFields(document: StoredDocument, named: readonly string[]): readonly ReturnedField[] {
  const all = allFields(document);
  const wanted: ReadonlySet<string> = new Set(named.length === 0 ? all.keys() : [...ALWAYS_WHEN_NAMED, ...named]);
  const always: readonly string[] = named.length === 0 ? ALWAYS : ALWAYS_WHEN_NAMED;
  return [...all]
    .filter(([name, values]) => wanted.has(name) && (values.length > 0 || always.includes(name)))
    .map(([name, values]) => ({ name, values }));
}

/** The stored field that a returned one repeats: `Title` of `fc_Title` in a file, any other itself. */
export function storedNameOf(name: string, kind: DocumentKind): string {
  return kind === 'FileContent' ? (FILE_COPIES.get(name) ?? name) : name;
}

function allFields({ id, kind, fields }: StoredDocument): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>(ALWAYS.map((name) => [name, []]));
  for (const [name, values] of fields) all.set(name, values);
  if (kind === 'FileContent') {
    for (const [copy, name] of FILE_COPIES) all.set(copy, fields.get(name) ?? []);
  }
  all.set('Id', [id]);
  all.set('_type', [kind]);
  return all;
}
