import type { SettingField, SettingKind } from './setting-fields.ts';

/** Values of a form that differ from the record: by path, what was typed. */
export type Draft = ReadonlyMap<string, Typed>;

/** `value` as it was read: null brings back the default; absent, it cannot be read. */
export type Typed = { readonly text: string; readonly value?: unknown };

type Tree = Readonly<Record<string, unknown>>;

export function valueAt(record: Tree, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isTree(value) ? value[name] : undefined), record);
}

/** The members of a PATCH (RFC 7396): those that were changed, and no others. Undefined while one cannot be read. */
export function patchOf(draft: Draft): Tree | undefined {
  let patch: Tree = {};
  for (const [path, typed] of draft) {
    if (!('value' in typed)) return undefined;
    patch = withValue(patch, path.split('.'), typed.value);
  }
  return patch;
}

function withValue(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): Tree {
  if (rest.length === 0) return { ...tree, [name]: value };
  const inner = tree[name];
  return { ...tree, [name]: withValue(isTree(inner) ? inner : {}, rest, value) };
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** As a form shows it. */
export function textOf(value: unknown, { kind }: SettingKind): string {
  if (value === undefined || value === null) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (Array.isArray(value)) return value.join('\n');
  return String(value);
}

/** What a text of a form stands for; nothing stands for the default. */
export function readText(text: string, { kind }: SettingField): Typed {
  if (text.trim() === '' && kind.kind !== 'lines') return { text, value: null };
  switch (kind.kind) {
    case 'number': {
      const value = Number(text.replace(/[\s_]/g, ''));
      return Number.isFinite(value) ? { text, value } : { text };
    }
    case 'lines': {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      const [first = ''] = lines;
      return { text, value: lines.length === 1 && kind.words.includes(first) ? first : lines };
    }
    case 'json':
      try {
        return { text, value: JSON.parse(text) };
      } catch {
        return { text };
      }
    case 'switch':
      return { text, value: text === 'true' };
    case 'choice':
    case 'text':
      return { text, value: text };
    default:
      return kind satisfies never;
  }
}

/** In a sentence or a table: short. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return 'default';
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export type ChangedValue = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** Members of settings that differ between two states of a record. */
export function differences(before: Tree, after: Tree, paths: readonly string[]): readonly ChangedValue[] {
  return paths
    .map((path) => ({ path, before: valueAt(before, path), after: valueAt(after, path) }))
    .filter((change) => !isSame(change.before, change.after));
}
