import type { Fields } from '../../core/document.ts';
import { diffLines } from './text-diff.ts';

export type FieldDiff = {
  readonly field: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Unified diff of the values, at most 200 lines. */
  readonly lines: readonly string[];
};

/** What would change in a stored document, field by field; fields that stay are left out. */
export function diffFields(before: Fields, after: Fields): readonly FieldDiff[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((field): readonly FieldDiff[] => {
    const [old, fresh] = [before.get(field), after.get(field)];
    const lines = diffLines(textOf(old), textOf(fresh));
    if (old === undefined) return [{ field, change: 'added', lines: lines.filter(isNew) }];
    if (fresh === undefined) return [{ field, change: 'removed', lines: lines.filter(isOld) }];
    return lines.length === 0 ? [] : [{ field, change: 'changed', lines }];
  });
}

function textOf(values: readonly string[] | undefined): string {
  return values?.join('\n') ?? '';
}

function isNew(line: string): boolean {
  return line.startsWith('+');
}

function isOld(line: string): boolean {
  return line.startsWith('-');
}
