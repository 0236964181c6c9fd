import type { Fields } from '../../core/document.ts';

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

/** Lines of a unified diff that are shown, and lines around a change. */
const MAX_LINES = 200;
const AROUND = 2;
/** Longer texts are compared as wholes: the table costs the product of both lengths. */
const MAX_CELLS = 4_000_000;

type Edit = { readonly mark: ' ' | '-' | '+'; readonly line: string };

/**
 * Lines of a unified diff (`-` before, `+` after, two lines around each change, `…` between), at most 200; empty for
 * equal texts. O(lines before × lines after) behind what both have in common at start and end.
 */
export function diffLines(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const edits = editsOf(before.split('\n'), after.split('\n'));
  const shown = edits.map((_, at) => edits.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(isChange));
  const lines: string[] = [];
  for (const [at, { mark, line }] of edits.entries()) {
    if (shown[at]) lines.push(`${mark} ${line}`);
    else if (at > 0 && shown[at - 1]) lines.push('…');
  }
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES - 1), '…'];
}

function isChange({ mark }: Edit): boolean {
  return mark !== ' ';
}

function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const kept = (line: string): Edit => ({ mark: ' ', line });
  return [
    ...before.slice(0, start).map(kept),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(kept),
  ];
}

function middle(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const removed = before.map((line): Edit => ({ mark: '-', line }));
  const added = after.map((line): Edit => ({ mark: '+', line }));
  if (before.length * after.length > MAX_CELLS) return [...removed, ...added];
  const common = commonLengths(before, after);
  const width = after.length + 1;
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const line = before[i] ?? '';
    if (line === after[j]) {
      edits.push({ mark: ' ', line });
      i++;
      j++;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
      edits.push({ mark: '-', line: before[i++] ?? '' });
    else edits.push({ mark: '+', line: after[j++] ?? '' });
  }
  return [...edits, ...removed.slice(i), ...added.slice(j)];
}

/** Lengths of the longest common subsequence of what follows (i, j), row by row. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const position = i * width + j;
      lengths[position] =
        before[i] === after[j]
          ? (lengths[position + width + 1] ?? 0) + 1
          : Math.max(lengths[position + width] ?? 0, lengths[position + 1] ?? 0);
    }
  }
  return lengths;
}
